"""The betting test: uses the variance of rewards that are not 0 or 1.

What needs scipy, or is compiled, is loaded when it is first needed.
"""

import math
from dataclasses import dataclass, replace
from typing import Any, ClassVar, Final

import numpy as np

from goodarm.algorithm.identification.counts import CountsRule
from goodarm.algorithm.identification.log_sums import log_of_sum
from goodarm.algorithm.identification.rule import (
    Boundaries,
    Floats,
    IdentificationRule,
    Ints,
    Levels,
    Places,
    Tally,
    Traits,
)
from goodarm.algorithm.identification.values import ValueCounts
from goodarm.algorithm.identification.wealth import WealthRule
from goodarm.arguments import check_between, check_count, check_number
from goodarm.errors import invalid_argument
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import LEAST_PART, Problem

_MOST_TILT: Final = 10.0
_MOST_TAIL: Final = 20
_TAIL_RATIO: Final = 0.25
_TAIL_SHARE: Final = 0.05
"""Wealth that the gamblers of a tail begin with, all of them together."""


@dataclass(frozen=True)
class Betting(CountsRule):
    """Good when gamblers who bet on it win K / delta together, bad when those on bad do.

    Each gambler holds to one bet b, and reward x multiplies the wealth by 1 + b (x - bar). On good
    the bets are most / bar times 1, 1/2, 1/4, ...; on bad they are -most / (1 - bar) times these.
    With 0/1 rewards that is a function of counts.

    Args:
        gamblers: how many there are on each side. With a gap in the problem there are as many as
            reach the bet that suits 0/1 rewards of this gap, and no more than these.
        most: the largest bet, as a part of the one that could ruin.
        tilt: shares of the larger bets: that of number j, counted from 0, is in proportion to
            (j + 1) ** -tilt; 0 for equal shares.
        tail: further gamblers, each with a quarter of the bet before, who begin with a twentieth
            of the whole. A bet that is too large loses on a mean just beyond the bar: without
            small ones such an arm is never labelled.
        widen: one gambler more whenever the distance of a bar from its end of the range halves,
            from 1/4 on. Rewards there are rare and large beside the bar, and want smaller bets.

    Guarantee: any wrong label with probability at most delta, for rewards in a known range whose
    mean, given all that came before, stays the same. On a mean of at most the bar each factor of a
    bet on good has expectation at most 1, so wealth, and the sum of wealths that began with shares
    of 1, is a supermartingale under any sampling and at any time; Ville's inequality and the sum
    over K arms do the rest. Bets of the other sign would not be fair.

    The interval holds the bars that are not refuted: for fixed rewards wealth on good falls in the
    bar, so a bound is the bar at which it is just enough.

    Reference: Waudby-Smith, Ramdas 2024, Estimating means of bounded random variables by betting.

    >>> Betting(gamblers=8).to_dict()
    {'rule': 'betting', 'gamblers': 8, 'most': 0.95}
    """

    name: ClassVar[str] = "betting"
    formula: ClassVar[str] = "sum over bets b of a share of the product of 1 + b (x - bar)"
    has_e_values: ClassVar[bool] = True
    always_shown: ClassVar[tuple[str, ...]] = ("gamblers",)  # two tests of goodarm differ in them
    never_shown: ClassVar[tuple[str, ...]] = ("widen",)  # the gamblers it makes are shown

    gamblers: int = 16
    most: float = 0.95
    tilt: float = 0.0
    tail: int = 0
    widen: bool = False

    def __post_init__(self) -> None:
        gamblers = check_count("gamblers", "Betting", self.gamblers, most=1000)
        object.__setattr__(self, "gamblers", gamblers)
        object.__setattr__(self, "most", check_between("most", "Betting", self.most, 0, 1))
        tilt = check_number("tilt", "Betting", self.tilt)
        if not 0 <= tilt <= _MOST_TILT:
            raise invalid_argument(
                "tilt", "Betting", f"be a number from 0 to {_MOST_TILT:g}", self.tilt
            )
        object.__setattr__(self, "tilt", tilt)
        tail = check_count("tail", "Betting", self.tail, least=0, most=_MOST_TAIL)
        object.__setattr__(self, "tail", tail)
        if not isinstance(self.widen, bool):
            raise invalid_argument("widen", "Betting", "be True or False", self.widen)

    def to_dict(self) -> dict[str, Any]:
        """The rule as JSON; of tilt, tail and widen only what is set."""
        document = {"rule": self.name, "gamblers": self.gamblers, "most": self.most}
        others = {"tilt": self.tilt, "tail": self.tail, "widen": self.widen}
        return document | {name: value for name, value in others.items() if value}

    def for_problem(self, problem: Problem) -> IdentificationRule:
        """Return the form for the rewards: of 0/1 ones counts are enough, else wealth is kept."""
        hinted = self.with_gap_hint(problem)
        if problem.pool is not None:
            return BettingInPool(hinted, problem.pools or ())
        return hinted if problem.rewards == "bernoulli" else BettingOnEach(hinted)

    def with_gap_hint(self, problem: Problem) -> "Betting":
        """Return the rule with as many gamblers as suit the problem's bars and gap."""
        return replace(self, gamblers=self._count(problem), widen=False)

    def parameters(self, problem: Problem) -> dict[str, float]:
        """Return how many gamblers the problem makes of them, where that may differ."""
        is_fitted = self.widen or problem.gap is not None
        return {"gamblers": self._count(problem)} if is_fitted else {}

    def _count(self, problem: Problem) -> int:
        """Gamblers down to the bet that suits 0/1 rewards of the gap: others want larger bets."""
        if problem.rewards == "gaussian":
            return self.gamblers
        bar, margin = problem.to_unit(problem.threshold), problem.margin / problem.scale
        count = self.gamblers
        if self.widen:
            room = max(min(bar, 1.0 - bar) - margin, LEAST_PART)
            count += max(0, math.floor(math.log2(0.5 / room)))
        if problem.gap is None:
            return count
        part = problem.gap / problem.scale / max(bar, 1.0 - bar)
        return max(1, min(count, 1 + math.ceil(math.log2(self.most / part))))

    @property
    def parts(self) -> Floats:
        """The bets, as parts of what could ruin; those of the tail come last."""
        parts = self.most * 0.5 ** np.arange(self.gamblers)
        return np.append(parts, parts[-1] * _TAIL_RATIO ** np.arange(1.0, self.tail + 1.0))

    @property
    def log_shares(self) -> Floats:
        """The logs of what each gambler of a side begins with."""
        weights = np.arange(1.0, self.gamblers + 1.0) ** -self.tilt
        shares = weights / weights.sum()
        if self.tail:
            rest = np.full(self.tail, _TAIL_SHARE / self.tail)
            shares = np.append((1.0 - _TAIL_SHARE) * shares, rest)
        return np.asarray(np.log(shares))

    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """The log of what bets on good have made of 1 after s successes in n pulls."""
        pulls, successes, bars = np.broadcast_arrays(
            *(np.asarray(part, float) for part in (n, s, bar))
        )
        bars = bars[..., None]
        stakes = self.parts / bars
        won = np.log1p(stakes * (1.0 - bars))
        lost = np.log1p(-stakes * bars)
        logs = successes[..., None] * won + (pulls - successes)[..., None] * lost
        return log_of_sum(logs + self.log_shares)

    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """The mirror image: failures for successes."""
        return self.log_good(n, np.asarray(n, float) - np.asarray(s, float), 1.0 - bar)


