"""One run after another, in steps short enough to be interrupted, on the plain or the fast loop."""

from collections.abc import Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, SamplingRule
from goodarm.algorithm.identification.rule import NO_BETS
from goodarm.errors import must
from goodarm.kernels.codes import BERNOULLI, CURVE, Setup
from goodarm.kernels.fast import advance_fast
from goodarm.kernels.loop import advance
from goodarm.kernels.run import ARM, STEERING, Run, Steering
from goodarm.kernels.tape import TAPE
from goodarm.simulation.in_python import advance_in_python
from goodarm.simulation.tape import new_tape

AUTO: Final = "auto"
REFERENCE: Final = "reference"
FAST: Final = "fast"
ENGINES: Final = (AUTO, REFERENCE, FAST)

_STEP_COST = 4_000_000
"""Arms looked at in one step: some 20 to 50 ms."""

_BENT_COST: Final = 16
"""What looking at an arm costs where indices are no lines."""

_FEW_ARMS: Final = 16
"""Up to so many arms, looking at all of them costs no more than knowing which to look at."""


_NO_CURVES: Final = np.zeros(1, CURVE)


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

    rule: IdentificationRule
    setup: Setup
    means: NDArray[np.float64]
    seed: int
    runs: Sequence[int]
    engine: str
    sampling: SamplingRule | None = None
    """the one that is asked at each pull, if it is in Python"""


def choose_engine(setup: Setup, engine: str = AUTO) -> str:
    """The engine that ``auto`` stands for: the fast one wherever it has something to skip."""
    if not setup.falls_on_failure:
        if engine == FAST:
            raise must(
                "engine",
                "simulate",
                "be 'reference' or 'auto' for a rule that need not fall on failures",
                engine,
            )
        return REFERENCE
    if engine != AUTO:
        return engine
    skips = setup.rewards == BERNOULLI and not setup.keeps_wealth
    skips = skips or setup.num_arms > _FEW_ARMS
    return FAST if skips else REFERENCE


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
    is_fast = task.engine == FAST
    cost = _STEP_COST // (1 if setup.is_line else _BENT_COST)
    step = cost if is_fast else max(1, cost // (16 + len(means)))
    state = new_run(len(means), task.rule.bets(setup))
    growing = task.rule.curves(setup)

    def go_on_after(pulls: int) -> bool:
        signals.pulls[run] = pulls
        return not signals.stop

    if task.sampling is not None:
        done = advance_in_python(
            setup, task.sampling, growing, tape, state, task.seed, run, go_on_after
        )
        return _outcome(run, state) if done else None
    curves = _NO_CURVES
    go_on = advance_fast if is_fast else advance
    is_over = False
    while not is_over:
        if not go_on_after(int(state.counters[0])):
            return None
        if growing is not None:
            curves = growing.reach(int(state.arms["pulls"].max()), state.arms["sum"].max())
        is_over = go_on(setup, curves, tape, state, step)
    return _outcome(run, state)


def _outcome(run: int, state: Run) -> Outcome:
    pulls = state.arms["pulls"].copy()
    return Outcome(run, int(state.counters[0]), pulls, state.labels, state.tau)


def _new_steering(num_arms: int) -> Steering:
    steering = np.zeros(1, STEERING)
    steering["reach"], steering["rate"] = num_arms, 1.0
    steering["wall"], steering["wall_arm"] = -np.inf, -1
    return steering


def new_run(num_arms: int, bets: NDArray[np.float64] = NO_BETS) -> Run:
    """A run before its first pull."""
    size = bets.size
    return Run(
        alive=np.arange(num_arms),
        level=np.zeros(num_arms),
        width=np.zeros(num_arms),
        arms=np.zeros(num_arms, ARM),
        labels=np.zeros(num_arms, np.int8),
        tau=np.full(num_arms, np.nan),
        wealth=np.vstack([np.zeros((num_arms + 1, size)), bets.ravel()]),
        moved=np.zeros(num_arms, np.int64),
        old_arms=np.zeros(num_arms, ARM),
        old_tape=np.zeros(num_arms, TAPE),
        old_wealth=np.zeros((num_arms, size)),
        steering=_new_steering(num_arms),
        counters=np.array([0, num_arms, 0, 0]),
    )
