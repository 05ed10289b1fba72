"""Make the pictures and tables of the docs anew: ``make figures``.

    python tools/figures.py                         # all of them
    python tools/figures.py check store             # those of these names
    python tools/figures.py --into FOLDER check     # into another folder than docs

Each picture carries the data that it shows, as text in its PNG file under the key ``goodarm``, so
that the two cannot part. tests/test_figures.py makes what is quick to make, and parts of the rest,
and compares data with data and tables with tables: what is out of date fails.
"""

import argparse
import contextlib
import importlib
import io
import json
import math
import os
import random
import re
import runpy
import shlex
import sys
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import matplotlib as mpl

mpl.use("Agg")

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.ticker import FixedFormatter
from PIL import Image
from PIL.PngImagePlugin import PngInfo
from typer.testing import CliRunner

from goodarm.cli import app
from goodarm.papers import Paper, find_paper
from goodarm.report import PaperReport, Section, tables
from goodarm.report.figures import draw_overview, draw_taus
from goodarm.report.writer import PRINT_DPI
from goodarm.reproduce import reproduce
from goodarm.reproduce.algorithm_choice import choose_algorithms
from goodarm.views.figures.pictures import save_picture

ROOT = Path(__file__).parents[1]
DOCS = ROOT / "docs"
KEPT_RUNS = ROOT / ".cache" / "figures"
"""Finished runs of the papers: an interrupted ``make figures`` goes on from them."""
KEY = "goodarm"
DIGITS = 6
"""Digits of a number in a picture's data."""


class LeftOut(Exception):
    """What a figure needs is not on this machine; the message says what."""


@dataclass(frozen=True)
class Figures:
    """Files that are made together.

    Args:
        name: what to call them on the command line.
        files: their paths below docs.
        make: writes them into a folder that is laid out as docs is.
        is_quick: whether that takes a few seconds at most.
    """

    name: str
    files: tuple[str, ...]
    make: Callable[[Path], None]
    is_quick: bool


REGISTRY: dict[str, Figures] = {}


def figures(
    name: str, *files: str, is_quick: bool = True
) -> Callable[[Callable[[Path], None]], Callable[[Path], None]]:
    """Register the function that makes these files."""

    def register(make: Callable[[Path], None]) -> Callable[[Path], None]:
        REGISTRY[name] = Figures(name, files, make, is_quick)
        return make

    return register


# What a picture shows


def describe(figure: Figure) -> dict[str, Any]:
    """Return what a figure shows: its words, and the data of each of its axes."""
    above = (figure._suptitle, figure._supxlabel, figure._supylabel)  # no others have them
    return {
        "texts": [each.get_text() for each in (*above, *figure.texts) if each is not None]
        + [text for legend in figure.legends for text in _legend_texts(legend)],
        "axes": [_describe_axes(axes) for axes in figure.axes],
    }


def _describe_axes(axes: Axes) -> dict[str, Any]:
    titles = [axes.get_title(loc=place) for place in ("left", "center", "right")]
    legend = axes.get_legend()
    fixed = [
        list(axis.get_major_formatter().seq)
        for axis in (axes.xaxis, axes.yaxis)
        if isinstance(axis.get_major_formatter(), FixedFormatter)
    ]
    shapes = [
        each.get_patch_transform().transform_path(each.get_path()).get_extents().extents
        for each in axes.patches
    ]
    return {
        "texts": [each for each in (*titles, axes.get_xlabel(), axes.get_ylabel()) if each]
        + [each.get_text() for each in axes.texts]
        + ([] if legend is None else _legend_texts(legend)),
        "names": fixed,
        "scales": [axes.get_xscale(), axes.get_yscale()],
        "lines": [_numbers(each.get_xydata()) for each in axes.lines],
        "areas": [
            _numbers(path.vertices) for each in axes.collections for path in each.get_paths()
        ],
        "shapes": [_numbers(each) for each in shapes],
    }


def _legend_texts(legend: Legend) -> list[str]:
    return [legend.get_title().get_text(), *(each.get_text() for each in legend.get_texts())]


def _numbers(values: Any) -> list[float | None]:
    """Return numbers in a row, rounded; None for what is not finite."""
    flat = np.asarray(values, np.float64).ravel().tolist()
    return [float(f"{each:.{DIGITS}g}") if math.isfinite(each) else None for each in flat]


