"""The report's page: users' words are text, and phones and dark mode are readable."""

import re
import sys
from html.parser import HTMLParser
from importlib.resources import files
from xml.etree import ElementTree

import pytest

from goodarm.report import figures, write_report
from goodarm.report.html import _make_inline
from goodarm.report.writer import make_file_stem
from report.conftest import ALGORITHMS, INSTANCE
from views.test_html import contrast

STYLE = (files("goodarm.report") / "style.css").read_text(encoding="utf-8")


class Page(HTMLParser):
    """The tags, what encloses each, and the text outside of style."""

    VOID = ("meta", "br")

    def __init__(self, page):
        super().__init__()
        self.open, self.tags, self.texts = [], [], []
        self.feed(page)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes), list(self.open)))
        if tag not in self.VOID:
            self.open.append((tag, dict(attributes).get("class") or ""))

    def handle_startendtag(self, tag, attributes):
        self.tags.append((tag, dict(attributes), list(self.open)))

    def handle_endtag(self, tag):
        while self.open and self.open.pop()[0] != tag:
            pass

    def handle_data(self, data):
        self.texts.append(data)


@pytest.fixture(scope="module", params=["odd_report", "odd_comparison"])
def folder(request, tmp_path_factory):
    folder = tmp_path_factory.mktemp("report")
    write_report(request.getfixturevalue(request.param), folder)
    return folder


@pytest.fixture(scope="module")
def page(folder):
    return Page((folder / "report.html").read_text(encoding="utf-8"))


def test_users_words_are_text_and_whole(page):
    used = {tag for tag, _, _ in page.tags}
    assert not used & {"script", "b", "i"}
    for words in (INSTANCE, *ALGORITHMS, "<Title> & 'quotes'", "<script>alert(1)</script>"):
        assert any(words in text for text in page.texts)
    text = "".join(page.texts)
    assert "pulls <that> suffice" in text
    assert "One & the <other>." in text
    assert {a.get("id") for t, a, _ in page.tags if t == "section"} == {INSTANCE}
    links = [a["href"] for t, a, _ in page.tags if t == "a"]
    assert links == [f"#{INSTANCE}"]


def test_pictures_hold_the_names_as_text(folder):
    stem = make_file_stem(INSTANCE)
    root = ElementTree.parse(folder / f"{stem}.svg").getroot()
    texts = {element.text for element in root.iter() if element.tag.endswith("}text")}
    assert {*ALGORITHMS, *(f"{name}, paper" for name in ALGORITHMS)} <= texts
    assert f"{INSTANCE}: 2 arms, 3 runs" in texts
    bounds = ElementTree.parse(folder / f"{stem}-bounds.svg").getroot()
    assert f"The two confidence bounds on {INSTANCE}" in set(bounds.itertext())


def test_names_of_files_stay_in_the_folder(folder):
    assert make_file_stem("../a/b") == "---a-b"
    assert {path.parent for path in folder.rglob("*")} == {folder}


def test_every_table_and_figure_has_a_box_that_scrolls(page):
    wide = [above for tag, _, above in page.tags if tag in ("table", "svg")]
    assert len(wide) >= 5
    for above in wide:
        assert "scroll" in above[-1][1].split()
    assert re.search(r"\.scroll \{[^}]*overflow-x: auto", STYLE)
    boxes = [a for t, a, _ in page.tags if t == "div" and "scroll" in (a.get("class") or "")]
    assert all(box["tabindex"] == "0" for box in boxes)


def colours(block):
    return dict(re.findall(r"--(\w+): (#[0-9a-f]{6})", block))


LIGHT = colours(STYLE.split("@media")[0])
DARK = LIGHT | colours(STYLE.split("prefers-color-scheme: dark")[1].split("\n}")[0])


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_text_stands_out(theme):
    for name in ("ink", "soft", "good", "bad"):
        assert contrast(theme[name], theme["paper"]) >= 4.5
    assert contrast("#000000", theme["card"]) >= 4.5
    assert contrast("#555555", theme["card"]) >= 4.5


def test_dark_is_dark_and_nothing_else_has_a_colour_of_its_own():
    assert contrast(DARK["paper"], "#000000") < 1.3
    assert contrast(LIGHT["paper"], "#ffffff") == 1
    rules = re.sub(r":root \{[^}]*\}", "", STYLE)
    assert "#" not in rules
    assert "background: var(--card)" in rules


def test_no_letter_is_smaller_than_twelve_pixels():
    sizes = [float(size) * 16 for size in re.findall(r"font-size: ([\d.]+)rem", STYLE)]
    assert len(sizes) > 8
    assert min(sizes) >= 12


@pytest.mark.parametrize(("draw", "kind"), [("draw_taus", ""), ("draw_overview", ".wide ")])
def test_figures_are_never_so_small_that_letters_are(odd_comparison, draw, kind):
    subject = odd_comparison if draw == "draw_overview" else odd_comparison.sections[0]
    figure = getattr(figures, draw)(subject)
    rule = re.search(rf"^{kind or 'figure '}svg \{{[^}}]*min-width: (\d+)rem", STYLE, re.MULTILINE)
    pixels = 16 * int(rule[1])
    legends = [*figure.legends, *(a.get_legend() for a in figure.axes if a.get_legend())]
    least = min(text.get_fontsize() for legend in legends for text in legend.get_texts())
    assert least * pixels / (72 * figure.get_figwidth()) >= 12


def test_an_inlined_picture_keeps_words_that_look_like_ids():
    inner = '<text>id="a" url(#a)</text><use href="#a"/></svg>'
    svg = f'<?xml?><svg height="9pt" width="9pt" id="a">{inner}'
    assert _make_inline(svg, "p") == (
        '<svg id="p-a"><text>id="a" url(#a)</text><use href="#p-a"/></svg>'
    )


@pytest.mark.slow
def test_the_same_report_gives_the_same_files(odd_report, tmp_path):
    for name in ("one", "two"):
        write_report(odd_report, tmp_path / name)
    for path in (tmp_path / "one").iterdir():
        assert path.read_bytes() == (tmp_path / "two" / path.name).read_bytes(), path.name


def test_a_report_without_matplotlib_has_no_figures(odd_comparison, tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    for name in [*sys.modules]:
        if name.startswith(("goodarm.views.figures", "goodarm.report.figures")):
            monkeypatch.delitem(sys.modules, name)
    paths = write_report(odd_comparison, tmp_path)
    assert {path.suffix for path in paths} == {".html", ".json", ".csv", ".md", ".tex"}
    page = Page((tmp_path / "report.html").read_text(encoding="utf-8"))
    tags = {tag for tag, _, _ in page.tags}
    assert "table" in tags
    assert not tags & {"svg", "figure"}
