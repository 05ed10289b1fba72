"""Identifier: ask for the next pull, tell its reward, read the verdict."""

from collections.abc import Iterable, Sequence
from threading import RLock
from typing import Any

import numpy as np

from goodarm.algorithm import Algorithm, make_algorithm_title, resolve_algorithm
from goodarm.arguments import check_count, check_list, check_seed
from goodarm.errors import invalid_argument
from goodarm.kernels.codes import BAD, UNDECIDED
from goodarm.kernels.live.records import OUT
from goodarm.live import document as _document
from goodarm.live.arm_table import make_table
from goodarm.live.identifier_core import IdentifierCore
from goodarm.live.validation import (
    check_added,
    check_all_told,
    check_forgotten,
    check_observed,
    check_taken_out,
    check_told,
    check_told_costs,
    make_block,
)
from goodarm.old_names import RefusesOldNames
from goodarm.problem import Arm, Problem, from_money_units
from goodarm.results import ArmReport, ArmTable, Pull, Verdict

MAX_BATCH_PULLS = 10_000_000
"""Most pulls that may be asked at once."""


class Identifier(RefusesOldNames):
    """Problem and algorithm at work, in memory: chooses the next pull and labels arms.

    Args:
        problem: what is asked.
        algorithm: a name from ``goodarm.algorithms()``, two rules such as ``kl-moss+betting``, or
            an ``Algorithm``; ``e-hdoc`` unless given, with the test that suits the rewards.
        seed: recorded with the state, drawn if None. It fixes the order of the cases of a pool, and
            what sampling rules draw, whose generator is made anew at each ask.

    Rewards may be told in any order, late, or twice with the same value. None of that hurts the
    guarantee, because each arm's rewards enter its test in the order in which they were asked.
    An arm's numbers freeze with its label, and all numbers once ``until`` is reached.

    Raises:
        SpecError: an argument is invalid, or the algorithm does not suit the problem.

    >>> ident = Identifier(Problem(arms=["a", "b"], threshold=0.5))
    >>> while not ident.is_done:
    ...     pull = ident.ask()
    ...     ident.tell(pull, 1 if pull.arm == "a" else 0)
    >>> ident.verdict
    Verdict(good=['a'], bad=['b'], undecided=[], pulls=20)
    """

    def __init__(
        self,
        problem: Problem,
        algorithm: str | Algorithm | None = None,
        seed: int | None = None,
    ) -> None:
        owner = "Identifier"
        if not isinstance(problem, Problem):
            raise invalid_argument("problem", owner, "be a Problem", problem)
        chosen = resolve_algorithm(algorithm, problem, owner)
        self._core = IdentifierCore(problem, chosen, check_seed(owner, seed))
        self._lock = RLock()

    @property
    def core(self) -> IdentifierCore:
        """State behind this identifier, for journals and snapshots; not part of the public API."""
        return self._core

    @property
    def problem(self) -> Problem:
        """Problem, with the arms that were added."""
        return self._core.problem

    @property
    def algorithm(self) -> Algorithm:
        """Algorithm at work."""
        return self._core.algorithm

    @property
    def seed(self) -> int:
        """Seed given, or the one drawn."""
        return self._core.seed

    @property
    def pulls(self) -> int:
        """Number of rewards that came in: told, observed, or counted as the worst case."""
        with self._lock:
            return self._core.pulls

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        with self._lock:
            return [self._core.pull(number) for number in self._core.queue.find_numbers(OUT)]

    @property
    def is_done(self) -> bool:
        """True if all arms are labelled or taken out, ``until`` is reached, or the budget is spent.

        A budget is spent when its last pull is told. An arm that is added is one more to label.
        """
        with self._lock:
            return self._core.is_done

    def ask(self) -> Pull:
        """Return the next pull to make.

        Raises:
            ProtocolError: nothing is left to ask: all arms are labelled, taken out or waiting for
                rewards, or the budget is spent.
        """
        with self._lock:
            pulls = self._ask(1)
            if not pulls:
                raise self._core.make_nothing_left_error()
            return pulls[0]

    def ask_many(self, count: int) -> list[Pull]:
        """Return up to ``count`` pulls to make side by side; none if nothing is left to ask.

        After the warm-up, which goes through the arms in order, the batch is spread: a pull that
        is out counts as made, with the mean of the rewards told. An arm gets about half of what it
        still needs, if its mean stays what it is, because pulls that are out when their arm is
        labelled are wasted; so a batch can be shorter than asked for. An arm whose test waits
        behind a missing reward is asked after the others, and not at all once the rewards that
        came in prove its label whatever the missing ones are.

        Args:
            count: the most pulls to return.

        Raises:
            SpecError: the count is not a whole number from 1 on.
        """
        count = check_count("count", "Identifier.ask_many", count, most=MAX_BATCH_PULLS)
        with self._lock:
            return self._ask(count)

    def _ask(self, count: int) -> list[Pull]:
        first, chosen, cases = self._core.ask(count)
        arms = self._core.problem.arms
        if cases is not None:
            numbers = range(first, first + len(chosen))
            labels = [arms[arm] for arm in chosen]
            return [Pull(*row) for row in zip(numbers, labels, cases, strict=True)]
        return [Pull(number, arms[arm]) for number, arm in enumerate(chosen, start=first)]

    def tell(self, pull: Pull, reward: float, *, cost: float | None = None) -> None:
        """Tell the reward of a pull. Telling the same value again is a no-op.

        Args:
            pull: what ``ask`` returned.
            reward: its reward, in the problem's units.
            cost: the money that it cost, if not what the problem says.

        Raises:
            SpecError: the reward is not one that the problem allows, or the pull is not a Pull.
            ProtocolError: the pull was not asked, was forgotten, or has another reward.
        """
        with self._lock:
            owner = "Identifier.tell"
            number, value, is_new = check_told(self._core, pull, reward, owner)
            costs = None
            if cost is not None:
                told = (number,) if is_new else ()
                costs = check_told_costs(self._core, (pull,), (cost,), told, owner)
            self._core.tell((number,), (value,), costs=costs)

    def tell_many(
        self,
        pulls: Iterable[Pull],
        rewards: Iterable[float],
        *,
        costs: Iterable[float | None] | None = None,
    ) -> None:
        """Tell the rewards of several pulls; all are validated first, and their order is free.

        Args:
            pulls: what ``ask`` or ``ask_many`` returned.
            rewards: a reward for each pull.
            costs: the money that each pull cost; None for what the problem says.

        Raises:
            SpecError: a reward is not one that the problem allows, or there is not one for each
                pull.
            ProtocolError: a pull was not asked, was forgotten, or has another reward. Nothing was
                told.
        """
        owner = "Identifier.tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        values = check_list("rewards", owner, rewards, "rewards")
        with self._lock:
            told = check_all_told(self._core, asked, values, owner)
            paid = check_told_costs(self._core, asked, costs, told, owner)
            self._core.tell(list(told), list(told.values()), costs=paid)

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Give up a pull whose reward will not come.

        It counts as the worst case in both tests, 0 against good and 1 against bad, because losing
        it may have to do with its outcome. ``loss_is_independent=True`` declares that it has not:
        the pull then counts as never made, though its place in ``max_pulls`` is used up, and the
        case of a pool comes again after all others.
        Forgetting it again in the same way is a no-op.

        Args:
            pull: what ``ask`` returned.
            loss_is_independent: whether losing it has nothing to do with its reward.

        Raises:
            SpecError: a lost Gaussian reward, which has no worst case, is not declared independent.
            ProtocolError: the pull was not asked, or its reward is known.
        """
        with self._lock:
            number = check_forgotten(self._core, pull, loss_is_independent, "Identifier.forget")
            if number is not None:
                self._core.forget((number,), loss_is_independent)

    def forget_many(self, pulls: Iterable[Pull], *, loss_is_independent: bool = False) -> None:
        """Give up several pulls, as ``forget`` does; all are validated first.

        Args:
            pulls: the pulls.
            loss_is_independent: whether losing them has nothing to do with their rewards.

        Raises:
            ProtocolError: a pull was not asked, or its reward is known.

        >>> ident = Identifier(Problem(arms=["a", "b"], threshold=0.5))
        >>> ident.forget_many(ident.ask_many(2), loss_is_independent=True)
        >>> ident.waiting
        []
        """
        owner = "Identifier.forget_many"
        given = check_list("pulls", owner, pulls, "pulls")
        with self._lock:
            found = [
                check_forgotten(self._core, pull, loss_is_independent, owner) for pull in given
            ]
            numbers = tuple(dict.fromkeys(number for number in found if number is not None))
            if numbers:
                self._core.forget(numbers, loss_is_independent)

    def observe(
        self, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None = None
    ) -> None:
        """Add rewards of an arm that nobody asked for, as one block in any order.

        The block takes its place behind the pulls of the arm that are out, and is tested once, at
        its end. How many rewards it holds must not depend on their values. In a pool each comes
        with its case, none of which was drawn before, and which were chosen at random.

        Args:
            arm: the arm's label.
            rewards: its rewards, in any order.
            cases: in a pool, the case of each reward.

        Raises:
            SpecError: the arm is unknown, or a reward or case is not one that the problem allows.
        """
        with self._lock:
            checked = check_observed(self._core, arm, rewards, cases, "Identifier.observe")
            if checked is not None:
                position, values, drawn = checked
                self._core.observe(position, make_block(self._core.problem, values), drawn)

    def add_arm(self, arm: Arm, *, pool: int | None = None, cost: float | None = None) -> None:
        """Add an arm behind the others, within the problem's ``arms_planned``.

        It begins with nothing: its warm-up comes next, and only pulls that are asked from now on,
        or rewards made from now on, may enter its test. When, and whether, it is added may depend
        on all that was seen. In a pool it has ``pool`` cases, as many as the others unless given,
        in an order of its own, for the others' has been seen.

        Args:
            arm: a new label.
            pool: its number of cases, in a pool.
            cost: the money that a pull of it costs, as of the others unless given.

        Raises:
            SpecError: the label is taken or invalid.
            ProtocolError: the run is over, or no place is left in ``arms_planned``.
        """
        with self._lock:
            check_added(self._core, arm)
            self._core.add_arm(arm, pool, "Identifier.add_arm", cost=cost)

    def take_out(self, arm: Arm) -> None:
        """Never ask this arm again; it stays undecided, and keeps its place in ``arms_planned``.

        Pulls of it that are out may still be told or forgotten, and change nothing. Taking it out
        again is a no-op. It counts as settled for ``is_done``.

        Args:
            arm: the arm's label.

        Raises:
            SpecError: no arm has this label.
            ProtocolError: the arm has a label, which is final.
        """
        with self._lock:
            position = check_taken_out(self._core, arm, "Identifier.take_out")
            if position is not None:
                self._core.take_out(position)

    @property
    def verdict(self) -> Verdict:
        """Labels so far, valid at every moment, whether or not the run is done."""
        with self._lock:
            arms, labels = self._core.problem.arms, self._core.arms.labels
            return Verdict(
                good=[arms[position] for position in self._core.tests.good],
                bad=[arms[position] for position in np.flatnonzero(labels == BAD)],
                undecided=[arms[position] for position in np.flatnonzero(labels == UNDECIDED)],
                pulls=self._core.pulls,
                cost=None if self._core.money is None else from_money_units(self._core.money.total),
            )

    def explain(self, arm: Arm) -> ArmReport:
        """Return one arm's numbers and label.

        Args:
            arm: the arm's label.

        Raises:
            SpecError: no arm has this label.
        """
        position = self.problem.position(arm, "Identifier.explain")
        return self.table_at([position])[0]

    def table(self) -> ArmTable:
        """Return every arm's numbers, in arm order."""
        return self.table_at(None)

    def table_at(self, positions: Sequence[int] | None) -> ArmTable:
        """Return the numbers of the arms at these positions; of all if None.

        Args:
            positions: positions of arms in ``problem.arms``; None for all.
        """
        with self._lock:
            return make_table(self._core, positions)

    def to_dict(self) -> dict[str, Any]:
        """Return the whole state as a JSON document: resuming it anywhere gives the same run."""
        with self._lock:
            return _document.write_document(self._core)

    @classmethod
    def from_dict(cls, document: object, algorithm: Algorithm | None = None) -> "Identifier":
        """Return the identifier that ``to_dict`` wrote.

        ``algorithm`` is the one it was made with, where that has rules of your own which no package
        registers: a document names rules, and does not hold them.

        Args:
            document: what ``to_dict`` returned.
            algorithm: the algorithm of the identifier, if a document cannot name it.

        Raises:
            SpecError: the document is not an identifier's, or does not fit the algorithm.
        """
        ident = cls(*_document.read_document(document, algorithm))
        _document.fill_core(ident._core, document)
        return ident

    def __reduce__(self) -> tuple[Any, ...]:
        """Copy and pickle by way of the document: locks and array views cannot be pickled."""
        return Identifier.from_dict, (self.to_dict(), self.algorithm)

    def __repr__(self) -> str:
        verdict, title = self.verdict, make_algorithm_title(self.algorithm.to_dict())
        return (
            f"Identifier({title}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {verdict.pulls} pulls)"
        )
