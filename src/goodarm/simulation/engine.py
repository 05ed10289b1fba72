"""Simulation engine: runs in steps short enough to interrupt, on the plain or the fast loop."""

import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, SamplingRule
from goodarm.errors import invalid_argument
from goodarm.kernels.codes import CURVE, Setup
from goodarm.kernels.compilation.jit import is_ready
from goodarm.kernels.simulation.laws import Laws
from goodarm.kernels.simulation.loop_choice import advance_fast, choose_loop
from goodarm.kernels.simulation.plain_loop import advance
from goodarm.kernels.simulation.state import State, make_scratch, make_state
from goodarm.simulation.arrivals import Arrivals
from goodarm.simulation.even_run import EvenRun
from goodarm.simulation.python_run import PythonRun
from goodarm.simulation.start import Start

AUTO: Final = "auto"
REFERENCE: Final = "reference"
FAST: Final = "fast"
ENGINES: Final = (AUTO, REFERENCE, FAST)

_STEP_COST = 4_000_000
"""Arms looked at in one step, which takes about 20 to 50 ms."""

_NONLINEAR_COST: Final = 16
"""Cost of looking at an arm whose index is not linear in the clock, relative to a linear one."""

_NO_CURVES: Final = np.zeros(1, CURVE)


class Signals:
    """Messages between a simulation and its workers.

    Threads share them. A process gets a copy, in which ``stop`` is never set: the system
    interrupts processes.
    """

    def __init__(self) -> None:
        self.stop = False
        self.pulls: dict[int, int] = {}
        """pulls made so far, by run"""


class SimulatedOutcome(NamedTuple):
    """Result of one run."""

    run: int
    stop: int
    pulls: NDArray[np.int64]
    labels: NDArray[np.int8]
    tau: NDArray[np.float64]


class SimulationTask(NamedTuple):
    """Runs for one worker, in plain numbers that can be sent to other processes."""

    rule: IdentificationRule
    setup: Setup
    means: NDArray[np.float64]
    seed: int
    runs: Sequence[int]
    engine: str
    sampling: SamplingRule | None = None
    """the sampling rule to ask at each pull, if it is written in Python"""
    laws: Laws | None = None
    """distributions of the rewards, unless every arm has only a mean"""
    arrivals: tuple[int, ...] | None = None
    """pulls after which each arm arrives, if some arrive later"""
    may_begin_plain: bool = False
    """the plain loop may be used while the fast one is not compiled: they make the same runs"""
    is_even: bool = False
    """all arms get the same traffic to the end, and the sampling rule has no say"""
    start: Start | None = None
    """what the arms have had before the run, if it goes on from there"""


def choose_engine(setup: Setup, engine: str = AUTO, *, has_arrivals: bool = False) -> str:
    """Resolve ``auto``: choose the fast engine wherever the sampling rule and the arms allow it."""
    if has_arrivals or not setup.falls_on_failure:
        if engine == FAST:
            what = "a sampling rule that the fast engine cannot take"
            rule = f"be 'reference' or 'auto' for {'arms that arrive' if has_arrivals else what}"
            raise invalid_argument("engine", "simulate", rule, engine)
        return REFERENCE
    return FAST if engine == AUTO else engine


def simulate_task(task: SimulationTask, signals: Signals) -> list[SimulatedOutcome]:
    """Simulate the runs of a task; return fewer if told to stop."""
    outcomes: list[SimulatedOutcome] = []
    for run in task.runs:
        outcome = _simulate_run(task, run, signals)
        if outcome is None:
            break
        outcomes.append(outcome)
    return outcomes


def _simulate_run(task: SimulationTask, number: int, signals: Signals) -> SimulatedOutcome | None:
    run = _make_run(task, number)
    while not run.is_over:
        if signals.stop:
            return None
        run.step()
        signals.pulls[number] = run.pulls
    state = run.state
    return SimulatedOutcome(number, run.pulls, state.arms["pulls"].copy(), state.labels, state.tau)


