"""Test of whether our number and a published one agree."""

import math
from collections.abc import Sequence
from typing import NamedTuple

LEVEL = 0.01
"""Significance level at which a row differs, after Holm's correction."""


class PublishedNumber(NamedTuple):
    """Printed mean and sd in pulls, with the largest error that rounding can have caused."""

    mean: float
    sd: float
    runs: int
    rounding: float


class MeasuredNumber(NamedTuple):
    """Our mean and sd over runs."""

    mean: float
    sd: float
    runs: int


def compute_welch_p_value(ours: MeasuredNumber, published: PublishedNumber) -> float:
    """Return the p-value of Welch's two-sided test that both means are equal.

    The printed mean may lie anywhere within its rounding: the test takes the value nearest to ours,
    and the largest sd that the rounding of the printed one allows.
    """
    from scipy.stats import ttest_ind_from_stats  # scipy.stats is slow to import

    difference = max(0.0, abs(ours.mean - published.mean) - published.rounding)
    sd = published.sd + published.rounding
    if ours.sd == 0.0 and sd == 0.0:
        return 1.0 if difference == 0.0 else 0.0
    test = ttest_ind_from_stats(
        difference, ours.sd, ours.runs, 0.0, sd, published.runs, equal_var=False
    )
    return float(test.pvalue)


def correct_by_holm(p_values: Sequence[float]) -> list[float]:
    """Return the p-values after Holm's step-down correction, in the order given.

    >>> correct_by_holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    order = sorted(range(len(p_values)), key=lambda position: p_values[position])
    adjusted = [math.nan] * len(p_values)
    largest = 0.0
    for rank, position in enumerate(order):
        largest = max(largest, min(1.0, (len(order) - rank) * p_values[position]))
        adjusted[position] = largest
    return adjusted
