"""Tables in a notebook: nothing of a user's is HTML, and light and dark are both readable."""

import re
from html.parser import HTMLParser
from xml.etree import ElementTree

import pytest

import goodarm as ga
from goodarm.views.bars import COLOURS
from goodarm.views.html import escape_html
from goodarm.views.text import make_text_table, measure_text

ODD = ["<script>alert(1)</script>", "a & b", "\"quoted\" 'twice'", "&lt;", "red\n\x1b[31m", "中文"]
BACKGROUNDS = ["#ffffff", "#111111"]


def make_table():
    return ga.check(
        {name: (50, 45 - 9 * k) for k, name in enumerate(ODD)}, threshold=0.5, delta=0.05
    )


def make_live():
    ident = ga.Identifier(ga.Problem(ODD, 0.5, 0.1))
    ident.observe(ODD[0], [1] * 50)
    return ident.table()


def make_plan():
    means = {name: 0.9 - 0.15 * k for k, name in enumerate(ODD)}
    algorithm = ga.Algorithm(sampling="hdoc", identification="mixture", name="<i>mine</i>\n")
    return ga.plan(means, threshold=0.5, delta=0.1, algorithm=algorithm, runs=3)


def make_runs():
    algorithm = ga.Algorithm(sampling="hdoc", identification="mixture", name="<i>mine</i>\n")
    return ga.simulate([0.9, 0.1], threshold=0.5, delta=0.1, algorithm=algorithm, runs=3)


MAKERS = [make_table, make_live, make_plan, make_runs, lambda: make_runs().table()]


@pytest.fixture(params=MAKERS, ids=["table", "live", "plan", "runs", "summary"], scope="module")
def shown(request):
    return request.param()


class Page(HTMLParser):
    """Tags with their attributes, and the text of each cell."""

    def __init__(self, page):
        super().__init__()
        self.tags, self.texts, self.open = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))
        self.open.append(tag)

    def handle_endtag(self, tag):
        while self.open and self.open.pop() != tag:
            pass

    def handle_data(self, data):
        self.texts.append((self.open[-1], data))


def brightness(colour):
    """Relative luminance as WCAG 2 defines it."""
    parts = [int(colour[k : k + 2], 16) / 255 for k in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one, other):
    low, high = sorted((brightness(one), brightness(other)))
    return (high + 0.05) / (low + 0.05)


def test_contrast_is_that_of_the_standard():
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


def test_users_words_are_text(shown):
    page = Page(shown._repr_html_())
    tags = {tag for tag, _ in page.tags}
    known = {"div", "table", "caption", "thead", "tbody", "tr", "th", "td", "p", "br"}
    assert tags <= known | {"svg", "line", "circle"}
    assert "\x1b" not in shown._repr_html_()
    ElementTree.fromstring(f"<div>{shown._repr_html_().replace('<br>', '<br/>')}</div>")


@pytest.mark.parametrize("make", [make_table, make_live])
def test_cells_show_the_names_as_they_are(make):
    cells = [text for tag, text in Page(make()._repr_html_()).texts if tag == "td"]
    for name in ODD[:4]:
        assert name in cells
    assert r"red\n\x1b[31m" in cells


def test_quotes_do_not_leave_an_attribute():
    assert escape_html("\" onload='x'") == "&quot; onload=&#x27;x&#x27;"


def test_no_colour_is_fixed_but_those_of_labels(shown):
    html = shown._repr_html_()
    assert set(re.findall(r"#[0-9a-fA-F]{3,8}\b", html)) <= set(COLOURS.values())
    for word in ("black", ":white", '"white"', "rgb(", "background"):
        assert word not in html
    assert "color:inherit" in html
    assert "currentColor" in html


@pytest.mark.parametrize("background", BACKGROUNDS)
@pytest.mark.parametrize("colour", COLOURS.values())
def test_marks_stand_out_on_light_and_on_dark(colour, background):
    assert contrast(colour, background) >= 3


def test_wide_tables_scroll_in_a_box_and_have_a_caption_and_no_style_sheet(shown):
    html = shown._repr_html_()
    page = Page(html)
    assert html.startswith('<div style="overflow-x:auto;')
    assert [tag for tag, _ in page.tags][:3] == ["div", "table", "caption"]
    assert "<style" not in html
    assert "class=" not in html


def test_numbers_are_aligned_to_the_right_and_words_to_the_left():
    tags = Page(make_table()._repr_html_()).tags
    sides = [a["style"].split("text-align:")[1].split(";")[0] for t, a in tags if t == "td"]
    assert sides[:11] == ["left", "left", "right", "right", "left", *["right"] * 6]
    assert all("white-space:nowrap" in a["style"] for t, a in tags if t == "td")
    assert "tabular-nums" in tags[1][1]["style"]


def test_the_bar_stands_after_the_mean_and_e_values_last():
    page = Page(make_table()._repr_html_())
    heads = [text for tag, text in page.texts if tag == "th"]
    assert heads[:7] == ["arm", "label", "pulls", "mean", "interval", "lower", "upper"]
    assert heads[7:] == ["pulls needed", "needed (9 of 10)", "e good", "e bad"]
    inner = [tag for tag, _ in page.tags if tag in ("tr", "td", "svg")]
    row = inner[2 : inner.index("tr", 2)]
    assert row == [*["td"] * 5, "svg", *["td"] * 6]
    cells = [text for tag, text in page.texts if tag == "td"][:10]
    report = make_table().explain(cells[0])
    assert cells[2:6] == [
        str(report.pulls),
        *(f"{v:.4g}" for v in (report.mean, report.lower, report.upper)),
    ]
    assert cells[8:] == [f"{report.e_good:.4g}", f"{report.e_bad:.4g}"]


@pytest.mark.parametrize("make", [make_table, make_live, make_plan])
def test_a_long_name_is_cut_and_has_a_title(make):
    """The title is an attribute: a quote in a name does not leave it."""
    tags = [attributes for tag, attributes in Page(make()._repr_html_()).tags if tag == "td"]
    titled = [attributes for attributes in tags if "title" in attributes]
    for name in ODD[:4]:
        assert any(a["title"].removeprefix("arm ") == name for a in titled)
    assert any(r"red\n\x1b[31m" in a["title"] for a in titled)
    for attributes in titled:
        assert set(attributes) == {"style", "title"}
        assert "max-width:16em;overflow:hidden;text-overflow:ellipsis" in attributes["style"]


def test_text_is_aligned_with_wide_letters_and_shows_control_characters(shown):
    lines = repr(shown).splitlines()
    assert not any("\x1b" in line for line in lines)


def test_text_width_text_line_up():
    names = ["ab", "中文", "😀", "e\u0301", "red\n"]
    lines = make_text_table(["arm", "n"], [[name, "1"] for name in names]).splitlines()
    assert [measure_text(line) for line in lines] == [len(r"red\n  1")] * 6
    assert lines[-1] == r"red\n  1"
    assert lines[2] == "中文   1"


def test_the_reprs_line_up():
    for make in (make_live, make_table):
        table = make()
        rows = repr(table).splitlines()[1 : -len(table.notes)]
        assert len({measure_text(line) for line in rows}) == 1
        assert len(rows) == 1 + len(ODD)
