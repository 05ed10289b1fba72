"""Views that a sampling rule may come to see: few and many arms, alike, labelled, far out."""

from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import SamplingRule, View
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem
from goodarm.testing.rule_objects import make_algorithm

_SEED: Final = 5


class ViewCase(NamedTuple):
    """Data of a view, from which fresh views are made."""

    what: str
    setup: Setup
    pulls: NDArray[np.int64]
    means: NDArray[np.float64]
    active: NDArray[np.bool_]
    asked: int

    def view(self) -> View:
        """Return a view of copies, as at the moment of a choice."""
        pulls, means, active = self.pulls.copy(), self.means.copy(), self.active.copy()
        view = View(self.setup, pulls, means, active, _SEED)
        view.move_to(int(self.pulls.sum()), self.asked)
        return view

    def __str__(self) -> str:
        shown = "1000 arms"
        if len(self.pulls) <= 10:
            shown = (
                f"pulls {self.pulls.tolist()}, means {np.round(self.means, 6).tolist()}, active "
                f"{np.flatnonzero(self.active).tolist()}"
            )
        return f"{self.what} ({shown}, threshold {self.setup.threshold:g})"


def make_view_cases(rule: SamplingRule) -> list[ViewCase]:
    """Return about a hundred sights, always the same."""
    luck = np.random.default_rng(_SEED)
    setups: dict[tuple[int, float], Setup] = {}
    found: list[ViewCase] = []

    def see(
        what: str, pulls: object, means: object, active: object, threshold: float = 0.5
    ) -> None:
        counts = np.atleast_1d(np.asarray(pulls, np.int64))
        key = len(counts), threshold
        if key not in setups:
            setups[key] = make_algorithm(rule).setup(Problem(key[0], threshold, 0.05))
        of = (np.broadcast_to(np.asarray(part), counts.shape) for part in (means, active))
        values, is_active = of
        asked = int(counts.sum()) + len(found) % 3
        found.append(
            ViewCase(what, setups[key], counts, values.astype(float), is_active.astype(bool), asked)
        )

    one = np.eye(5, dtype=bool)
    ones, many = np.ones(5, np.int64), np.full(5, 1000)
    for mean in (0.0, 0.5, 1.0):
        see("one arm", [1], mean, True)
        see("arms that are alike", ones, mean, True)
        see("arms that are alike", many, mean, True)
        see("arms that are alike, some labelled", many, mean, [False, True, False, True, True])
    for arm in range(5):
        see("one active arm", ones + arm, luck.random(5), one[arm])
        see("one labelled arm, the best", many, 0.2 + 0.7 * one[arm], ~one[arm])
        see("one labelled arm, the worst", many, 0.8 - 0.7 * one[arm], ~one[arm])
        see("one labelled arm, the least pulled", many - 999 * one[arm], 0.5, ~one[arm])
        see("one labelled arm, the most pulled", ones + 10**6 * one[arm], 0.5, ~one[arm])
    see("no reward yet", ones, 0.3 + rule.unknown_gap, True, 0.3)
    for power in range(13):
        counts = luck.integers(1, 10**power, 5, endpoint=True)
        see("large counts", counts, luck.random(5), luck.permutation(5) < 3)
        see("counts far apart", [1, 1, 2, 10**power, 10**power], luck.random(5), True, 0.9)
    for threshold in (0.001, 0.3, 0.5, 0.999):
        for _ in range(5):
            counts = luck.integers(1, 200, 8)
            means = luck.binomial(counts, threshold) / counts
            see("some arms", counts, means, luck.permutation(8) < luck.integers(1, 9), threshold)
        counts = luck.integers(1, 50, 1000)
        means = luck.binomial(counts, threshold) / counts
        see("many arms", counts, means, luck.random(1000) < 0.5, threshold)
        see("many arms, one active", counts, means, np.arange(1000) == 617, threshold)
    return found
