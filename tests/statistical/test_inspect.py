"""Inspect: ten samples at a time, slow failures and broken tries must not hurt the guarantee."""

import math
import random

import pytest
from scipy.stats import binom

from goodarm.plugins.inspect.sample_counts import SampleCount
from plugins.inspect_runs import (
    InOrderOfEnds,
    LastTryCounts,
    SimulatedEvaluation,
    list_slots,
    make_count,
)

CASES, PASSES, THRESHOLD, DELTA = 200, 159, 0.8, 0.05
IDS = list(range(CASES))
RUNS = pytest.mark.parametrize("runs", [30, pytest.param(200, marks=pytest.mark.large)])


def most_wrong(runs):
    """A valid count exceeds this many wrong runs with probability at most one in a million."""
    return int(binom.isf(1e-6, runs, DELTA))


def failures_late(at_work, outcomes):
    """A failure ends when nothing else is at work."""
    return outcomes.index("pass") if "pass" in outcomes else 0


def wrongly_good(kind, tries_of_failure, runs, enough=math.inf):
    """In how many runs a pool of 159 passes is said to have 160, in an order drawn for each.

    No more runs are made than it takes to see ``enough`` wrong ones.
    """
    wrong = 0
    for run in range(runs):
        order = random.Random(run).sample(IDS, CASES)
        tries = {(id_, 1): ["pass"] if id_ < PASSES else tries_of_failure for id_ in IDS}
        count, _ = make_count(order, 1, "task", kind, THRESHOLD, DELTA)
        SimulatedEvaluation(count, list_slots(order, 1), tries, failures_late).go()
        wrong += count.finish()[0].label == "good"
        if wrong >= enough:
            break
    return wrong


@RUNS
@pytest.mark.parametrize("failure", [["fail"], ["error", "pass"], ["error"]])
def test_a_share_below_the_bar_is_called_good_with_probability_delta_at_most(failure, runs):
    assert wrongly_good(SampleCount, failure, runs) <= most_wrong(runs)


@RUNS
@pytest.mark.parametrize(
    ("kind", "failure"), [(InOrderOfEnds, ["fail"]), (LastTryCounts, ["error", "pass"])]
)
def test_wrong_variants_are_caught(kind, failure, runs):
    most = runs // 2
    assert wrongly_good(kind, failure, runs, enough=most + 1) > most > most_wrong(runs)
