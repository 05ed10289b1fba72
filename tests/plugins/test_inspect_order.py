"""Whatever the order in which samples end, the verdict is that of the plan's order."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from plugins.inspect_calls import naive_result
from plugins.inspect_runs import (
    InOrderOfEnds,
    LastTryCounts,
    SimulatedEvaluation,
    list_slots,
    make_count,
    slots_by_gate,
)

WORDS = {"pass": "pass", "fail": "fail", "error": "lost"}


def shuffled_tries(slots, seed, rate, errors):
    """Three tries of each slot."""
    rng = random.Random(seed)
    weights = [rate * (1 - errors), (1 - rate) * (1 - errors), errors]
    return {slot: rng.choices(["pass", "fail", "error"], weights, k=3) for slot in slots}


def any_of_them(seed):
    rng = random.Random(seed)
    return lambda at_work, outcomes: rng.randrange(len(at_work))


@st.composite
def evaluations(draw):
    """Plan, tries, and the seed of the order of ends."""
    per = draw(st.sampled_from(["sample", "task"]))
    ids = list(range(draw(st.integers(40, 60)))) if per == "task" else ["a", "b"]
    epochs = 1 if per == "task" else draw(st.integers(30, 60))
    slots = list_slots(ids, epochs)
    rate = draw(st.sampled_from([0.4, 0.8, 1.0]))
    tries = shuffled_tries(
        slots, draw(st.integers(0, 10**6)), rate, draw(st.sampled_from([0, 0.05]))
    )
    return per, ids, epochs, slots, tries, draw(st.integers(0, 10**6))


@given(evaluations(), st.integers(1, 12), st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_verdict_is_that_of_the_plan_in_its_order(evaluation, at_once, has_hooks):
    per, ids, epochs, slots, tries, seed = evaluation
    count, problems = make_count(ids, epochs, per)
    run = SimulatedEvaluation(count, slots, tries, any_of_them(seed), at_once, has_hooks)
    run.go()
    results = count.finish()
    for result, problem, row in zip(results, problems, slots_by_gate(slots, per, ids), strict=True):
        assert result == naive_result(problem, [WORDS[tries[slot][0]] for slot in row])
    labelled = {result.report.arm for result in results if result.label != "undecided"}
    assert {slot[0] for slot in run.stopped} <= (labelled if per == "sample" else set(ids))
    assert labelled or not run.stopped


@given(evaluations(), st.integers(1, 60), st.integers(0, 10**6), st.booleans())
@settings(max_examples=60, deadline=None, derandomize=True)
def test_a_resumed_evaluation_counts_what_had_ended_once(evaluation, ends, seed, late):
    per, ids, epochs, slots, tries, order = evaluation
    firsts = {slot: tried[:1] for slot, tried in tries.items()}
    before = SimulatedEvaluation(
        make_count(ids, epochs, per)[0], slots, firsts, any_of_them(order), ends=ends
    )
    before.go()
    left = {slot: tries[slot][1:2] for slot in slots}

    count, problems = make_count(ids, epochs, per)
    arrivals = slots
    if late:  # copies are read from a file, while others begin
        rng = random.Random(seed)
        rank = {
            slot: n + (rng.randrange(30) if slot in before.done else 0)
            for n, slot in enumerate(slots)
        }
        arrivals = sorted(slots, key=rank.__getitem__)
    SimulatedEvaluation(
        count, arrivals, left, any_of_them(seed), copies=before.done, broken=before.broken
    ).go()

    last = max((n for n, slot in enumerate(slots) if slot in before.done), default=-1)
    words = {}
    for n, slot in enumerate(slots):
        if slot in before.done:
            words[slot] = "pass" if before.done[slot] else "fail"
        else:
            words[slot] = "lost" if n < last or slot in before.broken else WORDS[left[slot][0]]
    results = count.finish()
    for result, problem, row in zip(results, problems, slots_by_gate(slots, per, ids), strict=True):
        assert result == naive_result(problem, [words[slot] for slot in row])


def test_the_label_is_that_of_check_on_the_same_counts():
    ids = list(range(100))
    tries = shuffled_tries(list_slots(ids, 1), 1, 0.95, 0.0)
    count, _ = make_count(ids, 1, "task")
    SimulatedEvaluation(count, list_slots(ids, 1), tries, any_of_them(2)).go()
    (result,) = count.finish()
    assert result.label == "good"
    for pulls, label in ((result.pulls, "good"), (result.pulls - 1, "undecided")):
        passes = [tries[id_, 1][0] for id_ in ids[:pulls]].count("pass")
        counts = {"arm": ["task"], "pulls": [pulls], "successes": [passes]}
        (report,) = ga.check(counts, threshold=0.8, delta=0.05, pool=100)
        assert report.label == label


def passes_first(at_work, outcomes):
    """Wrong answers take forever."""
    return outcomes.index("pass") if "pass" in outcomes else 0


@pytest.mark.parametrize("per", ["sample", "task"])
def test_in_the_order_of_ends_slow_failures_would_hide(per):
    ids, epochs = (list(range(200)), 1) if per == "task" else (["a"], 200)
    slots = list_slots(ids, epochs)
    firsts = {slot: ["fail" if n % 4 == 1 else "pass"] for n, slot in enumerate(slots)}
    labels = {}
    for kind in (None, InOrderOfEnds):
        count, _ = make_count(ids, epochs, per, *([kind] if kind else []))
        SimulatedEvaluation(count, slots, firsts, passes_first).go()
        labels[kind] = count.finish()[0].label
    assert labels[InOrderOfEnds] == "good"  # three in four pass, where four in five are asked for
    assert labels[None] != "good"


@pytest.mark.parametrize("has_hooks", [True, False])
def test_a_try_after_an_error_does_not_replace_it(has_hooks):
    ids = list(range(100))
    slots = list_slots(ids, 1)
    tries = {slot: ["error", "pass"] if n % 3 == 1 else ["pass"] for n, slot in enumerate(slots)}
    results = {}
    for kind in (None, LastTryCounts):
        count, _ = make_count(ids, 1, "task", *([kind] if kind else []))
        SimulatedEvaluation(count, slots, tries, any_of_them(0), has_hooks=has_hooks).go()
        results[kind] = count.finish()[0]
    assert results[LastTryCounts].label == "good"
    assert (results[None].label, results[None].lost) == ("undecided", 33)
