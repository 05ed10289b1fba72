"""Mixture test in finite pools: a function of counts, with curves that end with the pool.

Compiled code is loaded on first use.
"""

import itertools
import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar, NamedTuple

import numpy as np

from goodarm.algorithm.identification.curves import Curves
from goodarm.algorithm.identification.problem_errors import make_problem_error
from goodarm.algorithm.identification.rule import (
    Bools,
    Boundaries,
    Floats,
    IdentificationRule,
    IdentificationTraits,
    Ints,
    Levels,
    Places,
    Tally,
)
from goodarm.kernels.codes import CURVE, CurveRows, Setup, label_of
from goodarm.problem import Problem
from goodarm.wording import Arg, EdgeText, phrase


class Bars(NamedTuple):
    """Fewest successes that reach the bar of good, and the bar of bad, in pools of one size."""

    size: int
    good: int
    bad: int


@dataclass(frozen=True)
class MixtureInPool(IdentificationRule):
    """Mixture test for arms with a fixed number of cases, drawn without replacement.

    Guarantee: any wrong label with probability at most delta, for the share of successes over each
    arm's N cases, if they are drawn once each in an order that does not depend on the outcomes: see
    ``goodarm.kernels.numerics.pools``. It does not extend to other cases, nor to running a case
    again. A lost case counts as a failure against good and as a success against bad, which only
    lowers evidence. After its last case an arm that has lost none is labelled with certainty.
    """

    name: ClassVar[str] = "mixture"
    formula: ClassVar[str] = "mean likelihood over shares beyond the bar / that of the next below"
    has_e_values: ClassVar[bool] = True

    weights: tuple[float, ...]
    sizes: tuple[int, ...]
    """number of cases of each arm"""
    bars: tuple[Bars, ...]
    """one entry for each distinct size, in order"""

    def check_problem(self, problem: Problem) -> None:
        """Raise an error unless rewards are 0 or 1."""
        if problem.rewards != "bernoulli":
            needs = "With a pool, the mixture rule takes rewards of 0 or 1 only."
            betting = phrase("{betting}", betting=Arg("identification", "betting"))
            use = EdgeText("python", betting, "a rule such as betting")
            rule = f"take {problem.rewards} rewards of a pool"
            raise make_problem_error(self.name, needs, rule, phrase("Use {use}.", use=use))

    def traits(self, problem: Problem, arms_planned: int) -> IdentificationTraits:
        """Return the traits of rules whose labels are looked up in curves, with a pool."""
        self.check_problem(problem)
        return IdentificationTraits(
            has_curves=True, has_pool=True, level=math.log(arms_planned / problem.delta)
        )

    def pools(self, setup: Setup) -> Ints:
        """Return the number of cases of each arm, and the first row of the curves of its size."""
        sizes, known = np.array(self.sizes, np.int64), [bars.size for bars in self.bars]
        return np.stack([sizes, np.array(self._starts)[np.searchsorted(known, sizes)]], axis=1)

    @property
    def _starts(self) -> list[int]:
        return [0, *itertools.accumulate(bars.size + 1 for bars in self.bars)]

    def curves(self, setup: Setup) -> Curves:
        """Return the curves of all sizes, one after the other."""
        return PoolCurves(tuple(_make_rows(bars, setup.level, self.weights) for bars in self.bars))

    def evidence(self, setup: Setup, tally: Tally) -> tuple[Floats, Floats]:
        """Return the logs of E_good and E_bad."""

        def logs(bars: Bars, n: Ints, s: Ints, lost: Ints) -> tuple[Floats, Floats]:
            good = _log_evidence(bars.size, bars.good, n, s, self.weights)
            enough = bars.size - bars.bad + 1
            return good, _log_evidence(bars.size, enough, n, n - s - lost, self.weights)

        return self._compute_by_size(tally, logs)

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """Return the range of shares that are not refuted: whole numbers of cases of each pool."""

        def bounds(bars: Bars, n: Ints, s: Ints, lost: Ints) -> tuple[Floats, Floats]:
            lower = _find_most_proven(bars.size, n, s, levels[0], self.weights)
            rest = _find_most_proven(bars.size, n, n - s - lost, levels[1], self.weights)
            return lower / bars.size, (bars.size - rest) / bars.size

        return self._compute_by_size(tally, bounds)

    def boundaries(self, setup: Setup, tally: Tally, places: Places, levels: Levels) -> Boundaries:
        """Return boundaries from the curves of the arms' pools, which all have one size.

        Predictions for the remaining cases are the same as for infinitely many: under a uniform
        prior on the share, the outcomes of a pool are those of Polya's urn.
        """
        size, n = int(np.asarray(tally.cases).flat[0]), places.pulls
        bars = next(bars for bars in self.bars if bars.size == size)
        good, bad = (_make_rows(bars, level, self.weights) for level in levels)
        s = np.arange(size + 1.0)
        can_good = (good["good_until"] >= np.maximum(s, 1.0)) & (s <= bars.good)
        can_bad = (bad["bad_from"] <= size) & (s < bars.bad)
        until = np.minimum(good["good_until"][can_good], size).astype(float)
        since = bad["bad_from"][can_bad].astype(float)
        # Before the curves begin, labels need as many hits, or misses, as where they begin: more
        # than there are pulls, so that nothing is proven there.
        enough = np.interp(n, until, s[can_good])
        most = np.interp(n, since, s[can_bad]) + np.minimum(n - since[0], 0.0)
        return Boundaries(enough[None], most[None], n[None])

    def proven(self, setup: Setup, tally: Tally) -> tuple[Bools, Bools]:
        """Return which arms have evidence at the level for good, and which for bad."""
        good, bad = self.evidence(setup, tally)
        return good >= setup.level, bad >= setup.level

    def decide(self, setup: Setup, tally: Tally) -> int:
        """Return the label that one arm's rewards prove."""
        n, total, lost = (np.array([part]) for part in tally[:3])
        good, bad = self.proven(setup, Tally(n, total, lost, cases=tally.cases))
        mean = tally.total / max(tally.n - tally.lost, 1.0)
        return label_of(setup, bool(good[0]), bool(bad[0]), mean)

    def _compute_by_size(
        self, tally: Tally, function: Callable[[Bars, Ints, Ints, Ints], tuple[Floats, Floats]]
    ) -> tuple[Floats, Floats]:
        """Compute two numbers for each arm, from its pool's bars and its counts."""
        n, s, lost, cases = (
            np.ascontiguousarray(np.broadcast_to(part, len(tally.n)), np.int64)
            for part in (tally.n, np.rint(tally.total), tally.lost, tally.cases)
        )
        first, second = np.zeros(len(n)), np.zeros(len(n))
        for bars in self.bars:
            of = np.flatnonzero(cases == bars.size)
            if len(of):
                first[of], second[of] = function(bars, n[of], s[of], lost[of])
        return first, second


