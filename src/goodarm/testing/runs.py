"""Checks that runs are the same: of both engines, of ask and tell, of any workers."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.live import Identifier
from goodarm.problem import Arm, Problem
from goodarm.results import Pull, Runs
from goodarm.simulation import Tape, simulate
from goodarm.testing.report import expect, report_failure

SEED: Final = 11


class SimulationCase(NamedTuple):
    """True means, and the arguments of their problem."""

    means: tuple[float, ...]
    asked: dict[str, Any]

    @property
    def problem(self) -> Problem:
        """Problem with arms 0, 1, 2, ..."""
        return Problem(len(self.means), **self.asked)

    def simulate(self, algorithm: Algorithm, runs: int, **keywords: Any) -> Runs:
        """Simulate runs of an algorithm, always with the same seed."""
        with report_failure(f"The runs of {algorithm.name} on {self.problem} break"):
            return simulate(
                list(self.means),
                **self.asked,
                algorithm=algorithm,
                runs=runs,
                seed=SEED,
                **keywords,
            )


_MAX_PULLS: Final = 20_000
PLAIN_CASE: Final = SimulationCase(
    (0.9, 0.75, 0.2, 0.35), {"threshold": 0.5, "delta": 0.05, "max_pulls": _MAX_PULLS}
)
CASES: Final = (
    PLAIN_CASE,
    SimulationCase(
        (0.8, 0.52, 0.3), {"threshold": 0.5, "delta": 0.1, "margin": 0.1, "max_pulls": _MAX_PULLS}
    ),
    SimulationCase(
        (0.9, 0.8, 0.1), {"threshold": 0.6, "delta": 0.01, "until": 1, "max_pulls": _MAX_PULLS}
    ),
    SimulationCase((0.06, 0.01, 0.001), {"threshold": 0.03, "delta": 0.2, "max_pulls": 1500}),
    SimulationCase((0.97, 0.6), {"threshold": 0.9, "delta": 0.05, "max_pulls": 37}),
)
"""Tries: plain, with a margin, until the first good arm, with rare successes, with few pulls."""

BOUNDED_CASE: Final = SimulationCase(
    (2.4, 0.5, -0.5),
    {
        "threshold": 1.0,
        "delta": 0.1,
        "margin": 0.2,
        "rewards": "bounded",
        "low": -1.0,
        "high": 3.0,
        "max_pulls": _MAX_PULLS,
    },
)

GAUSSIAN_CASE: Final = SimulationCase(
    (2.4, 0.5, -0.5),
    {
        "threshold": 1.0,
        "delta": 0.1,
        "margin": 0.2,
        "rewards": "gaussian",
        "sigma": 2.0,
        "max_pulls": _MAX_PULLS,
    },
)


class Player:
    """Identifier that is fed with the rewards of run 0 of a simulation."""

    def __init__(self, tried: SimulationCase, algorithm: Algorithm) -> None:
        self.ident = Identifier(tried.problem, algorithm, seed=SEED)
        self._tape = Tape(tried.problem, list(tried.means), seed=SEED)
        self._rewards: defaultdict[Arm, list[float]] = defaultdict(list)
        self._counts: defaultdict[Arm, int] = defaultdict(int)

    def draw_reward(self, pull: Pull) -> float:
        """Return the next reward of the arm; call it once for each pull, in the order asked."""
        known = self._rewards[pull.arm]
        self._counts[pull.arm] += 1
        while len(known) < self._counts[pull.arm]:
            known.append(self._tape.next_reward(pull.arm))
        return known[self._counts[pull.arm] - 1]

    def resumed(self, ident: Identifier) -> "Player":
        """Return a player with another identifier at the same point of the same rewards."""
        other = object.__new__(Player)
        other.ident, other._tape, other._rewards = ident, self._tape, self._rewards
        other._counts = self._counts.copy()
        return other

    def play(self, pulls: int | None = None, batch: int = 1) -> Iterator[Arm]:
        """Yield the arms asked, until the run is over or ``pulls`` are asked.

        The rewards of a batch are told from the last to the first.
        """
        asked = 0
        while not self.ident.is_done and (pulls is None or asked < pulls):
            out = self.ident.ask_many(batch)
            rewards = [self.draw_reward(pull) for pull in out]
            for pull, reward in zip(reversed(out), reversed(rewards), strict=True):
                self.ident.tell(pull, reward)
            asked += len(out)
            yield from (pull.arm for pull in out)


def check_ask_and_tell(tried: SimulationCase, algorithm: Algorithm, runs: Runs) -> None:
    """Check that ask and tell, fed with the rewards of run 0, makes run 0."""
    player = Player(tried, algorithm)
    with report_failure(f"Ask and tell of {algorithm.name} on {tried.problem} breaks"):
        for _ in player.play():
            pass
        reports = player.ident.table()
    labels = [{"good": 1, "bad": -1}.get(report.label, 0) for report in reports]
    position = tried.problem.position
    good = [reports[position(arm)].labelled_at for arm in player.ident.verdict.good]
    for what, found, simulated in (
        ("pulls in all", player.ident.pulls, runs.stop[0]),
        ("pulls of each arm", [report.pulls for report in reports], runs.pulls[0].tolist()),
        ("labels", labels, runs.labels[0].tolist()),
        ("pulls at each good arm", good, runs.tau[0][~np.isnan(runs.tau[0])].tolist()),
    ):
        expect(
            found == simulated,
            f"Ask and tell of {algorithm.name} must make run 0 of simulate; on {tried.problem} its "
            f"{what} are {found}, those of the simulation {simulated}.",
        )


def check_same(what: str, one: Runs, other: Runs) -> None:
    """Check that two simulations made the same runs; if not, name the first run that differs."""
    if one == other:
        return
    for name in ("stop", "pulls", "labels", "tau"):
        for run, (ours, theirs) in enumerate(
            zip(getattr(one, name), getattr(other, name), strict=True)
        ):
            expect(
                np.array_equal(ours, theirs, equal_nan=name == "tau"),
                f"{what} must make the same runs; on {one.problem} the {name} of run {run} is "
                f"{ours!r} in one and {theirs!r} in the other.",
            )
    expect(False, f"{what} must make the same runs on {one.problem}.")
