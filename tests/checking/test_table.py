"""What check returns: order, tables, HTML, frames, JSON, picture."""

import json
import math
import sys
from xml.etree import ElementTree

import numpy as np
import pytest

import goodarm as ga
from goodarm.views.figures.arms import draw_arms, save_arms

COUNTS = {
    "fair": (500, 410),
    "best": (500, 480),
    "<poor>": (500, 300),
    "worst": (500, 100),
    "fine": (500, 460),
    "soon": (500, 425),
    "new": (0, 0),
}


@pytest.fixture(scope="module")
def table():
    return ga.check(COUNTS, threshold=0.8, delta=0.05)


def many(count, seed=0):
    rng = np.random.default_rng(seed)
    n = rng.integers(200, 3000, count)
    s = rng.binomial(n, rng.beta(16, 4, count))
    return ga.check(np.stack([n, s], axis=1), threshold=0.8, delta=0.05)


def test_it_is_a_sequence_in_the_tables_order(table):
    assert len(table) == 7
    assert [report.arm for report in table] == list(COUNTS)
    assert table[-1].arm == "new"
    assert [report.arm for report in table[1:3]] == ["best", "<poor>"]
    assert isinstance(table[0], ga.results.ArmReport)
    assert table.explain("soon").pulls == 500
    with pytest.raises(ga.errors.SpecError, match="be one of the arms of the table; got 'sun'"):
        table.explain("sun")


def test_people_see_first_what_matters(table):
    lines = repr(table).splitlines()
    assert lines[0] == "7 arms at threshold 0.8: 2 good, 2 bad, 3 undecided."
    assert lines[1].split()[:3] == ["arm", "label", "pulls"]
    shown = [line.split()[0] for line in lines[2:9]]
    assert shown == ["worst", "<poor>", "soon", "fair", "new", "best", "fine"]
    assert lines[9] == "The chance that any of these labels is wrong is at most 5 %."
    assert lines[10] == "If you may add options later, set arms_planned to the final number."
    assert "look as often as you like" in lines[11]
    assert "true rate does not change" in lines[12]


def test_long_tables_are_cut_label_by_label():
    table = many(1000)
    rows = table.rows()
    assert len(rows) == 3 * 13
    assert [row[1] for row in rows[::13]] == ["bad", "undecided", "good"]
    assert rows[12][0] == f"… {len(table.bad) - 12:,} more"
    assert repr(table).startswith("1,000 arms at threshold 0.8")


@pytest.mark.parametrize(
    ("control", "promise"),
    [
        ("fwer", "The chance that any of these labels is wrong is at most 5 %."),
        ("fdr", "On average at most 5 % of the arms listed as good are wrong"),
        ("per-arm", "The chance that a label is wrong is at most 5 %, for each arm by itself"),
    ],
)
def test_the_notes_say_what_is_promised(control, promise):
    table = ga.check(
        {"a": (9, 9), "b": (9, 0)}, threshold=0.5, delta=0.05, control=control, margin=0.1
    )
    assert table.notes[0].startswith(promise)
    assert ("put together" in str(table.notes)) == (control == "fdr")
    assert "with margin 0.1" in table.summary


def test_a_table_that_may_grow_is_told_how_to_plan():
    """Not where the number of arms was said, nor where it does not matter."""
    counts = {"a": (9, 9), "b": (9, 0)}
    for control in ("fwer", "fdr"):
        assert (
            "arms_planned" in ga.check(counts, threshold=0.5, delta=0.05, control=control).notes[1]
        )
        planned = ga.check(counts, threshold=0.5, delta=0.05, control=control, arms_planned=2)
        assert "arms_planned" not in str(planned.notes)
    asked = ga.check(counts, problem=ga.Problem(["a", "b", "c"], 0.5, 0.05))
    assert "arms_planned" not in str(asked.notes)
    grown = ga.check(counts, threshold=0.5, delta=0.05, arms_planned=3)
    assert grown.notes[1] == "This is for all 3 arms that you planned."
    assert "join" not in str(ga.check(counts, threshold=0.5, delta=0.05, control="per-arm").notes)


