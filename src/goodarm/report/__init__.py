"""Reports: tables, figures and one HTML page from plain data.

========= =========================================================================
model     what a report shows
tables    as text, CSV, Markdown, LaTeX, JSON
figures   as pictures
html      as one self-contained page
write     all of it into a folder
arms      arms as intervals, a picture of its own
histories how arms' intervals narrowed, another
gaps      pulls against gap, another
pictures  how a picture of its own gets into its file
========= =========================================================================
"""

from goodarm.report.model import Agreement, Curve, MeanRow, Report, Row, Section, TheoryPart
from goodarm.report.tables import caption, main_table, to_json
from goodarm.report.write import write_report

__all__ = [
    "Agreement",
    "Curve",
    "MeanRow",
    "Report",
    "Row",
    "Section",
    "TheoryPart",
    "caption",
    "main_table",
    "to_json",
    "write_report",
]
