"""What the rules with a bound U(n) share: labels and intervals from m - U(n) and m + U(n).

What is compiled is loaded when it is first needed.
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.rule import (
    Bools,
    Boundaries,
    Floats,
    IdentificationRule,
    Levels,
    Places,
    Tally,
    Traits,
)
from goodarm.errors import invalid_argument
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


class BoundRule(IdentificationRule):
    """An identification rule whose bound on the mean is a branch of ``kernels.dispatch``."""

    code: ClassVar[int]

    def traits(self, problem: Problem, arms_planned: int) -> Traits:
        """Its code, and two numbers of its own if it has some."""
        if self.code not in codes.BOUNDS:
            raise unknown_code(self, codes.BOUNDS)
        return Traits(self.code, constants=self.constants(problem, arms_planned))

    def constants(self, problem: Problem, arms_planned: int) -> tuple[float, float]:
        """Two numbers that its branch in the kernels reads."""
        return 0.0, 0.0

    def decide(self, setup: Setup, tally: Tally) -> int:
        """The label that n pulls prove."""
        from goodarm.kernels.label import label_by_bound

        return int(label_by_bound(setup, tally.n, tally.total, tally.lost))

    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Where the interval lies on one side of its bar."""
        lower, upper = self.interval(setup, tally, (0.0, 0.0))
        return lower >= setup.good_bar, upper <= setup.bad_bar

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """From m - U(n) to m + U(n); lost pulls count as 0 below and as 1 above.

        The bound has its level within.
        """
        n = np.asarray(tally.n, np.int64)
        width = _widths(setup, n)
        return tally.total / n - width, (tally.total + tally.lost) / n + width

    def boundaries(self, setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
        """At n (bar + U(n)) and n (bar - U(n)), between whole pulls on straight lines."""
        n = places.pulls
        whole = n.astype(np.int64)
        here, beyond = _widths(setup, whole), _widths(setup, whole + 1)
        width = here + (n - whole) * (beyond - here)
        good, bad = n * (setup.good_bar + width), n * (setup.bad_bar - width)
        return Boundaries(good[None], bad[None], n[None])


def _widths(setup: Setup, n: NDArray[np.int64]) -> Floats:
    """U(n)."""
    from goodarm.kernels.label import fill_bounds

    width = np.empty(n.shape)
    # The width has no bar in it, and kernels know none but numbers.
    plain = setup._replace(threshold=0.0, good_bar=0.0, bad_bar=0.0)
    fill_bounds(plain, n.ravel(), width.reshape(-1))
    return width


def unknown_code(rule: IdentificationRule, known: tuple[int, ...]) -> Exception:
    """The error for a code that has no branch in the kernels."""
    return invalid_argument(
        "code",
        f"the {rule.name} rule",
        f"be one of {', '.join(map(str, known))}, which have a branch in kernels/dispatch.py",
        getattr(rule, "code", None),
        "A rule on counts needs no code: make it a CountsRule.",
    )
