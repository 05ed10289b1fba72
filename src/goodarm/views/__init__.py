"""Views: plain columns to text, HTML, SVG, CSV and figures. They know no rule and no result class.

========= =========================================================================
names     names of arms and others, plain, short enough, and still told apart
numbers   numbers and nouns
times     moments and spans
text      tables as aligned text; layout: tables that fit a terminal
html      tables as HTML
bars      intervals as small pictures
csv_lines CSV that no spreadsheet runs
choice    which rows are shown, and in which order
arms      rows of arms
figures   pictures by matplotlib
========= =========================================================================

What needs rich or matplotlib loads it when it is called.
"""
