"""Pictures and tables of the docs are those that goodarm makes now: data are compared, not pixels.

What is quick is made again whole, of the rest a part. All of it is made again by ``make figures``.
"""

import importlib.util
import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from PIL import Image
from PIL.PngImagePlugin import PngInfo

import goodarm as ga
from goodarm.papers import find_paper
from goodarm.report.figures import draw_overview
from goodarm.reproduce import reproduce
from helpers import ROOT
from service.in_process import client_of

DOCS = ROOT / "docs"
MOST_BYTES = 300_000
MOST_PULLS = 2_000_000
"""Pulls of a first run that is made again here; longer ones only by the large test."""


def load_tool():
    """The module behind ``make figures``, by its path: tools are no package."""
    spec = importlib.util.spec_from_file_location("figures_tool", ROOT / "tools" / "figures.py")
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


tool = load_tool()
QUICK = [each.name for each in tool.REGISTRY.values() if each.is_quick and each.name != "page"]
"""The page needs a browser: its words are compared instead."""


def run_tool(folder, *names):
    """``tools/figures.py`` as make calls it, in a process of its own."""
    paths = [str(Path(ga.__file__).parents[1]), os.environ.get("PYTHONPATH", "")]
    done = subprocess.run(
        [sys.executable, str(ROOT / "tools" / "figures.py"), "--into", str(folder), *names],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, paths))},
        capture_output=True,
        encoding="utf-8",
        timeout=3000,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def files_of(*names):
    return [file for name in names for file in tool.REGISTRY[name].files]


def test_all_pictures_are_made_by_the_command_and_carry_their_data():
    made = {file for file in files_of(*tool.REGISTRY) if file.endswith(".png")}
    there = {str(path.relative_to(DOCS)) for path in DOCS.rglob("*.png")}
    assert made == {path for path in there if not path.startswith(("_build", "_static"))}
    for file in made:
        assert tool.read_data(DOCS / file), f"docs/{file} has no data: make figures"
        assert (DOCS / file).stat().st_size < MOST_BYTES


def test_all_tables_that_pages_include_are_made_by_the_command():
    made = {file for file in files_of(*tool.REGISTRY) if file.endswith(".md")}
    folders = ("bench", "comparison", "results")
    assert made == {
        str(path.relative_to(DOCS)) for name in folders for path in (DOCS / name).glob("*.md")
    }


@pytest.mark.slow
def test_what_is_quick_is_up_to_date(tmp_path):
    run_tool(tmp_path, *QUICK)
    assert tool.find_stale(tmp_path, files_of(*QUICK)) == []


@pytest.mark.large
@pytest.mark.slow
@pytest.mark.parametrize("name", [each for each in tool.REGISTRY if each not in (*QUICK, "page")])
def test_what_takes_minutes_is_up_to_date(name, tmp_path):
    run_tool(tmp_path, name)
    assert tool.find_stale(tmp_path, files_of(name)) == []


# Parts of what takes minutes


def kept_comparison():
    return tool.read_data(DOCS / "images" / "comparison.png")


def test_the_picture_of_the_comparison_and_its_tables_are_of_one_run():
    tables = kept_comparison()["tables"]
    assert list(tables) == tool.COMPARED
    for name, text in tables.items():
        assert (DOCS / "comparison" / f"{name}.md").read_text(encoding="utf-8") == text
    assert tool.read_data(DOCS / "comparison" / "synthetic.png")["table"] == tables["synthetic"]


def test_the_pictures_of_results_and_their_tables_are_of_one_run():
    for name in tool.RESULTS:
        text = tool.read_data(DOCS / "results" / f"{name}.png")["table"]
        assert (DOCS / "results" / f"{name}.md").read_text(encoding="utf-8") == text


def find_first_runs(paper, kept, folder):
    """First runs that are short, made again: by instance, pulls as kept and as made."""
    for name, by_algorithm in kept.items():
        short = [
            algorithm
            for algorithm, pulls in by_algorithm.items()
            if all(each is not None and each <= MOST_PULLS for each in pulls.values())
        ]
        if short:
            report = reproduce(paper, [name], algorithms=short, runs=1, folder=folder)
            expected = {algorithm: by_algorithm[algorithm] for algorithm in short}
            yield name, expected, tool.pulls_of(report)[name]


def test_the_rules_of_the_comparison_are_those_of_now():
    """A parameter may change too little to be seen in a first run."""
    assert kept_comparison()["rules"] == tool.rules_of(find_paper("goodarm"))


@pytest.mark.slow
def test_first_runs_of_the_comparison_are_as_kept(tmp_path):
    paper, kept = find_paper("goodarm"), kept_comparison()["first_run"]
    assert list(kept) == tool.COMPARED
    seen = set()
    for name, expected, made in find_first_runs(paper, kept, tmp_path):
        assert made == expected, f"docs/comparison/{name}.md is out of date: make figures"
        seen |= {(name, algorithm) for algorithm in made}
    assert {name for name, _ in seen} >= set(tool.COMPARED) - {"jester", "movielens"}
    assert {algorithm for _, algorithm in seen} >= set(paper.algorithms)


@pytest.mark.slow
def test_an_instance_of_the_comparison_is_as_kept(tmp_path):
    """The words of the picture, too, which do not depend on the instances."""
    tool.prepare_folder(tmp_path)
    report = reproduce(find_paper("goodarm"), ["cases"], folder=tmp_path / "runs")
    text = tool.comparison_text(report, report.sections[0])
    assert text == (DOCS / "comparison" / "cases.md").read_text(encoding="utf-8")
    made, kept = tool.describe(draw_overview(report)), kept_comparison()
    for left, right in zip(made["axes"], kept["axes"], strict=True):
        assert left["texts"] == right["texts"]
        assert left["scales"] == right["scales"]


