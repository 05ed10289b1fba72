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
        """Return up to ``count`` pulls to make side by side.

        Args:
            count: the most pulls to return.
        """

    def tell(self, pull: Pull, reward: float, *, cost: float | None = None) -> None:
        """Tell the reward of a pull.

        Args:
            pull: what ``ask`` returned.
            reward: its reward, in the problem's units.
            cost: the money that it cost, if not what the problem says.
        """

    def tell_many(
        self,
        pulls: Iterable[Pull],
        rewards: Iterable[float],
        *,
        costs: Iterable[float | None] | None = None,
    ) -> None:
        """Tell the rewards of several pulls.

        Args:
            pulls: what ``ask`` or ``ask_many`` returned.
            rewards: a reward for each pull.
            costs: the money that each pull cost; None for what the problem says.
        """

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Give up a pull whose reward will not come.

        Args:
            pull: what ``ask`` returned.
            loss_is_independent: whether losing it has nothing to do with its reward.
        """

    def forget_many(self, pulls: Iterable[Pull], *, loss_is_independent: bool = False) -> None:
        """Give up several pulls whose rewards will not come.

        Args:
            pulls: what ``ask`` or ``ask_many`` returned.
            loss_is_independent: whether losing them has nothing to do with their rewards.
        """

    def observe(
        self, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None = None
    ) -> None:
        """Add rewards of an arm that nobody asked for.

        Args:
            arm: the arm's label.
            rewards: its rewards, in any order.
            cases: in a pool, the case of each reward.
        """

    def add_arm(self, arm: Arm, *, pool: int | None = None, cost: float | None = None) -> None:
        """Add an arm, within the problem's ``arms_planned``.

        Args:
            arm: a new label.
            pool: its number of cases; as many as the others if None.
            cost: the money that a pull of it costs; as of the others if None.
        """

    def take_out(self, arm: Arm) -> None:
        """Never ask this arm again.

        Args:
            arm: the arm's label.
        """

    def explain(self, arm: Arm) -> ArmReport:
        """Return one arm's numbers and label.

        Args:
            arm: the arm's label.
        """

    def table(self) -> ArmTable:
        """Return every arm's numbers, in arm order."""


