"""A problem and an algorithm at work: ask for the next pull, tell its reward, read the verdict."""

import math
from collections.abc import Iterable, Sequence
from threading import RLock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm, chosen_algorithm
from goodarm.arguments import check_count, check_flag, check_list, check_seed
from goodarm.errors import ProtocolError, SpecError, must
from goodarm.identifier import document as _document
from goodarm.identifier.cases import Cases
from goodarm.identifier.choosing import Chooser
from goodarm.identifier.entered import Entered
from goodarm.identifier.ledger import Block, Ledger
from goodarm.identifier.report import make_reports
from goodarm.identifier.standings import Standings
from goodarm.identifier.told import check_asked, check_told, told_otherwise
from goodarm.kernels import telling as _telling
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED
from goodarm.kernels.live import DROPPED, LOST, OUT, TOLD
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
        self._good: list[int] = []
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
        arms = self._problem.arms
        with self._lock:
            numbers, asked = self._ledger.numbers_in(OUT), self._standings.log("arm")
            cases = self._standings.log("case")
            return [
                Pull(n, arms[asked[n - 1]], int(cases[n - 1]) if self._setup.has_pool else None)
                for n in numbers
            ]

    @property
    def is_done(self) -> bool:
        """Whether all arms are labelled, ``until`` is reached, or the budget is spent and told."""
        with self._lock:
            is_spent = self._standings.asked >= self._setup.max_pulls
            is_told = self._standings.progress["out"] == 0
            return bool(is_spent and is_told) or self._standings.is_final

    def ask(self) -> Pull:
        """The next pull to make."""
        with self._lock:
            pulls = self._ask(1)
            if pulls:
                return pulls[0]
            if self.is_done:
                raise ProtocolError(
                    "There is nothing left to ask: the run is over. Read 'verdict', and check "
                    "'is_done' before asking."
                )
            if self._standings.asked < self._setup.max_pulls:
                raise ProtocolError(
                    "There is nothing left to ask: all cases of the undecided arms are out. Tell "
                    "or forget them."
                )
            raise ProtocolError(
                f"There is nothing left to ask: all {self._setup.max_pulls} pulls of max_pulls are "
                f"made and {self._standings.progress['out']} of them are not told yet. Tell or "
                "forget them."
            )

    def ask_many(self, count: int) -> list[Pull]:
        """Up to ``count`` pulls to make side by side; none only where nothing is left to ask.

        After the warm-up, which goes through the arms in order, the batch is spread: a pull that
        is out counts as made, with the mean of the rewards told. An arm gets about half of what it
        still needs, if its mean stays what it is, because pulls that are out when their arm is
        labelled are wasted; so a batch can be shorter than asked for.
        """
        count = check_count("count", "Identifier.ask_many", count, most=MOST_AT_ONCE)
        with self._lock:
            return self._ask(count)

    def _ask(self, count: int) -> list[Pull]:
        first, chosen = self._chooser.choose(count)
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
            self._tell_checked(self._number, self._reward)

    def tell_many(self, pulls: Iterable[Pull], rewards: Iterable[float]) -> None:
        """The rewards of several pulls; all are checked first, and their order does not matter."""
        owner = "Identifier.tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        values = check_list("rewards", owner, rewards, "rewards")
        if len(asked) != len(values):
            raise must("rewards", owner, f"have one reward for each of {len(asked)} pulls", values)
        told: dict[int, float] = {}
        with self._lock:
            for pull, reward in zip(asked, values, strict=True):
                number, value = check_told(self._problem, self._standings, pull, reward, owner)
                if told.setdefault(number, value) != value:
                    raise told_otherwise(number, told[number], value)
            numbers = sorted(told)
            self._tell_checked(np.array(numbers, np.int64), np.array([told[n] for n in numbers]))

    def _tell_checked(self, numbers: NDArray[np.int64], rewards: NDArray[np.float64]) -> None:
        done = 0
        while done < len(numbers):
            done = _telling.tell(self._standings.live, numbers, rewards, done)
            self._settle()

    def _settle(self) -> None:
        """See to what telling has stopped at, and go on with the same arm."""
        standings, progress = self._standings, self._standings.progress
        while event := standings.event:
            arm, label = int(progress["arm"]), int(progress["label"])
            if event == _telling.BLOCK:
                block = self._ledger.take_block(arm)
                label = standings.enter(arm, *block)
                self._entered.observe(arm, block.rewards)
            elif event == _telling.UNKNOWN:
                label = standings.label(arm)
            if label == UNDECIDED and not standings.is_used_up(arm):
                _telling.go_on(standings.live, arm)
                continue
            progress["event"] = _telling.NOTHING
            _telling.close(standings.live, arm, label)
            self._ledger.drop(arm)
            if label == GOOD:
                self._good.append(arm)

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Give up a pull whose reward will not come.

        It counts as the worst case in both tests, 0 against good and 1 against bad, because losing
        it may have to do with its outcome. ``loss_is_independent=True`` declares that it has not:
        the pull then counts as never made, though its place in ``max_pulls`` is used up, and the
        case of a pool comes again after all others.
        Forgetting it again in the same way is a no-op.
        """
        owner = "Identifier.forget"
        check_flag("loss_is_independent", owner, loss_is_independent)
        with self._lock:
            number, arm, found, _ = check_asked(self._problem, self._standings, pull, owner)
            if self._problem.rewards == "gaussian" and not loss_is_independent:
                raise SpecError(
                    "Gaussian rewards have no worst case, so a lost pull cannot be counted. If the "
                    "loss has nothing to do with the reward, pass loss_is_independent=True."
                )
            state = DROPPED if loss_is_independent else LOST
            if found == state:
                return
            if found != OUT:
                what = "told" if found == TOLD else "forgotten in the other way"
                raise ProtocolError(f"Pull {number} was {what} already and cannot be forgotten.")
            rule = self._algorithm.identification
            if rule.minds_order and state == LOST and self._ledger.is_known_after(arm, number):
                raise ProtocolError(
                    f"Pull {number} cannot be given up: later rewards of its arm are known, and "
                    f"the {rule.name} rule's bets on them depend on it. If the loss has nothing to "
                    "do with any reward, pass loss_is_independent=True."
                )
            _telling.forget(self._standings.live, number, state)
            if state == DROPPED and self._setup.has_pool:
                self._cases.give_back(number)
            self._enter(arm)

    def observe_many(
        self, arm: Arm, rewards: Iterable[float], cases: Iterable[int] | None = None
    ) -> None:
        """Rewards of an arm that nobody asked for, as one block in any order.

        The block takes its place behind the pulls of the arm that are out, and is tested once, at
        its end. How many rewards it holds must not depend on their values. In a pool each comes
        with its case, none of which was drawn before, and which were chosen at random.
        """
        owner = "Identifier.observe_many"
        position = self._problem.position(arm, owner)
        given, asked = check_list("rewards", owner, rewards, "rewards"), self._problem
        units = [asked.to_unit(asked.check_reward(reward, owner, arm)) for reward in given]
        drawn = None if cases is None else check_list("cases", owner, cases, "cases")
        if not units:
            return
        total = math.fsum(units)
        with self._lock:
            self._cases.check_observed(position, drawn, len(units), owner)
            self._cases.observe(position, drawn)
            own = self._standings.arms[position]
            if own["labels"] == UNDECIDED:
                kept = tuple(units) if self._standings.bets else ()
                self._ledger.put(position, Block(len(units), total, kept), int(own["last"]))
            _telling.observe(self._standings.live, position, len(units), total)
            self._enter(position)

    def _enter(self, arm: int) -> None:
        """Let what is known, in the order asked, into the arm's test."""
        _telling.go_on(self._standings.live, arm)
        self._settle()

    @property
    def verdict(self) -> Verdict:
        """The labels so far. Valid at every moment, whether or not the run is done."""
        arms = self._problem.arms
        with self._lock:
            labels = self._standings.labels
            return Verdict(
                good=[arms[position] for position in self._good],
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
        arms = range(self._problem.num_arms)
        with self._lock:
            return ArmReports(self._reports(arms))

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

    def _parts(self) -> _document.Parts:
        return _document.Parts(
            self._problem,
            self._algorithm,
            self._seed,
            self._standings,
            self._ledger,
            self._entered,
            self._cases,
            self._good,
        )

    def __repr__(self) -> str:
        verdict, title = self.verdict, algorithm_title(self._algorithm.to_dict())
        return (
            f"Identifier({title}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {verdict.pulls} pulls)"
        )