@contextlib.contextmanager
def described_pictures(**more: Any) -> Iterator[None]:
    """Have every PNG file that matplotlib writes meanwhile carry what it shows, and ``more``.

    Of nested ones the inner counts.
    """
    save = Figure.savefig

    def savefig(self: Figure, target: Any, **options: Any) -> None:
        if (options.get("format") or Path(target).suffix.lstrip(".")) == "png":
            text = json.dumps({**describe(self), **more})
            options["metadata"] = {KEY: text, **(options.get("metadata") or {})}
        save(self, target, **options)

    Figure.savefig = savefig  # type: ignore[method-assign]
    try:
        yield
    finally:
        Figure.savefig = save  # type: ignore[method-assign]


def read_data(picture: Path) -> Any:
    """Return the data that a picture carries; None where it carries none."""
    with Image.open(picture) as image:
        text = image.info.get(KEY)
    return None if text is None else json.loads(text)


def find_differences(made: Any, kept: Any, place: str = "") -> list[str]:
    """Return where two pictures' data differ, in words; numbers may differ in the last digit."""
    if isinstance(made, dict) and isinstance(kept, dict) and made.keys() == kept.keys():
        parts = [(f"{place}/{key}", made[key], kept[key]) for key in made]
    elif isinstance(made, list) and isinstance(kept, list) and len(made) == len(kept):
        pairs = enumerate(zip(made, kept, strict=True))
        parts = [(f"{place}/{number}", *pair) for number, pair in pairs]
    else:
        numbers = all(isinstance(each, int | float) for each in (made, kept))
        same = math.isclose(made, kept, rel_tol=10.0 ** (1 - DIGITS)) if numbers else made == kept
        return [] if same else [f"{place or '/'}: made {_shorten(made)}, kept {_shorten(kept)}"]
    return [line for name, *pair in parts for line in find_differences(*pair, name)]


def _shorten(value: Any) -> str:
    shown = repr(value)
    return shown if len(shown) <= 120 else f"{shown[:117]}..."


def find_stale(folder: Path, files: Sequence[str]) -> list[str]:
    """Compare files that were made with those of docs: pictures by data, tables by text."""
    found = []
    for file in files:
        if not (DOCS / file).exists():
            found.append(f"docs/{file} is missing")
        elif file.endswith(".png"):
            lines = find_differences(read_data(folder / file), read_data(DOCS / file))
            found += [f"docs/{file}{line}" for line in lines[:5]]
        elif (folder / file).read_bytes() != (DOCS / file).read_bytes():
            found.append(f"docs/{file} differs from\n{(folder / file).read_text('utf-8')}")
    return found


def import_from(folder: str, name: str) -> Any:
    """Import a module of benchmarks, tests or tools, where plain names are used."""
    sys.path.insert(0, str(ROOT / folder))
    try:
        return importlib.import_module(name)
    finally:
        sys.path.remove(str(ROOT / folder))


# Commands and code that the docs show


def run_command(arguments: Sequence[str]) -> None:
    """Run a command of goodarm in this process; an error is raised as it is."""
    result = CliRunner().invoke(app, list(arguments), catch_exceptions=False)
    if result.exit_code not in (0, 1, 3):  # 1 and 3 are answers
        raise RuntimeError(f"goodarm {shlex.join(arguments)}\n{result.output}")


def shown_command(page: str, picture: str) -> list[str]:
    """Return the arguments of the command that a page shows for a picture."""
    text = (DOCS / page).read_text(encoding="utf-8").replace("\\\n", " ")
    (line,) = re.findall(rf"^goodarm (.*docs/{re.escape(picture)})$", text, flags=re.MULTILINE)
    return shlex.split(line)


def make_shown(page: str, picture: str, folder: Path) -> None:
    """Run the command that a page shows for a picture, into a folder."""
    target = f"docs/{picture}"
    arguments = shown_command(page, picture)
    with contextlib.chdir(ROOT):
        run_command([str(folder / picture) if each == target else each for each in arguments])


@figures("check", "images/check.png")
def make_check(folder: Path) -> None:
    """Make the picture of a checked table."""
    make_shown("check.md", "images/check.png", folder)


