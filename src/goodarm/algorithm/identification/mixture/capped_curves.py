"""Mixture test under a cap: an arm gets at most N pulls, and its rewards are 0 or 1.

Within N pulls the mixture at the level 1 / alpha, where alpha = delta / K, spends well under half
of its error. The capped test keeps the evidence E and lowers its level to the least one whose exact
chance of being reached within N pulls, at a mean of the bar, is at most alpha.

Validity: let H(n, s) be that chance after n pulls with s hits. It does not fall in s, and
H(n, s) = bar H(n + 1, s + 1) + (1 - bar) H(n + 1, s). So as long as the chance of a hit, given all
that came before, is at most the bar, H is a supermartingale in [0, 1] that is 1 once the curve is
crossed, whichever arms are pulled and whenever one stops: the chance of crossing is at most
H(0, 0) <= alpha. That sums to delta over K arms. It needs rewards of 0 or 1: H is not convex in a
reward, so fractions are not covered.

A hard cap cannot be extended: an arm without a label after N pulls has H = 0. A soft cap goes on
for ever: c1 is the level up to N, and c2 after it. With the chance alpha1 of crossing c1, and the
remainder R = the mean of E at N over the paths that do not, Ville's inequality bounds the chance of
ever reaching c2 after N by R / c2, so alpha1 + R / c2 <= alpha is enough. c1 is the least level
with alpha1 + R alpha / 4 <= alpha, so that c2 is at most 4 / alpha.

The curve is a table of whole numbers, which decides; the level is never compared again. It lies on
or below the curve of 1 / alpha, so no label comes later than without a cap, within N pulls.
"""

import math
from functools import lru_cache
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.mixture.weights import WEIGHTS

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

MAX_CAP: Final = 100_000
"""Largest cap that is calibrated; beyond it the gain over the open test is a few percent."""
MAX_RUNS: Final = 1_000_000
"""Pulls that straight lines reach."""
LINE_SCALE: Final = 1_000_000_000
"""Unit of the whole numbers of a line; their sums stay below 2^53, so that any language can."""
_SOFT_SHARE: Final = 0.25
"""Share of the open test's error rate at which the remainder of a soft cap is spent."""
_KNOT_RATIO: Final = 1.3
"""Ratio of the pulls at which one line touches the curve to those of the line before."""
_STEP: Final = 0.05
"""Step of the differences that give the slope of a curve, in standard deviations of the hits."""
_SLACK: Final = 1e-9


class CappedCurve(NamedTuple):
    """Curve of one side under a cap.

    Args:
        least: by pulls from 0 to the cap, the least hits that prove the label; n + 1 where none do.
        level: the level of the evidence up to the cap; it only describes the curve.
        error: the exact chance of crossing within the cap if the rate of hits is the bar.
        remainder: mean evidence at the cap of the paths that do not cross; 0 for a hard cap.
        later_level: the level after the cap; None for a hard cap.
    """

    least: Ints
    level: float
    error: float
    remainder: float
    later_level: float | None


class Line(NamedTuple):
    """Straight line on or above a curve: crossed if LINE_SCALE hits > intercept + slope pulls."""

    intercept: int
    slope: int


@lru_cache(maxsize=64)
def calibrate(
    bar: float,
    rest: float,
    cap: int,
    alpha: float,
    *,
    is_soft: bool = False,
    weights: tuple[float, ...] = WEIGHTS,
) -> CappedCurve:
    """Return the curve of the least level whose error within the cap is at most alpha.

    Args:
        bar: the rate of hits to be surpassed. For bad, hits are failures and the bar is 1 - bar.
        rest: 1 - bar.
        cap: the most pulls.
        alpha: the chance allowed for a wrong label of this arm.
        is_soft: whether the test may go on after the cap.
        weights: the weights of the priors.

    >>> curve = calibrate(0.5, 0.5, 12, 0.05)
    >>> curve.least[1:].tolist(), round(curve.level, 4), curve.error == 198 / 4096
    ([2, 3, 4, 5, 5, 6, 7, 8, 8, 9, 10, 10], 3.8423, True)
    """
    from goodarm.kernels.numerics.crossings import calibrate_curve

    least, below, trial = (np.zeros(cap + 1, np.int64) for _ in range(3))
    evidence, chances = np.zeros(cap + 1), np.zeros(cap + 2)
    share = _SOFT_SHARE * alpha if is_soft else 0.0
    settings = _make_settings(weights)
    log, error, remainder = calibrate_curve(
        bar, rest, alpha, share, *settings, least, below, trial, evidence, chances
    )
    least.flags.writeable = False
    later = (1.0 + _SLACK) * remainder / (alpha - error) if is_soft else None
    return CappedCurve(least, math.exp(log), error, remainder, later)


def _make_settings(weights: tuple[float, ...]) -> tuple[Floats, Floats]:
    from goodarm.algorithm.identification.mixture.evidence import fit_prior_polynomials

    return np.array(weights), fit_prior_polynomials(weights)


