"""Bandit loops of other packages on the synthetic instance (K = 6), in pulls per second.

They maximise reward and label nothing; what is compared is the cost of one pull of a UCB loop.
"""

import random
import time
from collections.abc import Callable
from typing import Any

from engines import measure
from goals import Goal
from mabwiser.mab import MAB, LearningPolicy
from river import bandit

from goodarm import datasets
from goodarm.cli.output import print_table

SECONDS = 3.0
MEANS = datasets.load("synthetic").means


def rate(step: Callable[[], None]) -> float:
    """How often a step is made in a second."""
    count = 0
    start = time.perf_counter()
    while time.perf_counter() - start < SECONDS:
        for _ in range(20):
            step()
        count += 20
    return count / (time.perf_counter() - start)


def river_step() -> Callable[[], None]:
    """One pull of river's UCB."""
    policy = bandit.UCB(delta=1, seed=0)
    arms = list(range(len(MEANS)))
    chance = random.Random(0).random

    def step() -> None:
        arm = policy.pull(arms)
        policy.update(arm, float(chance() < MEANS[arm]))

    return step


def mabwiser_step() -> Callable[[], None]:
    """One pull of mabwiser's UCB1."""
    policy = MAB(list(range(len(MEANS))), LearningPolicy.UCB1(alpha=1.0), seed=0)
    chance = random.Random(0).random
    policy.fit(list(range(len(MEANS))), [0.0] * len(MEANS))

    def step() -> None:
        arm = policy.predict()
        policy.partial_fit([arm], [float(chance() < MEANS[arm])])

    return step


def main() -> list[dict[str, Any]]:
    """Measure and print."""
    fast, _ = measure("synthetic", "hdoc", "fast", 60_000_000)
    plain, _ = measure("synthetic", "hdoc", "reference", 60_000_000)
    rates = {
        "goodarm hdoc, fast": fast,
        "goodarm hdoc, plain": plain,
        "river UCB": rate(river_step()),
        "mabwiser UCB1": rate(mabwiser_step()),
    }
    rows = [(name, f"{value:,.0f}", f"{fast / value:,.0f}") for name, value in rates.items()]
    header = ("loop", "pulls per second", "goodarm is faster by")
    print_table("Synthetic instance, 6 arms, one core", header, rows)
    return [
        {"loop": name, "pulls per second": value, "goodarm fast / this": fast / value}
        for name, value in rates.items()
    ]


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """None was set: what is compared does something else."""
    return []


if __name__ == "__main__":
    main()
