"""The test for one look: exact error rates by enumeration, beside a second look that breaks it."""

from fractions import Fraction
from itertools import product
from math import comb

import numpy as np
import pytest
from scipy.stats import binom, hypergeom

import goodarm as ga

GRID = list(product([1, 7, 20, 60], ["0.5", "0.8", "0.95"], [1, 5, 40], ["0", "0.03"]))
DELTA = Fraction(1, 10)


def labels(n, threshold, num_arms, margin, **options):
    """The label of each number of successes, as check gives it to one of ``num_arms`` arms."""
    counts = np.array([[n, s] for s in range(n + 1)])
    level = float(DELTA) / num_arms
    table = ga.check(
        counts,
        threshold=float(threshold),
        margin=float(margin),
        delta=level,
        control="per-arm",
        looks="once",
        **options,
    )
    return table.labels


def chance(labelled, n, mean):
    """The exact probability that the number of successes has this label."""
    return sum(
        (comb(n, s) * mean**s * (1 - mean) ** (n - s) for s in np.flatnonzero(labelled).tolist()),
        Fraction(0),
    )


@pytest.mark.parametrize(("n", "threshold", "num_arms", "margin"), GRID)
def test_error_rate(n, threshold, num_arms, margin):
    bar, slack, alpha = Fraction(threshold), Fraction(margin), DELTA / num_arms
    found = labels(n, threshold, num_arms, margin)
    for part in (Fraction(1), Fraction(9, 10)):
        assert chance(found == 1, n, part * (bar - slack)) <= alpha
        assert chance(found == -1, n, 1 - part * (1 - bar - slack)) <= alpha
    # Not one more label could be given: the next tail is above alpha, up to the rounding.
    least, most = np.flatnonzero(found != -1)[0], np.flatnonzero(found != 1)[-1]
    assert chance(np.arange(n + 1) >= most, n, bar - slack) > alpha * Fraction("0.99999")
    assert chance(np.arange(n + 1) <= least, n, bar + slack) > alpha * Fraction("0.99999")


def test_all_arms_together():
    """Over independent arms on the threshold, each with the K that a table has."""
    for num_arms in (2, 5, 40):
        table = {k: (50, s) for k, s in enumerate([0, 25] * 20)}
        counts = dict(list(table.items())[:num_arms])
        found = [
            ga.check({**counts, 0: (50, s)}, threshold=0.5, delta=0.1, looks="once").labels[0]
            for s in range(51)
        ]
        wrong = chance(np.array(found) == 1, 50, Fraction(1, 2))
        assert 1 - (1 - wrong) ** num_arms <= DELTA


def test_a_second_look_breaks_it():
    """The same test again when the table has grown: labels of either look."""
    n, half, exceeded = 60, Fraction(1, 2), []
    for first in (20, 30, 40, 50):
        good = [labels(k, "0.5", 1, "0") == 1 for k in (first, n)]
        one = chance(good[1], n, half)
        two = chance(good[0], first, half) + sum(
            Fraction(comb(first, s) * comb(n - first, t), 2**n)
            for s in np.flatnonzero(~good[0]).tolist()
            for t in range(n - first + 1)
            if good[1][s + t]
        )
        assert one <= DELTA
        if two > DELTA:
            exceeded.append(first)
    assert len(exceeded) >= 3  # of four: the tails of small numbers are steps


@pytest.mark.parametrize(("size", "n", "threshold"), [(20, 7, 0.5), (50, 30, 0.8), (12, 12, 0.75)])
def test_pools(size, n, threshold):
    found = labels(n, str(threshold), 2, "0", pool=size)
    bar = next(k for k in range(size + 1) if k / size >= threshold)
    for successes in range(size + 1):
        chances = hypergeom.pmf(np.arange(n + 1), size, successes, n)
        wrong = found == (-1 if successes >= bar else 1)
        assert chances[wrong].sum() <= float(DELTA) / 2 + 1e-12
    if n == size:  # all cases were run: the answer is known
        assert found.tolist() == [1 if s >= bar else -1 for s in range(n + 1)]


def test_false_discoveries_do_not_need_independent_arms():
    """Arms that all see the same flips, and lists whose wrong part is counted exactly."""
    n, num_arms, right = 40, 6, 2
    sure = {f"sure {k}": (n, n) for k in range(right)}
    wrong = Fraction(0)
    for s in range(n + 1):
        shared = {f"same {k}": (n, s) for k in range(num_arms - right)}
        table = ga.check({**sure, **shared}, threshold=0.5, delta=0.1, control="fdr", looks="once")
        false = sum(str(arm).startswith("same") for arm in table.good)
        wrong += Fraction(comb(n, s), 2**n) * Fraction(false, max(len(table.good), 1))
    assert 0 < wrong <= DELTA


def test_what_each_costs():
    """The figures of docs/check.md: rate .85 at the threshold .8, one of 10 arms, 9 of 10 cases."""
    rate, bar, alpha = 0.85, 0.8, 0.05 / 10

    def has_power(n):
        return binom.sf(binom.isf(alpha, n, bar), n, rate) >= 0.9

    def is_enough(n):
        return all(has_power(more) for more in range(n, n + 60))

    assert is_enough(900)
    assert not has_power(899)
    rule, chances, labelled, mean, pulls = ga.rules.Mixture(), np.array([1.0]), 0.0, 0.0, 0
    while labelled < 0.9:
        mean += chances.sum()
        pulls += 1
        chances = np.append(chances, 0.0) * (1 - rate) + np.append(0.0, chances) * rate
        is_good = rule.log_good(pulls, np.arange(pulls + 1.0), bar) >= -np.log(alpha)
        labelled += chances[is_good].sum()
        chances[is_good] = 0.0
    assert (pulls, round(mean)) == (1305, 724)
