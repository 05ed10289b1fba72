"""Logs that Inspect wrote: epochs, errors, retries, and an evaluation that was stopped."""

import json
import sys
from types import ModuleType, SimpleNamespace

import pytest

import goodarm as ga
from logs.log_files import DATA, counts_by_test, read_counts

ARM = "mockllm/model / cities"


@pytest.fixture
def edited(tmp_path):
    def write(source, change):
        document = json.loads((DATA / f"inspect/{source}.json").read_text(encoding="utf-8"))
        change(document)
        path = tmp_path / f"{source}-edited.json"
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def test_samples_and_epochs_are_pulls():
    assert read_counts("inspect/epochs.json", repeats="attempts") == {ARM: (8, 6)}
    assert read_counts("inspect/epochs.json", by="sample") == {
        "1": (2, 2),
        "2": (2, 2),
        "3": (2, 0),
        "4": (2, 2),
    }


def test_errored_samples_count_though_inspect_leaves_them_out_of_its_accuracy():
    log = json.loads((DATA / "inspect/errors.json").read_text(encoding="utf-8"))
    assert log["results"]["scores"][0]["metrics"]["accuracy"]["value"] == pytest.approx(2 / 3)
    assert read_counts("inspect/errors.json") == {ARM: (4, 2)}
    assert read_counts("inspect/errors.json", errors="exclude") == {ARM: (3, 2)}


def test_a_score_given_on_error_decides():
    table = ga.read_logs(DATA / "inspect/score-on-error.json", errors="exclude")
    assert counts_by_test(table) == {ARM: (4, 2)}
    assert table.errors == 0


def test_errors_that_were_retried_are_attempts_of_their_own():
    table = ga.read_logs(DATA / "inspect/retried.json")
    assert counts_by_test(table) == {ARM: (6, 2)}
    assert table.errors == 3


def test_of_a_stopped_log_only_the_prefix_of_the_schedule_counts():
    """Sample 3 ended, but while sample 2, scheduled before it, was still at work."""
    table = ga.read_logs(DATA / "inspect/stopped.json")
    assert counts_by_test(table) == {ARM: (1, 1)}
    assert sum(table.asides.values()) == 2
    assert "scheduled after the first sample that did not finish" in table.read_as


def test_the_schedule_goes_epoch_by_epoch(edited):
    def drop(document):
        document["samples"] = [s for s in document["samples"] if (s["id"], s["epoch"]) != (2, 2)]

    table = ga.read_logs(edited("epochs", drop), repeats="attempts")
    assert counts_by_test(table) == {ARM: (5, 4)}
    assert sum(table.asides.values()) == 2


def test_a_stopped_log_without_a_schedule_is_refused(edited):
    path = edited("stopped", lambda document: document["eval"]["dataset"].pop("sample_ids"))
    with pytest.raises(ga.errors.SpecError, match="sample_ids"):
        ga.read_logs(path)


@pytest.mark.parametrize("order", [["stopped", "resumed"], ["resumed", "stopped"]])
def test_a_log_and_its_retry_count_every_attempt_once(order):
    """Sample 4 broke in the first log and was run again in the second, which copies the error."""
    table = ga.read_logs([DATA / f"inspect/{name}.json" for name in order])
    assert counts_by_test(table) == {ARM: (5, 3)}
    assert table.errors == 1
    assert table.duplicates >= 1
    assert read_counts("inspect/resumed.json") == {ARM: (5, 3)}


@pytest.mark.parametrize("is_first", [True, False])
def test_an_error_that_a_retry_copies_counts_once(edited, is_first):
    """As above, but sample 2 had ended, so that the error of sample 4 counts in both logs."""

    def end(document):
        resumed = json.loads((DATA / "inspect/resumed.json").read_text(encoding="utf-8"))
        document["samples"][1] = resumed["samples"][1]

    stopped, resumed = edited("stopped", end), DATA / "inspect/resumed.json"
    assert counts_by_test(ga.read_logs(stopped)) == {ARM: (4, 2)}
    table = ga.read_logs([stopped, resumed] if is_first else [resumed, stopped])
    assert counts_by_test(table) == {ARM: (5, 3)}
    assert (table.errors, table.duplicates) == (1, 4)


def test_the_same_sample_and_epoch_twice_with_other_answers_is_refused(edited):
    def change(document):
        for sample in document["samples"]:
            sample["uuid"] += "again"

    paths = [DATA / "inspect/epochs.json", edited("epochs", change)]
    with pytest.raises(ga.errors.SpecError, match="must come only once"):
        ga.read_logs(paths)
    assert counts_by_test(ga.read_logs(paths, repeats="attempts")) == {ARM: (16, 12)}


