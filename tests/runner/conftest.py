"""Files of experiments, and runs of them in this process."""

import json
from types import SimpleNamespace

import pytest

import goodarm as ga
from goodarm.runner.experiment_file import read_experiment_file
from goodarm.runner.experiment_run import ExperimentRun
from goodarm.runner.store_access import choose_worker, open_experiment


def make_toml(arms=("a",), reward="", threshold=0.5, delta=0.05, **more):
    """The text of a file; values as JSON, which is TOML for what stands here."""
    keys = {"arms": list(arms), "threshold": threshold, "delta": delta, **more}
    lines = [f"{name} = {json.dumps(value, ensure_ascii=False)}" for name, value in keys.items()]
    return "\n".join([*lines, "[reward]", reward, ""])


@pytest.fixture
def write(tmp_path):
    def write_file(*given, path="experiment.toml", **keys):
        (tmp_path / path).write_text(make_toml(*given, **keys), encoding="utf-8")
        return tmp_path / path

    return write_file


@pytest.fixture
def run(write):
    """Runs a file, kept in memory unless it says otherwise, to its end."""

    def run_file(*given, jobs=1, worker=None, store="memory:", watch=lambda progress: None, **keys):
        file = read_experiment_file(write(*given, store=store, **keys))
        exp = open_experiment(ga.open_store(file.store), file)
        name = choose_worker(file, worker)
        going = ExperimentRun(exp, file.source(), file.reward, name, jobs, file.task_of)
        progress = going.go(watch)
        exp.verify()
        return SimpleNamespace(exp=exp, progress=progress, verdict=exp.verdict)

    return run_file
