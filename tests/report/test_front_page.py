"""The docs' front page opens with a picture and one example, and does not repeat the sidebar."""

import re

from helpers import ROOT

PAGE = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")


def test_it_opens_with_the_picture_then_one_example_then_the_list():
    picture, example, listed = (
        PAGE.index("![Eight arms"),
        PAGE.index("```console\n$ goodarm check"),
        PAGE.index("You have counts and want labels now"),
    )
    assert picture < example < listed
    assert PAGE.count("```console") == 1
    assert "```python" not in PAGE
    assert len(PAGE[:picture].splitlines()) < 8


def test_the_list_of_all_pages_is_in_the_sidebar_alone():
    toctrees = re.findall(r"```\{toctree\}\n(.*?)```", PAGE, flags=re.DOTALL)
    captions = []
    for toctree in toctrees:
        options, pages = toctree.split("\n\n")
        assert options.startswith(":hidden:\n:caption: ")
        captions.append(options.removeprefix(":hidden:\n:caption: "))
        for page in pages.split():
            assert (ROOT / "docs" / f"{page}.md").exists()
    assert captions == [
        "Start here",
        "How-to guides",
        "Explanations",
        "Reference",
        "For contributors",
    ]


def test_wide_tables_have_a_box_that_scrolls():
    conf = (ROOT / "docs" / "conf.py").read_text(encoding="utf-8")
    style = (ROOT / "docs" / "_static" / "wide.css").read_text(encoding="utf-8")
    assert 'html_css_files = ["wide.css"]' in conf
    assert re.search(r"\.table-wrapper[^{]*\{[^}]*overflow-x: auto", style)
