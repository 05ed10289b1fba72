"""Pulls needed hold: of arms undecided at a look, as many are labelled within them as is said.

Fixed seeds. Arms are followed pull by pull from the first on; those that a look finds undecided are
followed on, and one that is not labelled within its number is a miss. Limits are exact: where the
chance of a label lies within the range that is promised, the number of arms labelled leaves them
with a probability of at most one in a million.
"""

import math
from functools import cache

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.algorithm.algorithm import make_setup

RARE = 1e-6
DELTA = 1 / 60
LOOKS = (10, 20, 50, 100, 200, 500)
ARMS = 1000
"""Undecided arms at each look: every look counts the same."""


def coins(rng, means, size):
    return rng.random((len(means), size)) < means[:, None]


def follow(is_labelled, means, look, last, rng, draw=coins):
    """When each arm is labelled (infinite beyond the last pull), and its sum at the look."""
    kind = draw(rng, means[:1], 1).cumsum().dtype
    going, sums, at = np.arange(len(means)), np.zeros(len(means), kind), np.full(len(means), np.inf)
    seen, n = sums.copy(), 0
    while len(going) and n < last:
        size = min(256 if n < 10_000 else 2048, (look if n < look else last) - n)
        paths = sums[going, None] + np.cumsum(draw(rng, means[going], size), axis=1)
        pulls = n + 1 + np.arange(size)
        labelled = is_labelled(pulls, paths)
        done = labelled.any(axis=1)
        at[going[done]] = pulls[labelled.argmax(axis=1)[done]]
        sums[going], n = paths[:, -1], n + size
        if n == look:
            seen = sums.copy()
        going = going[~done]
    return at, seen


@cache
def looked(population, bar, look):
    """Successes at a look, and further pulls until a label, of arms that it finds undecided."""
    rng = np.random.default_rng([look, round(1000 * bar)])
    last = look + max(100_000, 1000 * look)
    setup = make_setup(ga.Problem(1, bar, DELTA), ga.rules.Mixture())
    rows = ga.rules.Mixture().curves(setup).reach(last, float(last))

    def is_labelled(n, s):
        return (n <= rows["good_until"][s]) | (n >= rows["bad_from"][s])

    found = []
    while sum(len(further) for _, further in found) < ARMS:
        at, seen = follow(is_labelled, POPULATIONS[population](rng, bar, 2000), look, last, rng)
        found.append((seen[at > look], at[at > look] - look))
    sums, further = (np.concatenate(part)[:ARMS] for part in zip(*found, strict=True))
    return sums, further


POPULATIONS = {
    "uniform": lambda rng, bar, size: rng.random(size),
    "Beta(8, 2)": lambda rng, bar, size: rng.beta(8, 2, size),
    "Beta(2, 60)": lambda rng, bar, size: rng.beta(2, 60, size),
    "near the bar": lambda rng, bar, size: bar + rng.uniform(-0.02, 0.02, size),
}


def held(population, bar, looks=LOOKS, delta=DELTA):
    """Arms labelled within the median and within the 90 % figure, at each look; all have both."""
    shares = []
    for look in looks:
        sums, further = looked(population, bar, look)
        counts = np.stack([np.full(len(sums), look), sums], axis=1)
        table = ga.check(counts, threshold=bar, delta=delta, control="per-arm")
        assert np.isfinite(table.needed_90).all()
        shares.append([(further <= table.needed).sum(), (further <= table.needed_90).sum()])
    return np.array(shares)


def within(count, total, low, high):
    return binom.ppf(RARE, total, low) <= count <= binom.isf(RARE, total, high)


@pytest.mark.parametrize("bar", [0.5, 0.8, pytest.param(0.1, marks=pytest.mark.large)])
def test_they_hold_where_means_come_from_the_prior(bar):
    found = held("uniform", bar)
    median, likely = found.sum(axis=0) / (ARMS * len(LOOKS))
    assert 0.88 <= likely <= 0.93
    assert 0.45 <= median <= 0.55
    for _, count in found:
        assert within(count, ARMS, 0.88, 0.93)


@pytest.mark.parametrize("bar", [0.5, 0.8])
def test_those_of_half_the_evidence_would_not(bar):
    """What a label takes is forgotten: its log is halved."""
    median, likely = held("uniform", bar, delta=math.sqrt(DELTA)).sum(axis=0)
    total = ARMS * len(LOOKS)
    assert not within(likely, total, 0.88, 0.93)
    assert not within(median, total, 0.45, 0.55)


@pytest.mark.parametrize(
    ("population", "bar"),
    [
        pytest.param("Beta(8, 2)", 0.8, marks=pytest.mark.large),
        ("Beta(8, 2)", 0.9),
        ("Beta(2, 60)", 0.04),
    ],
)
def test_they_nearly_hold_on_other_populations(population, bar):
    _, likely = held(population, bar).sum(axis=0) / (ARMS * len(LOOKS))
    assert 0.8 <= likely <= 0.93


@pytest.mark.large
def test_they_fail_where_all_means_are_near_the_bar():
    """As docs/check.md says: the fewer pulls, the more the prior counts, and it is wrong."""
    shares = held("near the bar", 0.5, LOOKS[:4])[:, 1] / ARMS
    assert (np.diff(shares) > 0).all()
    assert shares[0] < 0.2
    assert shares[-1] < 0.6
