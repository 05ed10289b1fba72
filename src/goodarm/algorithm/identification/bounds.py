"""What the rules with a bound U(n) share: labels and intervals from m - U(n) and m + U(n).

What is compiled is loaded when it is first needed.
"""

from goodarm.kernels.codes import Setup


class BoundRule:
    """An identification rule that the kernels know by its bound."""

    def decide(self, setup: Setup, n: int, total: float, lost: float) -> int:
        """The label that n pulls prove."""
        from goodarm.kernels.rules import decide

        return int(decide(setup, n, total, lost))

    def evidence(self, setup: Setup, n: int, total: float, lost: float) -> None:
        """None: a bound has no e-values."""

    def interval(self, setup: Setup, n: int, total: float, lost: float) -> tuple[float, float]:
        """From m - U(n) to m + U(n); lost pulls count as 0 below and as 1 above."""
        from goodarm.kernels.rules import bound

        width = bound(setup, n)
        return total / n - width, (total + lost) / n + width

    def curves(self, setup: Setup) -> None:
        """None: the kernels have the bound itself."""
