"""Runs, their table, their frames and their file."""

import contextlib
import json
import re
import sys

import numpy as np
import pytest

import goodarm as ga
from goodarm.installation import install_command
from goodarm.views.numbers import format_count, format_number
from goodarm.views.text import make_text_table, shorten


@pytest.fixture(scope="module")
def runs():
    return ga.simulate(
        {"a": 0.9, "b": 0.8, "c": 0.1},
        threshold=0.5,
        delta=0.1,
        algorithm="hdoc",
        runs=5,
        max_pulls=150,
    )


def test_summary(runs):
    summary = runs.table()
    assert [row.name for row in summary.rows] == ["tau_1", "tau_2", "tau_stop"]
    assert summary["tau_stop"].mean == runs.stop.mean()
    assert summary["tau_1"].sd == pytest.approx(np.nanstd(runs.tau[:, 0], ddof=1))
    assert summary["tau_2"].runs == (~np.isnan(runs.tau[:, 1])).sum()
    assert summary.wrong == 0
    with pytest.raises(KeyError):
        summary["tau_9"]
    json.dumps(summary.to_dict(), allow_nan=False)


def test_repr_is_a_table(runs):
    lines = repr(runs).splitlines()
    assert (
        lines[0] == "hdoc (hdoc + hoeffding): 5 runs, 0 with a wrong label, 3 with undecided arms"
    )
    assert lines[1].split() == ["pulls", "runs", "mean", "sd", "least", "most"]
    names = [line.split("  ")[0] for line in lines[2:]]
    assert names == ["until first good", "until 2 good", "until the end"]
    assert "<table " in runs._repr_html_()


def test_one_run_has_no_sd_and_no_good_arm_no_tau():
    runs = ga.simulate([0.1], threshold=0.5, delta=0.1, algorithm="hdoc", runs=1)
    (row,) = runs.table().rows
    assert (row.name, row.sd) == ("tau_stop", None)
    assert repr(runs).splitlines()[-1].removeprefix("until all decided").split()[2] == "-"


def test_frames(runs):
    pandas, polars = runs.to_pandas(), runs.to_polars()
    columns = ["run", "stop", "wrong", "good", "bad", "undecided", "tau_1", "tau_2"]
    assert list(pandas.columns) == list(polars.columns) == columns
    assert pandas["stop"].tolist() == polars["stop"].to_list() == runs.stop.tolist()
    assert len(pandas) == len(polars) == 5


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_a_missing_frame_library_names_the_extra(runs, monkeypatch, library):
    monkeypatch.setitem(sys.modules, library, None)
    message = f"Runs.to_{library} needs the 'frames' extra: {install_command('frames')}."
    with pytest.raises(ga.errors.MissingExtra, match=re.escape(message)):
        getattr(runs, f"to_{library}")()


def test_save_and_load(runs, tmp_path):
    path = tmp_path / "kept"
    runs.save(path)
    loaded = ga.Runs.load(path)
    assert loaded == runs
    assert loaded.engine == runs.engine
    assert repr(loaded) == repr(runs)
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]


def test_a_failed_save_leaves_what_was_there(runs, tmp_path, monkeypatch):
    path = tmp_path / "kept"
    runs.save(path)

    def full(*_, **__):
        raise OSError("No space left on device")

    monkeypatch.setattr(np, "savez_compressed", full)
    with pytest.raises(OSError, match="No space"):
        runs.save(path)
    assert [file.name for file in tmp_path.iterdir()] == ["kept"]
    assert ga.Runs.load(path) == runs


