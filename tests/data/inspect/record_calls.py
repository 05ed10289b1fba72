"""Writes calls.json: what inspect_ai 0.3.285 called, in which order, while GoodArm stopped it.

python -m venv FOLDER/venv && FOLDER/venv/bin/pip install inspect_ai==0.3.285 goodarm
FOLDER/venv/bin/python record_calls.py

Ten samples at a time. Of the hooks those calls are kept that are read.
"""

import json
import os
import tempfile
from pathlib import Path

import inspect_ai
from questions import questions, yes

from goodarm.plugins.inspect import GoodArm, sample_hooks

HERE = Path(__file__).parent
CALLS = []
COMMON = {"display": "none", "max_samples": 10, "log_format": "json"}


def record_early_stopping():
    """Write down what it is told and what it answers; as a task that is retried makes another
    GoodArm, all of them do.
    """
    kept = {name: getattr(GoodArm, name) for name in vars(GoodArm)}

    async def start_task(self, task, samples, epochs):
        spec = {
            "task": task.task,
            "task_id": "task",
            "model": task.model,
            "scorers": [scorer.name for scorer in task.scorers],
            "shuffled": task.dataset.shuffled,
            "sample_shuffle": task.config.sample_shuffle,
        }
        CALLS.append(["start", spec, [sample.id for sample in samples], epochs])
        return await kept["start_task"](self, task, samples, epochs)

    async def schedule_sample(self, id, epoch):  # noqa: A002
        answer = await kept["schedule_sample"](self, id, epoch)
        CALLS.append(["schedule", id, epoch, answer and answer.reason])
        return answer

    async def complete_sample(self, id, epoch, scores):  # noqa: A002
        values = {name: score.score.value for name, score in scores.items()}
        CALLS.append(["complete", id, epoch, values])
        await kept["complete_sample"](self, id, epoch, scores)

    async def complete_task(self):
        answer = await kept["complete_task"](self)
        CALLS.append(["finish", answer])
        return answer

    for method in (start_task, schedule_sample, complete_sample, complete_task):
        setattr(GoodArm, method.__name__, method)


def record_hooks():
    """Write down what they are told, before they are registered."""
    attempt_end, end = sample_hooks.on_attempt_end, sample_hooks.on_sample_end

    async def recorded_attempt_end(self, data):
        if data.will_retry:  # else it is told again, as the end of the sample
            CALLS.append(["retry", data.summary.id, data.summary.epoch])
        await attempt_end(self, data)

    async def recorded_end(self, data):
        sample = data.sample
        flags = [bool(sample.error), bool(sample.error_retries), bool(sample.scores)]
        CALLS.append(["end", sample.id, sample.epoch, *flags])
        await end(self, data)

    sample_hooks.on_attempt_end, sample_hooks.on_sample_end = recorded_attempt_end, recorded_end


def record(run):
    """The calls of a run."""
    CALLS.clear()
    with tempfile.TemporaryDirectory() as folder:
        run(folder)
    return list(CALLS)


def evaluate(task, **options):
    """As a function of the folder for logs."""

    def run(folder):
        return inspect_ai.eval(task, model="mockllm/model", log_dir=folder, **COMMON, **options)

    return run


def stopped_and_resumed(folder):
    """A sample breaks after some thirty others, and the retry goes on from there."""
    fatal = (questions(150, 3)[28].id,)
    (log,) = evaluate(yes(150, "task", 0.9, fatal=fatal, seed=3))(folder)
    os.environ["HEALED"] = "1"
    inspect_ai.eval_retry(log, log_dir=folder, **COMMON)
    del os.environ["HEALED"]


def main():
    """All of them."""
    record_early_stopping()
    record_hooks()
    tolerant = {"fail_on_error": False}
    runs = {
        "epochs": evaluate(yes(3, errors=0.02), epochs=80, retry_on_error=1, **tolerant),
        "errors": evaluate(yes(150, "task", errors=0.1), sample_shuffle=5, **tolerant),
        "retries": evaluate(
            yes(150, "task", errors=0.1), sample_shuffle=5, retry_on_error=2, **tolerant
        ),
        "bad": evaluate(yes(150, "task", rate=0.5), sample_shuffle=5),
        "resumed": stopped_and_resumed,
    }
    lines = []
    for name, run in runs.items():
        calls = ",\n".join(json.dumps(call) for call in record(run))
        lines.append(f'"{name}": [\n{calls}\n]')
    text = "{\n" + ",\n".join(lines) + "\n}\n"
    (HERE / "calls.json").write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
