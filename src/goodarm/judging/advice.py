"""A word for the next experiment: whether another rule would have needed far fewer pulls.

It is worked out on the arms that are labelled, along the straight paths of their means, and says
nothing of any label: those of the other rule are never looked at, for taking the better of two
rules after looking would break the guarantee.
"""

from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import (
    BettingOnEach,
    Bools,
    Floats,
    IdentificationRule,
    Tally,
    make_setup,
    rule_title,
    suited_rule,
)
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

CLEARLY: Final = 0.8
"""Another rule is named only if it would have needed less than this part of the pulls."""
BARS: Final = ("threshold", "good_bar", "bad_bar")
_MOST_ARMS: Final = 200
_FARTHEST: Final = 2.0**50


class Labelled(NamedTuple):
    """Labelled arms, all of one form: the rule, its numbers, and what their rewards come to."""

    problem: Problem
    rule: IdentificationRule
    setup: Setup
    tally: Tally
    is_good: Bools

    def of(self, arms: NDArray[np.intp]) -> "Labelled":
        """These arms alone, with their own bars."""
        bars: dict[str, Any] = {
            name: bar if np.ndim(bar) == 0 else np.asarray(bar)[arms]
            for name in BARS
            for bar in [getattr(self.setup, name)]
        }
        setup = self.setup._replace(**bars)
        return self._replace(setup=setup, tally=self.tally.of(arms), is_good=self.is_good[arms])


def advice_on(judged: Labelled) -> str:
    """The sentence, or nothing where no rule would have been clearly better."""
    if judged.problem.pool is not None or not len(judged.tally.n):
        return ""
    some = _some(judged)
    has_values = len(some.tally.values.starts) == len(some.tally.n) + 1
    suited = suited_rule(some.problem.rewards, has_sums_only=not has_values)
    other = suited.on(some.problem)
    if other.name == some.rule.name:
        return ""
    bars = {name: getattr(some.setup, name) for name in BARS}
    setup = make_setup(some.problem, other, arms_planned=some.setup.arms_planned)._replace(**bars)
    share = _pulls(some._replace(rule=other, setup=setup)) / _pulls(some)
    if not share < CLEARLY:
        return ""
    title = rule_title(suited.hinted(some.problem).to_dict())
    return (
        f"For the next experiment: {title} would have needed about {100 * (1 - share):.0f} % "
        f"fewer pulls on the arms that are labelled. Labels here stay those of "
        f"{some.rule.name}, fixed beforehand."
    )


def _some(judged: Labelled) -> Labelled:
    """No more arms than are enough for a word."""
    count = len(judged.tally.n)
    if count <= _MOST_ARMS:
        return judged
    return judged.of(np.linspace(0, count - 1, _MOST_ARMS).astype(np.intp))


def _pulls(judged: Labelled) -> float:
    """The pulls in all after which the arms would have their labels, if rewards came evenly."""
    _, rule, setup, tally, is_good = judged
    n = np.asarray(tally.n, float)
    wealth = rule.wealth(setup, tally.values) if isinstance(rule, BettingOnEach) else tally.wealth

    def is_labelled(pulls: Floats) -> Bools:
        grown = wealth * (pulls / n)[:, None] if wealth.ndim > 1 else wealth
        good, bad = rule.proven(setup, Tally(pulls, tally.total / n * pulls, 0.0, grown))
        return np.where(is_good, good, bad)

    low, high = np.zeros(len(n)), np.ones(len(n))
    while (short := ~is_labelled(high)).any() and high.max() < _FARTHEST:
        low, high = np.where(short, high, low), np.where(short, 2.0 * high, high)
    while (high - low > 1.0).any():
        middle = np.ceil(0.5 * (low + high))
        found = is_labelled(middle)
        low, high = np.where(found, low, middle), np.where(found, middle, high)
    return float(high.sum())
