"""Problem: arms, threshold, delta and the kind of rewards. Frozen and validated once."""

import math
from collections.abc import Iterable, Mapping
from copy import copy
from dataclasses import asdict, dataclass, field, fields, replace
from functools import cached_property
from typing import Any, Final

from goodarm.arguments import (
    MAX_DELTA,
    as_float,
    check_count,
    check_delta,
    check_document,
    check_flag,
    check_number,
    parse_share,
    refuse_large_delta,
)
from goodarm.errors import invalid_argument, invalid_choice
from goodarm.problem.arms import Arm, check_arms, check_planned, make_no_slot_error
from goodarm.problem.costs import (
    MAX_MONEY,
    add_cost,
    check_costs,
    check_max_cost,
    to_money_units,
)
from goodarm.problem.pool import (
    CASE_ORDERS,
    CaseOrder,
    add_pool,
    check_pool,
    find_least_successes,
)
from goodarm.problem.rewards import (
    MAX_UNITS,
    OTHER_REWARDS,
    REWARD_KINDS,
    Numbers,
    Rewards,
    check_gap,
    check_reachable,
    check_rewards,
)
from goodarm.wording import Arg, EdgeText, Symbol, phrase

DELTA: Final = 0.05
"""Delta unless given."""
MIN_DELTA: Final = 1e-100
MAX_PULLS: Final = 10**18
"""Most pulls of a ``max_pulls`` or budget; the kernels count in 64 bits."""
_NUMBERS: Final = (
    *("threshold", "delta", "margin", "low", "high", "sigma", "gap", "cost", "max_cost"),
)
_MONEY: Final = ("cost", "max_cost")
"""Fields that documents have only where they are given."""
_POOL_TOO: Final = phrase(
    "Give {pool}{column} too.",
    pool=Arg("pool", Symbol("N")),
    column=EdgeText("command line", ", or --pool-column NAME,"),
)