def compute_crossing(least: Ints, rate: float, rest: float, pulls: int = 0, hits: int = 0) -> float:
    """Return the exact chance of crossing a curve after these counts, at a rate of hits.

    At the bar it is H(pulls, hits): what a later curve may still spend.

    Args:
        least: by pulls, the least hits that cross.
        rate: the rate of hits.
        rest: 1 - rate.
        pulls: the pulls so far.
        hits: the hits among them.

    >>> curve = calibrate(0.9, 1 - 0.9, 300, 0.05)
    >>> round(compute_crossing(curve.least, 0.9, 1 - 0.9, 100, 94), 6)
    0.087794
    """
    from goodarm.kernels.numerics.crossings import cross_curve

    if hits >= least[pulls]:
        return 1.0
    curve = np.array(least, np.int64)
    return float(cross_curve(curve, pulls, hits, rate, rest, 2.0, np.zeros(len(curve) + 1))[0])


@lru_cache(maxsize=32)
def fit_lines(
    bar: float, rest: float, level: float, after: int = 0, weights: tuple[float, ...] = WEIGHTS
) -> tuple[Line, ...]:
    """Return straight lines on or above the curve of a level, up to ``MAX_RUNS`` pulls.

    They touch the curve at pulls that are about ``_KNOT_RATIO`` apart. The curve is concave but for
    rounding; the intercepts do not rely on it: each is the largest over all pulls. So the least
    hits above any line prove the label.

    Args:
        bar: the rate of hits to be surpassed.
        rest: 1 - bar.
        level: the level of the evidence.
        after: the pulls after which the lines are used.
        weights: the weights of the priors.

    >>> lines = fit_lines(0.9, 1 - 0.9, 20.0, after=990_000)
    >>> [any(10**9 * hits > a + b * 990_100 for a, b in lines) for hits in (892_000, 893_000)]
    [False, True]
    """
    from goodarm.kernels.numerics.crossings import fill_later_curve

    first = after + 1
    least = np.zeros(MAX_RUNS - after, np.int64)
    settings = _make_settings(weights)
    fill_later_curve(first, bar, rest, math.log(level), *settings, least)
    pulls = np.arange(first, MAX_RUNS + 1)
    reached = np.flatnonzero(least <= pulls)
    if not len(reached):
        return ()
    start = int(pulls[reached[0]])
    count = 1 + int(math.log(MAX_RUNS / start) / math.log(_KNOT_RATIO))
    knots = np.geomspace(start, MAX_RUNS, count).astype(np.int64)
    # Rounded to whole numbers, so that all languages compute the same.
    slopes = np.rint(LINE_SCALE * _find_slopes(bar, rest, knots, least[knots - first], weights))
    highest = LINE_SCALE * (least - 1)
    return tuple(
        Line(int((highest - slope * pulls).max()), slope)
        for slope in slopes.astype(np.int64).tolist()
    )


def _find_slopes(
    bar: float, rest: float, pulls: Ints, hits: Ints, weights: tuple[float, ...]
) -> Floats:
    """Return the slopes at which hits must rise with pulls to keep the evidence."""
    from goodarm.algorithm.identification.mixture.evidence import log_evidence

    n = pulls.astype(float)
    step = _STEP * np.sqrt(n * bar * rest)
    s = np.minimum(hits, n - 2.0 * step)

    def log(pulls: Floats, hits: Floats) -> Floats:
        return log_evidence(hits, pulls - hits, bar, rest, weights)

    by_pulls = log(n + step, s) - log(n - step, s)
    by_hits = log(n, s + step) - log(n, s - step)
    return np.asarray(np.clip(-by_pulls / by_hits, 0.0, 1.0))


def find_fewest_runs(bar: float, alpha: float, misses: int = 0) -> int:
    """Return the fewest runs after which so many misses may still prove a rate above the bar.

    They are the least n with P(Bin(n, 1 - bar) <= misses) <= alpha: no test with this error can do
    with fewer, and the capped test with this cap needs no more.

    Args:
        bar: the rate to be proven.
        alpha: the chance allowed for a wrong label of this arm.
        misses: how many runs fail.

    >>> [find_fewest_runs(0.9, 0.05 / arms) for arms in (1, 20, 200)]
    [29, 57, 79]
    >>> find_fewest_runs(0.9, 0.05, misses=1)
    46
    """
    low, high = 0, 1
    while _compute_tail(high, misses, bar) > alpha:
        low, high = high, 2 * high
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _compute_tail(middle, misses, bar) <= alpha else (middle, high)
    return high


def _compute_tail(runs: int, misses: int, bar: float) -> float:
    """Return the chance of at most so many misses in so many runs at the bar."""
    if misses >= runs:
        return 1.0
    log, total = runs * math.log(bar), 0.0
    for k in range(misses + 1):
        total += math.exp(log)
        log += math.log((runs - k) / (k + 1.0)) + math.log1p(-bar) - math.log(bar)
    return total