@figures("plan", "images/plan.png", is_quick=False)
def make_plan(folder: Path) -> None:
    """Make the picture of pulls against the gap."""
    make_shown("plan.md", "images/plan.png", folder)


@figures("boundary", "images/boundary.png")
def make_boundary(folder: Path) -> None:
    """Make the picture of a boundary with a path through it."""
    make_shown("boundary.md", "images/boundary.png", folder)


@figures("store", "images/store-history.png")
def make_store(folder: Path) -> None:
    """Make the picture of how intervals narrowed, from the store of docs/store.md."""
    text = (DOCS / "store.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```python\n(.*?)^```$", text, flags=re.DOTALL | re.MULTILINE)
    (line,) = re.findall(r"^\$ goodarm (show .* --history) \S+$", text, flags=re.MULTILINE)
    with tempfile.TemporaryDirectory() as place, contextlib.chdir(place):
        with contextlib.redirect_stdout(io.StringIO()):
            exec("\n".join(blocks), {})
        run_command([*shlex.split(line), str(folder / "images" / "store-history.png")])


EXAMPLES = {
    "banners": "example-banners.png",
    "flaky_tests": "example-flaky_tests.png",
    "prompts": "example-prompts.png",
    "ratings": "example-ratings.png",
    "rerun_until_pass": "rerun-until-pass.png",
}


def make_example(name: str, folder: Path) -> None:
    """Run an example, which writes its picture where it is run."""
    with (
        contextlib.chdir(folder / "images"),
        contextlib.redirect_stdout(io.StringIO()),
        contextlib.suppress(SystemExit),
    ):
        sys.argv, kept = [name], sys.argv
        try:
            runpy.run_path(str(ROOT / "examples" / f"{name}.py"), run_name="__main__")
        finally:
            sys.argv = kept


for _name, _picture in EXAMPLES.items():
    figures(_name, f"images/{_picture}", is_quick=_name in ("banners", "flaky_tests"))(
        lambda folder, name=_name: make_example(name, folder)  # type: ignore[misc]
    )


@figures("choice", "images/which-rewards.png")
def make_choice(folder: Path) -> None:
    """Make the chart from what a pull returns to the keyword and the test."""
    import_from("tools", "rewards_chart").draw().savefig(
        folder / "images" / "which-rewards.png", bbox_inches="tight"
    )


# Papers


def run_paper(
    name: str, instances: Sequence[str] = ("all",), runs: int | None = None
) -> PaperReport:
    """Reproduce a paper, from the finished runs as far as there are any."""
    return reproduce(find_paper(name), instances, runs=runs, folder=KEPT_RUNS)


def pulls_of(report: PaperReport) -> dict[str, Any]:
    """Return mean pulls by instance, algorithm and quantity."""
    return {
        section.name: {
            name: {str(row.quantity): row.means[name] for row in section.means}
            for name in section.means[0].means
        }
        for section in report.sections
    }


def rules_of(paper: Paper) -> dict[str, Any]:
    """Return the algorithms that each instance is run with, as documents."""
    return {
        each.instance.name: {
            algorithm.name: json.loads(json.dumps(algorithm.to_dict()))
            for algorithm in choose_algorithms(paper, each, None).algorithms
        }
        for each in paper.experiments
    }


def names_of(paper: Paper) -> list[str]:
    """Return the names of a paper's instances."""
    return [each.instance.name for each in paper.experiments]


RESULTS = names_of(find_paper("lil-hdoc"))
COMPARED = names_of(find_paper("goodarm"))


@figures(
    "results",
    *(f"results/{name}.{kind}" for name in RESULTS for kind in ("md", "png")),
    is_quick=False,
)
def make_results(folder: Path) -> None:
    """Make the tables and pictures of the lil'HDoC paper."""
    write_results(run_paper("lil-hdoc"), pulls_of(run_paper("lil-hdoc", runs=1)), folder)


def write_results(report: PaperReport, first: dict[str, Any], folder: Path) -> None:
    """Write a table and a picture for each instance; ``first`` are the pulls of the first run."""
    for section in report.sections:
        table = tables.to_markdown(report, section)
        path = folder / "results" / section.name
        path.with_suffix(".md").write_text(table, encoding="utf-8", newline="\n")
        with described_pictures(table=table, first_run=first[section.name]):
            picture = draw_taus(section, report.algorithms)
            save_picture(picture, path.with_suffix(".png"), PRINT_DPI)


