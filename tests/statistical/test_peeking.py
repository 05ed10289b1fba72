"""What docs/gates.md says about peeking, computed rather than sampled: against a bar of .9."""

import math
from functools import cache

import numpy as np
import pytest

import goodarm as ga

BAR, Z, LEAST = 0.9, 1.96, 20


def shown(n):
    """(good, bad) for every number of passes: the Wilson interval of 95 % lies beside the bar."""
    mean, shrink = np.arange(n + 1) / n, 1 + Z * Z / n
    middle = (mean + Z * Z / (2 * n)) / shrink
    half = Z / shrink * np.sqrt(mean * (1 - mean) / n + Z * Z / (4 * n * n))
    return (middle - half > BAR) & (n >= LEAST), (middle + half < BAR) & (n >= LEAST)


@cache
def proven(n):
    """The same by goodarm."""
    counts = np.column_stack([np.full(n + 1, n), np.arange(n + 1)])
    labels = ga.check(counts, threshold=BAR, delta=0.05, control="per-arm").labels
    return labels == 1, labels == -1


def shares(judge, rate, most):
    """The probabilities of good, bad and neither after ``most`` runs, a look after each."""
    alive, good, bad = np.array([1.0]), 0.0, 0.0
    for n in range(1, most + 1):
        after = np.zeros(n + 1)
        after[:-1] += alive * (1 - rate)
        after[1:] += alive * rate
        is_good, is_bad = judge(n)
        good, bad = good + after[is_good].sum(), bad + after[is_bad].sum()
        after[is_good | is_bad] = 0.0
        alive = after
    assert math.isclose(good + bad + alive.sum(), 1.0)
    return good, bad, alive.sum()


def test_peeking_fails_a_fifth_of_what_is_just_good_enough():
    assert shares(shown, 0.9, 300)[1] == pytest.approx(0.194, abs=0.001)


def test_peeking_passes_what_is_just_not_good_enough():
    assert shares(shown, 0.89, 300)[0] == pytest.approx(0.058, abs=0.001)
    assert shares(shown, 0.85, 300)[0] < 0.01


def test_letting_through_what_is_not_shown_bad_passes_two_in_five():
    good, _, neither = shares(shown, 0.85, 100)
    assert (good, neither) == (pytest.approx(0.005, abs=0.001), pytest.approx(0.393, abs=0.001))


@pytest.mark.parametrize(("rate", "wrong"), [(0.9, 1), (0.89, 0)])
def test_goodarm_keeps_to_delta(rate, wrong):
    assert shares(proven, rate, 300)[wrong] < 0.02
