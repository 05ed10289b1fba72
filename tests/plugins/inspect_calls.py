"""Calls of Inspect, recorded or made up, for a GoodArm without Inspect; and its naive twin."""

import asyncio
import sys
from types import ModuleType, SimpleNamespace

import pytest

import goodarm as ga
from goodarm.gate import Gate
from goodarm.plugins.inspect import GoodArm, sample_hooks

LETTERS = {"C": "pass", "I": "fail"}


class EarlyStop(SimpleNamespace):
    """Stands for Inspect's."""


@pytest.fixture
def host(monkeypatch):
    """A stand-in for inspect_ai: the one class that is needed, and no hooks."""
    util = ModuleType("inspect_ai.util")
    util.EarlyStop = EarlyStop
    monkeypatch.setitem(sys.modules, "inspect_ai", ModuleType("inspect_ai"))
    monkeypatch.setitem(sys.modules, "inspect_ai.util", util)
    monkeypatch.setitem(sys.modules, "inspect_ai.hooks", None)


def make_spec(**given):
    """What Inspect says of a task, as far as it is read."""
    scorers = given.get("scorers", ["match"])
    return SimpleNamespace(
        task=given.get("task", "yes"),
        task_id=given.get("task_id", "task"),
        eval_id=given.get("eval_id", "eval"),
        model=given.get("model", "mockllm/model"),
        scorers=scorers and [SimpleNamespace(name=name) for name in scorers],
        dataset=SimpleNamespace(name="questions", shuffled=given.get("shuffled", True)),
        config=SimpleNamespace(
            log_samples=given.get("log_samples", True),
            sample_shuffle=given.get("sample_shuffle"),
        ),
    )


def make_scores(values):
    """Scores as Inspect gives them."""
    return {
        name: SimpleNamespace(score=SimpleNamespace(value=value)) for name, value in values.items()
    }


def start(stopping, ids, epochs=1, **given):
    """Begin an evaluation of samples with these ids."""
    samples = [SimpleNamespace(id=id_) for id_ in ids]
    return asyncio.run(stopping.start_task(make_spec(**given), samples, epochs))


def schedule(stopping, id_, epoch=1):
    """The reason for which a sample is left out, or None."""
    answer = asyncio.run(stopping.schedule_sample(id_, epoch))
    return answer and answer.reason


def complete(stopping, id_, epoch=1, **values):
    """A sample has ended, with these scores."""
    asyncio.run(stopping.complete_sample(id_, epoch, make_scores(values)))


def finish(stopping):
    """The verdict."""
    return asyncio.run(stopping.complete_task())


def retry(id_, epoch=1, evaluation="eval"):
    """Inspect's hook: a sample broke, and will be tried again."""
    summary = SimpleNamespace(id=id_, epoch=epoch)
    data = SimpleNamespace(eval_id=evaluation, summary=summary, will_retry=True)
    asyncio.run(sample_hooks.on_attempt_end(None, data))


def end(id_, epoch=1, error=False, retries=False, scores=True, evaluation="eval"):
    """Inspect's hook: a sample has ended."""
    sample = SimpleNamespace(id=id_, epoch=epoch, error=error, error_retries=retries, scores=scores)
    asyncio.run(
        sample_hooks.on_sample_end(None, SimpleNamespace(eval_id=evaluation, sample=sample))
    )


def replay(calls, per):
    """Make recorded calls again; the answers, each beside the one that was recorded."""
    stopping, answers = None, []
    for name, *given in calls:
        if name == "start":
            stopping = GoodArm(threshold=0.8, delta=0.05, per=per)
            about, ids, epochs = given
            start(stopping, ids, epochs, **about)
        elif name == "schedule":
            answers.append((schedule(stopping, *given[:2]), given[2]))
        elif name == "complete":
            complete(stopping, *given[:2], **given[2])
        elif name == "retry":
            retry(*given)
        elif name == "end":
            end(*given)
        else:
            answers.append((finish(stopping), given[0]))
    return answers


def naive_result(problem, outcomes):
    """One gate told in order, one after the other: passed, failed, lost; until none is known."""
    gate = Gate(problem)
    for outcome in outcomes:
        if not gate.is_open or outcome == "unknown":
            break
        number = gate.begin()
        if outcome == "lost":
            gate.lose(number)
        else:
            gate.tell(number, outcome == "pass")
    return gate.result()


def verdict(log):
    """What stands in a log's results."""
    return log.results.early_stopping.metadata


def find_gate(log):
    """The answer about a task."""
    (document,) = verdict(log)["gates"]
    return ga.results.GateResult.from_dict(document)


def sample_words(log):
    """What became of each sample, in the order of the plan, as the log says."""
    known = {}
    for sample in log.samples:
        lost = sample.error_retries or not sample.scores
        known[sample.id] = "lost" if lost else LETTERS[sample.scores["match"].value]
    return [known.get(id_, "unknown") for id_ in log.eval.dataset.sample_ids]


def tell_in_order(log):
    """The answer that its samples give, told one after the other."""
    pool = len(log.eval.dataset.sample_ids)
    return naive_result(ga.Problem(["yes"], 0.8, 0.05, pool=pool), sample_words(log))