def test_several_scorers_need_a_choice_and_partial_scores_a_pass_mark():
    path = DATA / "inspect/two-scorers.json"
    with pytest.raises(ga.errors.SpecError, match=r"\['match', 'partly'\].*score="):
        ga.read_logs(path)
    assert counts_by_test(ga.read_logs(path, score="match")) == {ARM: (4, 3)}
    with pytest.raises(ga.errors.SpecError, match=r"not partial; got 'P'.*pass_at"):
        ga.read_logs(path, score="partly")
    assert counts_by_test(ga.read_logs(path, score="partly", pass_at=0.5)) == {ARM: (4, 3)}
    assert counts_by_test(ga.read_logs(path, score="partly", pass_at=0.6)) == {ARM: (4, 2)}
    with pytest.raises(ga.errors.SpecError, match="must be one of 'match', 'partly'"):
        ga.read_logs(path, score="includes")


@pytest.mark.parametrize(
    ("value", "outcome"), [("C", 1), ("N", 0), (1, 1), (0.0, 0), (True, 1), ({"deep": "C"}, None)]
)
def test_values_of_scores(edited, value, outcome):
    def change(document):
        document["samples"][0]["scores"]["match"]["value"] = value

    path = edited("limited", change)
    if outcome is None:
        with pytest.raises(ga.errors.SpecError, match=r"one value alone; got \['match\.deep'\]"):
            ga.read_logs(path)
    else:
        assert ga.read_logs(path).successes[0] == 1 + outcome


@pytest.mark.parametrize("value", ["X", 0.5, None, float("nan"), [1]])
def test_values_that_are_no_outcome_are_refused(edited, value):
    def change(document):
        document["samples"][0]["scores"]["match"]["value"] = value

    with pytest.raises(ga.errors.SpecError, match="'score' of .*sample 1 must be"):
        ga.read_logs(edited("limited", change))


@pytest.mark.parametrize("value", [5, "twice", {"message": "x"}, True])
def test_retries_that_are_no_list_are_refused(edited, value):
    path = edited("limited", lambda document: document["samples"][1].update(error_retries=value))
    with pytest.raises(ga.errors.SpecError, match=r"'error_retries' of .*sample 2 must be a list"):
        ga.read_logs(path)


def test_a_schedule_without_samples_is_none(edited):
    """Epoch after epoch of nothing would never end."""

    def change(document):
        document["eval"]["dataset"]["sample_ids"] = []
        document["eval"]["config"]["epochs"] = 10**18

    assert counts_by_test(ga.read_logs(edited("epochs", change), repeats="attempts")) == {
        ARM: (8, 6)
    }
    with pytest.raises(ga.errors.SpecError, match="sample_ids"):
        ga.read_logs(edited("stopped", change))


def test_a_part_of_the_dataset_in_its_order_is_pointed_out():
    """A file-order prefix is no random order."""
    table = ga.read_logs(DATA / "inspect/limited.json")
    assert counts_by_test(table) == {ARM: (2, 2)}
    assert "the first 2 of 4 samples of the dataset" in table.notes[0]
    assert not ga.read_logs(DATA / "inspect/epochs.json", repeats="attempts").notes


def test_a_log_without_samples_or_scores_is_refused(edited):
    with pytest.raises(ga.errors.SpecError, match="--log-samples"):
        ga.read_logs(DATA / "inspect/header.json")
    path = edited("limited", lambda document: document["samples"][0].pop("scores"))
    with pytest.raises(ga.errors.SpecError, match="inspect score"):
        ga.read_logs(path)


def test_another_version_is_refused(edited):
    path = edited("epochs", lambda document: document.update(version=1))
    with pytest.raises(
        ga.errors.SpecError, match=r"'version' of .* must be 2.*inspect log convert"
    ):
        ga.read_logs(path)


def test_an_eval_file_needs_the_extra(monkeypatch):
    monkeypatch.setitem(sys.modules, "inspect_ai", None)
    with pytest.raises(ga.errors.MissingExtra, match=r"\[inspect\]"):
        ga.read_logs(DATA / "inspect/epochs.eval")


@pytest.fixture
def inspect_ai(monkeypatch):
    """Inspect's own reader as far as it is called; the real one is tried by tests/data/inspect."""
    log = json.loads((DATA / "inspect/epochs.json").read_text(encoding="utf-8"))
    samples = log.pop("samples")

    def model(found):
        def dump(include=None):
            return json.dumps({k: v for k, v in found.items() if include is None or k in include})

        return SimpleNamespace(model_dump_json=dump)

    module = ModuleType("inspect_ai.log")
    module.read_eval_log = lambda path, header_only: model(log)
    module.read_eval_log_samples = lambda path, all_samples_required: map(model, samples)
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.log", module)
    return module


def test_an_eval_file_is_read_as_the_json_is(inspect_ai):
    assert read_counts("inspect/epochs.eval", repeats="attempts") == {ARM: (8, 6)}


def test_what_inspect_cannot_read_is_our_error(inspect_ai):
    def refuse(path, header_only):
        raise KeyError("header.json")

    inspect_ai.read_eval_log = refuse
    with pytest.raises(ga.errors.SpecError, match="must be a log of Inspect; KeyError"):
        read_counts("inspect/epochs.eval")
