"""Mixture test under a known cap on the pulls: curves, and their exact chance of being crossed.

A curve holds, for each number of pulls n, the least number of hits that proves the label; n + 1
where none does. The chance of crossing it is computed forward over the number of hits. Cells too
small to matter are counted as crossed, so that the chance is never too small.
"""

import math
from typing import Final

import numpy as np

from goodarm.kernels.compilation.jit import interpreted_first, kernel
from goodarm.kernels.numerics.mixture import log_evidence

_NEGLIGIBLE: Final = 1e-22
"""Chance of a cell below which it is counted as crossed."""
_HALVINGS: Final = 24
_SLACK: Final = 1e-9
"""Share of the allowed error that is left for rounding."""


@kernel
def walk_curve(
    bar: float,
    rest: float,
    level: float,
    weights: np.ndarray,
    priors: np.ndarray,
    below: np.ndarray,
    above: np.ndarray,
    curve: np.ndarray,
) -> None:
    """Fill in the curve of a level, which lies between two curves that are known.

    A further hit raises the evidence, and a miss lowers it: the curve rises by 0 or 1 with each
    pull. Where the known curves leave only one of the two, no evidence is evaluated.
    """
    curve[0] = hits = 1
    for n in range(1, len(curve)):
        if below[n] > hits or (
            above[n] > hits
            and not (log_evidence(hits, n - hits, bar, rest, weights, priors) >= level)
        ):
            hits += 1
        curve[n] = hits


@interpreted_first(lambda curve, *_: len(curve))
def cross_curve(
    curve: np.ndarray,
    pulls: int,
    hits: int,
    bar: float,
    rest: float,
    most: float,
    chances: np.ndarray,
) -> tuple[float, int, int]:
    """Return the chance of crossing a curve after these counts, if the rate of hits is the bar.

    ``chances`` is filled with the chances of each number of hits at the end without crossing; its
    range is returned too. Stops where the chance of crossing exceeds ``most``.
    """
    low = high = hits
    chances[hits] = 1.0
    crossed = 0.0
    for n in range(pulls + 1, len(curve)):
        chances[high + 1] = chances[high] * bar
        for s in range(high, low, -1):
            chances[s] = chances[s] * rest + chances[s - 1] * bar
        chances[low] *= rest
        high += 1
        while high >= low and (high >= curve[n] or chances[high] < _NEGLIGIBLE):
            crossed += chances[high]
            chances[high] = 0.0
            high -= 1
        while low <= high and chances[low] < _NEGLIGIBLE:
            crossed += chances[low]
            chances[low] = 0.0
            low += 1
        if crossed > most or low > high:
            break
    return crossed, low, high


@kernel
def are_equal(one: np.ndarray, other: np.ndarray) -> bool:
    """Return whether two curves agree."""
    for n in range(len(one)):  # noqa: SIM110 (numba compiles no generator)
        if one[n] != other[n]:
            return False
    return True


@kernel
def copy_curve(source: np.ndarray, target: np.ndarray) -> None:
    """Copy a curve into another array."""
    for n in range(len(source)):
        target[n] = source[n]


@interpreted_first(lambda bar, rest, alpha, share, weights, priors, curve, *_: len(curve) // 2)
def calibrate_curve(
    bar: float,
    rest: float,
    alpha: float,
    share: float,
    weights: np.ndarray,
    priors: np.ndarray,
    curve: np.ndarray,
    below: np.ndarray,
    trial: np.ndarray,
    evidence: np.ndarray,
    chances: np.ndarray,
) -> tuple[float, float, float]:
    """Fill in the curve of the least level whose error is at most alpha; return its numbers.

    The error is the chance of crossing plus ``share`` times the remainder: the mean evidence at the
    end of the paths that do not cross. The last four arrays are scratch space; ``chances`` has one
    place more than the curve.

    Returns:
        The log of the level, the chance of crossing, and the remainder.
    """
    size = len(curve)
    for n in range(size):
        below[n], trial[n], chances[n] = 0, n + 1, 0.0
    chances[size] = 0.0
    low, high = 0.0, -math.log(alpha)
    walk_curve(bar, rest, high, weights, priors, below, trial, curve)
    if share > 0.0:
        for s in range(size):
            log = log_evidence(s, size - 1 - s, bar, rest, weights, priors)
            evidence[s] = math.exp(min(log, high)) if s < curve[size - 1] else 0.0
    error, first, last = cross_curve(curve, 0, 0, bar, rest, 2.0, chances)
    remainder = 0.0
    for s in range(first, last + 1):
        remainder += chances[s] * evidence[s] if share > 0.0 else 0.0
    is_low_known = False
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        walk_curve(bar, rest, middle, weights, priors, below, curve, trial)
        if are_equal(trial, curve):
            high = middle
            continue
        if is_low_known and are_equal(trial, below):
            low = middle
            continue
        for n in range(size + 1):
            chances[n] = 0.0
        crossed, first, last = cross_curve(trial, 0, 0, bar, rest, alpha, chances)
        rest_of = 0.0
        if share > 0.0:
            for s in range(first, last + 1):
                rest_of += chances[s] * evidence[s]
        if crossed + share * rest_of <= alpha * (1.0 - _SLACK):
            high, error, remainder = middle, crossed, rest_of
            copy_curve(trial, curve)
        else:
            low, is_low_known = middle, True
            copy_curve(trial, below)
    return high, error, remainder


@interpreted_first(lambda first, bar, rest, level, weights, priors, curve: len(curve) // 2)
def fill_later_curve(
    first: int,
    bar: float,
    rest: float,
    level: float,
    weights: np.ndarray,
    priors: np.ndarray,
    curve: np.ndarray,
) -> None:
    """Fill in the curve of a level from ``first`` pulls on: ``curve[k]`` is for first + k."""
    hits = int(first * bar)
    while hits <= first:
        if log_evidence(hits, first - hits, bar, rest, weights, priors) >= level:
            break
        hits += 1
    curve[0] = hits
    for k in range(1, len(curve)):
        if not log_evidence(hits, first + k - hits, bar, rest, weights, priors) >= level:
            hits += 1
        curve[k] = hits
