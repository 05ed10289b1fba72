"""Reports: tables, figures and one HTML page from plain data.

======== =========================================================================
model    content of a report
tables   the report as text, CSV, Markdown, LaTeX and JSON
escaping escaping for Markdown and LaTeX
figures  figures of the report
html     the report as one self-contained page
writer   writing all files of the report into a folder
======== =========================================================================
"""

from goodarm.report.model import (
    Agreement,
    ComparisonRow,
    MeanRow,
    PaperReport,
    Section,
    TauCurve,
    TheoryPart,
)
from goodarm.report.tables import main_table, make_caption, to_json
from goodarm.report.writer import write_report

__all__ = [
    "Agreement",
    "ComparisonRow",
    "MeanRow",
    "PaperReport",
    "Section",
    "TauCurve",
    "TheoryPart",
    "main_table",
    "make_caption",
    "to_json",
    "write_report",
]