@dataclass(frozen=True)
class BettingOnEach(WealthRule):
    """The betting test where rewards are not 0 or 1: the kernels keep each gambler's wealth."""

    name: ClassVar[str] = "betting"
    code: ClassVar[int] = codes.GRID
    shows_values: ClassVar[bool] = True

    rule: Betting

    def bets(self, setup: Setup) -> Floats:
        """The bets on good and on bad."""
        parts = self.rule.parts
        return np.array([parts / setup.good_bar, -parts / (1.0 - setup.bad_bar)])

    def log_shares(self, count: int) -> Floats:
        """As the rule says."""
        return self.rule.log_shares

    def wealth(self, setup: Setup, values: ValueCounts) -> Floats:
        """The logs of wealth that these values make, where they are known exactly."""
        good, bad = self.bets(setup)
        up = np.log1p(np.multiply.outer(values.low - setup.good_bar, good))
        down = np.log1p(np.multiply.outer(values.high - setup.bad_bar, bad))
        return values.add_up(values.times[:, None] * np.concatenate([up, down], axis=1))

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats] | None:
        """The bars at which the wealth of either side would be just enough.

        None without values; nan for an arm some of whose rewards are not among them.
        """
        from goodarm.kernels.numerics.bet_bounds import fill_bars

        values, count = tally.values, len(tally.n)
        if len(values.starts) != count + 1:
            return None
        lost = np.ascontiguousarray(np.broadcast_to(tally.lost, count), float)
        bars, rests = np.zeros(count), np.zeros(count)
        bets = self.rule.parts, self.rule.log_shares
        fill_bars(values.starts, values.low, values.times, lost, *bets, levels[0], bars)
        fill_bars(values.starts, 1.0 - values.high, values.times, lost, *bets, levels[1], rests)
        is_whole = values.add_up(values.times) + lost == tally.n
        return np.where(is_whole, bars, math.nan), np.where(is_whole, 1.0 - rests, math.nan)


