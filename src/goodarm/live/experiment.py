"""Experiment: the protocol of everything that can be asked and told, and the verbs as methods."""

from abc import ABC, abstractmethod
from collections.abc import Iterable
from typing import Any, Protocol, runtime_checkable

from goodarm.algorithm import Algorithm
from goodarm.arguments import check_list
from goodarm.old_names import RefusesOldNames
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmTable, Pull, Verdict


@runtime_checkable
class Experiment(Protocol):
    """Problem and algorithm at work: in memory, in a store, or at a service.

    `Identifier`, `StoredExperiment` and `RemoteExperiment` are experiments, so a function that
    takes an `Experiment` works with each of them.

    >>> import goodarm as ga
    >>> def label_all(experiment: ga.Experiment, rewards: dict[str, float]) -> ga.Verdict:
    ...     while not experiment.is_done:
    ...         pull = experiment.ask()
    ...         experiment.tell(pull, rewards[str(pull.arm)])
    ...     return experiment.verdict
    >>> problem = ga.Problem(["a", "b"], threshold=0.5, delta=0.05)
    >>> label_all(ga.Identifier(problem), {"a": 1, "b": 0})
    Verdict(good=['a'], bad=['b'], undecided=[], pulls=20)
    >>> stored = ga.open_store("memory:").experiment("letters", problem)
    >>> label_all(stored, {"a": 1, "b": 0})
    Verdict(good=['a'], bad=['b'], undecided=[], pulls=20)
    """

    @property
    def problem(self) -> Problem:
        """Problem, with the arms that were added."""

    @property
    def algorithm(self) -> Algorithm:
        """Algorithm at work."""

    @property
    def seed(self) -> int:
        """Seed given, or the one drawn."""

    @property
    def pulls(self) -> int:
        """Number of rewards that came in."""

    @property
    def is_done(self) -> bool:
        """True if all arms are labelled, or it has ended otherwise."""

    @property
    def verdict(self) -> Verdict:
        """Labels so far, valid at every moment."""

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""

    def ask(self) -> Pull:
        """Return the next pull to make."""

    def ask_many(self, count: int) -> list[Pull]:
        """Return up to ``count`` pulls to make side by side."""

    def tell(self, pull: Pull, reward: float) -> None:
        """Tell the reward of a pull."""

    def tell_many(self, pulls: Iterable[Pull], rewards: Iterable[float]) -> None:
        """Tell the rewards of several pulls."""

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Give up a pull whose reward will not come."""

    def forget_many(self, pulls: Iterable[Pull], *, loss_is_independent: bool = False) -> None:
        """Give up several pulls whose rewards will not come."""

    def observe(
        self, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None = None
    ) -> None:
        """Add rewards of an arm that nobody asked for."""

    def add_arm(self, arm: Arm, *, pool: int | None = None) -> None:
        """Add an arm, within the problem's ``arms_planned``."""

    def take_out(self, arm: Arm) -> None:
        """Never ask this arm again."""

    def explain(self, arm: Arm) -> ArmReport:
        """Return one arm's numbers and label."""

    def table(self) -> ArmTable:
        """Return every arm's numbers, in arm order."""


class ExperimentVerbs(RefusesOldNames, ABC):
    """Verbs of the table as methods, for experiments that have a journal.

    Each takes a ``key``: a call that is repeated with the same key has the same answer, and nothing
    is counted twice.
    """

    @abstractmethod
    def do(self, verb: str, key: str | None = None, **fields: Any) -> list[Pull]:
        """Do a verb of the table, and return the pulls of an ask; none for the other verbs."""

    @abstractmethod
    def ask(
        self, worker: str | None = None, lease: float | None = None, *, key: str | None = None
    ) -> Pull:
        """Return the next pull to make."""

    def ask_many(
        self,
        count: int,
        worker: str | None = None,
        lease: float | None = None,
        *,
        key: str | None = None,
    ) -> list[Pull]:
        """Return up to ``count`` pulls to make side by side; none if nothing is left to ask.

        A worker gets the same pulls again until it has told them. A ``lease`` is a number of
        seconds after which others may have them.
        """
        return self.do("ask", key, count=count, worker=worker, lease=lease)

    def tell(self, pull: Pull, reward: float, *, key: str | None = None) -> None:
        """Tell the reward of a pull. Telling the same value again is a no-op."""
        self.do("tell", key, pulls=(pull,), rewards=(reward,))

    def tell_many(
        self, pulls: Iterable[Pull], rewards: Iterable[float], *, key: str | None = None
    ) -> None:
        """Tell the rewards of several pulls, in one commit; all are validated first."""
        owner = "tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        told = check_list("rewards", owner, rewards, "rewards")
        self.do("tell", key, pulls=tuple(asked), rewards=tuple(told))

    def forget(
        self, pull: Pull, *, loss_is_independent: bool = False, key: str | None = None
    ) -> None:
        """Give up a pull whose reward will not come, as ``Identifier.forget`` does."""
        self.do("forget", key, pulls=(pull,), loss_is_independent=loss_is_independent)

    def forget_many(
        self,
        pulls: Iterable[Pull],
        *,
        loss_is_independent: bool = False,
        key: str | None = None,
    ) -> None:
        """Give up several pulls, in one commit; all are validated first."""
        given = check_list("pulls", "forget_many", pulls, "pulls")
        self.do("forget", key, pulls=tuple(given), loss_is_independent=loss_is_independent)

    def observe(
        self,
        arm: Arm,
        rewards: Iterable[float],
        cases: Iterable[int] | None = None,
        *,
        key: str | None = None,
    ) -> None:
        """Add rewards of an arm that nobody asked for, as one block in any order."""
        owner = "observe"
        given = tuple(check_list("rewards", owner, rewards, "rewards"))
        drawn = None if cases is None else tuple(check_list("cases", owner, cases, "cases"))
        self.do("observe", key, arm=arm, rewards=given, cases=drawn)

    def add_arm(self, arm: Arm, *, pool: int | None = None, key: str | None = None) -> None:
        """Add an arm, within the problem's ``arms_planned``."""
        self.do("add_arm", key, arm=arm, pool=pool)

    def take_out(self, arm: Arm, *, key: str | None = None) -> None:
        """Never ask this arm again, as ``Identifier.take_out`` does."""
        self.do("take_out", key, arm=arm)

    def note(self, text: str, arm: Arm | None = None, *, key: str | None = None) -> None:
        """Write a remark on the experiment, or on one of its arms, into the journal."""
        self.do("note", key, text=text, arm=arm)

    def pause(self, *, key: str | None = None) -> None:
        """Ask nothing until it is resumed; rewards may still be told."""
        self.do("pause", key)

    def resume(self, *, key: str | None = None) -> None:
        """Go on asking."""
        self.do("resume", key)

    def close(self, *, key: str | None = None) -> None:
        """End the experiment for good: nothing is asked or told any more."""
        self.do("close", key)
