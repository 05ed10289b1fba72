"""What the rules with a bound U(n) share: labels and intervals from m - U(n) and m + U(n).

What is compiled is loaded when it is first needed.
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.rule import NO_BETS, Tally
from goodarm.kernels.codes import Setup


class BoundRule:
    """An identification rule that the kernels know by its bound."""

    minds_order: ClassVar[bool] = False

    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that n pulls prove."""
        from goodarm.kernels.rules import decide

        return int(decide(setup, tally.n, tally.total, tally.lost))

    def evidence(self, setup: Setup, tally: Tally) -> None:
        """None: a bound has no e-values."""

    def interval(self, setup: Setup, tally: Tally) -> tuple[float, float]:
        """From m - U(n) to m + U(n); lost pulls count as 0 below and as 1 above."""
        from goodarm.kernels.rules import bound

        width = bound(setup, tally.n)
        return tally.total / tally.n - width, (tally.total + tally.lost) / tally.n + width

    def remaining(self, setup: Setup, tally: Tally) -> None:
        """None: the bound is followed."""

    def curves(self, setup: Setup) -> None:
        """None: the kernels have the bound itself."""

    def bets(self, setup: Setup) -> NDArray[np.float64]:
        """None."""
        return NO_BETS
