"""Boundary of a rule on counts: how far from the bar a sum must be, by pulls.

It is computed at some numbers of pulls and interpolated. Where pulls are too few to prove anything
it continues as a straight line, so that interpolation keeps the place where proofs begin.
"""

from collections.abc import Callable
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Excess = Callable[[Floats, Floats], Floats]
"""Evidence minus its level, as a function of pulls and of the sum's distance from the bar."""

_SECANTS: Final = 8
_HALVINGS: Final = 14
_MAX_PULLS: Final = float(1 << 50)
_UNREACHABLE_DISTANCE: Final = 0.1
"""Distance by which a boundary stays beyond all possible sums where nothing can be proven, at 1 / e
of the pulls at which proofs begin; it grows with the log."""


def find_distances(excess: Excess, n: Floats, most: float) -> Floats:
    """Return the smallest distances from the bar at which evidence is enough, after n pulls each.

    Args:
        excess: evidence minus its level; rises in the distance.
        n: pulls, evenly spaced in their logs.
        most: the largest distance of a sum, for each pull.

    Infinite if no distance is enough at any of them.
    """
    with np.errstate(all="ignore"):
        found = _solve_distances(excess, n, n * most)
        known = np.flatnonzero(np.isfinite(found))
        if len(known) > 2 and known[0] > 0:
            found[: known[0]] = _extend_before(excess, n, most, found, int(known[0]))
    return found


def _solve_distances(excess: Excess, n: Floats, most: Floats) -> Floats:
    """Solve for the distances by bracketed secants: the Illinois algorithm."""
    low, high = np.zeros(len(n)), np.minimum(np.sqrt(n), most)
    under, over = excess(n, low), excess(n, high)
    while (is_short := (over < 0.0) & (high < np.minimum(most, _MAX_PULLS))).any():
        low, under = np.where(is_short, high, low), np.where(is_short, over, under)
        high = np.where(is_short, np.minimum(2.0 * high, most), high)
        over = excess(n, high)
    is_found, side = over >= 0.0, np.zeros(len(n))
    for _ in range(_SECANTS):
        place = high - over * (high - low) / (over - under)
        place = np.where((low < place) & (place < high), place, 0.5 * (low + high))
        now = excess(n, place)
        is_held = now >= 0.0
        # An end that stays for a second time counts half, so that it moves soon.
        under = np.where(is_held, np.where(side > 0, 0.5 * under, under), now)
        over = np.where(is_held, now, np.where(side < 0, 0.5 * over, over))
        low, high = np.where(is_held, low, place), np.where(is_held, place, high)
        side = np.where(is_held, 1.0, -1.0)
    return np.where(is_found, high, np.inf)


def _extend_before(excess: Excess, n: Floats, most: float, found: Floats, first: int) -> Floats:
    """Extend the boundary to places before the first at which something can be proven.

    In units of sqrt(n) and over the log of n it is a straight line from where proofs begin.
    """
    low, high = n[first - 1], n[first]
    for _ in range(_HALVINGS):
        middle = 0.5 * (low + high)
        is_enough = excess(np.array([middle]), np.array([middle * most]))[0] >= 0.0
        low, high = (low, middle) if is_enough else (middle, high)
    start, then = most * np.sqrt(high), found[first + 1] / np.sqrt(n[first + 1])
    slope = (then - start) / np.log(n[first + 1] / high)
    before, away = n[:first], np.log(high / n[:first])
    line = (start - slope * away) * np.sqrt(before)
    return np.asarray(np.maximum(line, most * before + _UNREACHABLE_DISTANCE * away))
