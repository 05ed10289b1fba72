"""Betting test, which exploits a small variance of rewards that are not 0 or 1.

scipy and compiled code are loaded on first use.
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
    IdentificationTraits,
    Ints,
    Levels,
    Places,
    Tally,
)
from goodarm.algorithm.identification.values import ValueCounts
from goodarm.algorithm.identification.wealth import WealthRule
from goodarm.arguments import check_between, check_count, check_number
from goodarm.errors import invalid_argument
from goodarm.kernels import codes
from goodarm.kernels.codes import Setup
from goodarm.problem import MIN_PART, Problem

_MAX_TILT: Final = 10.0
_MAX_TAIL: Final = 20
_TAIL_RATIO: Final = 0.25
_TAIL_SHARE: Final = 0.05
"""Initial wealth of all gamblers of a tail together."""


@dataclass(frozen=True)
class Betting(CountsRule):
    """Betting test: good when all gamblers on good together win K / delta, bad likewise.

    K is the number of arms, and bar the threshold in unit rewards. Each gambler keeps one bet b,
    and reward x multiplies the wealth by 1 + b (x - bar). On good the largest bet is most / bar and
    each further gambler bets half as much; on bad the largest is -most / (1 - bar).
    With 0/1 rewards the wealth is a function of counts.

    Args:
        gamblers: the number of gamblers on each side. If the problem has a gap, only as many of
            them as reach the bet that suits 0/1 rewards of this gap.
        most: the largest bet, as a fraction of the bet that could lose everything.
        tilt: gives larger bets larger shares: the initial share of gambler j, counted from 0, is
            proportional to (j + 1) ** -tilt; 0 for equal shares.
        tail: further gamblers, each with a quarter of the previous bet, who begin with a twentieth
            of the whole. A bet that is too large loses on a mean just beyond the bar: without
            small ones such an arm is never labelled.
        widen: adds a gambler each time the distance of a bar from its end of the range halves,
            from 1/4 on. Rewards there are rare and large compared to the bar, and need smaller
            bets.

    Guarantee: any wrong label with probability at most delta, for rewards in a known range whose
    mean, given all that came before, stays the same. On a mean of at most the bar each factor of a
    bet on good has expectation at most 1, so wealth, and the sum of wealths that began with shares
    of 1, is a supermartingale under any sampling and at any time; Ville's inequality and the sum
    over K arms complete the proof. Bets of the other sign would not be fair.

    The interval contains the bars that are not refuted: for fixed rewards wealth on good falls in
    the bar, so a bound is the bar at which it is just enough.

    Reference: Waudby-Smith, Ramdas 2024, Estimating means of bounded random variables by betting.

    Raises:
        SpecError: a setting is out of range.

    >>> Betting(gamblers=8).to_dict()
    {'rule': 'betting', 'gamblers': 8, 'most': 0.95}
    """

    name: ClassVar[str] = "betting"
    formula: ClassVar[str] = "sum over bets b of a share of the product of 1 + b (x - bar)"
    has_e_values: ClassVar[bool] = True
    always_shown: ClassVar[tuple[str, ...]] = ("gamblers",)  # by them goodarm's algorithms differ
    never_shown: ClassVar[tuple[str, ...]] = ("widen",)  # the resulting gamblers are shown

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
        if not 0 <= tilt <= _MAX_TILT:
            raise invalid_argument(
                "tilt", "Betting", f"be a number from 0 to {_MAX_TILT:g}", self.tilt
            )
        object.__setattr__(self, "tilt", tilt)
        tail = check_count("tail", "Betting", self.tail, least=0, most=_MAX_TAIL)
        object.__setattr__(self, "tail", tail)
        if not isinstance(self.widen, bool):
            raise invalid_argument("widen", "Betting", "be True or False", self.widen)

    def to_dict(self) -> dict[str, Any]:
        """Return the rule as JSON, without tilt, tail and widen if they are 0 or False."""
        document = {"rule": self.name, "gamblers": self.gamblers, "most": self.most}
        others = {"tilt": self.tilt, "tail": self.tail, "widen": self.widen}
        return document | {name: value for name, value in others.items() if value}

    def for_problem(self, problem: Problem) -> IdentificationRule:
        """Return the form for the rewards: on counts for 0/1 rewards, else on each reward."""
        hinted = self.with_gap_hint(problem)
        if problem.pool is not None:
            return BettingInPool(hinted, problem.pools or ())
        return hinted if problem.rewards == "bernoulli" else BettingOnEach(hinted)

    def with_gap_hint(self, problem: Problem) -> "Betting":
        """Return the rule with the number of gamblers that suits the problem's bars and gap."""
        return replace(self, gamblers=self._count_gamblers(problem), widen=False)

    def parameters(self, problem: Problem) -> dict[str, float]:
        """Return the number of gamblers on this problem, if it may differ from the setting."""
        is_fitted = self.widen or problem.gap is not None
        return {"gamblers": self._count_gamblers(problem)} if is_fitted else {}

    def _count_gamblers(self, problem: Problem) -> int:
        """Count the gamblers, down to the bet that suits 0/1 rewards of the problem's gap.

        Other rewards with this gap need larger bets.
        """
        if problem.rewards == "gaussian":
            return self.gamblers
        bar, margin = problem.to_unit(problem.threshold), problem.margin / problem.scale
        count = self.gamblers
        if self.widen:
            room = max(min(bar, 1.0 - bar) - margin, MIN_PART)
            count += max(0, math.floor(math.log2(0.5 / room)))
        if problem.gap is None:
            return count
        part = problem.gap / problem.scale / max(bar, 1.0 - bar)
        return max(1, min(count, 1 + math.ceil(math.log2(self.most / part))))

    @property
    def parts(self) -> Floats:
        """Bets as fractions of the bet that could lose everything; those of the tail come last."""
        parts = self.most * 0.5 ** np.arange(self.gamblers)
        return np.append(parts, parts[-1] * _TAIL_RATIO ** np.arange(1.0, self.tail + 1.0))

    @property
    def log_shares(self) -> Floats:
        """Logs of the initial wealth of each gambler of a side."""
        weights = np.arange(1.0, self.gamblers + 1.0) ** -self.tilt
        shares = weights / weights.sum()
        if self.tail:
            rest = np.full(self.tail, _TAIL_SHARE / self.tail)
            shares = np.append((1.0 - _TAIL_SHARE) * shares, rest)
        return np.asarray(np.log(shares))

    def log_good(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of the wealth on good after s successes in n pulls; it begins at 1.

        Args:
            n: pulls.
            s: sum of the 0/1 rewards.
            bar: the mean that is to be surpassed.
        """
        pulls, successes, bars = np.broadcast_arrays(
            *(np.asarray(part, float) for part in (n, s, bar))
        )
        bars = bars[..., None]
        bets = self.parts / bars
        won = np.log1p(bets * (1.0 - bars))
        lost = np.log1p(-bets * bars)
        logs = successes[..., None] * won + (pulls - successes)[..., None] * lost
        return log_of_sum(logs + self.log_shares)

    def log_bad(self, n: Any, s: Any, bar: Any) -> Floats:
        """Return the log of the wealth on bad: failures for successes, 1 - bar for the bar.

        Args:
            n: pulls.
            s: sum of the 0/1 rewards.
            bar: the mean that is not to be reached.
        """
        return self.log_good(n, np.asarray(n, float) - np.asarray(s, float), 1.0 - bar)


@dataclass(frozen=True)
class BettingOnEach(WealthRule):
    """Betting test for rewards that are not 0 or 1: the kernels keep each gambler's wealth."""

    name: ClassVar[str] = "betting"
    code: ClassVar[int] = codes.GRID
    shows_values: ClassVar[bool] = True

    rule: Betting

    def bets(self, setup: Setup) -> Floats:
        """Return the bets on good and on bad."""
        parts = self.rule.parts
        return np.array([parts / setup.good_bar, -parts / (1.0 - setup.bad_bar)])

    def log_shares(self, count: int) -> Floats:
        """Return the logs of the initial shares of the betting rule."""
        return self.rule.log_shares

    def wealth(self, setup: Setup, values: ValueCounts) -> Floats:
        """Compute the logs of wealth from these values; exact if the values are."""
        good, bad = self.bets(setup)
        up = np.log1p(np.multiply.outer(values.low - setup.good_bar, good))
        down = np.log1p(np.multiply.outer(values.high - setup.bad_bar, bad))
        return values.add_up(values.times[:, None] * np.concatenate([up, down], axis=1))

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats] | None:
        """Return the bars at which the wealth of each side would be just enough.

        None without values; nan for an arm if some of its rewards are not among its values.
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
        has_all_values = values.add_up(values.times) + lost == tally.n
        return np.where(has_all_values, bars, math.nan), np.where(
            has_all_values, 1.0 - rests, math.nan
        )


@dataclass(frozen=True)
class BettingInPool(WealthRule):
    """Betting test in a pool of cases, drawn without replacement: the bar moves.

    Before each reward the moving bar is the mean that the remaining cases have if the mean of the
    whole pool is the bar, (N bar - s) / (N - n). Every gambler bets against it a fixed fraction of
    the bet that could lose everything.

    Guarantee: as for ``Betting``, for the mean over the N cases, each drawn once in an order that
    does not depend on rewards. On a pool whose mean is at most the bar the next reward's mean,
    given all before it, is at most the moving bar, so each factor has expectation at most 1. A lost
    case counts as 0 against good and as 1 against bad, which only lowers wealth. For a block
    whose order is unknown the bar stays as it was before the block: drawing without replacement
    makes products of rising functions no larger in expectation than independent draws would. An arm
    is decided with certainty once its sum reaches the bar whatever the remaining cases are, or
    cannot reach it.

    Reference: Waudby-Smith, Ramdas 2020, Confidence sequences for sampling without replacement.
    """

    name: ClassVar[str] = "betting"
    code: ClassVar[int] = codes.POOL_BETS
    depends_on_order: ClassVar[bool] = True
    shows_values: ClassVar[bool] = True

    rule: Betting
    sizes: tuple[int, ...]
    """number of cases of each arm"""

    def traits(self, problem: Problem, arms_planned: int) -> IdentificationTraits:
        """Return the traits of rules that bet, with a pool."""
        return super().traits(problem, arms_planned)._replace(has_pool=True)

    def boundaries(
        self, setup: Setup, tally: Tally, places: Places, levels: Levels
    ) -> Boundaries | None:
        """Return boundaries for a fixed bar, which lie a few pulls too late; None after blocks."""
        if not np.array_equal(np.diff(tally.values.starts), tally.n):
            return None
        fixed_bar = BettingOnEach(self.rule)
        wealth = fixed_bar.wealth(setup, tally.values)
        return fixed_bar.boundaries(setup, tally._replace(wealth=wealth), places, levels)

    def pools(self, setup: Setup) -> Ints:
        """Return the number of cases of each arm; there are no curves."""
        sizes = np.array(self.sizes, np.int64)
        return np.stack([sizes, np.zeros_like(sizes)], axis=1)

    def bets(self, setup: Setup) -> Floats:
        """Return the bets as fractions, the same on both sides."""
        return np.array([self.rule.parts, self.rule.parts])

    def log_shares(self, count: int) -> Floats:
        """Return the logs of the initial shares of the betting rule."""
        return self.rule.log_shares

    def interval(self, setup: Setup, tally: Tally, levels: Levels) -> tuple[Floats, Floats]:
        """Return bounds from the cases left and, if there are no blocks, from the wealth."""
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
        # After the last case both are the mean, up to rounding.
        return np.where(tally.n == sizes, np.minimum(lower, upper), lower), upper
