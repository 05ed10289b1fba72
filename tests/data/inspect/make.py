"""Writes the logs of this folder with inspect_ai 0.3.285.

python -m venv FOLDER/venv && FOLDER/venv/bin/pip install inspect_ai==0.3.285
FOLDER/venv/bin/python make.py

A solver gives the answers in place of a model. Events and tracebacks, which name files of the
machine, are taken out of the JSON logs; all else is as Inspect wrote it.
"""

import asyncio
import json
import os
import shutil
import tempfile
from pathlib import Path

import inspect_ai
from inspect_ai import Task, task
from inspect_ai.dataset import Sample
from inspect_ai.model import ModelOutput
from inspect_ai.scorer import CORRECT, INCORRECT, PARTIAL, Score, accuracy, match, scorer
from inspect_ai.solver import solver

HERE = Path(__file__).parent
CITIES = ["Paris", "Rome", "Oslo", "Bern"]


@scorer(metrics=[accuracy()])
def partly():
    async def score(state, target):
        right = target.text in state.output.completion
        return Score(value=PARTIAL if state.sample_id == 2 else CORRECT if right else INCORRECT)

    return score


@solver
def answer(wrong=(), broken=(), slow=()):
    """Right answers but for some samples; those that break do so until HEALED is set."""

    async def solve(state, generate):
        await asyncio.sleep(1 if state.sample_id in slow else 0.05 * state.sample_id)
        if state.sample_id in broken and not os.environ.get("HEALED"):
            raise RuntimeError("the tool broke")
        city = "no idea" if state.sample_id in wrong else CITIES[state.sample_id - 1]
        state.output = ModelOutput.from_content("mockllm/model", city)
        return state

    return solve


@task
def cities(wrong=(3,), broken=(), slow=(), two=False):
    """Four questions."""
    samples = [Sample(id=n + 1, input=f"City {n}?", target=city) for n, city in enumerate(CITIES)]
    scorers = [match(), partly()] if two else match()
    return Task(samples, solver=answer(wrong, broken, slow), scorer=scorers)


def write(name, task, log_format="json", **options):
    """Run a task and keep its log under a name of its own."""
    with tempfile.TemporaryDirectory() as folder:
        (log,) = inspect_ai.eval(task, log_dir=folder, log_format=log_format, **COMMON, **options)
        keep(log.location, f"{name}.{log_format}")


COMMON = {"model": "mockllm/model", "display": "none", "max_samples": 4}


def keep(location, name):
    if name.endswith(".eval"):
        shutil.copy(location, HERE / name)
        return
    log = json.loads(Path(location).read_text(encoding="utf-8"))
    log["eval"].pop("revision", None)
    log["eval"].pop("metadata", None)
    log["eval"]["task_file"] = "make.py"
    errors = [log]
    for sample in log.get("samples") or []:
        sample["events"], sample["attachments"], sample["timelines"] = [], {}, []
        errors += [sample, *({"error": error} for error in sample.get("error_retries") or [])]
    for error in (holder.get("error") for holder in errors):
        if error:
            error.update(traceback="", traceback_ansi="")
            error.pop("traceback_frames", None)
            error.pop("events", None)
    (HERE / name).write_text(json.dumps(log, indent=1) + "\n", encoding="utf-8")


def stop_and_resume():
    """Sample 4 breaks while the slow sample 2 is still at work; a retry goes on from there."""
    with tempfile.TemporaryDirectory() as folder:
        options = {"log_dir": folder, "log_format": "json"}
        (first,) = inspect_ai.eval(cities(broken=(4,), slow=(2,)), **options, **COMMON)
        keep(first.location, "stopped.json")
        os.environ["HEALED"] = "1"
        (second,) = inspect_ai.eval_retry(first, **options, display="none")
        keep(second.location, "resumed.json")
        del os.environ["HEALED"]


def main():
    """All of them."""
    write("epochs", cities(), epochs=2)
    write("epochs", cities(), "eval", epochs=2)
    write("two-scorers", cities(two=True))
    write("errors", cities(broken=(2,)), fail_on_error=False)
    write("retried", cities(broken=(2,)), fail_on_error=False, retry_on_error=2)
    write("score-on-error", cities(broken=(2,)), fail_on_error=False, score_on_error=True)
    write("limited", cities(), limit=2)
    write("header", cities(), log_samples=False)
    stop_and_resume()


if __name__ == "__main__":
    main()