def _make_run(task: SimulationTask, number: int) -> "SimulatedRun | PythonRun | EvenRun":
    if task.is_even:
        return EvenRun(task.setup, task.rule, _make_state(task, number))
    if task.sampling is None:
        return SimulatedRun(task, number)
    state = _make_state(task, number)
    arrivals = Arrivals(task.arrivals, task.setup, state)
    return PythonRun(arrivals, task.sampling, task.rule, state, task.seed, number)


def _make_state(task: SimulationTask, number: int) -> State:
    setup, rule = task.setup, task.rule
    pools = rule.pools(setup) if setup.has_pool else None
    bets = rule.bet_rows(setup)
    begun = None if task.start is None else task.start.pulls
    state = make_state(setup, task.means, task.seed, number, bets, pools, task.laws, begun)
    if task.start is not None:
        task.start.enter(state)
    return state


class _PlainLoop:
    """Plain loop that stands in for a fast loop that is not compiled yet.

    The fast loops take 11 seconds longer to compile, which does not pay off for a few short runs.
    After some seconds of the plain loop one thread compiles while the others go on with it.
    """

    SECONDS: Final = 5.0
    """Processor time on the plain loop after which compiling a fast one is worth it."""

    def __init__(self) -> None:
        self._spent = 0.0
        self._compiling: set[object] = set()
        self._lock = threading.Lock()

    def is_needed(self, setup: Setup) -> bool:
        """Return whether to use the plain loop in place of a fast one.

        So it is while the fast loop is not compiled, and compiling it is not worth it yet or is the
        work of another thread.
        """
        loop = choose_loop(setup)
        if loop is advance or is_ready(loop):
            return False
        with self._lock:
            if self._spent >= self.SECONDS and loop not in self._compiling:
                self._compiling.add(loop)
                return False
        return True

    def __call__(self, *arguments: Any) -> bool:
        """Advance the run and add up the time spent, without that of compiling the plain loop."""
        is_compiled, began = is_ready(advance), time.thread_time()
        is_over = advance(*arguments)
        if is_compiled:
            self._spent += time.thread_time() - began
        return is_over


_plain_loop: Final = _PlainLoop()


class SimulatedRun:
    """Run in progress: a step advances its State; its Scratch may be replaced between steps."""

    def __init__(self, task: SimulationTask, number: int) -> None:
        setup = task.setup
        self._use(setup, advance_fast if task.engine == FAST else advance)
        if task.may_begin_plain and _plain_loop.is_needed(setup):
            self._use(setup, _plain_loop)
        self._growing = task.rule.curves(setup)
        self.state = _make_state(task, number)
        self._setup = setup
        self._arrivals: Arrivals | None = None
        if task.arrivals is not None:
            self._arrivals = Arrivals(task.arrivals, setup, self.state)
        self.scratch = make_scratch(setup, self.state)
        self.is_over = False

    def _use(self, setup: Setup, loop: Callable[..., bool]) -> None:
        """Use this loop from now on, with a step length that suits it."""
        cost = _STEP_COST // (1 if setup.is_linear else _NONLINEAR_COST)
        looked_at = 0 if setup.is_stepped else setup.num_arms
        self._go_on = loop
        self._most = cost if loop is advance_fast else max(1, cost // (16 + looked_at))

    @property
    def pulls(self) -> int:
        """Pulls of all arms so far."""
        return int(self.state.progress["pulls"][0])

    def step(self, most: int | None = None) -> None:
        """Advance by at most ``most`` pulls, or by work of about ``most`` on the fast loop."""
        curves, arms = _NO_CURVES, self.state.arms
        if self._growing is not None:
            curves = self._growing.reach(int(arms["pulls"].max()), arms["sum"].max())
        most, setup = self._most if most is None else most, self._setup
        if self._arrivals is not None:
            most, setup = self._arrivals.limit(most), self._arrivals.setup
        if self._go_on is _plain_loop and not _plain_loop.is_needed(setup):
            self._use(setup, advance_fast)
            self.scratch = make_scratch(setup, self.state)
        is_over = self._go_on(setup, curves, self.state, self.scratch, most)
        if self._arrivals is not None:
            is_over = not self._arrivals.admit(self.scratch) and is_over
        self.is_over = is_over