class ExperimentVerbs(RefusesOldNames, ABC):
    """Verbs of the table as methods, for experiments that have a journal.

    Each takes a ``key``: a call that is repeated with the same key has the same answer, and nothing
    is counted twice.
    """

    @abstractmethod
    def do(self, verb: str, key: str | None = None, **fields: Any) -> list[Pull]:
        """Do a verb of the table, and return the pulls of an ask; none for the other verbs.

        Args:
            verb: a name of the table, such as ``"tell"``.
            key: the request's key: a call that is repeated with it is done once.
            fields: the verb's arguments.

        Raises:
            ProtocolError: the call does not fit what was asked and told before.
            SpecError: a field is invalid.
        """

    @abstractmethod
    def ask(
        self, worker: str | None = None, lease: float | None = None, *, key: str | None = None
    ) -> Pull:
        """Return the next pull to make.

        Args:
            worker: the name of who makes the pull, and who gets it again until its reward is told.
            lease: seconds after which another worker may get it; None for no limit.
            key: the request's key: a call that is repeated with it has the same answer.

        Raises:
            ProtocolError: nothing is left to ask, or the experiment is paused or closed.
        """

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

        Args:
            count: the most pulls to return.
            worker: as in ``ask``.
            lease: as in ``ask``.
            key: as in ``ask``.

        Raises:
            ProtocolError: the experiment is paused or closed.
        """
        return self.do("ask", key, count=count, worker=worker, lease=lease)

    def tell(
        self, pull: Pull, reward: float, *, cost: float | None = None, key: str | None = None
    ) -> None:
        """Tell the reward of a pull. Telling the same value again is a no-op.

        Args:
            pull: what ``ask`` returned.
            reward: its reward, in the problem's units.
            cost: the money that it cost, if not what the problem says.
            key: the request's key; a tell needs none to be repeated.

        Raises:
            SpecError: the reward is not one that the problem allows.
            ProtocolError: the pull was not asked, was forgotten, or has another reward.
        """
        money = {} if cost is None else {"costs": (cost,)}
        self.do("tell", key, pulls=(pull,), rewards=(reward,), **money)

    def tell_many(
        self,
        pulls: Iterable[Pull],
        rewards: Iterable[float],
        *,
        costs: Iterable[float | None] | None = None,
        key: str | None = None,
    ) -> None:
        """Tell the rewards of several pulls, in one commit; all are validated first.

        Args:
            pulls: what ``ask`` or ``ask_many`` returned.
            rewards: a reward for each pull.
            costs: the money that each pull cost; None for what the problem says.
            key: as in ``tell``.

        Raises:
            SpecError: a reward is not one that the problem allows; nothing was told.
            ProtocolError: a pull does not fit, as in ``tell``; nothing was told.
        """
        owner = "tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        told = check_list("rewards", owner, rewards, "rewards")
        money: dict[str, Any] = {}
        if costs is not None:
            money["costs"] = tuple(check_list("costs", owner, costs, "amounts of money, or None"))
        self.do("tell", key, pulls=tuple(asked), rewards=tuple(told), **money)

    def forget(
        self, pull: Pull, *, loss_is_independent: bool = False, key: str | None = None
    ) -> None:
        """Give up a pull whose reward will not come, as ``Identifier.forget`` does.

        Args:
            pull: what ``ask`` returned.
            loss_is_independent: whether losing it has nothing to do with its reward.
            key: the request's key.

        Raises:
            ProtocolError: the pull was not asked, or its reward is known.
        """
        self.do("forget", key, pulls=(pull,), loss_is_independent=loss_is_independent)

    def forget_many(
        self,
        pulls: Iterable[Pull],
        *,
        loss_is_independent: bool = False,
        key: str | None = None,
    ) -> None:
        """Give up several pulls, in one commit; all are validated first.

        Args:
            pulls: what ``ask`` or ``ask_many`` returned.
            loss_is_independent: whether losing them has nothing to do with their rewards.
            key: the request's key.

        Raises:
            ProtocolError: a pull was not asked, or its reward is known; nothing was given up.
        """
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
        """Add rewards of an arm that nobody asked for, as one block in any order.

        Args:
            arm: the arm's label.
            rewards: its rewards.
            cases: in a pool, the case of each reward.
            key: the request's key; without it a repeated call adds the rewards again.

        Raises:
            SpecError: the arm is unknown, or a reward or case is not one that the problem allows.
            ProtocolError: the experiment is closed.
        """
        owner = "observe"
        given = tuple(check_list("rewards", owner, rewards, "rewards"))
        drawn = None if cases is None else tuple(check_list("cases", owner, cases, "cases"))
        self.do("observe", key, arm=arm, rewards=given, cases=drawn)

    def add_arm(
        self,
        arm: Arm,
        *,
        pool: int | None = None,
        cost: float | None = None,
        key: str | None = None,
    ) -> None:
        """Add an arm, within the problem's ``arms_planned``.

        Args:
            arm: a new label.
            pool: its number of cases; as many as the others if None.
            cost: the money that a pull of it costs; as of the others if None.
            key: the request's key.

        Raises:
            SpecError: the label is taken or invalid.
            ProtocolError: the run is over, or no place is left in ``arms_planned``.
        """
        money = {} if cost is None else {"cost": cost}
        self.do("add_arm", key, arm=arm, pool=pool, **money)

    def take_out(self, arm: Arm, *, key: str | None = None) -> None:
        """Never ask this arm again, as ``Identifier.take_out`` does.

        Args:
            arm: the arm's label.
            key: the request's key.

        Raises:
            SpecError: no arm has this label.
            ProtocolError: the arm has a label, which is final.
        """
        self.do("take_out", key, arm=arm)

    def note(self, text: str, arm: Arm | None = None, *, key: str | None = None) -> None:
        """Write a remark on the experiment, or on one of its arms, into the journal.

        Args:
            text: the remark.
            arm: the arm that it is about; the experiment if None.
            key: the request's key.

        Raises:
            SpecError: the text is empty or too long, or the arm is unknown.
        """
        self.do("note", key, text=text, arm=arm)

    def pause(self, *, key: str | None = None) -> None:
        """Ask nothing until it is resumed; rewards may still be told.

        Args:
            key: the request's key.
        """
        self.do("pause", key)

    def resume(self, *, key: str | None = None) -> None:
        """Go on asking.

        Args:
            key: the request's key.
        """
        self.do("resume", key)

    def close(self, *, key: str | None = None) -> None:
        """End the experiment for good: nothing is asked or told any more.

        Args:
            key: the request's key.
        """
        self.do("close", key)
