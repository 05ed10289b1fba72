"""Tests for a single look at a table whose numbers of pulls were fixed beforehand.

An arm is good if its result would be rare under a mean just below the threshold: if the tail
P(at least s successes in n pulls) at the bar threshold - margin is at most alpha; bad mirrors it at
threshold + margin. alpha is delta / K, under per-arm delta.

Why it is valid: n does not depend on the results, so with a mean of at most the bar the tail is a
p-value (it grows with the mean, and the bar is the worst case). For each arm at most one label is
false, so the union bound over arms gives delta. The tails are exact: binomial for 0/1 rewards,
hypergeometric for a pool of cases drawn without replacement in a random order, normal for Gaussian
rewards with known sigma. Sampling that depends on results, and a second look with more pulls, break
it: each look would spend alpha anew.

Under fdr it is the procedure of Benjamini and Yekutieli: the largest k such that k arms have a
p-value of at most k delta / (K (1 + 1/2 + ... + 1/K)). Without the sum it would need arms that do
not depend on each other, which a table cannot show: cases in one order, or users who see several
arms, make them dependent.

The interval inverts the same tail at the same alpha (Clopper and Pearson for 0/1 rewards), so that
label and bound cannot contradict each other. p-values are rounded up by one part in a million,
which covers the rounding of the tails.
"""

import math
from dataclasses import dataclass
from typing import Any, Final, NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Floats, make_labels
from goodarm.errors import SpecError
from goodarm.judging.judgment import Control, ProvenArms, run_e_bh, sum_harmonic
from goodarm.judging.totals import Totals
from goodarm.problem import Problem, find_least_successes
from goodarm.wording import Arg, phrase

_ROUNDING: Final = 1e-6


class OneLook(NamedTuple):
    """Labels, bounds and p-values of a single look; nan for arms without rewards.

    ``delta_listed`` is the delta of the lists under fdr; ``test`` names the tail.
    """

    labels: NDArray[np.int8]
    lower: Floats
    upper: Floats
    p_good: Floats
    p_bad: Floats
    delta_listed: float | None
    test: str


def check_one_look(problem: Problem) -> None:
    """Raise an error unless there is a test for one look at such rewards."""
    if problem.rewards != "bounded":
        return
    raise SpecError(
        "For rewards in a range there is no exact test for one look: their spread is unknown, and "
        "bets, which learn it, may be looked at any number of times.",
        argument="looks",
        owner="check",
        rule="be 'any' for rewards in a range",
        value="once",
        remedy=phrase("Leave out {looks}.", looks=Arg("looks")),
    )


def judge_once(problem: Problem, counted: Totals, control: Control, planned: int) -> OneLook:
    """Return the labels, bounds and p-values of a single look."""
    seen = np.flatnonzero(counted.pulls > 0)
    mean = counted.sums[seen] / counted.pulls[seen]
    bars = counted.thresholds[seen]
    tail = _tail(problem, counted, seen)
    p_good, p_bad = (np.minimum(p * (1.0 + _ROUNDING), 1.0) for p in tail.p_values())
    with np.errstate(divide="ignore"):
        log_good, log_bad = -np.log(p_good), -np.log(p_bad)
    delta = problem.delta / sum_harmonic(planned) if control == "fdr" else problem.delta
    if control == "fdr":
        proof = run_e_bh(log_good, log_bad, mean >= bars, delta, planned)
    else:
        level = math.log((1 if control == "per-arm" else planned) / delta)
        proof = ProvenArms(log_good >= level, log_bad >= level, level, level)
    lower, upper = tail.bounds(math.exp(-proof.level_good), math.exp(-proof.level_bad))
    lower, upper = _beside_bars(problem, tail, lower, upper, proof)
    columns = np.full((4, len(counted.pulls)), math.nan)
    columns[:, seen] = lower, upper, p_good, p_bad
    labels = np.zeros(len(counted.pulls), np.int8)
    labels[seen] = make_labels(proof.good, proof.bad, mean >= bars)
    return OneLook(
        labels,
        lower=columns[0],
        upper=columns[1],
        p_good=columns[2],
        p_bad=columns[3],
        delta_listed=delta if control == "fdr" else None,
        test=tail.name,
    )


class _Tail(Protocol):
    """Tails of the sums of some arms."""

    name: str
    good_bar: Floats
    bad_bar: Floats

    def p_values(self) -> tuple[Floats, Floats]:
        """Return the p-values against "not good" and "not bad"."""

    def bounds(self, alpha_good: float, alpha_bad: float) -> tuple[Floats, Floats]:
        """Return the bounds on the mean at which the tails are alpha."""


def _tail(problem: Problem, counted: Totals, arms: NDArray[np.intp]) -> _Tail:
    n, sums, bars = counted.pulls[arms], counted.sums[arms], counted.thresholds[arms]
    good, bad = bars - problem.margin, bars + problem.margin
    if problem.sigma is not None:
        return _Normal(n, sums / n, good, bad, problem.sigma)
    if counted.pools is None:
        return _Binomial(n, sums, good, bad)
    sizes = counted.pools[arms]
    return _Hypergeometric(n, sums, _in_cases(sizes, good), _in_cases(sizes, bad), sizes)


def _in_cases(sizes: Floats, bars: Floats) -> Floats:
    pairs = zip(sizes.tolist(), bars.tolist(), strict=True)
    return np.array([find_least_successes(int(size), bar) for size, bar in pairs], float)