@figures(
    "comparison",
    "images/comparison.png",
    "comparison/synthetic.png",
    *(f"comparison/{name}.md" for name in COMPARED),
    is_quick=False,
)
def make_comparison(folder: Path) -> None:
    """Make the comparison of all algorithms on all instances."""
    write_comparison(run_paper("goodarm"), pulls_of(run_paper("goodarm", runs=1)), folder)


def comparison_text(report: PaperReport, section: Section) -> str:
    """Return the table of an instance as docs/comparison.md includes it, below its own heading."""
    heading, _, rest = tables.to_markdown(report, section).partition("\n")
    below = heading.partition(": ")[2]
    return f"{below}.\n{rest.partition('### Theory')[0].rstrip()}\n"


def write_comparison(report: PaperReport, first: dict[str, Any], folder: Path) -> None:
    """Write a table for each instance, and the pictures of all and of the first."""
    shown = {}
    for section in report.sections:
        shown[section.name] = comparison_text(report, section)
        path = folder / "comparison" / f"{section.name}.md"
        path.write_text(shown[section.name], encoding="utf-8", newline="\n")
    with described_pictures(tables=shown, first_run=first, rules=rules_of(find_paper("goodarm"))):
        save_picture(draw_overview(report), folder / "images" / "comparison.png", PRINT_DPI)
    with described_pictures(table=shown["synthetic"]):
        picture = draw_taus(report.sections[0], report.algorithms)
        save_picture(picture, folder / "comparison" / "synthetic.png", PRINT_DPI)


# Benchmarks


@figures("cost", "images/cost_per_pull.png")
def make_cost(folder: Path) -> None:
    """Draw what a pull costs, as ``make bench`` has measured it last."""
    arms = import_from("benchmarks", "arms")
    arms.draw(arms.read_costs(), folder / "images" / "cost_per_pull.png")


def make_page_of(module: str, function: str, folder: Path) -> None:
    """Have a benchmark write its table for the docs into a folder."""
    tables = import_from("benchmarks", "doc_tables")
    kept, tables.FOLDER = tables.FOLDER, folder / "bench"
    try:
        with contextlib.redirect_stdout(io.StringIO()):
            getattr(import_from("benchmarks", module), function)()
    finally:
        tables.FOLDER = kept


@figures("pools", "bench/pools.md")
def make_pools(folder: Path) -> None:
    """Make the table of cases used of a pool."""
    make_page_of("pools", "main", folder)


@figures("units", "bench/units.md")
def make_units(folder: Path) -> None:
    """Make the table of epochs that are counted as pulls, and averaged by case."""
    make_page_of("units", "main", folder)


@figures("gap", "bench/gap.md", is_quick=False)
def make_gap(folder: Path) -> None:
    """Make the table of what a hint of the gap saves."""
    make_page_of("hint", "main", folder)


@figures("gaussian", "bench/gaussian.md", is_quick=False)
def make_gaussian(folder: Path) -> None:
    """Make the table of Gaussian rewards beside the oracle."""
    make_page_of("rewards", "gaussian", folder)


@figures("rewards", "bench/rewards.md", is_quick=False)
def make_rewards(folder: Path) -> None:
    """Make the table of rewards in a range beside the oracle."""
    make_page_of("rewards", "in_a_range", folder)


# The page of an experiment


class _VisibleText(HTMLParser):
    """Words of a page that a person sees, in order."""

    def __init__(self) -> None:
        super().__init__()
        self.words: list[str] = []
        self._hidden = 0

    def handle_starttag(self, tag: str, attrs: Any) -> None:
        self._hidden += tag in ("script", "style", "template")

    def handle_endtag(self, tag: str) -> None:
        self._hidden -= tag in ("script", "style", "template")

    def handle_data(self, data: str) -> None:
        if not self._hidden:
            self.words += data.split()


def page_words(html: str) -> str:
    """Return the text of a page; moments are left out, since they pass."""
    reader = _VisibleText()
    reader.feed(html)
    changing = r"just now|\d+ (s|sec|min) ago|\b[0-9a-f]{32}\b"  # times, and the journal's hash
    return re.sub(changing, "...", " ".join(reader.words))