def test_a_file_of_another_kind_is_an_error(tmp_path):
    path = tmp_path / "other"
    for content in (b"", b"text", b"PK\x03\x04 damaged"):
        path.write_bytes(content)
        with pytest.raises(ga.errors.SpecError, match=r"was not written by Runs.save"):
            ga.Runs.load(path)
    with path.open("wb") as file:
        np.savez(file, other=np.arange(3))
    with pytest.raises(ga.errors.SpecError, match=r"was not written by Runs.save"):
        ga.Runs.load(path)
    np.save(path.with_suffix(".npy"), np.arange(3))
    with pytest.raises(ga.errors.SpecError, match="was not written by"):
        ga.Runs.load(path.with_suffix(".npy"))
    with pytest.raises(FileNotFoundError):
        ga.Runs.load(tmp_path / "missing")
    with pytest.raises(IsADirectoryError):
        ga.Runs.load(tmp_path)


def test_a_damaged_file_is_an_error_or_the_same_runs(runs, tmp_path):
    path = tmp_path / "kept"
    runs.save(path)
    content = path.read_bytes()
    for place in range(0, len(content), 7):
        path.write_bytes(content[:place] + bytes([content[place] ^ 255]) + content[place + 1 :])
        with contextlib.suppress(ga.errors.SpecError):
            assert ga.Runs.load(path) == runs


def test_a_folder_is_no_place_to_save(runs, tmp_path):
    for path in (tmp_path, ""):
        with pytest.raises(ga.errors.SpecError, match="'path' of Runs.save must be a file"):
            runs.save(path)


def test_runs_of_another_shape_are_refused(runs, tmp_path):
    for name, wrong in (("tau", runs.stop), ("labels", runs.tau), ("stop", runs.stop[:2])):
        fields = {field: getattr(runs, field) for field in runs.__dataclass_fields__}
        broken = ga.Runs(**{**fields, name: wrong})
        document = {**runs.to_dict()}
        del document["summary"], document["means"]
        arrays = {
            field: getattr(broken, field)
            for field in ("means", "tau", "stop", "pulls", "labels", "wrong")
        }
        np.savez(tmp_path / "x.npz", document=np.array(json.dumps(document)), **arrays)
        with pytest.raises(ga.errors.SpecError, match="was not written by"):
            ga.Runs.load(tmp_path / "x.npz")


def test_equality_ignores_the_engine_and_nothing_else(runs):
    def changed(**fields):
        return ga.Runs(**{name: getattr(runs, name) for name in runs.__dataclass_fields__} | fields)

    assert changed(engine="other") == runs
    assert changed(seed=1) != runs
    assert changed(stop=runs.stop + 1) != runs
    assert changed(wrong=~runs.wrong) != runs
    assert runs != "runs"


def test_tables():
    assert make_text_table(["x", "pulls"], [["a", "1"]]) == "x  pulls\na      1"
    rows = [[str(k)] for k in range(10)]
    assert shorten(rows, 4) == [["0"], ["1"], ["…"], ["9"]]
    assert shorten(rows, 10) == rows
    assert format_count(1234567.4) == "1,234,567"
    assert format_count(5.678e7) == "56,780,000"
    assert format_count(5.678e12) == "5.678e+12"
    assert format_count(None) == format_count(float("nan")) == format_number(None) == "-"


def test_reports_and_verdicts_are_jsonable():
    ident = ga.Identifier(ga.Problem(["a", 2], 0.5, 0.1), "hdoc")
    json.dumps([report.to_dict() for report in ident.table()])
    assert json.loads(json.dumps(ident.verdict.to_dict())) == {
        "kind": "verdict",
        "format": 1,
        "good": [],
        "bad": [],
        "undecided": ["a", 2],
        "pulls": 0,
    }


def test_runs_say_how_many_are_undecided_and_save_no_table(tmp_path):
    runs = ga.simulate([0.52, 0.49], threshold=0.5, runs=4, max_pulls=50)
    assert runs.summary.endswith("4 runs, 0 with a wrong label, 4 with undecided arms")
    with pytest.raises(ga.errors.SpecError, match="to_pandas"):
        runs.save(tmp_path / "runs.csv")
    assert list(tmp_path.iterdir()) == []
