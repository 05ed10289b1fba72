"""Views: plain columns to text, HTML, SVG, CSV and figures. They know no rule and no result class.

========= =========================================================================
names     names of arms and others: printable, shortened, and still distinct
numbers   numbers and nouns
times     moments and spans
text      tables as aligned text, fitted to a terminal
html      tables as HTML
bars      intervals as small pictures
csv_lines CSV that no spreadsheet runs as formulas
choice    the rows that are shown, and their order
arms      rows of arms
figures   figures by matplotlib
========= =========================================================================

Functions that need rich or matplotlib load it when they are called.
"""
