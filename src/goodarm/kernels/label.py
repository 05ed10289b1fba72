"""The label that an arm's rewards prove: by a bound on the mean, by curves of counts, by wealth.

Notation: n pulls of the arm, s the sum of its unit rewards, m = s / n.
"""

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels import codes
from goodarm.kernels.bets import Wealth, has_won
from goodarm.kernels.caches import least_bound
from goodarm.kernels.codes import BERNOULLI, UNDECIDED, CurveRows, Setup
from goodarm.kernels.dispatch import bet, bound
from goodarm.kernels.jit import inlined, interpreted_first, merged
from goodarm.kernels.state import Arm, Hint

is_tested = inlined(codes.is_tested)
label_of = inlined(codes.label_of)


@inlined
def label_by_bound(setup: Setup, n: int, total: float, lost: float) -> int:
    """Good if m - U >= good_bar, bad if m + U <= bad_bar.

    Lost pulls count as 0 for good and as 1 for bad; ``total`` is the sum without them, and the mean
    that settles a tie is that of the rewards that came.
    """
    width = bound(setup, n)
    good = total / n - width >= setup.good_bar
    bad = (total + lost) / n + width <= setup.bad_bar
    return label_of(setup, good, bad, total / max(n - lost, 1.0))


@merged
def label_by_curves(setup: Setup, curves: CurveRows, first: int, n: int, s: float) -> int:
    """By successes for 0/1 rewards, by pulls for others, from the arm's first row on."""
    if setup.rewards == BERNOULLI:
        row = curves[first + int(s)]
        good, bad = n <= row["good_until"], n >= row["bad_from"]
    else:
        row = curves[n]
        good, bad = s >= row["good_sum"], s <= row["bad_sum"]
    return label_of(setup, good, bad, s / n)


@inlined
def reaches(setup: Setup, curves: CurveRows, n: int, s: float) -> bool:
    """Whether the curves go on far enough to test the next pull, after n pulls with sum s."""
    if not setup.has_curves or setup.has_pool:
        return True
    return (s if setup.rewards == BERNOULLI else float(n)) + 1.0 < curves.shape[0]


@inlined
def label_after(
    setup: Setup,
    curves: CurveRows,
    hint: Hint,
    wealth: Wealth,
    own: Arm,
    arm: int,
    n: int,
    before: float,
    reward: float,
    is_tested: bool,
) -> int:
    """The label proven by the n-th reward; the sum of those before it is ``before``.

    To be called once for each pull: a rule that bets moves the arm's wealth on.
    """
    s = before + reward
    if setup.keeps_wealth:
        bet(setup, wealth, arm, own["cases"], n - 1, before, 0.0, reward, reward)
        if not is_tested:
            return UNDECIDED
        good, bad = has_won(setup, wealth[arm], wealth[wealth.shape[0] - 1])
        return label_of(setup, good, bad, s / n)
    if not is_tested:
        return UNDECIDED
    if setup.has_curves:
        return label_by_curves(setup, curves, own["first_row"], n, s)
    mean, least = s / n, least_bound(setup, hint, n)
    if mean - least >= setup.good_bar or mean + least <= setup.bad_bar:
        return label_by_bound(setup, n, s, 0.0)
    return UNDECIDED


@interpreted_first(lambda setup, n, widths: len(n))
def fill_bounds(setup: Setup, n: NDArray[np.int64], widths: NDArray[np.float64]) -> None:
    """The bound after each number of pulls."""
    for k in range(n.shape[0]):
        widths[k] = bound(setup, n[k])
