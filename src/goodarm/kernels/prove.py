"""What an arm's next reward proves, under any identification rule.

One saving: a bound falls in n, so the bound at a somewhat later count is a floor under it until
then, and an arm whose mean does not even clear the floor need not be tested.
"""

from typing import Final

from goodarm.kernels.bets import Wealth, bet, has_won
from goodarm.kernels.codes import CURVES, UNDECIDED, Curves, Setup
from goodarm.kernels.jit import inlined
from goodarm.kernels.rules import bound, decide, decide_counts, settle
from goodarm.kernels.run import Arms

ROUNDING: Final = 1e-9
"""The floor is lowered by this part, far above what rounding can do to a bound."""


@inlined
def prove(
    setup: Setup,
    curves: Curves,
    arms: Arms,
    wealth: Wealth,
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
    if setup.identification > CURVES:
        bet(setup, wealth, arm, n - 1, before, reward, reward)
        if not is_tested:
            return UNDECIDED
        good, bad = has_won(setup, wealth[arm])
        return settle(setup, good, bad, s / n)
    if not is_tested:
        return UNDECIDED
    if setup.identification == CURVES:
        return decide_counts(setup, curves, n, s)
    own = arms[arm]
    if n > own["floor_end"]:
        own["floor_end"] = end = n + (n >> 5) + 1
        own["floor"] = bound(setup, end) * (1.0 - ROUNDING)
    mean, floor = s / n, own["floor"]
    if mean - floor >= setup.good_bar or mean + floor <= setup.bad_bar:
        return decide(setup, n, s, 0.0)
    return UNDECIDED