def fill_store(url: str) -> None:
    """Begin the demo's experiment of banners, with results that are always the same."""
    import goodarm as ga
    from goodarm.service.demo import list_demo_experiments

    show, luck = list_demo_experiments()[0], random.Random(1)
    with ga.open_store(url) as store:
        exp = store.experiment(show.name, show.problem, show.algorithm, seed=1)
        for _ in range(PAGE_BATCHES):
            pulls = exp.ask_many(show.batch, worker="ann", lease=3600)
            exp.tell_many(pulls, [show.reward(pull, luck) for pull in pulls])
        exp.ask_many(3, worker="ann", lease=3600)


PAGE = "/experiments/banners"
PAGE_BATCHES = 365
PATIENCE = 600
"""Seconds that a browser may take for a step; machines may be busy."""
PAGE_SIZE = {"width": 1280, "height": 832}


@figures("page", "images/page.png")
def make_page(folder: Path) -> None:
    """Make the picture of an experiment's page, in a real browser."""
    import httpx
    from playwright.sync_api import sync_playwright

    import goodarm as ga
    from goodarm.service import create_app

    served = import_from("tests", "service.servers")
    chromium = import_from("tests", "browser.chromium")
    browser = chromium.find()
    if browser is None:
        raise LeftOut(f"no Chromium; install it by {chromium.ADVICE}")
    target = folder / "images" / "page.png"
    with tempfile.TemporaryDirectory() as place:
        url = f"sqlite:///{(Path(place) / 'kept.db').as_posix()}"
        fill_store(url)
        with (
            ga.open_store(url) as store,
            served.in_thread(create_app(store)) as address,
            sync_playwright() as playwright,
        ):
            words = page_words(httpx.get(address + PAGE, timeout=PATIENCE).text)
            found = playwright.chromium.launch(
                executable_path=browser, args=["--no-sandbox"], timeout=1000 * PATIENCE
            )
            page = found.new_page(viewport=PAGE_SIZE)
            page.goto(address + PAGE, timeout=1000 * PATIENCE)
            page.screenshot(path=target, animations="disabled", timeout=1000 * PATIENCE)
            found.close()
    add_data(target, {"words": words})


def add_data(picture: Path, data: Any) -> None:
    """Write a picture again, with the data that it shows."""
    info = PngInfo()
    info.add_text(KEY, json.dumps(data))
    with Image.open(picture) as image:
        image.convert("RGB").save(picture, pnginfo=info, optimize=True)


# The command


def prepare_folder(folder: Path) -> Path:
    """Make the folders that figures are written into."""
    for name in {Path(file).parts[0] for each in REGISTRY.values() for file in each.files}:
        (folder / name).mkdir(parents=True, exist_ok=True)
    return folder


def make_figures(names: Sequence[str], target: Path) -> list[str]:
    """Make figures, and put them into a folder; return what had to be left out, and why."""
    left_out = []
    for name in names:
        each = REGISTRY[name]
        with tempfile.TemporaryDirectory() as place, described_pictures():
            folder = prepare_folder(Path(place))
            try:
                each.make(folder)
            except LeftOut as reason:
                left_out.append(f"{', '.join(each.files)} left out. {reason}")
                continue
            stale = find_stale(folder, each.files)
            for file in each.files:
                (target / file).write_bytes((folder / file).read_bytes())
        print(f"{name}: {'new' if stale else 'as before'}", flush=True)
    return left_out


def main() -> int:
    """Make the figures that are named, or all."""
    parser = argparse.ArgumentParser(description="Make pictures and tables of the docs anew.")
    parser.add_argument("--into", type=Path, default=DOCS, metavar="FOLDER", help="not docs")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(REGISTRY))
    given = parser.parse_args()
    if unknown := [name for name in given.names if name not in REGISTRY]:
        parser.error(f"no figures are called {', '.join(unknown)}; there are {', '.join(REGISTRY)}")
    left_out = make_figures(given.names or list(REGISTRY), prepare_folder(given.into.resolve()))
    print(*left_out, sep="\n", end="\n" if left_out else "")
    return 1 if left_out and os.environ.get("CI") else 0


if __name__ == "__main__":
    sys.exit(main())
