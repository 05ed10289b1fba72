"""Algorithms and papers of one's own on the command line: package.module:NAME."""

import json
import re
import sys

import pytest

MODULE = """
import math

import numpy as np

import goodarm as ga


class Optimist(ga.rules.SamplingRule):
    name = "optimist"

    def choose(self, view):
        index = view.means + np.sqrt(0.5 / view.pulls) * math.sqrt(math.log(view.time))
        return int(np.where(view.active, index, -np.inf).argmax())


MINE = ga.Algorithm(sampling=Optimist(), identification="hoeffding", name="mine")
TWIN = ga.Algorithm(sampling=Optimist(), identification="hoeffding", name="hdoc")
NUMBER = 3
"""
PAPER = """
from goodarm.datasets import Instance
from goodarm.papers import Paper, PaperExperiment, PublishedRow
from goodarm.results.quantity import STOP, tau
from my_rules import MINE

ONE = Instance("one", means=[0.9], threshold=0.5, about="one arm", citation="me", terms="none")
PAPER = Paper(
    name="ours",
    title="One arm",
    reference="Nobody, 2025",
    delta=0.1,
    algorithms=("hdoc", MINE),
    experiments=(PaperExperiment(ONE, runs=3, quantities=(tau(1), STOP)),),
    rows=(PublishedRow("one", "mine", STOP, mean=20.0, sd=5.0),),
)
"""
PROBLEM = ["--means", ".9,.2", "--threshold", ".5", "--delta", ".05"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    (tmp_path / "my_rules.py").write_text(MODULE, encoding="utf-8")
    (tmp_path / "my_papers.py").write_text(PAPER, encoding="utf-8")
    misspelt = PAPER.replace('PublishedRow("one"', 'PublishedRow("on"')
    (tmp_path / "misspelt.py").write_text(misspelt, encoding="utf-8")
    (tmp_path / "broken.py").write_text("1 / 0\n", encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "path", list(sys.path))
    yield tmp_path
    for name in ("my_rules", "my_papers", "misspelt"):
        sys.modules.pop(name, None)


def test_simulate_beside_the_built_in(folder, invoke):
    both = ["-a", "my_rules:MINE", "-a", "hdoc"]
    done = invoke(["simulate", *PROBLEM, *both, "--runs", "4", "--json"])
    assert done.exit_code == 0, done.stderr
    mine, built_in = json.loads(done.stdout)["runs"]
    assert (mine["algorithm"]["name"], built_in["algorithm"]["name"]) == ("mine", "hdoc")
    named = ("algorithm", "engine", "summary")
    assert {**mine, **dict.fromkeys(named)} == {**built_in, **dict.fromkeys(named)}
    assert mine["summary"]["rows"] == built_in["summary"]["rows"]


def test_plan(folder, invoke):
    done = invoke(["plan", *PROBLEM, "-a", "my_rules:MINE", "-a", "hdoc", "--runs", "20"])
    assert done.exit_code == 0, done.stderr
    lines = [line.strip() for line in done.stdout.splitlines()]
    rows = [re.split(" {2,}", line) for line in lines if line.startswith("until ")]
    assert [row[0] for row in rows] == ["until first good", "until all decided"]
    assert all(row[1:3] == row[3:5] for row in rows)


def test_reproduce(folder, invoke):
    names = ["--algorithm", "hdoc", "--algorithm", "my_rules:MINE"]
    options = ["--paper", "cho2025", *names, "--runs", "2", "--out", "report", "--json"]
    done = invoke(["reproduce", "four", *options])
    assert done.exit_code == 0, done.stderr
    rows = json.loads(done.stdout)["sections"][0]["rows"]
    means = {(row["quantity"], row["algorithm"]): row["mean"] for row in rows}
    assert means["tau_stop", "mine"] == means["tau_stop", "hdoc"] > 0
    assert (folder / "report" / "report.html").exists()


def test_a_paper_is_reproduced(folder, invoke):
    done = invoke(["reproduce", "--paper", "my_papers:PAPER", "--out", "report", "--json"])
    assert done.exit_code == 0, done.stderr
    document = json.loads(done.stdout)
    assert (document["paper"], document["algorithms"]) == ("ours", ["hdoc", "mine"])
    rows = {(row["quantity"], row["algorithm"]): row for row in document["sections"][0]["rows"]}
    assert rows["tau_stop", "mine"]["mean"] == rows["tau_stop", "hdoc"]["mean"] > 0
    assert rows["tau_stop", "mine"]["paper_mean"] == 20.0
    assert (folder / "report" / "report.html").exists()


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my_papers:NONE", "The 'NONE' of my_papers must be a Paper for reproduce; got None."),
        ("my_papers:ONE", "The 'ONE' of my_papers must be a Paper for reproduce; got Instance("),
        ("gone:PAPER", "Cannot load the paper 'gone:PAPER': No module named 'gone'."),
        (
            "misspelt:PAPER",
            "The 'instance' of a published row of ours must be one of 'one'; got 'on'.",
        ),
    ],
)
def test_a_paper_that_does_not_load(folder, invoke, name, message):
    done = invoke(["reproduce", "--paper", name])
    assert done.exit_code == 2
    assert message in done.stderr
    assert not (folder / "reproduction").exists()


def test_kept_runs_of_a_rule_that_has_changed_are_made_again(folder, invoke):
    call = ["simulate", *PROBLEM, "-a", "my_rules:MINE", "--runs", "2", "--keep", "kept"]
    assert invoke(call).exit_code == 0
    assert invoke(call).exit_code == 0
    assert len(list((folder / "kept").iterdir())) == 1
    changed = MODULE.replace("np.sqrt(0.5 / view.pulls)", "np.sqrt(0.7 / view.pulls)")
    (folder / "my_rules.py").write_text(changed, encoding="utf-8")
    del sys.modules["my_rules"]
    assert invoke(call).exit_code == 0
    assert len(list((folder / "kept").iterdir())) == 2


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("my_rules:MIN", "The 'MIN' of my_rules must be an Algorithm for simulate; got None."),
        ("my_rules:NUMBER", "The 'NUMBER' of my_rules must be an Algorithm for simulate; got 3."),
        ("gone:MINE", "Cannot load the algorithm 'gone:MINE': No module named 'gone'."),
        ("broken:MINE", "Cannot load the algorithm 'broken:MINE': ZeroDivisionError"),
    ],
)
def test_what_does_not_load(folder, invoke, name, message):
    done = invoke(["simulate", *PROBLEM, "-a", name])
    assert done.exit_code == 2
    assert message in done.stderr


def test_every_name_once(folder, invoke):
    names = ["--algorithm", "hdoc", "--algorithm", "my_rules:TWIN"]
    done = invoke(["reproduce", "four", "--paper", "cho2025", *names, "--runs", "2"])
    assert done.exit_code == 2
    assert "name every algorithm once" in done.stderr
