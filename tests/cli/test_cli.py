"""The command line, called as a user calls it."""

import json
import re
import subprocess
import sys

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app

SIMULATE = [
    "simulate",
    "--means",
    "0.9,0.1",
    "--threshold",
    "0.5",
    "--delta",
    "0.05",
    "--runs",
    "4",
]


def call(*arguments):
    return CliRunner().invoke(app, list(arguments))


def test_algorithms():
    text = call("algorithms").stdout
    found = json.loads(call("algorithms", "--json").stdout)
    assert found["kind"] == "algorithms"
    assert [entry["name"] for entry in found["algorithms"]] == list(ga.algorithms())
    assert all(name in text for name in ga.algorithms())


def test_simulate_prints_a_table_with_ratios():
    result = call(*SIMULATE, "-a", "hdoc", "-a", "lil-hdoc")
    assert result.exit_code == 0
    cells = re.split(r"\s{2,}", result.stdout)
    titles = ("until first good", "until all decided", "runs with a wrong label")
    for cell in (*titles, "hdoc", "lil-hdoc"):
        assert cell in cells
    assert "0 of 4" in result.stdout
    assert "ratio to hdoc" in result.stdout
    runs = {
        n: ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm=n, runs=4)
        for n in ("hdoc", "lil-hdoc")
    }
    ratio = runs["lil-hdoc"].stop.mean() / runs["hdoc"].stop.mean()
    assert f"x {ratio:.3g}" in result.stdout


def test_what_not_all_runs_reach_is_said():
    means = ["--means", ".7,.6,.45", "--threshold", ".5", "--delta", ".05", "--runs", "50"]
    text = call("simulate", *means, "--max-pulls", "900", "-a", "hdoc", "-a", "lucb-g").stdout
    runs = ga.simulate(
        [0.7, 0.6, 0.45], threshold=0.5, delta=0.05, algorithm="hdoc", runs=50, max_pulls=900
    )
    reached = runs.table()["tau_2"].runs
    assert 0 < reached < 50
    assert f"{reached} of 50 runs" in text
    assert "runs with undecided arms" in text


def test_simulate_json_is_json_and_nothing_else():
    result = call(*SIMULATE, "-a", "hdoc", "--json")
    document = json.loads(result.stdout)
    assert document["kind"] == "simulation"
    (runs,) = document["runs"]
    expected = ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm="hdoc", runs=4)
    assert runs["summary"]["rows"][-1]["mean"] == expected.stop.mean()
    assert runs["algorithm"]["parameters"]["warmup"] == 1
    assert result.stderr == ""


def test_simulate_takes_every_part_of_a_problem(tmp_path):
    path = tmp_path / "runs.npz"
    means = ["--means", "a=3, b=1", "--rewards", "bounded", "--low", "0", "--high", "5"]
    rest = ["--threshold", "2", "--delta", "0.1", "--margin", "0.5", "--until", "1"]
    more = ["--max-pulls", "500", "--seed", "3", "--jobs", "1", "--out", str(path), "-a", "apt-g"]
    result = call("simulate", *means, *rest, *more, "--runs", "3", "--engine", "reference")
    assert result.exit_code == 0, result.stderr
    loaded = ga.Runs.load(path)
    assert loaded.problem == ga.Problem(
        ["a", "b"], 2, 0.1, margin=0.5, rewards="bounded", low=0, high=5, until=1, max_pulls=500
    )
    assert loaded.seed == 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ([*SIMULATE, "-a", "hdok"], "Did you mean 'hdoc'?"),
        ([*SIMULATE, "-a", "hdoc", "--delta", "2"], "--delta must be"),
        ([*SIMULATE, "-a", "hdoc", "--means", "1,x"], "--means must be numbers"),
        ([*SIMULATE, "-a", "hdoc", "--means", "a=1,2"], "must give names to all arms or to none"),
        ([*SIMULATE, "-a", "hdoc", "--means", "a=1,a=.2"], "must name every arm once"),
        ([*SIMULATE, "-a", "hdoc", "--jobs", "0"], "--jobs must be"),
        (
            [*SIMULATE, "-a", "hdoc", "--keep", "/dev/null"],
            "--keep must be a folder",
        ),
        (
            [*SIMULATE, "-a", "hdoc", "-a", "apt-g", "--out", "x"],
            "--out takes the runs of one algorithm. Give a single --algorithm.",
        ),
        ([*SIMULATE, "-a", "hdoc", "--out", "no/such/folder/x"], "must be a file in a folder"),
        (["simulate", "--means", "1"], "Missing option"),
        (["nonsense"], "No such command"),
    ],
)
def test_wrong_use_prints_the_message_alone_and_exits_2(arguments, message):
    result = call(*arguments)
    assert result.exit_code == 2
    assert message in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stdout == ""


def test_debug_shows_the_trace():
    result = call("--debug", *SIMULATE, "-a", "hdok")
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert "SpecError" in result.stderr
    assert result.stderr.endswith("Did you mean 'hdoc'?\n")


def test_version_and_help():
    assert call("--version").stdout == f"goodarm {ga.__version__}\n"
    for command in ((), ("simulate",), ("algorithms",)):
        assert call(*command, "--help").exit_code == 0


def test_a_reader_that_has_seen_enough_is_no_error():
    """As in ``goodarm algorithms | head -1``."""
    process = subprocess.Popen(
        [sys.executable, "-m", "goodarm", "algorithms"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    process.stdout.close()
    with process:
        assert process.stderr.read() == ""
    assert process.returncode == 0
