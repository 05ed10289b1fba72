"""Jobs that ask, make and tell, side by side, until all is known.

Each job is a worker of its own, ``name-1``, ``name-2`` and so on. The experiment gives a worker the
pulls again that it has not told, so a run that was interrupted, or killed, makes them again, also
if there are fewer jobs than before. Rewards enter the tests in the order in which they were asked:
that one is fetched more quickly than another changes nothing.
"""

import re
import time
from collections import deque
from collections.abc import Callable, Sequence
from threading import Condition, Thread
from typing import Final, NamedTuple, Protocol

from goodarm.errors import RewardError, SpecError
from goodarm.problem import Problem
from goodarm.results import ArmTable, Pull
from goodarm.running.outcome import (
    Broken,
    Ended,
    Failed,
    Made,
    Maker,
    Outcome,
    Source,
    Task,
    TimedOut,
)
from goodarm.running.reward import Reward
from goodarm.wording import phrase

LOST_IN_A_ROW: Final = 100
"""The number of lost pulls, with no reward among them, that ends a run: something is wrong."""
_PATIENCE: Final = 0.5
"""Seconds after which one asks again, where others hold all that is left."""
_LAST_WAIT: Final = 30.0
"""Seconds that jobs have to end, once they were asked to."""


class OutWith(Protocol):
    """A pull that is out, and with whom."""

    @property
    def pull(self) -> Pull:
        """Which."""

    @property
    def worker(self) -> str | None:
        """With whom."""


class Asked(Protocol):
    """What a run needs of an experiment, be it in a store or far away."""

    @property
    def problem(self) -> Problem:
        """What is asked."""

    @property
    def is_done(self) -> bool:
        """Whether it has ended."""

    @property
    def out(self) -> Sequence[OutWith]:
        """The pulls that are out."""

    def ask_many(self, count: int, worker: str | None = None) -> list[Pull]:
        """Pulls to make: those that the worker has, or else new ones."""

    def tell(self, pull: Pull, reward: float) -> None:
        """The reward of a pull."""

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """A pull that is lost."""

    def table(self) -> ArmTable:
        """Return every arm's numbers."""


class Progress(NamedTuple):
    """How far a run is.

    Args:
        told, lost, late: pulls of this run, so far: with a reward, without one, and ended because
            their time was up.
        under_way: what is being made now.
        seconds: since it began.
        waits_for: the workers that hold all that is left to do, if others do.
    """

    told: int
    lost: int
    late: int
    under_way: tuple[Pull, ...]
    seconds: float
    waits_for: tuple[str, ...]


