"""GoodArm without Inspect: calls that were recorded, and what counts."""

import asyncio
import json
import math

import pytest

import goodarm as ga
from goodarm.plugins.inspect import GoodArm
from helpers import ROOT
from plugins.inspect_calls import (
    complete,
    end,
    finish,
    host,  # noqa: F401 (a fixture)
    make_scores,
    make_spec,
    naive_result,
    replay,
    retry,
    schedule,
    start,
)

pytestmark = pytest.mark.usefixtures("host")

CALLS = json.loads((ROOT / "tests/data/inspect/calls.json").read_text(encoding="utf-8"))
EPOCHS = {"epochs"}


def list_first_words(calls):
    """What is known first of each slot, by the recorded calls of the last start."""
    (_, _, ids, epochs), *rest = calls[
        max(n for n, call in enumerate(calls) if call[0] == "start") :
    ]
    slots = [(id_, epoch) for epoch in range(1, epochs + 1) for id_ in ids]
    begun, words = set(), {}
    copied = [slots.index((c[1], c[2])) for c in rest if c[0] == "complete" and is_copy(c, rest)]
    for name, *given in rest:
        slot = tuple(given[:2])
        if name == "schedule" and given[2] is None:
            if slot in begun or slots.index(slot) < max(copied, default=-1):
                words.setdefault(slot, "lost")
            begun.add(slot)
        elif name == "retry" or (name == "end" and (given[3] or (given[2] and not given[4]))):
            words.setdefault(slot, "lost")
        elif name == "complete":
            words.setdefault(slot, {"C": "pass", "I": "fail"}[given[2]["match"]])
    return ids, [[words.get((id_, e + 1), "unknown") for e in range(epochs)] for id_ in ids]


def is_copy(call, calls):
    """Whether a sample that ended was never begun."""
    return not any(other[0] == "schedule" and other[1:3] == call[1:3] for other in calls)


ESTIMATES = {"pulls_needed", "pulls_needed_90"}
"""Estimates, which a version may better; the recordings are of an earlier one."""


def round_numbers(value):
    """Numbers to nine digits: those of another machine or version differ in the last ones."""
    if isinstance(value, dict):
        kept = {key: each for key, each in value.items() if key not in ESTIMATES}
        return {key: round_numbers(each) for key, each in kept.items()}
    if isinstance(value, list | tuple):
        return [round_numbers(each) for each in value]
    return float(f"{value:.9g}") if isinstance(value, float) else value


@pytest.mark.parametrize("name", CALLS)
def test_recorded_calls_are_answered_as_then(name):
    answers = replay(CALLS[name], "sample" if name in EPOCHS else "task")
    assert round_numbers([now for now, _ in answers]) == round_numbers(
        [then for _, then in answers]
    )


@pytest.mark.parametrize("name", CALLS)
def test_the_verdict_is_that_of_the_slots_in_their_order(name):
    ids, words = list_first_words(CALLS[name])
    gates = CALLS[name][-1][1]["gates"]
    if name in EPOCHS:
        problems = [ga.Problem([id_], 0.8, 0.05 / len(ids), max_pulls=len(words[0])) for id_ in ids]
    else:
        problems = [ga.Problem(["yes"], 0.8, 0.05, pool=len(ids))]
        words = [[word for (word,) in words]]
    naive = [naive_result(problem, row) for problem, row in zip(problems, words, strict=True)]
    assert round_numbers(gates) == round_numbers([result.to_dict() for result in naive])


def test_the_recordings_hold_what_they_are_for():
    at_once, most, tries = set(), 0, {}
    for name, *given in CALLS["retries"]:
        slot = tuple(map(str, given[:2]))
        if name == "schedule" and given[2] is None:
            at_once.add(slot)
            tries[slot] = tries.get(slot, 0) + 1
        elif name in ("retry", "end"):
            at_once.discard(slot)
        most = max(most, len(at_once))
    assert most == 10
    assert max(tries.values()) > 1 or any(call[0] == "retry" for call in CALLS["retries"])
    assert CALLS["retries"][-1][1]["gates"][0]["lost"] > 5
    ends = [call[1] for call in CALLS["errors"] if call[0] == "complete"]
    begins = [call[1] for call in CALLS["errors"] if call[0] == "schedule"]
    assert ends != [id_ for id_ in begins if id_ in ends]  # another order
    assert CALLS["resumed"][-1][1]["gates"][0]["lost"] >= 2