def test_html_is_well_formed_and_has_a_bar_for_each_arm(table):
    html = table._repr_html_()
    root = ElementTree.fromstring(f"<div>{html.replace('<br>', '<br/>')}</div>")
    assert len(root.findall(".//tbody/tr")) == 7
    assert len(root.findall(".//svg")) == 6
    assert "&lt;poor&gt;" in html
    (cut,) = ElementTree.fromstring(many(500)._repr_html_().split("<p>")[0])
    assert [part.tag for part in cut] == ["caption", "thead", "tbody"]
    assert len(cut.findall("tbody/tr")) == 3 * 13


def test_json_lists_arms_in_order(table):
    document = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert (document["kind"], document["format"]) == ("check", 1)
    assert document["threshold"] == 0.8
    assert (document["num_good"], document["num_bad"], document["num_undecided"]) == (2, 2, 3)
    assert [entry["arm"] for entry in document["arms"]] == list(COUNTS)
    successes = [entry.pop("successes") for entry in document["arms"]]
    assert successes == [round((report.mean or 0.0) * report.pulls) for report in table]
    assert document["arms"] == [report.to_dict() for report in table]
    assert document["arms"][-1]["mean"] is None


def test_e_values_beyond_all_numbers_are_cut_off():
    table = ga.check({"a": (10**6, 10**6)}, threshold=0.5, delta=0.05)
    assert table.log_good[0] > 1000
    assert math.isfinite(table[0].e_good)
    assert "> 1e+300" in repr(table)


def test_frames(table):
    pandas, polars = table.to_pandas(), table.to_polars()
    assert list(pandas.columns) == list(polars.columns)
    assert pandas["arm"].tolist() == polars["arm"].to_list() == list(COUNTS)
    assert pandas["label"].tolist() == [report.label for report in table]
    again = ga.check(polars.with_columns(successes=polars["pulls"] // 2), threshold=0.5, delta=0.05)
    assert again.arms == table.arms
    mixed = ga.check({"a": (5, 1), 7: (5, 1)}, threshold=0.5, delta=0.05)
    assert mixed.to_polars()["arm"].to_list() == ["a", "7"]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_frame_library_names_the_extra(table, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(
        ga.errors.MissingExtra, match=rf"ArmTable.to_{library} needs the 'frames' extra"
    ):
        getattr(table, f"to_{library}")()


@pytest.mark.parametrize("count", [1, 10, 60, 61, 1000])
def test_pictures_are_readable_at_any_number_of_arms(count):
    figure = draw_arms(many(count))
    (axes,) = figure.axes
    assert 2 < figure.get_figheight() < 12
    names = [text.get_text() for text in axes.get_yticklabels()]
    assert len(names) == (count if count <= 60 else 0)
    lines = sum(len(collection.get_segments()) for collection in axes.collections)
    assert lines == count


def test_marks_and_colours_tell_the_labels_apart():
    (axes,) = draw_arms(many(10)).axes
    marked = [line for line in axes.lines if line.get_marker() in ("o", "D", "X")]
    assert len({line.get_marker() for line in marked}) == 3
    assert len({line.get_color() for line in marked}) == 3


def test_an_arm_without_rewards_and_odd_names_are_no_trouble(tmp_path):
    table = ga.check(
        {"new": (0, 0), "$x^$": (9, 3), "n" * 99: (9, 4)}, threshold=0.5, delta=0.05, margin=0.1
    )
    for name in ("p.png", "p.svg", "p.pdf"):
        save_arms(table, tmp_path / name)
        assert (tmp_path / name).stat().st_size > 1000
    empty = ga.check({"new": (0, 0)}, threshold=0.5, delta=0.05)
    save_arms(empty, tmp_path / "empty.png")