@dataclass
class _Binomial:
    """Tails of the number of successes, for 0/1 rewards."""

    n: Floats
    s: Floats
    good_bar: Floats
    bad_bar: Floats
    name = "binomial"

    def p_values(self) -> tuple[Floats, Floats]:
        from scipy import special

        n, s = self.n, self.s
        good = special.betainc(np.maximum(s, 1.0), n - s + 1.0, self.good_bar)
        bad = special.betainc(np.maximum(n - s, 1.0), s + 1.0, 1.0 - self.bad_bar)
        return np.where(s == 0, 1.0, good), np.where(s == n, 1.0, bad)

    def bounds(self, alpha_good: float, alpha_bad: float) -> tuple[Floats, Floats]:
        from scipy import special

        n, s = self.n, self.s
        lower = special.betaincinv(np.maximum(s, 1.0), n - s + 1.0, alpha_good)
        upper = 1.0 - special.betaincinv(np.maximum(n - s, 1.0), s + 1.0, alpha_bad)
        return np.where(s == 0, 0.0, lower), np.where(s == n, 1.0, upper)


@dataclass
class _Normal:
    """Tails of the mean of Gaussian rewards with known sigma."""

    n: Floats
    mean: Floats
    good_bar: Floats
    bad_bar: Floats
    sigma: float
    name = "normal"

    def p_values(self) -> tuple[Floats, Floats]:
        from scipy import special

        error = self.sigma / np.sqrt(self.n)
        good = special.ndtr((self.good_bar - self.mean) / error)
        return good, special.ndtr((self.mean - self.bad_bar) / error)

    def bounds(self, alpha_good: float, alpha_bad: float) -> tuple[Floats, Floats]:
        from scipy import special

        error = self.sigma / np.sqrt(self.n)
        lower = self.mean + error * special.ndtri(alpha_good)
        return lower, self.mean - error * special.ndtri(alpha_bad)


@dataclass
class _Hypergeometric:
    """Tails of the number of successes among cases drawn without replacement; bars are counts."""

    n: Floats
    s: Floats
    good_bar: Floats
    bad_bar: Floats
    sizes: Floats
    name = "hypergeometric"

    def p_values(self) -> tuple[Floats, Floats]:
        n, s, sizes = self.n, self.s, self.sizes
        good = zip(sizes, self.good_bar - 1.0, n, s, strict=True)
        bad = zip(sizes, sizes - self.bad_bar, n, n - s, strict=True)
        return (
            np.array([hypergeometric_tail(*map(int, each)) for each in good]),
            np.array([hypergeometric_tail(*map(int, each)) for each in bad]),
        )

    def bounds(self, alpha_good: float, alpha_bad: float) -> tuple[Floats, Floats]:
        n, s, sizes = self.n, self.s, self.sizes
        lower = _count_least_successes(sizes, n, s, alpha_good)
        most_failures = _count_least_successes(sizes, n, n - s, alpha_bad)
        return lower, sizes - most_failures


def hypergeometric_tail(size: int, successes: int, n: int, least: int) -> float:
    """Return the probability of at least so many successes among n cases of a pool.

    Args:
        size: the cases of the pool.
        successes: how many of them are successes; 0 is taken for less.
        n: the cases drawn, without replacement.
        least: the successes drawn, at least.

    >>> round(hypergeometric_tail(4, 2, 2, 1), 12)  # 1 - 1/6
    0.833333333333
    """
    from scipy import special

    successes = max(successes, 0)
    first = max(least, n - (size - successes))
    last = min(n, successes)
    if first > last:
        return 0.0
    if first <= max(0, n - (size - successes)):
        return 1.0

    def log_choose(total: Floats | int, chosen: Floats | int) -> Any:
        parts = np.asarray(chosen, float)
        rest = special.gammaln(total - parts + 1.0)
        return special.gammaln(total + 1.0) - special.gammaln(parts + 1.0) - rest

    drawn = np.arange(first, last + 1, dtype=float)
    logs = log_choose(successes, drawn) + log_choose(size - successes, n - drawn)
    return min(float(np.exp(logs - log_choose(size, n)).sum()), 1.0)


def _count_least_successes(sizes: Floats, n: Floats, s: Floats, alpha: float) -> Floats:
    arms = zip(sizes.tolist(), n.tolist(), s.tolist(), strict=True)
    found = [_least_likely(int(size), int(drawn), int(came), alpha) for size, drawn, came in arms]
    return np.array(found, float)


def _least_likely(size: int, n: int, s: int, alpha: float) -> int:
    """Return the least number of successes in the pool whose tail at s of n is above alpha."""
    low, high = s - 1, size - (n - s)
    while high - low > 1:
        middle = (low + high) // 2
        if hypergeometric_tail(size, middle, n, s) * (1.0 + _ROUNDING) > alpha:
            high = middle
        else:
            low = middle
    return high


def _beside_bars(
    problem: Problem, tail: _Tail, lower: Floats, upper: Floats, proof: ProvenArms
) -> tuple[Floats, Floats]:
    """Keep rounding from moving a bound across its bar; in a pool, return shares of its cases."""
    if isinstance(tail, _Hypergeometric):
        good, bad = tail.good_bar, tail.bad_bar
        lower = np.where(proof.good, np.maximum(lower, good), np.minimum(lower, good - 1.0))
        upper = np.where(proof.bad, np.minimum(upper, bad - 1.0), np.maximum(upper, bad))
        return lower / tail.sizes, upper / tail.sizes
    good, bad = tail.good_bar, tail.bad_bar
    below, above = np.nextafter(good, -math.inf), np.nextafter(bad, math.inf)
    lower = np.where(proof.good, np.maximum(lower, good), np.minimum(lower, below))
    return lower, np.where(proof.bad, np.minimum(upper, bad), np.maximum(upper, above))
