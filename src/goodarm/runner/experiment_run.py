"""Jobs that ask for pulls, make them and tell their rewards in parallel, until all is decided.

Each job is a worker of its own, ``name-1``, ``name-2`` and so on. The experiment gives a worker its
untold pulls again, so the next run makes the pulls of one that was interrupted or killed, even with
fewer jobs than before. Rewards enter the tests in the order in which their pulls were asked, so it
does not matter which of them arrives first.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import Final, NamedTuple, Protocol

from goodarm.errors import RewardError, SpecError
from goodarm.problem import Arm, Problem
from goodarm.results import ArmTable, Pull
from goodarm.runner.pull_outcome import (
    PullError,
    PullFailure,
    PullInterruption,
    PullMaker,
    PullOutcome,
    PullReward,
    PullTask,
    PullTimeout,
    RewardSource,
)
from goodarm.runner.reward_settings import RewardSettings
from goodarm.views.names import printable
from goodarm.wording import phrase

MAX_LOST_IN_A_ROW: Final = 100
"""Number of consecutive lost pulls that ends a run: something is wrong."""
FAILURES_UNTIL_NOTE: Final = 5
"""Number of failures from an arm's first pull on after which its last error is shown."""
_RETRY_SECONDS: Final = 0.5
"""Seconds until a job asks again, while other workers hold all pulls that are left."""
_MAX_JOIN_SECONDS: Final = 30.0
"""Seconds to wait for a job to end."""


class HeldPull(Protocol):
    """Pull in progress, and the worker that holds it."""

    @property
    def pull(self) -> Pull:
        """The pull."""

    @property
    def worker(self) -> str | None:
        """The worker that holds it."""


class RunnableExperiment(Protocol):
    """Interface that a run needs of an experiment, in a store or behind a service."""

    @property
    def problem(self) -> Problem:
        """The experiment's problem."""

    @property
    def is_done(self) -> bool:
        """True if the experiment has ended."""

    @property
    def out(self) -> Sequence[HeldPull]:
        """The pulls in progress."""

    def ask_many(self, count: int, worker: str | None = None) -> list[Pull]:
        """Return pulls to make: those that the worker holds already, or else new ones."""

    def tell(self, pull: Pull, reward: float, *, cost: float | None = None) -> None:
        """Record the reward of a pull, and what it cost."""

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Record that a pull is lost."""

    def table(self) -> ArmTable:
        """Return every arm's numbers."""


class RunProgress(NamedTuple):
    """Progress of a run.

    Args:
        told, lost, late: pulls of this run so far: with a reward, without one, and ended by the
            timeout.
        under_way: the pulls being made now.
        seconds: time since the run began.
        waits_for: the workers that hold all pulls that are left, if this run has none to make.
        suspect: an arm whose first pulls all failed, with what the last of them said; empty if
            there is none.
    """

    told: int
    lost: int
    late: int
    under_way: tuple[Pull, ...]
    seconds: float
    waits_for: tuple[str, ...]
    suspect: str = ""


