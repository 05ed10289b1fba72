"""Long names, large numbers, many columns: nothing is cut off, and nothing lies over another."""

import pytest

import goodarm as ga
from browser.app_thread import here
from browser.server import WIDTHS, store_url

LONG = "x" * 180
WORDS = "a long name of many words " * 6
NAME = "a-name-that-is-as-long-as-names-may-be"
PATHS = ["/", *(f"/experiments/{NAME}{part}" for part in ("", "/arms/0", "/journal", "/report"))]
OVER = "document.documentElement.scrollWidth - innerWidth"
TOUCHING = """() => [...document.querySelectorAll("svg.scale, svg.ticks")].flatMap((each) => {
  const boxes = [...each.querySelectorAll("text")].map((text) => text.getBoundingClientRect())
    .filter((box) => box.width);
  return boxes.flatMap((a, k) => boxes.slice(k + 1).filter((b) =>
    a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom));
}).length"""
CUT = """() => [...document.querySelectorAll(".scroll:has(.tall)")].filter(
  (each) => each.scrollWidth > each.clientWidth).length"""
BROKEN = """() => [...document.querySelectorAll("main *")].filter((each) => {
  if (each.children.length || !/^[\\w,.]{1,12}$/.test(each.textContent.trim())) return false;
  const words = document.createRange();
  words.selectNodeContents(each);
  return words.getClientRects().length > 1;
}).map((each) => each.textContent)"""


@pytest.fixture(scope="module")
def long(tmp_path_factory):
    """A server of sales of about a million, which tests only look at.

    Arms have long names, and so has the worker who asks for them.
    """
    problem = ga.Problem(
        [LONG, WORDS, "north", "south"],
        threshold=1e6,
        delta=0.01,
        rewards="gaussian",
        sigma=25_000,
        margin=2000,
    )
    url = store_url(tmp_path_factory.mktemp("long"))
    with ga.open_store(url) as store:
        exp = store.experiment(NAME, problem, seed=1)
        for arm, mean in zip(problem.arms, (1_004_000, 999_500, 1_020_000, 960_000), strict=True):
            exp.observe(arm, [mean + 5000 * (k % 7 - 3) for k in range(40)])
        asked = exp.ask_many(120, worker="y" * 120, lease=600)
        exp.tell_many(asked[:-3], [1e6] * 117)
    with here(url) as server:
        yield server


@pytest.mark.parametrize("width", [320, *WIDTHS])
def test_no_page_is_wider_than_the_screen(long, visitor, width):
    page = visitor(width)
    for path in PATHS:
        page.goto(long.url + path)
        assert page.evaluate(OVER) <= 0, path
        assert page.evaluate(TOUCHING) == 0, path
        assert page.evaluate(BROKEN) == [], path
        if width != 320:
            assert page.evaluate(CUT) == 0, path


def test_a_small_report_fits_a_sheet_of_paper(server, banners, visitor):
    page = visitor()
    page.goto(f"{server.url}/experiments/banners/report")
    assert page.pdf(format="A4").count(b"/Type /Page\n") == 1


def test_a_long_name_is_not_wider_than_the_paper(long, visitor):
    page = visitor(673)  # A4 within its margins, in points of CSS
    page.emulate_media(media="print")
    page.goto(f"{long.url}/experiments/{NAME}/report")
    assert page.evaluate(OVER) <= 0
