"""Reports: tables, figures and one HTML page from plain data.

======= ==========================================================================
model   what a report shows
tables  as text, CSV, Markdown, LaTeX, JSON
figures as pictures
html    as one self-contained page
write   all of it into a folder
======= ==========================================================================
"""

from goodarm.report.model import Agreement, Curve, Report, Row, Section, Theory, TheoryRow
from goodarm.report.write import write_report

__all__ = [
    "Agreement",
    "Curve",
    "Report",
    "Row",
    "Section",
    "Theory",
    "TheoryRow",
    "write_report",
]
