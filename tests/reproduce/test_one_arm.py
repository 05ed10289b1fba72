"""A paper of one arm and delta .5, where lil'HDoC's parameters do not exist: any paper runs."""

import dataclasses
import json
import sys
from types import ModuleType
from xml.etree import ElementTree

import jsonschema
import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.datasets import Instance
from goodarm.papers import Paper, PaperExperiment, PublishedRow, Theory, registry
from goodarm.papers.lil_theory import LIL_THEORY, information_bound
from goodarm.report import tables, write_report
from goodarm.reproduce import reproduce
from goodarm.results.quantity import STOP, tau
from helpers import ROOT
from report.test_page import Page

ONE = Paper(
    name="one-arm",
    title="One arm, and a coin to judge it by",
    reference="Nobody",
    delta=0.5,
    algorithms=("hdoc", "e-hdoc"),
    experiments=(
        PaperExperiment(
            Instance("one", (0.7,), 0.5, "one arm", "nobody", "none"),
            runs=8,
            quantities=(tau(1), STOP),
        ),
    ),
    rows=(PublishedRow("one", "hdoc", STOP, 150.0, 70.0),),
)
"""Declares no theory."""

KINDS = ("csv", "md", "tex", "png", "svg")
BOUNDS_ONLY = Theory(information_bound)


def with_mean(paper, mean):
    (experiment,) = paper.experiments
    instance = dataclasses.replace(experiment.instance, means=(mean,))
    return dataclasses.replace(
        paper, experiments=(dataclasses.replace(experiment, instance=instance),)
    )


def check_files(folder, has_overview):
    """Every file is there and whole; returns the page."""
    expected = {"report.html", "report.json", *(f"one.{kind}" for kind in KINDS)}
    if has_overview:
        expected |= {"overview.png", "overview.svg"}
    assert {path.name for path in folder.iterdir() if path.is_file()} == expected
    for path in folder.glob("*.svg"):
        assert ElementTree.parse(path).getroot().tag.endswith("svg")
    schema = json.loads((ROOT / "docs/schemas/reproduction.schema.json").read_text("utf-8"))
    jsonschema.validate(json.loads((folder / "report.json").read_text("utf-8")), schema)
    page = Page((folder / "report.html").read_text(encoding="utf-8"))
    assert page.open == []
    return page


@pytest.mark.parametrize("rows", [ONE.rows, ()], ids=["published", "compared"])
@pytest.mark.parametrize("mean", [0.7, 0.3], ids=["good", "bad"])
@pytest.mark.parametrize("theory", [None, BOUNDS_ONLY], ids=["no theory", "lower bounds"])
def test_it_runs_and_its_report_is_whole(tmp_path, rows, mean, theory):
    paper = dataclasses.replace(with_mean(ONE, mean), rows=rows, theory=theory)
    report = reproduce(paper, folder=tmp_path / "runs")
    write_report(report, tmp_path)
    page = check_files(tmp_path, has_overview=not rows)
    has_theory = theory is not None and bool(rows)
    assert ("Theory" in page.texts) == has_theory
    assert ("### Theory" in (tmp_path / "one.md").read_text("utf-8")) == has_theory
    assert ("lower bound" in page.texts) == (theory is not None)
    assert sum(tag == "svg" for tag, _, _ in page.tags) == (1 if rows else 2)
    assert "one: 1 arm, threshold 0.5, delta 0.5, 8 runs" in tables.make_caption(
        report, report.sections[0]
    )


def test_numbers_are_those_of_a_simulation(tmp_path):
    (section,) = reproduce(ONE, folder=tmp_path).sections
    runs = ga.simulate([0.7], threshold=0.5, delta=0.5, algorithm="hdoc", runs=8, seed=0)
    row = next(r for r in section.rows if (r.algorithm, r.quantity) == ("hdoc", STOP))
    assert (row.mean, row.paper_mean) == (runs.stop.mean(), 150.0)
    assert section.theory is None
    assert [row.quantity for row in section.means] == [tau(1), STOP]
    assert section.means[1].means["hdoc"] == row.mean


def test_without_theory_the_tables_and_the_json_hold_what_was_measured(tmp_path):
    report = reproduce(dataclasses.replace(ONE, rows=()), folder=tmp_path)
    header, cells = tables.main_table(report.sections[0])
    assert header == ("pulls to", "hdoc", "e-hdoc")
    assert [row[0] for row in cells] == ["tau_1", "tau_stop"]
    (section,) = tables.to_json(report)["sections"]
    assert "theory" not in section
    (row,) = (row for row in section["measured"] if row["quantity"] == "tau_stop")
    assert row["measured"] == dict(report.sections[0].means[1].means)


def test_lower_bounds_alone_are_a_theory(tmp_path):
    paper = dataclasses.replace(ONE, rows=(), delta=0.1, theory=BOUNDS_ONLY)
    report = reproduce(paper, folder=tmp_path)
    header, _ = tables.main_table(report.sections[0])
    assert header == ("pulls to", "lower bound", "hdoc", "e-hdoc")
    bounds = report.sections[0].theory.lower_bounds
    assert 10 < bounds[tau(1)] == bounds[STOP] < 30
    (section,) = tables.to_json(report)["sections"]
    assert list(section["theory"]) == ["rows"]


def test_a_theory_that_does_not_exist_here_is_said_before_any_run(tmp_path):
    paper = dataclasses.replace(ONE, theory=LIL_THEORY)
    with pytest.raises(ga.errors.SpecError, match="does not exist for a single arm"):
        reproduce(paper, folder=tmp_path)
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def registered(monkeypatch):
    """The made-up paper under its name, as a file in papers/ would be."""
    module = ModuleType("goodarm.papers.one_arm")
    module.PAPER = ONE
    monkeypatch.setitem(sys.modules, module.__name__, module)
    monkeypatch.setitem(registry._MODULES, ONE.name, "one_arm")


@pytest.mark.usefixtures("registered")
def test_the_command_runs_it_by_name(tmp_path):
    command = ["reproduce", "--paper", "one-arm", "--out", str(tmp_path)]
    done = CliRunner().invoke(app, command)
    assert (done.exit_code, done.stderr) == (0, "")
    assert "one: 1 arm, threshold 0.5, delta 0.5, 8 runs, seed 0" in done.stdout
    assert "tau_stop" in done.stdout
    check_files(tmp_path, has_overview=False)
    document = json.loads(CliRunner().invoke(app, [*command, "--json"]).stdout)
    assert document["paper"] == "one-arm"
    assert document == json.loads((tmp_path / "report.json").read_text("utf-8"))


def test_without_its_name_the_command_does_not_know_it(tmp_path):
    command = ["reproduce", "--paper", "one-arm", "--out", str(tmp_path)]
    assert CliRunner().invoke(app, command).exit_code != 0