class Run:
    """A run of an experiment.

    Args:
        experiment: what is asked and told.
        source: makes pulls.
        reward: what is to be done with those that have no reward.
        worker: under which name.
        jobs: the number of pulls made at once.
        task_of: what there is to know of a pull.
    """

    def __init__(
        self,
        experiment: Asked,
        source: Source,
        reward: Reward,
        worker: str,
        jobs: int,
        task_of: Callable[[Pull], Task],
    ) -> None:
        self._experiment, self._reward, self._test_of = experiment, reward, task_of
        self._problem = experiment.problem
        self._names = [f"{worker}-{number}" for number in range(1, jobs + 1)]
        self._makers: list[Maker] = [source.maker() for _ in self._names]
        self._left = deque(_left_behind(experiment, worker, jobs))
        self._changed = Condition()
        self._is_over = False
        self._error: BaseException | None = None
        self._under_way: dict[str, Pull] = {}
        self._told = self._lost = self._late = self._lost_in_a_row = 0
        self._waiting = 0
        self._began = time.monotonic()

    def go(self, watch: Callable[[Progress], None], every: float = 0.25) -> Progress:
        """Make pulls until all is known.

        ``watch`` is called with the progress every ``every`` seconds, and once at the end. An error
        in a job ends all jobs and is raised here; Ctrl-C ends them too.
        """
        threads = [
            Thread(target=self._work, args=each, name=f"goodarm-{each[0]}", daemon=True)
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

    def progress(self) -> Progress:
        """How far it is."""
        with self._changed:
            under_way = tuple(self._under_way.values())
            is_stuck = not under_way and self._waiting > 0
            counts = self._told, self._lost, self._late
        waits_for: tuple[str, ...] = ()
        if is_stuck:
            names = [each.worker or "somebody" for each in self._experiment.out]
            waits_for = tuple(dict.fromkeys(names))
        return Progress(*counts, under_way, time.monotonic() - self._began, waits_for)

    def _has_ended(self) -> bool:
        return self._is_over

    def _end(self, threads: list[Thread]) -> None:
        """Whatever happens, nothing that was started is left behind."""
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
                        thread.join(_LAST_WAIT)
                break
            except BaseException:  # Ctrl-C again: no more patience
                if at_once:
                    raise
                at_once = True
        for maker in self._makers:
            maker.close()

    def _work(self, name: str, maker: Maker) -> None:
        """One job."""
        try:
            while (pull := self._next(name)) is not None:
                outcome = maker.make(self._test_of(pull))
                if isinstance(outcome, Ended):
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
            # Who sees that it is over ends all: the others' pulls could not change anything more.
            self._is_over = True
            self._changed.notify_all()

    def _next(self, name: str) -> Pull | None:
        """The job's next pull; None if there will be none."""
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
                    # All that it holds is its own; the rest comes when it asks again.
                    self._under_way[name] = pulls[0]
                return pulls[0]
            if self._experiment.is_done:
                return None
            if not self._experiment.out:
                if was_empty:
                    return None
                was_empty = True  # what was out has come in since one asked: ask once more
                continue
            was_empty = False
            with self._changed:
                self._waiting += 1
                self._changed.wait(_PATIENCE)  # until a job has settled a pull, or others may have
                self._waiting -= 1

    def _settle(self, pull: Pull, outcome: Outcome) -> None:
        """Tell or forget a pull that was made."""
        reward, is_late = self._value(pull, outcome), isinstance(outcome, TimedOut)
        if reward is None:
            independent = self._reward.loss_is_independent
            self._experiment.forget(pull, loss_is_independent=independent)
        else:
            self._experiment.tell(pull, reward)
        with self._changed:
            self._late += is_late
            self._told += reward is not None
            self._lost += reward is None
            self._lost_in_a_row = 0 if reward is not None else self._lost_in_a_row + 1
            if self._lost_in_a_row >= LOST_IN_A_ROW:
                raise RewardError(
                    f"The last {LOST_IN_A_ROW} pulls were all lost.",
                    argument="reward",
                    owner="[reward]",
                    rule="be a reward",
                    value=pull.number,
                    remedy="They are counted as such; mend what makes them, and the same command "
                    "goes on.",
                )

    def _value(self, pull: Pull, outcome: Outcome) -> float | None:
        """The reward that an outcome stands for; None if it is lost."""
        if isinstance(outcome, Made):
            try:
                return self._problem.check_reward(outcome.reward, "[reward]", pull.arm)
            except SpecError as error:
                raise _no_reward(pull, error) from None
        what = self._reward.on_timeout if isinstance(outcome, TimedOut) else self._reward.on_error
        if isinstance(outcome, Broken) and (outcome.is_final or what == "stop"):
            raise _no_reward(pull, f"{outcome.why.rstrip('.')}.")
        if isinstance(outcome, Failed) or what == "failure":
            least = self._problem.reward_range
            if least is None:
                raise _no_reward(pull, "it failed, and gaussian rewards have no least one.")
            return least[0]
        return None


def _left_behind(experiment: Asked, worker: str, jobs: int) -> list[Pull]:
    """Pulls that are out with jobs of this worker which there are not any more."""
    name = re.compile(rf"{re.escape(worker)}-([0-9]+)")
    found = []
    for each in experiment.out:
        match = name.fullmatch(each.worker or "")
        if match is not None and int(match[1]) > jobs:
            found.append(each.pull)
    return found


def _no_reward(pull: Pull, why: str | SpecError) -> RewardError:
    case = "" if pull.case is None else f" on case {pull.case}"
    which = f"Pull {pull.number} of arm {pull.arm!r}{case}"
    return RewardError(
        phrase("{which} gave no reward: {why}", which=which, why=why),
        argument="reward",
        owner="[reward]",
        rule="be a reward",
        value=pull.number,
        remedy="It is not counted; mend what makes it, and the same command goes on.",
    )
