"""An experiment that is kept: it asks and answers as an Identifier does, and survives."""

import json
from collections.abc import Iterable
from itertools import islice
from typing import Any, Literal, NamedTuple

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_list
from goodarm.errors import ProtocolError, SpecError
from goodarm.experiment import (
    Add,
    ArmHistory,
    Ask,
    Close,
    Forget,
    Observe,
    Pause,
    Resume,
    Start,
    Tell,
    entry_from_dict,
    verify,
)
from goodarm.experiment.history import POINTS, grid_of, history
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmReports, Pull, Verdict
from goodarm.store.committing import Committer


class Out(NamedTuple):
    """A pull that is out: who has it, since when and until when."""

    pull: Pull
    worker: str | None
    asked_at: float
    until: float | None


class Verified(NamedTuple):
    """What was verified."""

    entries: int
    rewards: int
    labels: int


class Experiment:
    """A problem and an algorithm at work, kept in a store.

    Every call answers after its entry is committed. It may be made again under the same ``key``:
    the answer is then the same, and nothing is counted twice. Threads and processes may share an
    experiment.

    ``ask`` takes the name of a worker, who gets the same pulls again until it has told them, and a
    ``lease`` in seconds, after which others may have them: a new pull takes the place of one whose
    lease has ended, and its reward still counts in its own place. In a pool, where outcomes are
    fixed, the same case is leased again, under its number.
    """

    def __init__(self, name: str, start: Start, committer: Committer) -> None:
        self._name, self._start, self._committer = name, start, committer

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

    def ask(
        self, worker: str | None = None, lease: float | None = None, *, key: str | None = None
    ) -> Pull:
        """The next pull to make."""
        pulls = self._committer.submit(Ask(1, worker, lease), key)
        if pulls:
            return pulls[0]
        with self._committer.reading() as state:
            if not state.ident.is_done and state.leases:
                raise ProtocolError(
                    "There is nothing left to ask: all that may be asked is out. Tell or forget it."
                )
            return state.ident.ask()  # which says why there is nothing

    def ask_many(
        self,
        count: int,
        worker: str | None = None,
        lease: float | None = None,
        *,
        key: str | None = None,
    ) -> list[Pull]:
        """Up to ``count`` pulls to make side by side; none only where nothing is left to ask."""
        return self._committer.submit(Ask(count, worker, lease), key)

    def tell(self, pull: Pull, reward: float, *, key: str | None = None) -> None:
        """The reward of a pull. Telling the same value again is a no-op."""
        self._committer.submit(Tell((pull,), (reward,)), key)

    def tell_many(
        self, pulls: Iterable[Pull], rewards: Iterable[float], *, key: str | None = None
    ) -> None:
        """The rewards of several pulls, in one commit; all are checked first."""
        owner = "tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        told = check_list("rewards", owner, rewards, "rewards")
        self._committer.submit(Tell(tuple(asked), tuple(told)), key)

    def forget(
        self, pull: Pull, *, loss_is_independent: bool = False, key: str | None = None
    ) -> None:
        """Give up a pull whose reward will not come, as ``Identifier.forget`` does."""
        self._committer.submit(Forget((pull,), loss_is_independent), key)

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
        self._committer.submit(Observe(arm, given, drawn), key)

    def add_arm(self, arm: Arm, *, pool: int | None = None, key: str | None = None) -> None:
        """One more arm, within the problem's ``arms_planned``."""
        self._committer.submit(Add(arm, pool), key)

    def pause(self) -> None:
        """Ask nothing until it is resumed; rewards may still be told."""
        self._committer.submit(Pause())

    def resume(self) -> None:
        """Go on asking."""
        self._committer.submit(Resume())

    def close(self) -> None:
        """End it for good: nothing is asked or told any more."""
        self._committer.submit(Close())

    @property
    def is_done(self) -> bool:
        """Whether all arms are labelled, or it has ended otherwise."""
        with self._committer.reading() as state:
            return state.ident.is_done or state.status.is_closed

    @property
    def pulls(self) -> int:
        """How many rewards have come in."""
        with self._committer.reading() as state:
            return state.ident.pulls

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        with self._committer.reading() as state:
            return state.ident.waiting

    @property
    def verdict(self) -> Verdict:
        """The labels so far, valid at every moment."""
        with self._committer.reading() as state:
            return state.ident.verdict

    def explain(self, arm: Arm) -> ArmReport:
        """One arm's numbers and label."""
        with self._committer.reading() as state:
            return state.ident.explain(arm)

    def reports(self) -> ArmReports:
        """Every arm's numbers, in arm order, shown as a table."""
        with self._committer.reading() as state:
            return state.ident.reports()

    def history(self, arms: Iterable[Arm] | None = None, points: int = POINTS) -> list[ArmHistory]:
        """How arms' intervals narrowed: at most so many moments of each, by a replay."""
        with self._committer.reading() as state:
            grid, last = grid_of(state, arms, points), state.last
        rows = islice(self._committer.rows(), last)
        return history(self._start, (entry_from_dict(json.loads(r.text)) for r in rows), grid)

    @property
    def status(self) -> Literal["running", "paused", "done", "closed"]:
        """Whether it runs."""
        with self._committer.reading() as state:
            if state.status.is_closed:
                return "closed"
            if state.ident.is_done:
                return "done"
            return "paused" if state.status.is_paused else "running"

    @property
    def entries(self) -> int:
        """How many entries its journal has."""
        with self._committer.reading() as state:
            return state.last

    @property
    def changed_at(self) -> float | None:
        """When the last entry was written, in seconds since 1970."""
        with self._committer.reading() as state:
            return state.at if state.last else None

    @property
    def out(self) -> list[Out]:
        """Pulls that are out, oldest first."""
        with self._committer.reading() as state:
            found = []
            for asked_at, number in state.asked_at:
                if state.is_out(number):
                    lease = state.leases.get(number)
                    worker, until = (None, None) if lease is None else lease
                    found.append(Out(state.pull(number), worker, asked_at, until))
            return found

    def journal(self) -> list[dict[str, Any]]:
        """All that has happened, as JSON documents."""
        return [json.loads(row.text) for row in self._committer.rows()]

    def verify(self) -> Verified:
        """Compute all labels and their evidence again, and compare; raises what differs."""
        entries = (entry_from_dict(document) for document in self.journal())
        state, differences = verify(self._start, entries)
        if differences:
            first = differences[0]
            raise SpecError(
                f"The journal of {self._name!r} has {len(differences)} entries whose labels are "
                f"not those that its rewards prove; the first is entry {first.number}: "
                f"{first.written} in place of {first.found}."
            )
        labelled = self.verdict
        return Verified(state.last, state.ident.pulls, len(labelled.good) + len(labelled.bad))

    def __repr__(self) -> str:
        verdict = self.verdict
        return (
            f"Experiment({self._name!r}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {verdict.pulls} pulls)"
        )
