"""Base class of rules with a bound U(n): labels and intervals from m - U(n) and m + U(n).

Compiled code is loaded on first use.
"""

from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.rule import (
    Bools,
    Boundaries,
    Floats,
    IdentificationRule,
    IdentificationTraits,
    Levels,
    Places,
    Tally,
)
from goodarm.errors import invalid_argument
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem


class BoundRule(IdentificationRule):
    """Identification rule whose bound on the mean is a branch of ``kernels.dispatch``."""

    code: ClassVar[int]

    def traits(self, problem: Problem, arms_planned: int) -> IdentificationTraits:
        """Return the rule's code and its constants."""
        if self.code not in codes.BOUNDS:
            raise make_unknown_code_error(self, codes.BOUNDS)
        return IdentificationTraits(self.code, constants=self.constants(problem, arms_planned))

    def constants(self, problem: Problem, arms_planned: int) -> tuple[float, float]:
        """Return the two numbers that the rule's branch in the kernels reads.

        Args:
            problem: the problem to be labelled.
            arms_planned: the number of arms that share delta.
        """
        return 0.0, 0.0

    def decide(self, setup: Setup, tally: Tally) -> int:
        """Return the label that one arm's rewards prove."""
        from goodarm.kernels.label import label_by_bound

        return int(label_by_bound(setup, tally.n, tally.total, tally.lost))

    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Return which arms have an interval above the bar of good, and which below that of bad."""
        lower, upper = self.interval(setup, tally, (0.0, 0.0))
        return lower >= setup.good_bar, upper <= setup.bad_bar

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """Return m - U(n) and m + U(n); lost pulls count as 0 in the lower and as 1 in the upper.

        U(n) contains delta, so ``levels`` are not used.
        """
        n = np.asarray(tally.n, np.int64)
        width = _compute_widths(setup, n)
        return tally.total / n - width, (tally.total + tally.lost) / n + width

    def boundaries(self, setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
        """Return n (bar + U(n)) and n (bar - U(n)), with U interpolated between whole pulls."""
        n = places.pulls
        whole = n.astype(np.int64)
        here, beyond = _compute_widths(setup, whole), _compute_widths(setup, whole + 1)
        width = here + (n - whole) * (beyond - here)
        good, bad = n * (setup.good_bar + width), n * (setup.bad_bar - width)
        return Boundaries(good[None], bad[None], n[None])


def _compute_widths(setup: Setup, n: NDArray[np.int64]) -> Floats:
    """Return U(n) for each n."""
    from goodarm.kernels.label import fill_bounds

    width = np.empty(n.shape)
    # The width does not depend on the bars, and kernels accept only numbers for them.
    plain = setup._replace(threshold=0.0, good_bar=0.0, bad_bar=0.0)
    fill_bounds(plain, n.ravel(), width.reshape(-1))
    return width


def make_unknown_code_error(rule: IdentificationRule, known: tuple[int, ...]) -> Exception:
    """Return the error for a code without a branch in the kernels."""
    return invalid_argument(
        "code",
        f"the {rule.name} rule",
        f"be one of {', '.join(map(str, known))}, which have a branch in kernels/dispatch.py",
        getattr(rule, "code", None),
        "A rule on counts needs no code: make it a CountsRule.",
    )
