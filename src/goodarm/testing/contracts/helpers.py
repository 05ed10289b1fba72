"""Problems, helpers and types of fixtures that the parts of the contract share."""

from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any, Final, TypeVar

from goodarm.problem import Problem
from goodarm.results import Pull
from goodarm.store import Store

Result = TypeVar("Result")

OpenStore = Callable[[], Store]
"""Function that opens the same store once more, as another process would."""
PassTime = Callable[[float], None]
"""Function that lets a number of seconds pass for the store."""

COINS: Final = Problem(["a", "b", "c"], threshold=0.5, delta=0.2)
HARD: Final = Problem(6, threshold=0.5, delta=1e-9)
"""Problem in which no arm is labelled for a long time."""


def list_kinds(entries: Iterable[dict[str, Any]]) -> list[str]:
    """Return the kind of each entry."""
    return [entry["kind"] for entry in entries]


def list_rewards(entries: Iterable[dict[str, Any]]) -> list[tuple[int, float]]:
    """Return the pulls and rewards of a journal, in order."""
    return [
        (number, reward)
        for entry in entries
        if entry["kind"] == "told"
        for number, reward in zip(entry["pulls"], entry["rewards"], strict=True)
    ]


def make_rewards(pulls: Sequence[Pull]) -> list[int]:
    """Return rewards with which each arm of ``COINS`` gets a label in the end."""
    return [int(pull.arm == "a" or (pull.arm == "b" and pull.number % 4 > 0)) for pull in pulls]


def run_in_threads(count: int, work: Callable[[int], Result]) -> list[Result]:
    """Return the results of ``work(0)``, ``work(1)``, ... in threads that start together."""
    barrier = Barrier(count)

    def run(index: int) -> Result:
        barrier.wait()
        return work(index)

    with ThreadPoolExecutor(count) as pool:
        return list(pool.map(run, range(count)))
