"""ArmTables that are equal, and frames of an identifier's table."""

import math
from dataclasses import fields, replace
from typing import get_type_hints

import numpy as np
import pytest

import goodarm as ga
from goodarm.client import RemoteExperiment
from goodarm.live import make_table_from_reports
from goodarm.results import ArmTable

COUNTS = {"a": (500, 480), "b": (500, 300), "new": (0, 0)}

NOT_IN_FRAMES = {"reason", "p_good", "p_bad", "labelled_pulls", "memory", "cost", "spent"}
"""Fields of a row that the frame of a live experiment lacks."""


def make(**keywords):
    return ga.check(COUNTS, threshold=0.8, delta=0.05, **keywords)


def test_tables_with_the_same_numbers_are_equal_however_they_were_read(tmp_path):
    import pandas as pd

    path = tmp_path / "counts.csv"
    path.write_text("arm,pulls,successes\na,500,480\nb,500,300\nnew,0,0\n", encoding="utf-8")
    frame = pd.DataFrame({"arm": list(COUNTS), "pulls": [500, 500, 0], "successes": [480, 300, 0]})
    assert (
        make()
        == make()
        == ga.check(path, threshold=0.8, delta=0.05)
        == ga.check(frame, threshold=0.8, delta=0.05)
    )
    assert np.isnan(make().mean[2])


HOW = ("read_as", "is_planned", "advice", "rewards_note", "rule_title", "is_percent")


@pytest.mark.parametrize("name", [f.name for f in fields(ga.ArmTable) if f.name not in HOW])
def test_every_field_counts(name):
    table = make()
    value = getattr(table, name)
    if isinstance(value, np.ndarray):
        changed = value.copy()
        changed[0] += 1
    else:
        changed = {"arms": ("a", "b", "c"), "control": "fdr", "rewards": "bounded"}.get(name, 0.123)
    assert replace(table, **{name: changed}) != table
    assert replace(table, **{name: value}) == table


def test_how_a_table_was_read_does_not_count(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("arm;pulls;successes\na;500;480\nb;500;300\nnew;0;0\n", encoding="utf-8")
    other = ga.check(path, threshold=0.8, delta=0.05)
    assert other.read_as != make().read_as
    assert other == make()


def test_a_table_equals_no_list_and_has_no_hash():
    assert make() != list(make())
    assert make() != make(margin=0.1)
    with pytest.raises(TypeError, match="unhashable"):
        hash(make())


def make_live(arms, told=()):
    ident = ga.Identifier(ga.Problem(arms, 0.5, 0.1))
    for arm, rewards in told:
        ident.observe(arm, rewards)
    return ident.table()


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_reports_are_a_frame(library):
    reports = make_live(["a", 2, "c"], [("a", [1] * 50), (2, [0, 1] * 10)])
    frame = getattr(reports, f"to_{library}")()
    rows = {name: list(frame[name]) for name in frame.columns}
    assert rows["arm"] == ["a", "2", "c"]
    assert rows["label"] == ["good", "undecided", "undecided"]
    assert rows["pulls"] == [50, 20, 0]
    assert rows["mean"][:2] == [1.0, 0.5]
    assert math.isnan(rows["mean"][2])
    assert math.isnan(rows["labelled_at"][1])
    assert rows["pulls_needed"] == [0, reports[1].pulls_needed, math.inf]
    assert rows["pulls_needed_90"] == [0, reports[1].pulls_needed_90, math.inf]
    names = {field.name for field in fields(ga.results.ArmReport)}
    assert set(rows) == (names - NOT_IN_FRAMES) | {"successes"}
    assert rows["successes"] == [50, 10, 0]
    assert rows["lost"] == [0, 0, 0]


def test_the_columns_are_those_of_a_checked_table():
    columns = list(make_live(["a"]).to_polars().columns)
    columns.remove("labelled_at")
    columns.remove("waits")
    columns.remove("lost")
    assert columns == list(make().to_polars().columns)


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_no_rows_are_an_empty_frame(library):
    empty = make_live(["a"])[:0]
    frame = getattr(empty, f"to_{library}")()
    assert len(frame) == 0
    # with successes
    assert len(frame.columns) == len(fields(ga.results.ArmReport)) - len(NOT_IN_FRAMES) + 1
    assert repr(empty).splitlines()[1].startswith("arm  label")
    assert "<table " in empty._repr_html_()


def test_arms_that_are_numbers_stay_numbers():
    assert make_live([1, 2]).to_pandas()["arm"].tolist() == [1, 2]


def test_a_missing_library_names_the_extra(monkeypatch):
    import sys

    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(ga.errors.MissingExtra, match="ArmTable.to_polars needs the 'frames' extra"):
        make_live(["a"]).to_polars()


def test_what_is_unclear_is_infinite_in_the_frame_and_said_in_the_table():
    report = ga.results.ArmReport("a", 3, 0.5, 0.1, 0.9, None, None, "undecided", None, None)
    unseen = ga.results.ArmReport("b", 0, None, None, None, None, None, "undecided", None, None)
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, 0.1))
    table = make_table_from_reports(ident.problem, ident.algorithm, [report, unseen])
    frame = table.to_pandas()
    assert frame["pulls_needed"].tolist() == frame["pulls_needed_90"].tolist() == [math.inf] * 2
    assert frame[["e_good", "e_bad"]].isna().all(axis=None)
    _, _, first, second, *_ = repr(table).splitlines()
    assert (first.split()[-1], second.split()[-1]) == ("unclear", "-")


def test_every_experiment_says_that_it_has_a_table():
    for kind in (ga.Identifier, ga.Experiment, ga.store.StoredExperiment, RemoteExperiment):
        assert get_type_hints(kind.table)["return"] is ArmTable
