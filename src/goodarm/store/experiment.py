"""An experiment that is kept: it asks and answers as an Identifier does, and survives."""

import json
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager
from itertools import islice
from typing import Any, Literal, NamedTuple

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_list
from goodarm.experiment import (
    Add,
    ArmHistory,
    Ask,
    Close,
    Entry,
    Forget,
    Observe,
    Pause,
    Request,
    Resume,
    Serving,
    Silence,
    Start,
    State,
    TakeOut,
    Tell,
    nothing_left,
)
from goodarm.experiment.history import POINTS, Looks, grid_of
from goodarm.experiment.state import Lease
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmReports, Pull, Verdict
from goodarm.store.committing import Committer
from goodarm.store.replaying import PROGRESS_ENTRIES, Verified, replay, verify

Status = Literal["running", "paused", "done", "closed"]


class Out(NamedTuple):
    """A pull that was asked and neither told nor forgotten.

    Times are in seconds since 1970. ``until`` is the end of its lease.
    """

    pull: Pull
    worker: str | None
    asked_at: float
    until: float | None


class Experiment:
    """A problem and an algorithm at work, kept in a store.

    Every call answers after its entry is committed. It may be made again under the same ``key``:
    the answer is then the same, and nothing is counted twice. Threads and processes may share an
    experiment.

    ``ask`` takes the name of a worker, who gets the same pulls again until it has told them, and a
    ``lease`` in seconds, after which the worker may have others. The old pull keeps its place in
    its arm's test, where its reward counts if it comes late. In a pool, where outcomes are fixed,
    the same case is leased again, under its number.
    """

    def __init__(
        self, name: str, start: Start, committer: Committer, by: str | None = None
    ) -> None:
        self._name, self._start, self._committer, self._by = name, start, committer, by

    def signed(self, by: str) -> "Experiment":
        """The same experiment; what is changed through it is written down with this name."""
        return Experiment(self._name, self._start, self._committer, by)

    def _submit(self, request: Request, key: str | None) -> list[Pull]:
        return self._committer.submit(request, key, self._by)

    @property
    def name(self) -> str:
        """Its name in the store."""
        return self._name

    @property
    def problem(self) -> Problem:
        """What is asked, with the arms that have joined."""
        with self._committer.reading() as state:
            return state.ident.problem

    @property
    def algorithm(self) -> Algorithm:
        """What is at work."""
        return self._start.algorithm

    @property
    def seed(self) -> int:
        """The seed that was given, or drawn."""
        return self._start.seed

    @property
    def silence(self) -> Silence:
        """What it means if a pull is not told."""
        return self._start.silence

    @property
    def serving(self) -> Serving:
        """Which arm a feature flag's clients get."""
        return self._start.serving

    @property
    def arm_when_done(self) -> Arm | None:
        """The arm that ``serving`` names, by the labels as they are; None if there is none."""
        with self._committer.reading() as state:
            return self._start.serving.arm_when_done(state.ident)

    def ask(
        self, worker: str | None = None, lease: float | None = None, *, key: str | None = None
    ) -> Pull:
        """The next pull to make."""
        pulls = self._submit(Ask(1, worker, lease), key)
        if pulls:
            return pulls[0]
        with self._committer.reading() as state:
            raise nothing_left(state)

    def ask_many(
        self,
        count: int,
        worker: str | None = None,
        lease: float | None = None,
        *,
        key: str | None = None,
    ) -> list[Pull]:
        """Up to ``count`` pulls to make side by side; none only where nothing is left to ask."""
        return self._submit(Ask(count, worker, lease), key)

    def tell(self, pull: Pull, reward: float, *, key: str | None = None) -> None:
        """The reward of a pull. Telling the same value again is a no-op."""
        self._submit(Tell((pull,), (reward,)), key)

    def tell_many(
        self, pulls: Iterable[Pull], rewards: Iterable[float], *, key: str | None = None
    ) -> None:
        """The rewards of several pulls, in one commit; all are checked first."""
        owner = "tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        told = check_list("rewards", owner, rewards, "rewards")
        self._submit(Tell(tuple(asked), tuple(told)), key)

    def forget(
        self, pull: Pull, *, loss_is_independent: bool = False, key: str | None = None
    ) -> None:
        """Give up a pull whose reward will not come, as ``Identifier.forget`` does."""
        self._submit(Forget((pull,), loss_is_independent), key)

    def observe_many(
        self,
        arm: Arm,
        rewards: Iterable[float],
        cases: Iterable[int] | None = None,
        *,
        key: str | None = None,
    ) -> None:
        """Rewards of an arm that nobody asked for, as one block in any order."""
        owner = "observe_many"
        given = tuple(check_list("rewards", owner, rewards, "rewards"))
        drawn = None if cases is None else tuple(check_list("cases", owner, cases, "cases"))
        self._submit(Observe(arm, given, drawn), key)

    def add_arm(self, arm: Arm, *, pool: int | None = None, key: str | None = None) -> None:
        """One more arm, within the problem's ``arms_planned``."""
        self._submit(Add(arm, pool), key)

    def take_out(self, arm: Arm, *, key: str | None = None) -> None:
        """Never ask this arm again, as ``Identifier.take_out`` does."""
        self._submit(TakeOut(arm), key)

    def pause(self, *, key: str | None = None) -> None:
        """Ask nothing until it is resumed; rewards may still be told."""
        self._submit(Pause(), key)

    def resume(self, *, key: str | None = None) -> None:
        """Go on asking."""
        self._submit(Resume(), key)

    def close(self, *, key: str | None = None) -> None:
        """End it for good: nothing is asked or told any more."""
        self._submit(Close(), key)

    def together(self) -> AbstractContextManager[None]:
        """One commit for all calls of a block; an error in it leaves nothing of them.

        Answers are provisional until the block ends. Others wait meanwhile, so it should be short:
        rewards of a file may be told in it, but no pulls be made.

        >>> from goodarm import Problem, open_store
        >>> exp = open_store("memory:").experiment("banners", Problem(3, threshold=0.5, delta=0.05))
        >>> with exp.together():
        ...     while not exp.is_done:
        ...         exp.tell(exp.ask(), 1)
        >>> exp.verdict
        Verdict(good=[0, 1, 2], bad=[], undecided=[], pulls=33)
        """
        return self._committer.together()

    @property
    def status(self) -> Status:
        """Whether it is running, paused, done or closed."""
        with self._committer.reading() as state:
            return _status(state)

    @property
    def is_done(self) -> bool:
        """Whether all arms are labelled, or it has ended otherwise."""
        return self.status in ("done", "closed")

    @property
    def entries(self) -> int:
        """How many entries its journal has."""
        with self._committer.reading() as state:
            return state.last

    @property
    def changed_at(self) -> float | None:
        """The time of the last entry, in seconds since 1970; None before the first."""
        with self._committer.reading() as state:
            return state.at if state.last else None

    @property
    def pulls(self) -> int:
        """How many rewards have come in."""
        with self._committer.reading() as state:
            return state.ident.pulls

    def pull(self, number: int) -> Pull:
        """The pull of that number, which was asked."""
        with self._committer.reading() as state:
            return state.pull(number)

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        with self._committer.reading() as state:
            return state.ident.waiting

    @property
    def out(self) -> list[Out]:
        """The same with who has them since when, and until when."""
        with self._committer.reading() as state:
            return pulls_out(state)

    @property
    def verdict(self) -> Verdict:
        """The labels so far, valid at every moment."""
        with self._committer.reading() as state:
            return state.ident.verdict

    def explain(self, arm: Arm) -> ArmReport:
        """One arm's numbers and label."""
        with self._committer.reading() as state:
            return state.reports([state.ident.problem.position(arm, "explain")])[0]

    def reports(self) -> ArmReports:
        """Every arm's numbers, in arm order, shown as a table."""
        with self._committer.reading() as state:
            return state.reports()

    def history(self, arms: Iterable[Arm] | None = None, points: int = POINTS) -> list[ArmHistory]:
        """How intervals narrowed: of these arms, or all, what ``explain`` said at some moments.

        At most ``points`` moments of each arm, further and further apart as its pulls grow, the
        first and the last of them included. The journal is replayed for it.
        """
        return self._history(arms, points)

    def _history(
        self,
        arms: Iterable[Arm] | None,
        points: int = POINTS,
        progress: Callable[[int], None] | None = None,
    ) -> list[ArmHistory]:
        """Return the histories; ``progress`` is called with the entries replayed so far."""
        with self._committer.reading() as state:
            grid, last = grid_of(state, arms, points), state.last
        state, looks = State(self._start), Looks(grid)

        def look(state: State, entry: Entry) -> None:
            looks.look(state, entry)
            if progress is not None and state.last % PROGRESS_ENTRIES == 0:
                progress(state.last)

        replay(state, islice(self._committer.rows(), last), self._name, then=look)
        return looks.histories(state)

    def journal(self, after: int = 0) -> list[dict[str, Any]]:
        """All that has happened behind an entry, as JSON documents."""
        return [json.loads(row.text) for row in self._committer.rows(after)]

    def verify(self, progress: Callable[[int], None] | None = None) -> Verified:
        """Compute all labels and their evidence again, and compare; raises what differs.

        ``progress`` is called with the entries verified so far, now and then.
        """
        snapshot = self._committer.snapshot()
        return verify(self._start, self._committer.rows(), snapshot, self._name, progress)

    def __repr__(self) -> str:
        verdict = self.verdict
        return (
            f"Experiment({self._name!r}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {verdict.pulls} pulls)"
        )


def pulls_out(state: State) -> list[Out]:
    """Return the pulls that are out by a state, oldest first."""
    nobody = Lease(None, None)
    return [
        Out(state.pull(number), lease.worker, asked_at, lease.until)
        for number, asked_at in state.asked_at.items()
        for lease in (state.leases.get(number, nobody),)
    ]


def _status(state: State) -> Status:
    if state.status.is_closed:
        return "closed"
    if state.ident.is_done:
        return "done"
    return "paused" if state.status.is_paused else "running"