class ExperimentRun:
    """Run of an experiment.

    Args:
        experiment: the experiment to ask and tell.
        source: the source of rewards.
        reward: settings, here for pulls without a reward.
        worker: name of this run.
        jobs: number of pulls made in parallel.
        task_of: returns the task of a pull.
    """

    def __init__(
        self,
        experiment: RunnableExperiment,
        source: RewardSource,
        reward: RewardSettings,
        worker: str,
        jobs: int,
        task_of: Callable[[Pull], PullTask],
    ) -> None:
        self._experiment, self._reward, self._task_of = experiment, reward, task_of
        self._problem = experiment.problem
        self._names = [f"{worker}-{number}" for number in range(1, jobs + 1)]
        self._makers: list[PullMaker] = [source.maker() for _ in self._names]
        self._left = deque(_find_orphaned_pulls(experiment, worker, jobs))
        self._changed = Condition()
        self._is_over = False
        self._error: BaseException | None = None
        self._under_way: dict[str, Pull] = {}
        self._told = self._lost = self._late = self._lost_in_a_row = 0
        self._waiting = 0
        self._failures: dict[Arm, int] = {}
        """Failures in a row from the first pull of an arm on, until a pull of it does not fail."""
        self._suspect = ""
        self._began = time.monotonic()

    def go(self, watch: Callable[[RunProgress], None], every: float = 0.25) -> RunProgress:
        """Make pulls until the experiment is done.

        ``watch`` is called with the progress every ``every`` seconds, and once at the end. An error
        in a job ends all jobs and is raised here; Ctrl-C ends them too.
        """
        threads = [
            Thread(target=self._run_job, args=each, name=f"goodarm-{each[0]}", daemon=True)
            for each in zip(self._names, self._makers, strict=True)
        ]
        try:
            self._is_over = self._experiment.is_done
            if not self._is_over:
                for thread in threads:
                    thread.start()
            has_ended = False
            while not has_ended:
                with self._changed:
                    has_ended = self._changed.wait_for(self._has_ended, every)
                watch(self.progress())
        finally:
            self._end(threads)
        if self._error is not None:
            raise self._error
        return self.progress()

    def progress(self) -> RunProgress:
        """Return the progress of the run."""
        with self._changed:
            under_way = tuple(self._under_way.values())
            is_stuck = not under_way and self._waiting > 0
            counts = self._told, self._lost, self._late
        waits_for: tuple[str, ...] = ()
        if is_stuck:
            names = [each.worker or "somebody" for each in self._experiment.out]
            waits_for = tuple(dict.fromkeys(names))
        seconds = time.monotonic() - self._began
        return RunProgress(*counts, under_way, seconds, waits_for, self._suspect)

    def _has_ended(self) -> bool:
        return self._is_over

    def _end(self, threads: list[Thread]) -> None:
        """End all jobs and everything that they have started; a second Ctrl-C kills at once."""
        with self._changed:
            self._is_over = True
            self._changed.notify_all()
        at_once = False
        for _ in range(2):
            try:
                for maker in self._makers:
                    maker.end(at_once=at_once)
                for thread in threads:
                    if thread.ident is not None:
                        thread.join(_MAX_JOIN_SECONDS)
                break
            except BaseException:  # Ctrl-C again: kill at once
                if at_once:
                    raise
                at_once = True
        for maker in self._makers:
            maker.close()

    def _run_job(self, name: str, maker: PullMaker) -> None:
        """Run one job: make pulls until the run is over."""
        try:
            while (pull := self._wait_for_pull(name)) is not None:
                outcome = maker.make(self._task_of(pull))
                if isinstance(outcome, PullInterruption):
                    break
                self._settle(pull, outcome)
                with self._changed:
                    del self._under_way[name]
                    self._changed.notify_all()
                if self._experiment.is_done:
                    break
        except BaseException as error:
            with self._changed:
                self._error = self._error or error
        with self._changed:
            # The job that sees the end ends all: the other jobs' pulls could not change anything.
            self._is_over = True
            self._changed.notify_all()

    def _wait_for_pull(self, name: str) -> Pull | None:
        """Wait for the job's next pull and return it; None if there will be none."""
        was_empty = False
        while True:
            with self._changed:
                if self._is_over:
                    return None
                if self._left:
                    self._under_way[name] = self._left.popleft()
                    return self._under_way[name]
            pulls = self._experiment.ask_many(1, worker=name)
            if pulls:
                with self._changed:
                    # The job gets the other pulls that it holds when it asks again.
                    self._under_way[name] = pulls[0]
                return pulls[0]
            if self._experiment.is_done:
                return None
            if not self._experiment.out:
                if was_empty:
                    return None
                was_empty = True  # the last pulls may have been told since it asked: ask again
                continue
            was_empty = False
            with self._changed:
                self._waiting += 1
                self._changed.wait(
                    _RETRY_SECONDS
                )  # until a job has settled a pull, or others may have
                self._waiting -= 1

    def _settle(self, pull: Pull, outcome: PullOutcome) -> None:
        """Tell the reward of a pull that was made, or forget the pull."""
        reward, is_late = self._find_reward(pull, outcome), isinstance(outcome, PullTimeout)
        if reward is None:
            independent = self._reward.loss_is_independent
            self._experiment.forget(pull, loss_is_independent=independent)
        else:
            cost = outcome.cost if isinstance(outcome, PullReward | PullFailure) else None
            self._experiment.tell(pull, reward, cost=cost)
        with self._changed:
            self._watch_failures(pull.arm, outcome)
            self._late += is_late
            self._told += reward is not None
            self._lost += reward is None
            self._lost_in_a_row = 0 if reward is not None else self._lost_in_a_row + 1
            if self._lost_in_a_row >= MAX_LOST_IN_A_ROW:
                raise RewardError(
                    f"The last {MAX_LOST_IN_A_ROW} pulls were all lost.",
                    argument="reward",
                    owner="[reward]",
                    rule="be a reward",
                    value=pull.number,
                    remedy="They count as lost. Fix the command or function, then run the same "
                    "command to continue.",
                )

    def _watch_failures(self, arm: Arm, outcome: PullOutcome) -> None:
        """Keep what the first arm says whose first pulls in this run all fail."""
        if not isinstance(outcome, PullFailure) or not outcome.said:
            self._failures[arm] = -1
        elif self._failures.get(arm, 0) >= 0:
            self._failures[arm] = self._failures.get(arm, 0) + 1
            if self._failures[arm] == FAILURES_UNTIL_NOTE and not self._suspect:
                self._suspect = (
                    f"The first {FAILURES_UNTIL_NOTE} pulls of {printable(arm)} all failed. The "
                    f"last one said: {printable(outcome.said)}"
                )

    def _find_reward(self, pull: Pull, outcome: PullOutcome) -> float | None:
        """Return the reward of an outcome, None if the pull is lost; raise if the run must stop."""
        if isinstance(outcome, PullReward):
            try:
                return self._problem.check_reward(outcome.reward, "[reward]", pull.arm)
            except SpecError as error:
                raise _make_missing_reward_error(pull, error) from None
        what = (
            self._reward.on_timeout if isinstance(outcome, PullTimeout) else self._reward.on_error
        )
        if isinstance(outcome, PullError) and (outcome.is_final or what == "stop"):
            raise _make_missing_reward_error(pull, f"{outcome.why.rstrip('.')}.")
        if isinstance(outcome, PullFailure) or what == "failure":
            least = self._problem.reward_range
            if least is None:
                raise _make_missing_reward_error(
                    pull, "it failed, and gaussian rewards have no smallest value."
                )
            return least[0]
        return None


def _find_orphaned_pulls(experiment: RunnableExperiment, worker: str, jobs: int) -> list[Pull]:
    """Return pulls held by jobs of this worker that no longer exist, as this run has fewer jobs."""
    name = re.compile(rf"{re.escape(worker)}-([0-9]+)")
    found = []
    for each in experiment.out:
        match = name.fullmatch(each.worker or "")
        if match is not None and int(match[1]) > jobs:
            found.append(each.pull)
    return found


def _make_missing_reward_error(pull: Pull, why: str | SpecError) -> RewardError:
    case = "" if pull.case is None else f" on case {pull.case}"
    which = f"Pull {pull.number} of arm {pull.arm!r}{case}"
    return RewardError(
        phrase("{which} gave no reward: {why}", which=which, why=why),
        argument="reward",
        owner="[reward]",
        rule="be a reward",
        value=pull.number,
        remedy="The pull does not count. Fix the command or function, then run the same command to "
        "continue.",
    )
