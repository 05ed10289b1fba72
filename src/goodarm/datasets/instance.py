"""An instance: true means that a simulation knows, a threshold, and where both come from."""

import math
from dataclasses import dataclass
from typing import Any

from goodarm.arguments import check_list, check_number
from goodarm.errors import invalid_argument
from goodarm.problem import Problem, Rewards, least_successes
from goodarm.rewards import Distribution


@dataclass(frozen=True)
class Instance:
    """The arms of an experiment.

    Args:
        name: how commands call it.
        means: the arms' true means, in arm order.
        threshold: the bar.
        about: what the means are, in a sentence.
        citation: whom to cite.
        terms: what the owners of the data ask for.
        until: good arms after which a run stops; None to label every arm.
        rewards, low, high, sigma: their kind, as in ``Problem``.
        pool: the cases that every arm is judged on; means then are shares of them.
        distributions: what the arms' rewards are drawn from, where that is more than a mean.
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
            raise invalid_argument("means", "Instance", "hold at least one arm", self.means)
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
        """The question that it asks."""
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
        """Whether rewards are 0 or 1, drawn without end."""
        return self.rewards == "bernoulli" and self.pool is None

    @property
    def num_arms(self) -> int:
        """How many arms there are."""
        return len(self.means)

    @property
    def num_good(self) -> int:
        """Arms whose mean is at least the threshold."""
        if self.pool is not None and self.rewards == "bernoulli":
            least = least_successes(self.pool, self.threshold)
            return sum(round(mean * self.pool) >= least for mean in self.means)
        return sum(mean >= self.threshold for mean in self.means)

    @property
    def num_on_threshold(self) -> int:
        """Arms that no rule can label; the last case of a pool settles them."""
        if self.pool is not None:
            return 0
        return sum(mean == self.threshold for mean in self.means)

    @property
    def smallest_gap(self) -> float:
        """The distance from the threshold of the nearest arm that is not on it."""
        return min(self._gaps)

    @property
    def hardness(self) -> float:
        """The sum of 1 / gap^2 over the arms that are not on the threshold."""
        return sum(1.0 / gap**2 for gap in self._gaps)

    @property
    def _gaps(self) -> list[float]:
        gaps = (abs(mean - self.threshold) for mean in self.means)
        return [gap for gap in gaps if gap > 0.0]

    def to_dict(self) -> dict[str, Any]:
        """What a reader wants to know of it, as JSON."""
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