@dataclass(frozen=True)
class BettingInPool(WealthRule):
    """The betting test in a pool of cases, drawn without replacement: the bar moves.

    Before each reward the bar is the mean that the cases left must have if the whole pool's is the
    bar, (N bar - s) / (N - n), and every gambler bets a fixed part of what could ruin against it.

    Guarantee: as for ``Betting``, for the mean over the N cases, each drawn once in an order that
    does not depend on rewards. On a pool whose mean is at most the bar the next reward's mean,
    given all before it, is at most the moving bar, so each factor has expectation at most 1. A lost
    case counts as 0 against good and as 1 against bad, which only lowers wealth. A block whose
    order is unknown is bet on at the bar that stood before it: drawing without replacement makes
    products of rising functions no larger in expectation than independent draws would. A sum that
    reaches the bar whatever the cases left are settles the arm, and so does one that cannot.

    Reference: Waudby-Smith, Ramdas 2020, Confidence sequences for sampling without replacement.
    """

    name: ClassVar[str] = "betting"
    code: ClassVar[int] = codes.POOL_BETS
    minds_order: ClassVar[bool] = True
    shows_values: ClassVar[bool] = True

    rule: Betting
    sizes: tuple[int, ...]
    """each arm's cases"""

    def traits(self, problem: Problem, arms_planned: int) -> Traits:
        """Return the traits of rules that bet, in pools."""
        return super().traits(problem, arms_planned)._replace(has_pool=True)

    def boundaries(
        self, setup: Setup, tally: Tally, places: Places, levels: Levels
    ) -> Boundaries | None:
        """Return boundaries as if the bar did not move, a few pulls too far; None after blocks."""
        if not np.array_equal(np.diff(tally.values.starts), tally.n):
            return None
        still = BettingOnEach(self.rule)
        wealth = still.wealth(setup, tally.values)
        return still.boundaries(setup, tally._replace(wealth=wealth), places, levels)

    def pools(self, setup: Setup) -> Ints:
        """Each arm's cases; there are no curves."""
        sizes = np.array(self.sizes, np.int64)
        return np.stack([sizes, np.zeros_like(sizes)], axis=1)

    def bets(self, setup: Setup) -> Floats:
        """The parts that are bet, on either side."""
        return np.array([self.rule.parts, self.rule.parts])

    def log_shares(self, count: int) -> Floats:
        """As the rule says."""
        return self.rule.log_shares

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """Return what is certain of the pool and, without blocks, bars that the wealth refutes."""
        from goodarm.kernels.numerics.bet_bounds import fill_pool_bars

        sizes = np.broadcast_to(np.asarray(tally.cases, np.int64), len(tally.n))
        lower = tally.total / sizes
        rest = (tally.n - tally.total - tally.lost) / sizes
        in_order = np.flatnonzero(np.diff(tally.values.starts) == tally.n)
        if len(in_order):
            values, cases = tally.values.of(in_order), np.ascontiguousarray(sizes[in_order])
            bars, rests = np.zeros(len(in_order)), np.zeros(len(in_order))
            bets = self.rule.parts, self.rule.log_shares
            fill_pool_bars(values.starts, values.low, cases, *bets, levels[0], bars)
            fill_pool_bars(values.starts, 1.0 - values.high, cases, *bets, levels[1], rests)
            lower[in_order] = np.maximum(lower[in_order], bars)
            rest[in_order] = np.maximum(rest[in_order], rests)
        upper = 1.0 - rest
        # After the last case both are the mean, but for rounding.
        return np.where(tally.n == sizes, np.minimum(lower, upper), lower), upper
