"""An instance: true means that a simulation knows, a threshold, and where both come from."""

from dataclasses import dataclass
from typing import Any


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
    """

    name: str
    means: tuple[float, ...]
    threshold: float
    about: str
    citation: str
    terms: str
    until: int | None = None

    @property
    def num_arms(self) -> int:
        """How many arms there are."""
        return len(self.means)

    @property
    def num_good(self) -> int:
        """Arms whose mean is at least the threshold."""
        return sum(mean >= self.threshold for mean in self.means)

    @property
    def num_on_threshold(self) -> int:
        """Arms that no rule can label."""
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
            "means": list(self.means),
        }
