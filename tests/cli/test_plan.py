"""``goodarm plan``, called as a user calls it."""

import json

import pytest
from typer.testing import CliRunner

import goodarm as ga
from cli.shell import run_on_terminal
from goodarm.cli import app
from goodarm.planning import simulate_by_gap
from goodarm.views.figures.gaps import draw_gaps

ASKED = ["plan", "--threshold", ".5", "--delta", ".05"]
GAP = [*ASKED, "--num-arms", "3", "--distance", ".2"]
MEANS = [*ASKED, "--means", "a=.8,b=.3"]


def call(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_a_table_with_the_numbers_of_plan():
    result = call(*GAP, "-a", "e-hdoc", "-a", "hdoc")
    assert result.exit_code == 0, result.stderr
    found = ga.plan(
        num_arms=3, distance=0.2, threshold=0.5, delta=0.05, algorithm=["e-hdoc", "hdoc"]
    )
    words = result.stdout.split()
    assert " until first good " in result.stdout
    assert " until all decided " in result.stdout
    for row in found["hdoc"].taus:
        assert f"{row.mean:,.0f}" in words
        assert f"{row.quantile:,.0f}" in words
        assert f"{row.lower_bound:,.0f}" in words
    for forecast in found.forecasts:
        assert (
            f"): {forecast.runs:,} runs. Standard error until all decided: mean " in result.stdout
        )
        assert f"{forecast.name} (" in result.stdout
    assert result.stderr == ""


def test_json_is_json_and_nothing_else():
    result = call(*MEANS, "--runs", "5", "--seed", "3", "--quantile", ".8", "--json")
    document = json.loads(result.stdout)
    expected = ga.plan(
        {"a": 0.8, "b": 0.3}, threshold=0.5, delta=0.05, runs=5, seed=3, quantile=0.8
    )
    assert document == json.loads(json.dumps(expected.to_dict()))
    assert result.stderr == ""


def test_a_budget_asks_the_reverse():
    result = call(*ASKED, "--num-arms", "3", "--num-good", "1", "--budget", "500", "--json")
    (forecast,) = json.loads(result.stdout)["forecasts"]
    assert forecast["taus"][-1]["quantile"] <= 500
    text = call(*ASKED, "--num-arms", "3", "--num-good", "1", "--budget", "500").stdout
    assert f"{forecast['gap']:.4g}" in text
    assert "smallest distance" in text


def test_it_takes_every_part_of_a_problem():
    means = ["plan", "--threshold", "2", "--delta", ".1", "--means", "a=3, b=1", "--margin", ".5"]
    rest = ["--rewards", "bounded", "--low", "0", "--high", "5", "--until", "1"]
    result = call(*means, *rest, "--max-pulls", "500", "--jobs", "1", "--runs", "3", "--json")
    assert ga.Problem.from_dict(json.loads(result.stdout)["problem"]) == ga.Problem(
        ["a", "b"], 2, 0.1, margin=0.5, rewards="bounded", low=0, high=5, until=1, max_pulls=500
    )
    gaussian = ["--rewards", "gaussian", "--sigma", "0.5", "-a", "hdoc", "--runs", "3", "--json"]
    problem = json.loads(call(*MEANS, *gaussian).stdout)["problem"]
    assert problem["sigma"] == 0.5


@pytest.mark.parametrize(
    ("ending", "start"), [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")]
)
def test_the_picture_is_written_in_each_format(ending, start, tmp_path):
    path = tmp_path / f"plan.{ending}"
    result = call(*MEANS, "--runs", "20", "--plot", str(path))
    assert result.exit_code == 0, result.stderr
    assert f"Picture: {path}" in result.stdout
    first = path.read_bytes()
    assert first.startswith(start)
    assert len(first) > 3000
    if ending == "svg":
        assert b"smallest distance between a mean and the threshold" in first
    call(*MEANS, "--runs", "20", "--plot", str(path))
    assert path.read_bytes() == first


def test_the_picture_shows_what_it_should():
    algorithms = ["hdoc", "e-hdoc"]
    asked = {"threshold": 0.5, "delta": 0.05, "algorithm": algorithms, "runs": 20}
    drawn = simulate_by_gap(ga.plan(num_arms=2, budget=2000, **asked))
    figure = draw_gaps(drawn)
    (axes,) = figure.axes
    assert axes.get_xlabel()
    assert axes.get_ylabel()
    assert axes.get_xscale() == axes.get_yscale() == "log"
    names = [text.get_text() for text in figure.legends[0].get_texts()]
    assert names == ["hdoc", "e-hdoc", "lower bound"]
    colours = {line.get_color() for line in axes.lines[:3]}
    assert len(colours) == 3
    assert len({(line.get_linestyle(), line.get_marker()) for line in axes.lines[:3]}) == 3
    figure.draw_without_rendering()
    low, high = axes.get_xlim()
    labels = [
        tick.label1.get_text()
        for tick in axes.xaxis.get_major_ticks()
        if low < tick.get_loc() < high
    ]
    assert len([label for label in labels if label]) >= 2
    assert "2,000 pulls" in [text.get_text() for text in axes.texts]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (ASKED, "--means must be given, or --num-arms and a --distance"),
        ([*GAP, "-a", "hdok"], "Did you mean 'hdoc'?"),
        ([*GAP, "--distance", ".7"], "--distance must be above 0 and at most 0.5"),
        ([*GAP, "--budget", "100"], "--distance must be left out if a --budget"),
        ([*ASKED, "--means", "1,x"], "--means must be numbers"),
        ([*ASKED, "--means", ".5,.9"], "would never end: arm 0"),
        ([*GAP, "--plot", "plan.gif"], "--plot must end in .png, .svg or .pdf"),
        ([*GAP, "--plot", "no/folder/x.png"], "must be a file in a folder that exists"),
        ([*GAP, "--jobs", "0"], "--jobs must be"),
        ([*GAP, "--distance", "1e-5", "-a", "hdoc"], "The plan would take too long"),
        (["plan", "--num-arms", "3"], "--threshold must be given"),
        ([*GAP, "--split", "odd"], "--split must be one of 'adaptive', 'even'"),
        ([*GAP, "--per-day", "0"], "--per-day must be a number above 0; got 0"),
        ([*GAP, "--per-day", "-3"], "--per-day must be a number above 0"),
        ([*GAP, "--per-day", "x"], "must be a number"),
        ([*ASKED, "counts.csv", "page"], "NAME must come after the URL of a store or service"),
        ([*ASKED, "counts.csv", "--num-arms", "3"], "--num-arms must be left out with a TABLE"),
        ([*ASKED, "counts.csv", "--samples", "x.csv"], "--samples must be left out with a TABLE"),
        ([*ASKED, "counts.csv", "--plot", "x.png"], "--plot must be left out with a TABLE"),
        ([*ASKED, "no.csv"], "no.csv"),
        ([*ASKED, "sqlite:///no.db", "page"], "--threshold must be left out for an experiment"),
        (["plan", "sqlite:///no.db"], "NAME must be the name of an experiment"),
    ],
)
def test_wrong_use_prints_the_message_alone_and_exits_2(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


COUNTS = "arm,pulls,successes\na,100,85\nb,40,30\nc,100,20\n"


def test_a_table_of_counts_says_what_is_still_needed(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(COUNTS)
    asked = ["plan", str(path), "--threshold", ".8", "--runs", "60", "--per-day", "30"]
    result = call(*asked, "--split", "even", "--means", "b=.7", "--json")
    expected = ga.plan(
        {"a": (100, 85), "b": (40, 30), "c": (100, 20)}, threshold=0.8, means={"b": 0.7}, runs=60,
        split="even", per_day=30,
    )  # fmt: skip
    assert json.loads(result.stdout) == json.loads(json.dumps(expected.to_dict()))
    text = call(*asked, "--budget", "300").stdout
    for shown in ("after 240 pulls, 0 good, 1 bad; 300 more at most", "labelled", "arm c (bad)"):
        assert shown in text
    assert "30 pulls a day" in text


def test_an_experiment_of_a_store_says_what_is_still_needed(tmp_path):
    url = f"sqlite:///{tmp_path / 'kept.db'}"
    problem = ga.Problem(["a", "b"], threshold=0.5)
    with ga.open_store(url) as store:
        stored = store.experiment("page", problem, seed=1)
        for _ in range(6):
            pull = stored.ask()
            stored.tell(pull, 1 if pull.arm == "a" else 0)
        expected = ga.plan(stored, runs=30)
    document = json.loads(call("plan", url, "page", "--runs", "30", "--json").stdout)
    assert document == json.loads(json.dumps(expected.to_dict()))
    assert sum(document["begun"]["pulls"]) == 6
    assert "must be one of 'page'" in call("plan", url, "pages").stderr


@pytest.mark.slow
def test_progress_shows_on_a_terminal_only(tmp_path):
    """Standard error is a terminal here, and standard output is not."""
    path = tmp_path / "plan.json"
    with path.open("wb") as file:
        shown, code = run_on_terminal([*GAP, "-a", "hdoc", "--json"], 80, stderr=True, stdout=file)
    assert code == 0
    assert "hdoc" in shown
    assert "pulls" in shown
    assert json.loads(path.read_text(encoding="utf-8"))["kind"] == "plan"
