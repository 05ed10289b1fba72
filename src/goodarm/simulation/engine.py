"""One run after another on the plain loop, in steps short enough to be interrupted."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.codes import Setup
from goodarm.kernels.loop import Progress, advance
from goodarm.simulation.tape import new_tape

REFERENCE = "reference"

_STEP_COST = 4_000_000
"""Arms looked at in one step: some 20 to 50 ms."""


class Signals:
    """What a simulation and its workers say to each other.

    Threads share it. A process gets a copy, which never says stop: processes are interrupted by
    the system.
    """

    def __init__(self) -> None:
        self.stop = False
        self.pulls: dict[int, int] = {}
        """pulls made so far, by run"""


class Outcome(NamedTuple):
    """What one run came to."""

    run: int
    stop: int
    pulls: NDArray[np.int64]
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]


class Task(NamedTuple):
    """Runs for one worker; plain numbers, so that it travels to other processes."""

    setup: Setup
    means: NDArray[np.float64]
    seed: int
    runs: Sequence[int]


def work(task: Task, signals: Signals) -> list[Outcome]:
    """The runs of a task, or fewer if told to stop."""
    outcomes: list[Outcome] = []
    for run in task.runs:
        outcome = _simulate_run(task, run, signals)
        if outcome is None:
            break
        outcomes.append(outcome)
    return outcomes


def _simulate_run(task: Task, run: int, signals: Signals) -> Outcome | None:
    setup, means = task.setup, task.means
    tape = new_tape(setup, means, task.seed, run)
    progress = new_progress(len(means))
    step = max(1, _STEP_COST // (16 + len(means)))
    is_over = False
    while not is_over:
        if signals.stop:
            return None
        is_over = advance(setup, means, tape, progress, step)
        signals.pulls[run] = int(progress.counters[0])
    return Outcome(run, int(progress.counters[0]), progress.pulls, progress.labels, progress.tau)


def new_progress(num_arms: int) -> Progress:
    """A run before its first pull."""
    return Progress(
        alive=np.arange(num_arms),
        level=np.zeros(num_arms),
        slope=np.zeros(num_arms),
        pulls=np.zeros(num_arms, np.int64),
        sums=np.zeros(num_arms),
        floor=np.zeros(num_arms),
        floor_end=np.zeros(num_arms, np.int64),
        labels=np.zeros(num_arms, np.int8),
        tau=np.full(num_arms, np.nan),
        counters=np.array([0, num_arms, 0, 0]),
    )
