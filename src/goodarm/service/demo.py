"""Demo: three experiments that run by themselves."""

import random
from collections.abc import Callable, Mapping
from threading import Event, Thread
from typing import Any, Final, NamedTuple

from goodarm.errors import GoodArmError
from goodarm.problem import Problem
from goodarm.results import Pull
from goodarm.store import Store, StoredExperiment

_BATCH_SECONDS: Final = 0.25
"""Seconds between two batches of pulls."""
_RETRY_SECONDS: Final = 1.0
"""Seconds before a worker that was refused tries again."""
_JOIN_SECONDS: Final = 3.0
"""Seconds to wait for each worker at the end; afterwards the closed store refuses it."""
STARTING_NOTICE: Final = "The three experiments of the demo are starting."


class DemoExperiment(NamedTuple):
    """Experiment of the demo: its problem, its true rewards, and its speed."""

    name: str
    problem: Problem
    reward: Callable[[Pull, random.Random], float]
    algorithm: str
    batch: int


def _draw_clicks(means: Mapping[str, float]) -> Callable[[Pull, random.Random], float]:
    return lambda pull, rng: float(rng.random() < means[str(pull.arm)])


def _draw_cases(means: Mapping[str, float]) -> Callable[[Pull, random.Random], float]:
    """Return a reward function with a fixed outcome for each case of each arm."""

    def solve(pull: Pull, rng: random.Random) -> float:
        own = random.Random(f"{pull.arm}, case {pull.case}")
        return float(own.random() < means[str(pull.arm)])

    return solve


def _draw_ratings(means: Mapping[str, float]) -> Callable[[Pull, random.Random], float]:
    def rate(pull: Pull, rng: random.Random) -> float:
        return float(min(max(round(rng.gauss(means[str(pull.arm)], 0.9)), 1), 5))

    return rate


def list_demo_experiments() -> list[DemoExperiment]:
    """Return the three experiments: banners by clicks, prompts by fixed cases, recipes by stars."""
    banners = {
        "sunrise": 0.31,
        "harbour": 0.26,
        "meadow": 0.22,
        "night train": 0.19,
        "orchard": 0.15,
        "lighthouse": 0.06,
        "snowfall": 0.05,
        "market": 0.04,
        "paper boat": 0.03,
        "plain": 0.01,
    }
    rng = random.Random(7)
    prompts = {f"prompt {number:02}": 0.55 + 0.42 * rng.random() for number in range(1, 31)}
    recipes = {
        "lentil soup": 4.5,
        "apple cake": 4.2,
        "risotto": 3.9,
        "pumpkin curry": 3.1,
        "flatbread": 2.9,
        "porridge": 2.6,
        "aspic": 1.8,
    }
    cases = {"pool": 400, "arms_planned": 32}
    stars = {"rewards": "bounded", "low": 1, "high": 5}
    return [
        DemoExperiment(
            "banners", _make_problem(banners, 0.1), _draw_clicks(banners), "kl-moss+mixture", 8
        ),
        DemoExperiment(
            "recipes", _make_problem(recipes, 3.5, **stars), _draw_ratings(recipes), "e-hdoc", 2
        ),
        DemoExperiment(
            "prompts",
            _make_problem(prompts, 0.8, **cases),
            _draw_cases(prompts),
            "apt-g+mixture",
            12,
        ),
    ]


def _make_problem(means: Mapping[str, float], threshold: float, **more: Any) -> Problem:
    return Problem(list(means), threshold=threshold, delta=0.05, **more)


class Demo:
    """Workers that make the pulls of all three experiments, until they are done or stopped.

    Everything runs in threads: the pages work from the first moment, and ``get_notice`` tells their
    visitors what is still being prepared.
    """

    def __init__(
        self, store: Store, every: float = _BATCH_SECONDS, rest: float = _RETRY_SECONDS
    ) -> None:
        self._store, self._every, self._rest = store, every, rest
        self.created, self._is_moving, self._end = Event(), Event(), Event()
        self._threads: list[Thread] = []

    def __enter__(self) -> "Demo":
        thread = Thread(target=self._begin, daemon=True)
        self._threads.append(thread)
        thread.start()
        return self

    def _begin(self) -> None:
        """Create all three experiments, then start a worker for each."""
        made = []
        for demo in list_demo_experiments():
            if self._end.is_set():
                return
            made.append((demo, self._store.experiment(demo.name, demo.problem, demo.algorithm, 1)))
        for each in made:
            thread = Thread(target=self._work_until_stopped, args=each, daemon=True)
            self._threads.append(thread)
            thread.start()
        self.created.set()

    def get_notice(self) -> str:
        """Return the notice for visitors while the demo starts; empty afterwards."""
        return "" if self._is_moving.is_set() else STARTING_NOTICE

    def wait(self, seconds: float) -> None:
        """Wait until all experiments are decided, for at most this long each."""
        self.created.wait(seconds)
        for thread in self._threads:
            thread.join(seconds)

    def __exit__(self, *_: object) -> None:
        self._end.set()
        for thread in self._threads:
            thread.join(_JOIN_SECONDS)

    def _work_until_stopped(self, demo: DemoExperiment, exp: StoredExperiment) -> None:
        rng = random.Random(demo.name)
        while not self._end.wait(self._every) and not exp.is_done:
            try:
                pulls = exp.ask_many(demo.batch, worker=f"{demo.name} worker", lease=60)
                late = 1 if len(pulls) > 2 else 0  # one reward comes late, as in practice
                told = pulls[: len(pulls) - late]
                exp.tell_many(told, [demo.reward(pull, rng) for pull in told])
                self._end.wait(self._every / 2)
                rest = pulls[len(told) :]
                exp.tell_many(rest, [demo.reward(pull, rng) for pull in rest])
                self._is_moving.set()
            except GoodArmError:  # a visitor paused, closed or deleted it
                self._end.wait(self._rest)