@dataclass(frozen=True, init=False, repr=False)
class Problem:
    """Question to answer: which of these arms have a mean reward of at least the threshold?

    Args:
        arms: the arms' labels, or how many arms there are (then labelled 0, 1, 2, ...).
        threshold: the bar; an arm is good when its mean reaches it.
        delta: the probability allowed for any wrong label, over the whole run and all arms; 0.05
            unless given.
        margin: slack around the bar: good then promises a mean of at least threshold - margin, bad
            one below threshold + margin. Without it an arm on the threshold is never labelled.
        rewards: ``"bernoulli"`` (0 or 1), ``"bounded"`` (in [low, high]) or ``"gaussian"`` (sigma
            known, or any reward that is sub-Gaussian with this scale).
        low, high: the range of bounded rewards, 0 and 1 unless given.
        sigma: the standard deviation of Gaussian rewards, known and not estimated from them.
        until: stop when this number of good arms is identified.
        max_pulls: ask for at most this number of pulls. What is left is undecided, never guessed.
        pool: the number of cases that every arm is judged on, or one number for each arm (in arm
            order, or by label). Each case is drawn once at most, and the question is about the
            share over all of them: see ``docs/pools.md``.
        case_order: of a pool. ``"same"``: all arms go through the cases in one order; ``"own"``:
            each arm has an order of its own. Both are fixed by the identifier's seed.
        gap: a hint, fixed before the first reward, of how far from the threshold means are
            expected to lie. A wrong hint costs pulls and never the guarantee.
        arms_planned: how many arms there may be in the end, if some come later: delta is shared by
            all of them from the start, and ``Identifier.add_arm`` uses them up.
        allow_large_delta: take a delta above 0.5 for what it is, and not for a confidence.
        cost: the money that a pull costs: one amount for all arms, or one for each (in arm order,
            or by label). It changes no label and not which arm is asked; it is counted in
            billionths.
        max_cost: ask for pulls only while the money for one more of the dearest arm in play is
            left. Pulls in progress count at their arm's cost. What is left is undecided, never
            guessed.

    Where to stop is free: labels hold at any stopping time. So ``max_cost`` is valid even where
    what a pull costs has to do with its reward. An arm's rewards enter its test in the order in
    which they were asked, all of them up to the last one told, whatever they cost; money only
    decides how far that sequence goes, by what is known before the next pull is asked. Never leave
    out a reward because it was dear.

    Fix all of it before the first reward, margin, sigma and gap too: labels are those of what was
    fixed beforehand.

    Raises:
        SpecError: an argument is invalid, or does not go with the others.

    >>> Problem(arms=["a", "b", "c"], threshold=0.5)
    Problem(arms=['a', 'b', 'c'], threshold=0.5, delta=0.05)
    """

    arms: tuple[Arm, ...]
    threshold: float
    delta: float
    margin: float
    rewards: Rewards
    low: float | None
    high: float | None
    sigma: float | None
    until: int | None
    max_pulls: int | None
    pool: int | tuple[int, ...] | None
    case_order: CaseOrder
    gap: float | None
    arms_planned: int | None
    allow_large_delta: bool = field(compare=False)
    cost: float | tuple[float, ...] | None
    max_cost: float | None

    def __init__(
        self,
        arms: int | Iterable[Arm],
        threshold: float,
        delta: float = DELTA,
        *,
        margin: float = 0.0,
        rewards: Rewards = "bernoulli",
        low: float | None = None,
        high: float | None = None,
        sigma: float | None = None,
        until: int | None = None,
        max_pulls: int | None = None,
        pool: int | Iterable[int] | Mapping[Arm, int] | None = None,
        case_order: CaseOrder = "same",
        gap: float | None = None,
        arms_planned: int | None = None,
        allow_large_delta: bool = False,
        cost: float | Iterable[float] | Mapping[Arm, float] | None = None,
        max_cost: float | None = None,
    ) -> None:
        owner = "Problem"
        labels = check_arms(arms, owner)
        if not isinstance(rewards, str) or rewards not in REWARD_KINDS:
            raise invalid_choice("rewards", owner, REWARD_KINDS, rewards)
        low, high, sigma = check_rewards(rewards, low, high, sigma)
        is_allowed = check_flag("allow_large_delta", owner, allow_large_delta)
        delta = _check_delta(owner, delta, is_large_allowed=is_allowed)
        limits = (0.0, 1.0) if rewards == "bernoulli" else None
        if low is not None and high is not None:
            limits = (low, high)
        threshold, margin, gap = (
            parse_share(name, owner, value, limits)
            for name, value in (("threshold", threshold), ("margin", margin), ("gap", gap))
        )
        threshold = check_number("threshold", owner, threshold)
        margin = check_number("margin", owner, margin)
        if margin < 0:
            raise invalid_argument("margin", owner, "be a finite number of at least 0", margin)
        check_reachable(rewards, threshold, margin, low, high, sigma)
        if arms_planned is not None:
            arms_planned = check_planned(arms_planned, len(labels))
        if until is not None:
            until = check_count("until", owner, until, most=arms_planned or len(labels))
        if max_pulls is not None:
            max_pulls = check_count("max_pulls", owner, max_pulls, most=MAX_PULLS)
        if case_order not in CASE_ORDERS:
            raise invalid_choice("case_order", owner, CASE_ORDERS, case_order)
        cases = None if pool is None else check_pool(pool, labels, rewards)
        if cases is None and case_order != "same":
            raise invalid_argument(
                "case_order", owner, "be left out without a pool", case_order, _POOL_TOO
            )
        if gap is not None:
            gap = check_gap(gap, rewards, threshold, low, high)
        costs = check_costs(cost, labels)
        max_cost = check_max_cost(max_cost, costs)
        for name, value in (
            ("arms", labels),
            ("threshold", threshold),
            ("delta", delta),
            ("margin", margin),
            ("rewards", rewards),
            ("low", low),
            ("high", high),
            ("sigma", sigma),
            ("until", until),
            ("max_pulls", max_pulls),
            ("pool", cases),
            ("case_order", case_order),
            ("gap", gap),
            ("arms_planned", arms_planned),
            ("allow_large_delta", delta > MAX_DELTA),
            ("cost", costs),
            ("max_cost", max_cost),
        ):
            object.__setattr__(self, name, value)

    @property
    def num_arms(self) -> int:
        """Number of arms."""
        return len(self.arms)

    @property
    def union_size(self) -> int:
        """Number of arms that share delta: those planned, or those there are."""
        return self.num_arms if self.arms_planned is None else self.arms_planned

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {str(arm): position for position, arm in enumerate(self.arms)}

    def position(self, arm: Arm, owner: str = "Problem.position") -> int:
        """Return an arm's position in ``arms``; suggest the nearest for an unknown label.

        Args:
            arm: the arm's label.
            owner: the function that an error names.

        Raises:
            SpecError: no arm has this label.
        """
        found = None if isinstance(arm, bool) else self._positions.get(str(arm))
        if found is None:
            if self.num_arms > 20:
                raise invalid_argument(
                    "arm", owner, f"be one of the {self.num_arms} arms of the problem", arm
                )
            raise invalid_choice("arm", owner, map(str, self.arms), arm)
        return found

    def with_arm(
        self,
        arm: Arm,
        pool: int | None = None,
        owner: str = "Problem",
        *,
        cost: float | None = None,
    ) -> "Problem":
        """Return the problem with one more arm, the last; as many arms as before share delta.

        ``pool`` is how many cases it has, and ``cost`` what a pull of it costs: as the others
        unless given.

        Args:
            arm: a new label.
            pool: its number of cases.
            owner: the function that an error names.
            cost: the money that a pull of it costs.

        Raises:
            SpecError: the label is taken or invalid.
            ProtocolError: no place is left in ``arms_planned``.

        >>> Problem(["a"], threshold=0.5, delta=0.05, arms_planned=9).with_arm("b")
        Problem(arms=['a', 'b'], threshold=0.5, delta=0.05, arms_planned=9)
        """
        (label,) = check_arms([arm], owner)
        if str(label) in self._positions:
            raise invalid_argument(
                "arm", owner, "be a label that no other arm has (1 and '1' are the same)", arm
            )
        if self.num_arms >= self.union_size:
            raise make_no_slot_error(
                self.union_size, label, owner, is_planned=self.arms_planned is not None
            )
        sizes = add_pool(self.pool, self.num_arms, pool, owner)
        costs = add_cost(self.cost, self.num_arms, cost, owner)
        # What stands was checked before: to check it again would cost as many steps as arms.
        grown = copy(self)
        for derived in ("pools", "cost_units"):
            vars(grown).pop(derived, None)
        fields = {"arms": (*self.arms, label), "pool": sizes, "cost": costs}
        vars(grown).update(fields, _positions={**self._positions, str(label): self.num_arms})
        return grown

    def without_costs(self) -> "Problem":
        """Return the problem without costs, which change no label."""
        return self if self.cost is None else replace(self, cost=None, max_cost=None)

    def find_max_pulls(self, owner: str) -> int | None:
        """Return the most pulls that ``max_pulls`` and ``max_cost`` allow; None without a limit.

        Where all pulls cost the same, the money is a number of pulls. Where they do not, it depends
        on which arms are pulled, and the number is not known beforehand.

        Args:
            owner: the function that an error names.

        Raises:
            SpecError: there is a ``max_cost``, and arms have different costs.

        >>> Problem(2, threshold=0.5, cost=0.02, max_cost=1).find_max_pulls("simulate")
        50
        """
        if self.max_cost is None or self.cost_units is None:
            return self.max_pulls
        one, *others = set(self.cost_units)
        if others:
            remedy = phrase("Leave it out, or give {max_pulls}.")
            rule = "be left out here if the costs of arms differ: it is no number of pulls then"
            raise invalid_argument("max_cost", owner, rule, self.max_cost, remedy)
        if not one:
            return self.max_pulls
        most = to_money_units("max_cost", owner, self.max_cost, MAX_MONEY) // one
        return most if self.max_pulls is None else min(most, self.max_pulls)

    @cached_property
    def pools(self) -> tuple[int, ...] | None:
        """Number of cases of each arm; None where rewards are drawn without end."""
        if self.pool is None:
            return None
        return (self.pool,) * self.num_arms if isinstance(self.pool, int) else self.pool

    @cached_property
    def cost_units(self) -> tuple[int, ...] | None:
        """Cost of a pull of each arm, in billionths; None without costs."""
        if self.cost is None:
            return None
        if isinstance(self.cost, tuple):
            return tuple(to_money_units("cost", "Problem", each) for each in self.cost)
        return (to_money_units("cost", "Problem", self.cost),) * self.num_arms

    def pool_bars(self, size: int) -> tuple[int, int]:
        """Return the least successes out of ``size`` cases that reach either bar, for 0/1 rewards.

        An arm is good if it has at least the first, and bad if it has fewer than the second.

        Args:
            size: number of cases of the pool.

        >>> Problem(1, threshold=0.8, delta=0.05, margin=0.1, pool=200).pool_bars(200)
        (140, 180)
        """
        return (
            find_least_successes(size, self.threshold - self.margin),
            find_least_successes(size, self.threshold + self.margin),
        )

    @cached_property
    def offset(self) -> float:
        """Zero of unit rewards: (reward - offset) / scale is 1/2-sub-Gaussian."""
        return self.low if self.rewards == "bounded" and self.low is not None else 0.0

    @cached_property
    def scale(self) -> float:
        """Unit of rewards: the width of their range, or two standard deviations."""
        if self.rewards == "gaussian" and self.sigma is not None:
            return 2.0 * self.sigma
        if self.rewards == "bounded" and self.low is not None and self.high is not None:
            return self.high - self.low
        return 1.0

    def to_unit(self, reward: Numbers, pulls: Numbers | int = 1) -> Numbers:
        """Return a reward, or the sum of ``pulls`` rewards, in the unit in which all rules count.

        Args:
            reward: a reward or a sum of rewards, in the problem's units.
            pulls: the number of rewards that were summed.

        >>> Problem(2, threshold=2.5, delta=0.05, rewards="bounded", low=0, high=10).to_unit(2.5)
        0.25
        """
        return (reward - pulls * self.offset) / self.scale

    def from_unit(self, unit: Numbers) -> Numbers:
        """Return a mean or a bound in the unit of the rewards.

        Args:
            unit: a mean or a bound from 0 to 1; for Gaussian rewards, in sigmas.
        """
        return self.offset + self.scale * unit

    @cached_property
    def reward_range(self) -> tuple[float, float] | None:
        """Least and largest reward; None for Gaussian rewards."""
        if self.rewards == "gaussian":
            return None
        return (0.0, 1.0) if self.low is None or self.high is None else (self.low, self.high)

    @property
    def reward_rule(self) -> str:
        """Rule for rewards, as it is worded in messages."""
        if self.rewards == "bernoulli":
            return "be 0 or 1"
        if self.rewards == "bounded":
            return f"be a number from {self.low!r} to {self.high!r}"
        return "be a finite number"

    def check_reward(self, reward: object, owner: str, arm: Arm | None = None) -> float:
        """Return the reward as a float, or raise an error that names the rule and the arm.

        Args:
            reward: what was told.
            owner: the function that an error names.
            arm: the arm that an error names.

        Raises:
            SpecError: it is not a reward of this problem.
        """
        number = _as_real(reward, booleans=self.rewards == "bernoulli")
        if number is None or not self.is_possible(number):
            whose = "" if arm is None else f" for arm {arm!r}"
            remedy = OTHER_REWARDS if self.rewards == "bernoulli" and number is not None else ""
            raise invalid_argument("reward", owner, f"{self.reward_rule}{whose}", reward, remedy)
        return number

    def is_possible(self, reward: float) -> bool:
        """Return whether a number can be a reward.

        Args:
            reward: a number, in the problem's units.
        """
        if self.rewards == "bernoulli":
            return reward in (0.0, 1.0)
        if self.low is not None and self.high is not None:
            return self.low <= reward <= self.high
        return math.isfinite(reward) and abs(reward) / self.scale <= MAX_UNITS

    def is_wrong(self, mean: float, label: int, size: int | None = None) -> bool:
        """Return whether a label breaks its promise about an arm with this true mean.

        Good (1) promises a mean of at least threshold - margin, bad (-1) one below
        threshold + margin. ``size`` is that of the arm's pool, if its mean is a share of one.

        Args:
            mean: the arm's true mean, in the problem's units.
            label: 1 good, -1 bad.
            size: the number of cases of its pool; None without one.
        """
        if size is not None and self.rewards == "bernoulli":
            successes, (good, bad) = round(mean * size), self.pool_bars(size)
            return successes < good if label > 0 else label < 0 and successes >= bad
        if label > 0:
            return mean < self.threshold - self.margin
        return label < 0 and mean >= self.threshold + self.margin

    def to_dict(self) -> dict[str, Any]:
        """Return the problem as a JSON document."""
        fields = asdict(self)
        del fields["allow_large_delta"]  # what is in a document was meant
        fields["arms"] = list(self.arms)
        if isinstance(self.pool, tuple):
            fields["pool"] = list(self.pool)
        if isinstance(self.cost, tuple):
            fields["cost"] = list(self.cost)
        for name in _MONEY:  # an older reader refuses what it does not know
            if fields[name] is None:
                del fields[name]
        return {"kind": "problem", "format": 1, **fields}

    @classmethod
    def from_dict(cls, document: object) -> "Problem":
        """Return the problem that a JSON document describes, validated like any other.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the document is not a problem's, or a value in it is invalid.
        """
        given: Mapping[str, Any] = check_document(
            document, "problem", ("arms", "threshold", "delta")
        )
        known = {name: value for name, value in given.items() if name not in ("kind", "format")}
        names = [each.name for each in fields(cls) if each.compare]
        for name in known:
            if name not in names:
                raise invalid_choice("key", "the problem document", names, name)
            if name in _NUMBERS and isinstance(known[name], str):  # text is for people, not files
                raise invalid_argument(name, "Problem", "be a finite number", known[name])
        return cls(**known, allow_large_delta=True)

    def __repr__(self) -> str:
        arms = repr(list(self.arms)) if self.num_arms <= 10 else f"<{self.num_arms} arms>"
        shown = [f"arms={arms}", f"threshold={self.threshold!r}", f"delta={self.delta!r}"]
        defaults: dict[str, object] = {"margin": 0.0, "rewards": "bernoulli"}
        defaults |= {"case_order": "same", "allow_large_delta": False}
        for option in fields(self)[len(shown) :]:
            value = getattr(self, option.name)
            if value != defaults.get(option.name):
                shown.append(f"{option.name}={value!r}")
        return f"Problem({', '.join(shown)})"


def _check_delta(owner: str, given: object, *, is_large_allowed: bool) -> float:
    delta = check_delta(owner, given)
    if delta < MIN_DELTA:
        raise invalid_argument("delta", owner, f"be at least {MIN_DELTA:g}", delta)
    if not is_large_allowed:
        refuse_large_delta(owner, delta, given)
    return delta


def _as_real(value: object, *, booleans: bool) -> float | None:
    """Convert a reward to float, or return None; numpy's booleans count like Python's."""
    if isinstance(value, bool) or type(value).__name__ == "bool":
        return float(bool(value)) if booleans else None
    return as_float(value)
