"""Users' words in the report's tables: Markdown, LaTeX and CSV show them and do nothing else."""

import csv
import io
import re

import pytest

from goodarm.report.escaping import escape_latex, escape_markdown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("a|b", r"a\|b"),
        ("<script>", r"\<script>"),
        ("$x$", r"\$x\$"),
        ("`code` *bold*", r"\`code\` \*bold\*"),
        ("_it_ tau_1", r"\_it\_ tau_1"),
        ("[x](y)", r"\[x]\(y)"),
        ("[2](y)", r"[2]\(y)"),
        ("hdoc [2][3]", "hdoc [2][3]"),
        ("&lt; \\", r"\&lt; \\"),
        ("39.20 ± 2.40", "39.20 ± 2.40"),
        ("> 3,000", "> 3,000"),
        ("a\nb", r"a\\nb"),
    ],
)
def test_markdown(text, shown):
    assert escape_markdown(text) == shown


def test_markdown_is_read_back_as_the_text():
    from markdown_it import MarkdownIt

    for text in ("a|b", "<b>x</b>", "`c` *d* _e_ ~~f~~", "[x](http://y)", "&amp;", "\\", "![i](j)"):
        table = f"| {escape_markdown(text)} | n |\n| --- | --- |\n| {escape_markdown(text)} | 1 |\n"
        tokens = MarkdownIt("commonmark").enable(["table", "strikethrough"]).parse(table)
        cells = [token for token in tokens if token.type == "inline"]
        assert len(cells) == 4
        for cell in cells[::2]:
            assert {child.type for child in cell.children} <= {"text", "text_special"}
            assert "".join(child.content for child in cell.children) == text


@pytest.mark.parametrize("sign", "&%$#_{}~^\\")
def test_latex_shows_every_special_character(sign):
    shown = escape_latex(f"a{sign}b")
    assert shown != f"a{sign}b"
    commands = r"\\(?:[&%$#_{}]|text(?:backslash|asciitilde|asciicircum)\{\})"
    assert re.fullmatch(rf"a{commands}b", shown)


def test_latex_escapes_once():
    assert escape_latex(r"\{") == r"\textbackslash{}\{"
    assert escape_latex("1 ± 2 > 0 < 3") == r"1 $\pm$ 2 $>$ 0 $<$ 3"


def test_a_row_does_not_begin_with_what_latex_takes_for_an_argument():
    from goodarm.report.tables import _format_latex_row

    assert _format_latex_row(["[2]", "x"]) == r"{}[2] & x \\"
    assert _format_latex_row(["*", "x"]) == r"{}* & x \\"


def test_csv_cells_are_harmless(odd_report):
    from goodarm.report.tables import to_csv

    rows = list(csv.DictReader(io.StringIO(to_csv(odd_report.sections[0]))))
    assert {row["instance"] for row in rows} == {'\'=<b>$x$|_y & "z"\\frac'}
    assert {row["algorithm"] for row in rows} == {"'@<i>me</i>", "_low$5"}
    assert all(float(row["mean"]) > 0 for row in rows)
