"""Gates at the edge: 10,000 suites of gates whose rates lie where labels are hardest.

A rate on the threshold is good, so that every bad label is wrong; one a hair below it is bad.
"""

import functools

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.algorithm.identification.rule import Tally
from goodarm.gate import Gate

SUITES, GATES, RUNS, THRESHOLD, DELTA = 10_000, 8, 300, 0.9, 0.05
BELOW = np.nextafter(THRESHOLD, 0)
LIMIT = int(binom.isf(1e-6, SUITES, DELTA))
LABELS = {"good": 1, "bad": -1, "undecided": 0}


@functools.cache
def labels_by_counts(delta):
    """The label that each number of runs and of passes proves, by the rule that gates go by."""
    gate = Gate(ga.Problem(["gate"], THRESHOLD, delta))
    pulls, passes = np.tril_indices(RUNS + 1)
    pulls, passes = pulls[1:], passes[1:]  # after one run at least
    good, bad = gate._rule.proven(gate._setup, Tally(pulls, passes.astype(float)))
    assert not (good & bad).any()
    table = np.zeros((RUNS + 1, RUNS + 1), np.int8)
    table[pulls, passes] = good.astype(np.int8) - bad
    return table


def labels_of(outcomes, delta):
    """The first label of each row of outcomes, and the runs until then; 0 without one."""
    passes = np.cumsum(outcomes, axis=-1, dtype=np.int16)
    labels = labels_by_counts(delta)[np.arange(1, RUNS + 1), passes]
    first = np.argmax(labels != 0, axis=-1)
    found = np.take_along_axis(labels, first[..., None], axis=-1)[..., 0]
    return found, np.where(found != 0, first + 1, RUNS)


def outcomes_at(rate, seed, gates=GATES):
    return np.random.default_rng(seed).random((SUITES, gates, RUNS)) < rate


@pytest.mark.parametrize("delta", [DELTA, DELTA / GATES])
def test_the_table_is_what_gates_do(delta):
    for rate in (0.7, THRESHOLD, 0.99):
        outcomes = np.random.default_rng(5).random((40, RUNS)) < rate
        labels, runs = labels_of(outcomes, delta)
        for row, label, pulls in zip(outcomes, labels, runs, strict=True):
            result = ga.prove(
                iter(row.tolist()).__next__, threshold=THRESHOLD, delta=delta, max_runs=RUNS
            )
            assert (LABELS[result.label], result.pulls) == (label, pulls)


@pytest.mark.parametrize(("rate", "wrong"), [(THRESHOLD, -1), (BELOW, 1)], ids=["bad", "good"])
def test_each_gate_is_wrong_at_most_delta_of_the_time(rate, wrong):
    labels, _ = labels_of(outcomes_at(rate, 1, gates=1), DELTA)
    assert 0 < (labels == wrong).sum() <= LIMIT


@pytest.mark.parametrize(("rate", "wrong"), [(THRESHOLD, -1), (BELOW, 1)], ids=["bad", "good"])
def test_a_suite_has_a_wrong_label_at_most_delta_of_the_time(rate, wrong):
    outcomes = outcomes_at(rate, 2)
    labels, _ = labels_of(outcomes, DELTA / GATES)
    assert (labels == wrong).any(axis=1).sum() <= LIMIT
    # Without a share for each gate the suite's promise would be broken.
    labels, _ = labels_of(outcomes, DELTA)
    assert (labels == wrong).any(axis=1).sum() > LIMIT


@pytest.mark.parametrize(("rate", "wrong"), [(THRESHOLD, -1), (BELOW, 1)], ids=["bad", "good"])
def test_a_rerun_of_the_suite_until_it_is_clear_is_caught(rate, wrong):
    """Three runs, any of which may be wrong: what the docs say of ``--lf``."""
    labels, _ = labels_of(outcomes_at(rate, 3, gates=6), DELTA)
    assert (labels == wrong).any(axis=1).sum() > LIMIT


def test_peeking_is_caught():
    """A Wilson interval of 95 % after each run from the tenth on."""
    outcomes = outcomes_at(BELOW, 4, gates=1)[:, 0]
    n = np.arange(1, RUNS + 1)
    share, z = np.cumsum(outcomes, axis=1) / n, 1.959964
    middle = (share + z * z / (2 * n)) / (1 + z * z / n)
    half = z * np.sqrt(share * (1 - share) / n + z * z / (4 * n * n)) / (1 + z * z / n)
    is_good = (middle - half >= THRESHOLD) & (n >= 10)
    is_bad = (middle + half < THRESHOLD) & (n >= 10)
    first_good = np.where(is_good.any(axis=1), np.argmax(is_good, axis=1), RUNS)
    first_bad = np.where(is_bad.any(axis=1), np.argmax(is_bad, axis=1), RUNS)
    assert (first_good < first_bad).sum() > LIMIT
