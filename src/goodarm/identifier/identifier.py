"""A problem and an algorithm at work: ask for the next pull, tell its reward, read the verdict."""

from collections.abc import Iterable, Sequence
from threading import RLock
from typing import Any

import numpy as np

from goodarm.algorithm import Algorithm, chosen_algorithm
from goodarm.arguments import check_count, check_list, check_seed
from goodarm.errors import ProtocolError, must
from goodarm.identifier import document as _document
from goodarm.identifier.cases import Cases
from goodarm.identifier.choosing import Chooser
from goodarm.identifier.entered import Entered
from goodarm.identifier.intake import Intake
from goodarm.identifier.ledger import Ledger
from goodarm.identifier.parts import Parts
from goodarm.identifier.report import make_reports
from goodarm.identifier.standings import Standings
from goodarm.identifier.told import (
    check_all_told,
    check_forgotten,
    check_observed,
    check_taken_out,
    check_told,
)
from goodarm.kernels.codes import BAD, UNDECIDED
from goodarm.kernels.live import DROPPED, OUT
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmReports, Pull, Verdict
from goodarm.results.names import algorithm_title

MOST_AT_ONCE = 10_000_000
"""Pulls in one batch."""


class Identifier:
    """Says which arm to pull next and which arms are decided.

    Args:
        problem: what is asked.
        algorithm: a name from ``goodarm.algorithms()``, two rules such as ``kl-moss+betting``, or
            an ``Algorithm``; ``e-hdoc`` unless given, with the test that suits the rewards.
        seed: recorded with the state, drawn if None. It fixes the order of the cases of a pool, and
            what sampling rules draw, whose generator is made anew at each ask.

    Rewards may be told in any order, late, or twice with the same value. None of that hurts the
    guarantee, because each arm's rewards enter its test in the order in which they were asked.
    An arm's numbers freeze with its label, and all numbers once ``until`` is reached.

    >>> ident = Identifier(Problem(arms=["a", "b"], threshold=0.5, delta=0.05))
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
            raise must("problem", owner, "be a Problem", problem)
        self._problem = problem
        self._algorithm = chosen_algorithm(algorithm, problem, owner)
        self._seed = check_seed(owner, seed)
        self._setup = self._algorithm.setup(problem)
        sampling = self._algorithm.sampling
        self._standings = Standings(
            self._setup, self._algorithm.rule(problem), sampling.unknown_gap
        )
        self._ledger = Ledger(self._standings)
        self._entered = Entered(self._standings)
        self._cases = Cases(problem, self._seed, self._standings)
        self._chooser = Chooser(self._setup, sampling, self._standings, self._seed)
        self._intake = Intake(self._standings, self._ledger, self._entered)
        self._number, self._reward = np.zeros(1, np.int64), np.zeros(1)
        """a single pull that is told"""
        self._lock = RLock()

    @property
    def problem(self) -> Problem:
        """What is asked."""
        return self._problem

    @property
    def algorithm(self) -> Algorithm:
        """What is at work."""
        return self._algorithm

    @property
    def seed(self) -> int:
        """The seed given, or the one drawn."""
        return self._seed

    @property
    def pulls(self) -> int:
        """How many rewards have come in, be it told, observed or counted as the worst case."""
        with self._lock:
            return int(self._standings.progress["pulls"])

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        with self._lock:
            arms = self._problem.arms
            numbers, asked = self._ledger.numbers_in(OUT), self._standings.log("arm")
            cases = self._standings.log("case")
            return [
                Pull(n, arms[asked[n - 1]], int(cases[n - 1]) if self._setup.has_pool else None)
                for n in numbers
            ]

    @property
    def is_done(self) -> bool:
        """Whether all arms are labelled or taken out, ``until`` is reached, or the budget is spent.

        A budget is spent when its last pull is told. An arm that is added is one more to label.
        """
        with self._lock:
            is_spent = self._standings.asked >= self._setup.max_pulls
            is_told = self._standings.progress["out"] == 0
            return bool(is_spent and is_told) or self._standings.is_final

    def ask(self) -> Pull:
        """The next pull to make."""
        with self._lock:
            pulls = self._ask(1)
            if not pulls:
                raise self._chooser.nothing_left(self.is_done)
            return pulls[0]

    def ask_many(self, count: int) -> list[Pull]:
        """Up to ``count`` pulls to make side by side; none only where nothing is left to ask.

        After the warm-up, which goes through the arms in order, the batch is spread: a pull that
        is out counts as made, with the mean of the rewards told. An arm gets about half of what it
        still needs, if its mean stays what it is, because pulls that are out when their arm is
        labelled are wasted; so a batch can be shorter than asked for. An arm whose test waits
        behind a missing reward is asked after the others, and not at all once the rewards that
        came in prove its label whatever the missing ones are.
        """
        count = check_count("count", "Identifier.ask_many", count, most=MOST_AT_ONCE)
        with self._lock:
            return self._ask(count)

    def _ask(self, count: int) -> list[Pull]:
        first, chosen = self._chooser.choose(self._parts(), count)
        arms = self._problem.arms
        if self._setup.has_pool:
            numbers = range(first, first + len(chosen))
            cases = self._cases.assign(numbers, chosen)
            labels = [arms[arm] for arm in chosen]
            return [Pull(*row) for row in zip(numbers, labels, cases, strict=True)]
        return [Pull(number, arms[arm]) for number, arm in enumerate(chosen, start=first)]

    def tell(self, pull: Pull, reward: float) -> None:
        """The reward of a pull. Telling the same value again is a no-op."""
        with self._lock:
            told = check_told(self._problem, self._standings, pull, reward, "Identifier.tell")
            self._number[0], self._reward[0] = told
            self._intake.tell(self._number, self._reward)

    def tell_many(self, pulls: Iterable[Pull], rewards: Iterable[float]) -> None:
        """The rewards of several pulls; all are checked first, and their order does not matter."""
        owner = "Identifier.tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        values = check_list("rewards", owner, rewards, "rewards")
        with self._lock:
            told = check_all_told(self._parts(), asked, values, owner)
            self._intake.tell(np.array(list(told), np.int64), np.array(list(told.values())))

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Give up a pull whose reward will not come.

        It counts as the worst case in both tests, 0 against good and 1 against bad, because losing
        it may have to do with its outcome. ``loss_is_independent=True`` declares that it has not:
        the pull then counts as never made, though its place in ``max_pulls`` is used up, and the
        case of a pool comes again after all others.
        Forgetting it again in the same way is a no-op.
        """
        with self._lock:
            checked = check_forgotten(self._parts(), pull, loss_is_independent, "Identifier.forget")
            if checked is None:
                return
            number, arm, state = checked
            if state == DROPPED and self._setup.has_pool:
                self._cases.give_back(number)
            self._intake.forget(number, arm, state)

    def observe_many(
        self, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None = None
    ) -> None:
        """Rewards of an arm that nobody asked for, as one block in any order.

        The block takes its place behind the pulls of the arm that are out, and is tested once, at
        its end. How many rewards it holds must not depend on their values. In a pool each comes
        with its case, none of which was drawn before, and which were chosen at random.
        """
        with self._lock:
            checked = check_observed(self._parts(), arm, rewards, cases, "Identifier.observe_many")
            if checked is not None:
                position, block, drawn = checked
                self._cases.observe(position, drawn)
                self._intake.observe(position, block)

    def add_arm(self, arm: Arm, *, pool: int | None = None) -> None:
        """One more arm, the last of them, within the problem's ``arms_planned``.

        It begins with nothing: its warm-up comes next, and only pulls that are asked from now on,
        or rewards made from now on, may enter its test. When, and whether, it is added may depend
        on all that was seen. In a pool it has ``pool`` cases, as many as the others unless given,
        in an order of its own, for the others' has been seen.
        """
        with self._lock:
            self._refuse_if_ended(arm)
            problem = self._problem.with_arm(arm, pool, "Identifier.add_arm")
            self._setup = self._setup._replace(num_arms=problem.num_arms)
            self._standings.add_arm(self._setup, self._algorithm.rule(problem))
            self._cases.add_arm(problem)
            self._chooser.add_arm(self._setup)
            self._problem = problem

    def _refuse_if_ended(self, arm: Arm) -> None:
        asked, ends = self._problem, None
        if self._standings.progress["good"] >= self._setup.until:
            ends = f"until={asked.until} good arms are found"
        elif self._standings.asked >= self._setup.max_pulls and self.is_done:
            ends = f"all {asked.max_pulls} pulls of max_pulls are made"
        if ends is not None:
            raise ProtocolError(f"Arm {arm!r} cannot be added: the run is over, {ends}.")

    def take_out(self, arm: Arm) -> None:
        """Never ask this arm again; it stays undecided, and keeps its place in ``arms_planned``.

        Pulls of it that are out may still be told or forgotten, and change nothing. Taking it out
        again is a no-op. It counts as settled for ``is_done``.
        """
        with self._lock:
            position = check_taken_out(self._parts(), arm, "Identifier.take_out")
            if position is not None:
                self._intake.take_out(position)

    @property
    def verdict(self) -> Verdict:
        """The labels so far. Valid at every moment, whether or not the run is done."""
        with self._lock:
            arms, labels = self._problem.arms, self._standings.labels
            return Verdict(
                good=[arms[position] for position in self._intake.good],
                bad=[arms[position] for position in np.flatnonzero(labels == BAD)],
                undecided=[arms[position] for position in np.flatnonzero(labels == UNDECIDED)],
                pulls=self.pulls,
            )

    def explain(self, arm: Arm) -> ArmReport:
        """One arm's numbers and label."""
        position = self._problem.position(arm, "Identifier.explain")
        with self._lock:
            return self._reports([position])[0]

    def reports(self) -> ArmReports:
        """Every arm's numbers, in arm order, shown as a table."""
        with self._lock:
            return ArmReports(self._reports(range(self._problem.num_arms)))

    def _reports(self, arms: Sequence[int]) -> list[ArmReport]:
        return make_reports(self._problem, self._setup, self._standings, self._entered, arms)

    def to_dict(self) -> dict[str, Any]:
        """The whole state as a JSON document: stopping anywhere and resuming gives the same run."""
        with self._lock:
            return _document.write(self._parts())

    @classmethod
    def from_dict(cls, document: object, algorithm: Algorithm | None = None) -> "Identifier":
        """The identifier that ``to_dict`` wrote down.

        ``algorithm`` is the one it was made with, where that has rules of your own which no package
        registers: a document names rules, and does not hold them.
        """
        ident = cls(*_document.read(document, algorithm))
        _document.fill(ident._parts(), document)
        return ident

    def __reduce__(self) -> tuple[Any, ...]:
        """Copies and pickles are made of the document: a lock, and views of arrays, cannot be."""
        return Identifier.from_dict, (self.to_dict(), self._algorithm)

    def _parts(self) -> Parts:
        return Parts(
            self._problem,
            self._algorithm,
            self._seed,
            self._standings,
            self._ledger,
            self._entered,
            self._cases,
            self._intake,
        )

    def __repr__(self) -> str:
        verdict, title = self.verdict, algorithm_title(self._algorithm.to_dict())
        return (
            f"Identifier({title}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {verdict.pulls} pulls)"
        )
