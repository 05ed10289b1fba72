"""Intervals, for many arms at once, against slow and obvious ways."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm import Tally
from goodarm.algorithm.identification.mixture import WEIGHTS
from goodarm.algorithm.identification.mixture.bounds import find_upper_bounds, lower_bounds

MIXTURE = ga.rules.Mixture()
LEVELS = [0.01, 1.2, 3.0, 7.0, 14.5, 60.0]


def bisect(is_proven, proven, is_open):
    """The end of the bars that are proven."""
    for _ in range(100):
        middle = (proven + is_open) / 2
        if middle in (proven, is_open):
            break
        proven, is_open = (middle, is_open) if is_proven(middle) else (proven, middle)
    return proven


def find_interval_slowly(n, s, level):
    lower = bisect(lambda bar: MIXTURE.log_good(n, s, bar) >= level, 0.0, s / n) if s else 0.0
    upper = bisect(lambda bar: MIXTURE.log_bad(n, s, bar) >= level, 1.0, s / n) if s < n else 1.0
    return lower, upper


@settings(max_examples=150, deadline=None)
@given(
    n=st.one_of(st.integers(1, 30), st.integers(1, 10**7)),
    share=st.one_of(st.sampled_from([0.0, 1e-3, 0.5, 1.0]), st.floats(0, 1)),
    level=st.sampled_from(LEVELS),
)
def test_bounds_are_those_of_bisection_and_proven(n, share, level):
    s = round(share * n)
    lower, upper = float(lower_bounds(n, s, level)), float(find_upper_bounds(n, s, level))
    assert (lower, upper) == pytest.approx(find_interval_slowly(n, s, level), abs=1e-9)
    assert lower == 0.0 or MIXTURE.log_good(n, s, lower) >= level - estimate_rounding(n, lower)
    assert upper == 1.0 or MIXTURE.log_bad(n, s, upper) >= level - estimate_rounding(n, upper)


def estimate_rounding(n, bar):
    """What a rounding of the bar does to the evidence of counts and priors."""
    return 1e-15 * (n + 64 / min(bar, 1 - bar))


def test_bounds_of_fractional_sums():
    lower, upper = lower_bounds(40, 17.25, 4.0), find_upper_bounds(40, 17.25, 4.0)
    assert (float(lower), float(upper)) == pytest.approx(
        find_interval_slowly(40, 17.25, 4.0), abs=1e-9
    )


@pytest.mark.parametrize("s", [1, 7, 60, 99])
def test_the_evidence_falls_in_the_bar(s):
    """So the bars that are proven are an interval, and its end is the bound."""
    bars = np.linspace(1e-5, s / 100, 3000)[:-1]
    assert (np.diff(MIXTURE.log_good(100, s, bars)) < 0).all()


def test_arms_with_the_same_counts_have_the_same_bounds():
    n = np.array([50.0, 70.0, 50.0, 70.0, 50.0])
    s = np.array([30.0, 30.0, 30.0, 30.0, 31.0])
    lower = lower_bounds(n, s, 5.0)
    assert lower[0] == lower[2]
    assert lower[1] == lower[3]
    assert lower.tolist() == [float(lower_bounds(a, b, 5.0)) for a, b in zip(n, s, strict=True)]


@pytest.mark.parametrize("bar", [0.004, 0.5, 0.9])
def test_the_bounds_are_those_of_the_rule(bar):
    """Lost pulls count as 0 below and as 1 above."""
    rule = ga.rules.Mixture()
    setup = ga.Algorithm(sampling="hdoc", identification=rule).setup(ga.Problem(3, bar, 0.05))
    for n, s, lost in ((10, 3, 0), (400, 200, 7), (5000, 4900, 100), (3000, 12, 1)):
        lower, upper = rule.interval(setup, Tally(n, s, lost), (setup.level,) * 2)
        assert lower == lower_bounds(n, s, math.log(60))
        assert upper == find_upper_bounds(n, s + lost, math.log(60))


@pytest.mark.parametrize("least", [5e-324, 1.4e-306, 1e-250, 1e-150])
def test_next_to_nothing_proves_nothing(least):
    """Sums of rewards in a range may be as small as a number can be."""
    assert lower_bounds(np.array(1.0), np.array(least), 4.0, WEIGHTS) == 0.0
