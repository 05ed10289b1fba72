"""Finished runs are kept on disk, and an interrupted simulation goes on from them."""

import tempfile

import numpy as np
import pytest

import goodarm as ga
from goodarm.simulation.engine import SimulatedOutcome
from goodarm.simulation.run_files import FinishedRuns


def simulate(**changes):
    arguments = {"threshold": 0.5, "delta": 0.05, "algorithm": "hdoc", "runs": 12, "seed": 5}
    return ga.simulate(**{"means": [0.7, 0.6, 0.3, 0.2], **arguments, **changes})


def stop_after(count):
    def progress(finished, *_):
        if finished >= count:
            raise KeyboardInterrupt

    return progress


def never(*_):
    raise AssertionError("a finished run was made again")


def test_interrupted_and_resumed_equals_uninterrupted(tmp_path):
    for count in (3, 7, 10):
        with pytest.raises(KeyboardInterrupt):
            simulate(keep=tmp_path, progress=stop_after(count))
    seen = []
    assert simulate(keep=str(tmp_path), progress=lambda *told: seen.append(told)) == simulate()
    assert min(told[0] for told in seen) >= 10
    assert seen[-1] == (12, 12, simulate().stop.sum())


def test_what_threads_have_finished_when_they_are_stopped_is_kept(tmp_path, monkeypatch):
    """Runs of a part that is not done, too: here all runs are one part."""
    monkeypatch.setattr("goodarm.simulation.workers._PARTS_LEFT", 1)
    monkeypatch.setattr("goodarm.simulation.workers._MAX_SAVED_RUNS_PER_PART", 10**6)

    def progress(finished, total, pulls):
        assert finished == 0
        if pulls > 1_000_000:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        simulate(means=[0.52, 0.48], runs=10_000, keep=tmp_path, progress=progress)
    (kept,) = tmp_path.glob("*.jsonl")
    assert kept.read_text().count('"stop"') > 5


def test_a_repeated_call_runs_nothing_and_another_problem_is_another(tmp_path, monkeypatch):
    expected = simulate(keep=tmp_path)
    monkeypatch.setattr("goodarm.simulation.workers.simulate_task", never)
    assert simulate(keep=tmp_path) == expected
    assert (simulate(keep=tmp_path, runs=5).stop == expected.stop[:5]).all()
    others = ({"seed": 6}, {"delta": 0.1}, {"algorithm": "apt-g"}, {"means": [0.7, 0.6, 0.3, 0.1]})
    for other in (*others, {"runs": 13}):
        with pytest.raises(AssertionError, match="made again"):
            simulate(keep=tmp_path, **other)


def test_more_runs_later_are_added_to_the_same_file(tmp_path):
    simulate(keep=tmp_path, runs=4)
    assert simulate(keep=tmp_path) == simulate()
    assert len(list(tmp_path.iterdir())) == 1


@pytest.mark.parametrize("name", ["file", "file/below"])
def test_what_is_no_folder_is_refused_before_any_run(tmp_path, monkeypatch, name):
    monkeypatch.setattr("goodarm.simulation.workers.simulate_task", never)
    (tmp_path / "file").touch()
    with pytest.raises(
        ga.errors.SpecError, match="'keep' of simulate must be a folder that can be writt"
    ):
        simulate(keep=tmp_path / name)
    with pytest.raises(ga.errors.SpecError, match="'keep' of simulate must be a folder.*got 3"):
        simulate(keep=3)


def test_a_folder_that_cannot_be_written_to_is_refused(tmp_path, monkeypatch):
    def denied(**_):
        raise PermissionError

    monkeypatch.setattr(tempfile, "TemporaryFile", denied)
    with pytest.raises(
        ga.errors.SpecError, match="'keep' of simulate must be a folder that can be writt"
    ):
        simulate(keep=tmp_path)


def test_finished_runs_come_back_as_they_were(tmp_path):
    tau = np.array([5.0, np.nan])
    made = [
        SimulatedOutcome(run, 17, np.array([8, 9]), np.array([1, -1], np.int8), tau)
        for run in (3, 1)
    ]
    finished = FinishedRuns(tmp_path, {"a": 1})
    assert finished.load() == {}
    finished.keep(made[:1])
    finished.keep(made[1:])
    found = finished.load()
    assert list(found) == [3, 1]
    for outcome in made:
        for before, after in zip(outcome, found[outcome.run], strict=True):
            np.testing.assert_array_equal(before, after)
    assert FinishedRuns(tmp_path, {"a": 2}).load() == {}


def test_a_constant_beside_the_rule_makes_new_runs(tmp_path, monkeypatch, caplog):
    """The whole module of a rule is its source, so that a helper in it counts, too."""
    import importlib
    import sys

    monkeypatch.syspath_prepend(tmp_path)
    text = (
        "import goodarm as ga\nimport numpy as np\nFIRST = {first}\n\n"
        "class Mine(ga.rules.SamplingRule):\n"
        "    name = 'mine'\n\n"
        "    def choose(self, view):\n"
        "        active = np.flatnonzero(view.active)\n"
        "        return int(active[FIRST % len(active)])\n"
    )

    def run(first):
        (tmp_path / "my_kept_rule.py").write_text(text.format(first=first), encoding="utf-8")
        sys.modules.pop("my_kept_rule", None)
        importlib.invalidate_caches()
        import linecache

        linecache.clearcache()
        rule = importlib.import_module("my_kept_rule").Mine()
        algorithm = ga.Algorithm(sampling=rule, identification="mixture")
        return simulate(algorithm=algorithm, runs=3, keep=tmp_path / "kept", engine="reference")

    caplog.set_level("INFO", logger="goodarm.simulation")
    run(0)
    assert not caplog.messages
    run(0)
    assert caplog.messages == [f"3 of 3 runs taken from {tmp_path / 'kept'}"]
    run(1)
    assert len(caplog.messages) == 1
    assert len(list((tmp_path / "kept").glob("*.jsonl"))) == 2
