"""Test of one arm of a simulated run, after a pull."""

from goodarm.kernels.codes import BERNOULLI, UNDECIDED, CurveRows, Setup
from goodarm.kernels.compilation.jit import inlined
from goodarm.kernels.dispatch import bet
from goodarm.kernels.label import label_by_bound, label_by_curves, label_by_wealth
from goodarm.kernels.numerics.bets import Wealth
from goodarm.kernels.simulation.caches import find_least_bound
from goodarm.kernels.simulation.state import Arm, Hint


@inlined
def has_next_row(setup: Setup, curves: CurveRows, n: int, s: float) -> bool:
    """Return whether the curves reach the next pull, after n pulls with sum s."""
    if not setup.has_curves or setup.has_pool:
        return True
    return (s if setup.rewards == BERNOULLI else float(n)) + 1.0 < curves.shape[0]


@inlined
def label_after(
    setup: Setup,
    curves: CurveRows,
    hint: Hint,
    wealth: Wealth,
    arm_record: Arm,
    arm: int,
    n: int,
    before: float,
    reward: float,
    is_tested: bool,
) -> int:
    """Return the label proven by the n-th reward; the sum of those before it is ``before``.

    Call it exactly once for each pull: a rule that bets updates the arm's wealth.
    """
    s = before + reward
    if setup.keeps_wealth:
        bet(setup, wealth, arm, arm_record["cases"], n - 1, before, 0.0, reward, reward)
        if not is_tested:
            return UNDECIDED
        return label_by_wealth(setup, wealth, arm, n, s, 0.0)
    if not is_tested:
        return UNDECIDED
    if setup.has_curves:
        return label_by_curves(setup, curves, arm_record["first_row"], n, s, 0.0)
    mean, least = s / n, find_least_bound(setup, hint, n)
    if mean - least >= setup.good_bar or mean + least <= setup.bad_bar:
        return label_by_bound(setup, n, s, 0.0)
    return UNDECIDED
