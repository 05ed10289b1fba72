"""Instance of a simulation: true means, a threshold, and their source."""

import math
from dataclasses import dataclass
from typing import Any

from goodarm.arguments import check_list, check_number
from goodarm.errors import invalid_argument
from goodarm.problem import Problem, Rewards, find_least_successes
from goodarm.rewards import Distribution


@dataclass(frozen=True)
class Instance:
    """Arms of a simulated experiment, with their true means and a threshold.

    Args:
        name: its name in commands.
        means: the arms' true means, in arm order.
        threshold: the mean from which on an arm is good.
        about: a sentence on what the means are.
        citation: the source to cite.
        terms: the terms of use of the data.
        until: good arms after which a run stops; None to label every arm.
        rewards, low, high, sigma: the kind of rewards, as in ``Problem``.
        pool: the number of cases of every arm; means are then shares of them.
        distributions: the distributions of the arms' rewards, if means do not determine them.
    """

    name: str
    means: tuple[float, ...]
    threshold: float
    about: str
    citation: str
    terms: str
    until: int | None = None
    rewards: Rewards = "bernoulli"
    low: float | None = None
    high: float | None = None
    sigma: float | None = None
    pool: int | None = None
    distributions: tuple[Distribution, ...] | None = None

    def __post_init__(self) -> None:
        given = check_list("means", "Instance", self.means, "numbers")
        if not given:
            raise invalid_argument("means", "Instance", "have at least one arm", self.means)
        numbers = tuple(check_number("means", "Instance", mean) for mean in given)
        object.__setattr__(self, "means", numbers)
        asked = self.problem(delta=0.5)  # Raises where the threshold or the rewards do not fit.
        low, high = asked.reward_range or (-math.inf, math.inf)
        for mean in numbers:
            if not low <= mean <= high:
                rule = f"lie in [{low:g}, {high:g}], the rewards' range"
                raise invalid_argument("means", "Instance", rule, mean)
        if self.distributions is not None:
            means = tuple(each.mean for each in self.distributions)
            if means != self.means:
                raise invalid_argument(
                    "means", "Instance", f"be those of its distributions, {means}", self.means
                )

    def problem(self, delta: float, max_pulls: int | None = None) -> Problem:
        """Return the problem that the instance poses, with this delta."""
        return Problem(
            self.num_arms,
            self.threshold,
            delta,
            rewards=self.rewards,
            low=self.low,
            high=self.high,
            sigma=self.sigma,
            until=self.until,
            max_pulls=max_pulls,
            pool=self.pool,
        )

    @property
    def is_plain(self) -> bool:
        """True if rewards are 0 or 1 and there is no pool."""
        return self.rewards == "bernoulli" and self.pool is None

    @property
    def num_arms(self) -> int:
        """Number of arms."""
        return len(self.means)

    @property
    def num_good(self) -> int:
        """Number of arms whose mean is at least the threshold."""
        if self.pool is not None and self.rewards == "bernoulli":
            least = find_least_successes(self.pool, self.threshold)
            return sum(round(mean * self.pool) >= least for mean in self.means)
        return sum(mean >= self.threshold for mean in self.means)

    @property
    def num_on_threshold(self) -> int:
        """Number of arms on the threshold, which no rule can label; 0 if a pool settles them."""
        if self.pool is not None:
            return 0
        return sum(mean == self.threshold for mean in self.means)

    @property
    def smallest_gap(self) -> float:
        """Distance from the threshold of the nearest arm that is not on it."""
        return min(self._gaps)

    @property
    def hardness(self) -> float:
        """Sum of 1 / gap^2 over the arms that are not on the threshold."""
        return sum(1.0 / gap**2 for gap in self._gaps)

    @property
    def _gaps(self) -> list[float]:
        gaps = (abs(mean - self.threshold) for mean in self.means)
        return [gap for gap in gaps if gap > 0.0]

    def to_dict(self) -> dict[str, Any]:
        """Return the fields and the derived numbers as JSON."""
        return {
            "name": self.name,
            "num_arms": self.num_arms,
            "threshold": self.threshold,
            "num_good": self.num_good,
            "num_on_threshold": self.num_on_threshold,
            "smallest_gap": self.smallest_gap,
            "hardness": self.hardness,
            "until": self.until,
            "about": self.about,
            "citation": self.citation,
            "terms": self.terms,
            "rewards": self.rewards,
            "low": self.low,
            "high": self.high,
            "sigma": self.sigma,
            "pool": self.pool,
            "means": list(self.means),
            "distributions": None
            if self.distributions is None
            else [each.to_dict() for each in self.distributions],
        }
