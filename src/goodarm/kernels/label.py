"""Labels that rewards prove: by a bound on the mean, by curves of counts, or by wealth.

Simulations and live experiments use the same functions. Notation: n pulls of the arm, ``total`` the
sum of the unit rewards that came, ``lost`` the pulls that count as the worst case in both tests (a
simulation has none).
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels import codes
from goodarm.kernels.codes import BERNOULLI, CurveRows, Setup
from goodarm.kernels.compilation.jit import inlined, interpreted_first, merged
from goodarm.kernels.dispatch import bound
from goodarm.kernels.numerics.bets import Wealth, have_bets_won

is_tested = inlined(codes.is_tested)
label_of = inlined(codes.label_of)


@inlined
def label_by_bound(setup: Setup, n: int, total: float, lost: float) -> int:
    """Return good if m - U >= good_bar, bad if m + U <= bad_bar.

    Lost pulls count as 0 for good and as 1 for bad; the mean that decides if both are proven is
    that of the rewards that came.
    """
    width = bound(setup, n)
    good = total / n - width >= setup.good_bar
    bad = (total + lost) / n + width <= setup.bad_bar
    return label_of(setup, good, bad, total / max(n - lost, 1.0))


@merged
def label_by_curves(
    setup: Setup, curves: CurveRows, first: int, n: int, total: float, lost: float
) -> int:
    """Look up the label: by successes from row ``first`` on for 0/1 rewards, else by pulls."""
    if setup.rewards == BERNOULLI:
        good = n <= curves[first + int(total)]["good_until"]
        bad = n >= curves[first + int(total + lost)]["bad_from"]
    else:
        good = total >= curves[n]["good_sum"]
        bad = total + lost <= curves[n]["bad_sum"]
    return label_of(setup, good, bad, total / max(n - lost, 1.0))


@merged
def label_by_wealth(
    setup: Setup, wealth: Wealth, arm: int, n: int, total: float, lost: float
) -> int:
    """Return the label that the arm's row of wealth proves."""
    good, bad = have_bets_won(setup, wealth[arm], wealth[wealth.shape[0] - 1])
    return label_of(setup, good, bad, total / max(n - lost, 1.0))


@interpreted_first(lambda setup, n, widths: len(n))
def fill_bounds(setup: Setup, n: NDArray[np.int64], widths: NDArray[np.float64]) -> None:
    """Fill ``widths`` with the bound after each number of pulls."""
    for k in range(n.shape[0]):
        widths[k] = bound(setup, n[k])