@pytest.mark.slow
def test_an_instance_of_the_paper_is_as_kept(tmp_path):
    tool.prepare_folder(tmp_path)
    paper, folder = find_paper("lil-hdoc"), tmp_path / "runs"
    report = reproduce(paper, ["synthetic"], folder=folder)
    first = tool.pulls_of(reproduce(paper, ["synthetic"], runs=1, folder=folder))
    tool.write_results(report, first, tmp_path)
    assert tool.find_stale(tmp_path, ["results/synthetic.md", "results/synthetic.png"]) == []


PARTS = """
import sys, pathlib, doc_tables, hint, rewards
doc_tables.FOLDER = pathlib.Path(sys.argv[1])
hint.RUNS = {0.1: 2000}
rewards.DRIFTS = {2.0: None}
rewards.CASES = rewards.CASES[2:3]
hint.main()
rewards.gaussian()
rewards.in_a_range()
"""
"""Makes the first row of each table, or an early one."""


@pytest.mark.slow
def test_rows_of_the_benchmarks_are_as_kept(tmp_path):
    paths = [str(ROOT / "benchmarks"), str(Path(ga.__file__).parents[1])]
    subprocess.run(
        [sys.executable, "-c", PARTS, str(tmp_path)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join(paths)},
        stdout=subprocess.DEVNULL,
        timeout=600,
        check=True,
    )
    for name in ("gap", "gaussian", "rewards"):
        made = (tmp_path / f"{name}.md").read_text(encoding="utf-8").splitlines()
        kept = (DOCS / "bench" / f"{name}.md").read_text(encoding="utf-8").splitlines()
        words = [lines[0].partition("Standard errors")[0] for lines in (made, kept)]
        assert words[0] == words[1]
        assert set(made[1:]) <= set(kept[1:]), f"docs/bench/{name}.md is out of date: make figures"
        assert len(made) > 4


@pytest.mark.slow
def test_the_picture_of_the_page_has_the_words_of_the_page(tmp_path):
    from goodarm.service import create_app

    url = f"sqlite:///{(tmp_path / 'kept.db').as_posix()}"
    tool.fill_store(url)
    with ga.open_store(url) as store, client_of(create_app(store)) as client:
        words = tool.page_words(client.get(tool.PAGE).text)
    assert tool.read_data(DOCS / "images" / "page.png") == {"words": words}


# What is out of date is found


@pytest.fixture
def check_picture(tmp_path):
    """A folder with the picture of docs/check.md, as it would have been made."""
    tool.prepare_folder(tmp_path)
    shutil.copy(DOCS / "images" / "check.png", tmp_path / "images")
    return tmp_path


def change(picture, **data):
    """Give a picture other data; None takes them away."""
    info = PngInfo()
    if data:
        info.add_text(tool.KEY, json.dumps({**tool.read_data(picture), **data}))
    with Image.open(picture) as image:
        image.save(picture, pnginfo=info)


def test_the_same_picture_is_not_stale(check_picture):
    assert tool.find_stale(check_picture, ["images/check.png"]) == []


def test_other_words_are_found(check_picture):
    change(check_picture / "images" / "check.png", texts=["8 arms"])
    (line,) = tool.find_stale(check_picture, ["images/check.png"])
    assert line.startswith("docs/images/check.png/texts: made ['8 arms'], kept [")


def test_a_number_that_differs_is_found(check_picture):
    picture = check_picture / "images" / "check.png"
    axes = tool.read_data(picture)["axes"]
    axes[0]["areas"][0][0] *= 1.001
    change(picture, axes=axes)
    (line,) = tool.find_stale(check_picture, ["images/check.png"])
    assert line.startswith("docs/images/check.png/axes/0/areas/0/0: made ")


def test_a_picture_without_data_is_found(check_picture):
    change(check_picture / "images" / "check.png")
    assert len(tool.find_stale(check_picture, ["images/check.png"])) == 1


def test_a_table_that_differs_is_found(tmp_path):
    tool.prepare_folder(tmp_path)
    text = (DOCS / "bench" / "pools.md").read_text(encoding="utf-8")
    (tmp_path / "bench" / "pools.md").write_text(text, encoding="utf-8")
    assert tool.find_stale(tmp_path, ["bench/pools.md"]) == []
    (tmp_path / "bench" / "pools.md").write_text(f"{text} ", encoding="utf-8")
    (line,) = tool.find_stale(tmp_path, ["bench/pools.md"])
    assert line.startswith("docs/bench/pools.md differs from\n")


def test_a_file_that_nobody_committed_is_found(tmp_path):
    assert tool.find_stale(tmp_path, ["images/new.png"]) == ["docs/images/new.png is missing"]


def test_unknown_names_are_refused(monkeypatch, capsys):
    monkeypatch.setattr(sys, "argv", ["figures.py", "chekc"])
    with pytest.raises(SystemExit):
        tool.main()
    assert "no figures are called chekc; there are check, plan" in capsys.readouterr().err


def test_what_cannot_be_made_here_is_said(tmp_path, monkeypatch, capsys):
    """And in CI is a failure."""

    def leave_out(folder):
        raise tool.LeftOut("No Chromium: install it.")

    figures = tool.Figures("page", ("images/page.png",), leave_out, is_quick=True)
    monkeypatch.setitem(tool.REGISTRY, "page", figures)
    monkeypatch.setattr(sys, "argv", ["figures.py", "--into", str(tmp_path), "page"])
    for environment, code in (("", 0), ("true", 1)):
        monkeypatch.setenv("CI", environment)
        assert tool.main() == code
        assert capsys.readouterr().out == "images/page.png left out. No Chromium: install it.\n"