class PoolCurves(Curves):
    """Complete curves of all sizes, one after the other."""

    def __init__(self, parts: tuple[CurveRows, ...]) -> None:
        self.rows = np.concatenate(parts)

    def reach(self, pulls: int, total: float) -> CurveRows:
        """Return all rows."""
        return self.rows

    def needed(self, pulls: int, total: float) -> int:
        """Return the number of all rows."""
        return len(self.rows)


def find_pool_bars(problem: Problem) -> tuple[Bars, ...]:
    """Return the bars of every size among a problem's pools."""
    return tuple(Bars(size, *problem.pool_bars(size)) for size in sorted(set(problem.pools or ())))


@lru_cache(maxsize=8)
def _compute_log_factorials(size: int) -> Floats:
    from goodarm.kernels.numerics.pools import fill_factorials

    logs = np.empty(size + 1)
    fill_factorials(logs)
    return logs


@lru_cache(maxsize=256)
def _make_priors(size: int, least: int, weights: tuple[float, ...]) -> Floats:
    from goodarm.kernels.numerics.pools import fill_prior

    priors = np.empty(size + 1)
    fill_prior(least, np.array(weights), priors)
    return priors


def _log_evidence(size: int, least: int, n: Ints, s: Ints, weights: tuple[float, ...]) -> Floats:
    """Return the logs of the evidence that at least ``least`` of the pool's cases are hits."""
    from goodarm.kernels.numerics.pools import fill_evidence

    logs = np.empty(len(n))
    fill_evidence(
        n, s, least, _make_priors(size, least, weights), _compute_log_factorials(size), logs
    )
    return logs


def _find_most_proven(
    size: int, n: Ints, s: Ints, level: float, weights: tuple[float, ...]
) -> Floats:
    """Find the largest number of hits in the pool that is proven, by bisection.

    Evidence falls in that number, at which the prior is centred each time. Equal counts are solved
    once.
    """
    pairs, back = np.unique(np.stack([n, s]), axis=1, return_inverse=True)
    found = [_find_largest(size, pulls, hits, level, weights) for pulls, hits in pairs.T.tolist()]
    return np.array(found, float)[back.ravel()]


def _find_largest(size: int, n: int, s: int, level: float, weights: tuple[float, ...]) -> int:
    low, high = s, size - (n - s) + 1
    while high - low > 1:
        middle = (low + high) // 2
        logs = _log_evidence(size, middle, np.array([n]), np.array([s]), weights)
        low, high = (middle, high) if logs[0] >= level else (low, middle)
    return low


@lru_cache(maxsize=32)
def _make_rows(bars: Bars, level: float, weights: tuple[float, ...]) -> CurveRows:
    from goodarm.kernels.numerics.pools import fill_bad_rows, fill_good_rows

    rows, factorials = np.zeros(bars.size + 1, CURVE), _compute_log_factorials(bars.size)
    fill_good_rows(bars.good, _make_priors(bars.size, bars.good, weights), factorials, level, rows)
    enough = bars.size - bars.bad + 1
    fill_bad_rows(enough, _make_priors(bars.size, enough, weights), factorials, level, rows)
    return rows