def test_a_labelled_sample_stops_and_the_others_go_on():
    stopping = GoodArm(threshold=0.5, delta=0.05)
    assert start(stopping, ["a", "b"], 40, shuffled=False) == "goodarm"
    for epoch in range(1, 41):
        for id_, letter in (("a", "C"), ("b", "C" if epoch % 2 else "I")):
            reason = schedule(stopping, id_, epoch)
            if reason is None:
                complete(stopping, id_, epoch, match=letter)
            else:
                assert id_ == "a"
                assert reason.startswith("good: ")
    verdict = finish(stopping)
    assert verdict["sentence"] == "2 samples: 1 good, 0 bad, 1 undecided."
    assert [gate["arm"] for gate in verdict["gates"]] == ["a", "b"]
    assert {gate["delta"] for gate in verdict["gates"]} == {0.025}
    assert json.loads(json.dumps(verdict, allow_nan=False)) == verdict


def test_what_began_and_did_not_end_is_lost():
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")
    start(stopping, range(20))
    for id_ in range(4):
        schedule(stopping, id_)
    complete(stopping, 0, match="C")
    complete(stopping, 3, match="C")
    end(1, error=True, scores=False)
    (gate,) = finish(stopping)["gates"]
    assert (gate["pulls"], gate["passes"], gate["lost"]) == (4, 2, 2)


def test_scores_on_error_count_and_unscored_samples_are_lost():
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")
    start(stopping, range(20))
    for id_ in range(5):
        schedule(stopping, id_)
    end(0, error=True, scores=True)
    complete(stopping, 0, match="I")
    complete(stopping, 1, match=math.nan)
    complete(stopping, 2)
    retry(3)
    schedule(stopping, 3)
    complete(stopping, 3, match="C")
    end(4, retries=True)  # of an evaluation that this one resumes
    complete(stopping, 4, match="C")
    (gate,) = finish(stopping)["gates"]
    assert (gate["pulls"], gate["passes"], gate["lost"]) == (5, 0, 4)


def test_hooks_of_other_evaluations_say_nothing():
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")
    start(stopping, range(20))
    schedule(stopping, 0)
    retry(0, evaluation="other")
    end(0, error=True, scores=False, evaluation="other")
    complete(stopping, 0, match="C")
    assert finish(stopping)["gates"][0]["lost"] == 0


def test_one_object_serves_evaluations_side_by_side():
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")

    async def evaluate(model, letter):
        task = make_spec(task_id=model, eval_id=model, model=model)
        samples = [type("Sample", (), {"id": id_}) for id_ in range(40)]
        await stopping.start_task(task, samples, 1)
        for id_ in range(40):
            await asyncio.sleep(0)
            if await stopping.schedule_sample(id_, 1) is None:
                await stopping.complete_sample(id_, 1, make_scores({"match": letter}))
        return await stopping.complete_task()

    async def both():
        return await asyncio.gather(evaluate("a", "C"), evaluate("b", "I"))

    verdicts = asyncio.run(both())
    assert [verdict["gates"][0]["label"] for verdict in verdicts] == ["good", "bad"]
    with pytest.raises(ga.errors.ProtocolError, match="start_task"):
        schedule(stopping, 0)


def test_an_object_that_is_started_again_on_a_task_goes_on():
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")
    start(stopping, range(20))
    for id_ in range(3):
        schedule(stopping, id_)
    complete(stopping, 1, match="C")
    start(stopping, range(20), eval_id="second")
    complete(stopping, 1, match="C")
    for id_ in (0, 2, 3):
        schedule(stopping, id_)
        complete(stopping, id_, match="C")
    (gate,) = finish(stopping)["gates"]
    assert (gate["pulls"], gate["passes"], gate["lost"]) == (4, 2, 2)
