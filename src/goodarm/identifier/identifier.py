"""A problem and an algorithm at work: ask for the next pull, tell its reward, read the verdict."""

import math
from collections.abc import Iterable
from numbers import Integral
from typing import Any

import numpy as np

from goodarm.algorithm import Algorithm, chosen_algorithm
from goodarm.arguments import check_count, check_flag, check_list, check_seed
from goodarm.errors import ProtocolError, SpecError, must
from goodarm.identifier import document as _document
from goodarm.identifier.choosing import Chooser
from goodarm.identifier.ledger import DROPPED, LOST, OUT, TOLD, Block, Ledger
from goodarm.identifier.report import make_reports
from goodarm.identifier.standings import Standings
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED
from goodarm.problem import Arm, Problem
from goodarm.results import ArmReport, ArmReports, Pull, Verdict

MOST_AT_ONCE = 10_000_000
"""Pulls in one batch."""


class Identifier:
    """Says which arm to pull next and which arms are decided.

    Args:
        problem: what is asked.
        algorithm: a name from ``goodarm.algorithms()`` or an ``Algorithm``; ``e-hdoc`` unless given
            (``hdoc`` for Gaussian rewards).
        seed: recorded with the state, and used by sampling rules that draw; drawn if None. At each
            ask their generator is made anew from the seed and the number of pulls asked.

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
        self._ledger = Ledger(problem.to_unit)
        self._standings = Standings(
            self._setup, self._algorithm.rule(problem), self._algorithm.sampling.unknown_gap
        )
        self._chooser = Chooser(self._setup, self._algorithm.sampling, self._standings, self._seed)
        self._good: list[int] = []
        self._pulls = 0

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
        return self._pulls

    @property
    def waiting(self) -> list[Pull]:
        """Pulls that were asked and neither told nor forgotten, oldest first."""
        arms = self._problem.arms
        return [Pull(n, arms[self._ledger.arms[n - 1]]) for n in self._ledger.numbers_in(OUT)]

    @property
    def is_done(self) -> bool:
        """Whether all arms are labelled, ``until`` is reached, or the budget is spent and told."""
        is_spent = len(self._ledger) >= self._setup.max_pulls and self._ledger.out == 0
        return self._is_final or is_spent

    @property
    def _is_final(self) -> bool:
        """No label can change any more."""
        return self._standings.alive_count == 0 or len(self._good) >= self._setup.until

    def ask(self) -> Pull:
        """The next pull to make."""
        pulls = self.ask_many(1)
        if pulls:
            return pulls[0]
        if self.is_done:
            raise ProtocolError(
                "There is nothing left to ask: the run is over. Read 'verdict', and check "
                "'is_done' before asking."
            )
        raise ProtocolError(
            f"There is nothing left to ask: all {self._setup.max_pulls} pulls of max_pulls are "
            f"made and {self._ledger.out} of them are not told yet. Tell or forget them."
        )

    def ask_many(self, count: int) -> list[Pull]:
        """Up to ``count`` pulls to make side by side; fewer, or none, where less is left to ask.

        After the warm-up, which goes through the arms in order, the batch is spread: a pull that
        is out counts as made, with the mean of the rewards told.
        """
        count = check_count("count", "Identifier.ask_many", count, most=MOST_AT_ONCE)
        if self._is_final:
            return []
        count = min(count, self._setup.max_pulls - len(self._ledger))
        arms = self._problem.arms
        chosen = self._chooser.choose(count, len(self._ledger))
        return [Pull(self._ledger.ask(position), arms[position]) for position in chosen]

    def tell(self, pull: Pull, reward: float) -> None:
        """The reward of a pull. Telling the same value again is a no-op."""
        self._tell_checked([self._check_told(pull, reward, "Identifier.tell")])

    def tell_many(self, pulls: Iterable[Pull], rewards: Iterable[float]) -> None:
        """The rewards of several pulls; all are checked first, and their order does not matter."""
        owner = "Identifier.tell_many"
        asked = check_list("pulls", owner, pulls, "pulls")
        values = check_list("rewards", owner, rewards, "rewards")
        if len(asked) != len(values):
            raise must("rewards", owner, f"have one reward for each of {len(asked)} pulls", values)
        told: dict[int, float] = {}
        for pull, reward in zip(asked, values, strict=True):
            number, value = self._check_told(pull, reward, owner)
            if told.setdefault(number, value) != value:
                raise _told_otherwise(number, told[number], value)
        self._tell_checked(sorted(told.items()))

    def _check_told(self, pull: Pull, reward: object, owner: str) -> tuple[int, float]:
        """Number and value of a reward that may be told, or the error that says why it may not."""
        number = self._check_asked(pull, owner)
        value = self._problem.check_reward(reward, owner)
        state = self._ledger.states[number - 1]
        if state in (LOST, DROPPED):
            raise ProtocolError(
                f"Pull {number} was forgotten; its reward can no longer count. Ask for a new pull."
            )
        if state == TOLD and self._ledger.rewards[number - 1] != value:
            raise _told_otherwise(number, self._ledger.rewards[number - 1], value)
        return number, value

    def _check_asked(self, pull: object, owner: str) -> int:
        if not isinstance(pull, Pull):
            raise must("pull", owner, "be a Pull that 'ask' returned", pull)
        number, arm = pull
        if isinstance(number, bool) or not isinstance(number, Integral):
            raise must("pull", owner, "have a whole number", pull)
        if not 1 <= number <= len(self._ledger):
            raise ProtocolError(
                f"Pull {number} was never asked; {len(self._ledger)} pulls were. "
                "Use 'observe_many' for rewards that nobody asked for."
            )
        asked = self._problem.arms[self._ledger.arms[number - 1]]
        if str(arm) != str(asked):
            raise ProtocolError(f"Pull {number} was asked of arm {asked!r}, not of {arm!r}.")
        return int(number)

    def _tell_checked(self, told: Iterable[tuple[int, float]]) -> None:
        for number, reward in told:
            if self._ledger.states[number - 1] == TOLD:
                continue
            arm = self._ledger.arms[number - 1]
            self._ledger.record(number, TOLD, reward)
            self._standings.tell(arm, 1, self._ledger.to_unit(reward))
            self._pulls += 1
            self._enter(arm)

    def forget(self, pull: Pull, *, loss_is_independent: bool = False) -> None:
        """Give up a pull whose reward will not come.

        It counts as the worst case in both tests, 0 against good and 1 against bad, because losing
        it may have to do with its outcome. ``loss_is_independent=True`` declares that it has not:
        the pull then counts as never made, though its place in ``max_pulls`` is used up.
        Forgetting it again in the same way is a no-op.
        """
        owner = "Identifier.forget"
        check_flag("loss_is_independent", owner, loss_is_independent)
        number = self._check_asked(pull, owner)
        if self._problem.rewards == "gaussian" and not loss_is_independent:
            raise SpecError(
                "Gaussian rewards have no worst case, so a lost pull cannot be counted. If the "
                "loss has nothing to do with the reward, pass loss_is_independent=True."
            )
        state = DROPPED if loss_is_independent else LOST
        found = self._ledger.states[number - 1]
        if found == state:
            return
        if found != OUT:
            what = "told" if found == TOLD else "forgotten in the other way"
            raise ProtocolError(f"Pull {number} was {what} already and cannot be forgotten.")
        arm = self._ledger.arms[number - 1]
        rule = self._algorithm.identification
        if rule.minds_order and state == LOST and self._ledger.is_known_after(arm, number):
            raise ProtocolError(
                f"Pull {number} cannot be given up: later rewards of its arm are known, and the "
                f"{rule.name} rule's bets on them depend on it. If the loss has nothing to do with "
                "any reward, pass loss_is_independent=True."
            )
        self._ledger.record(number, state)
        if loss_is_independent:
            self._standings.hold(arm, -1)
            self._chooser.reopen(arm)
        else:
            self._pulls += 1
        self._enter(arm)

    def observe_many(self, arm: Arm, rewards: Iterable[float]) -> None:
        """Rewards of an arm that nobody asked for, as one block in any order.

        The block takes its place behind the pulls of the arm that are out, and is tested once, at
        its end. How many rewards it holds must not depend on their values.
        """
        owner = "Identifier.observe_many"
        position = self._problem.position(arm, owner)
        given = check_list("rewards", owner, rewards, "rewards")
        values = [self._problem.check_reward(reward, owner) for reward in given]
        if not values:
            return
        total = math.fsum(self._ledger.to_unit(value) for value in values)
        if self._standings.labels[position] == UNDECIDED:
            kept = tuple(map(self._ledger.to_unit, values)) if self._standings.bets else ()
            self._ledger.queues[position].append(Block(len(values), total, kept))
        self._standings.hold(position, len(values))
        self._standings.tell(position, len(values), total)
        self._pulls += len(values)
        self._enter(position)

    def _enter(self, arm: int) -> None:
        """Let what is known, in the order asked, into the arm's test; label it if that decides."""
        if self._is_final or self._standings.labels[arm] != UNDECIDED:
            return
        for entry in self._ledger.ready(arm):
            label = self._standings.enter(arm, entry)
            if label != UNDECIDED:
                self._standings.close(arm, label, self._pulls)
                self._ledger.queues.pop(arm, None)
                if label == GOOD:
                    self._good.append(arm)
                return

    @property
    def verdict(self) -> Verdict:
        """The labels so far. Valid at every moment, whether or not the run is done."""
        arms, labels = self._problem.arms, self._standings.labels
        return Verdict(
            good=[arms[position] for position in self._good],
            bad=[arms[position] for position in np.flatnonzero(labels == BAD)],
            undecided=[arms[position] for position in np.flatnonzero(labels == UNDECIDED)],
            pulls=self._pulls,
        )

    def explain(self, arm: Arm) -> ArmReport:
        """One arm's numbers and label."""
        position = self._problem.position(arm, "Identifier.explain")
        return make_reports(self._problem, self._setup, self._standings, [position])[0]

    def reports(self) -> ArmReports:
        """Every arm's numbers, in arm order, shown as a table."""
        arms = range(self._problem.num_arms)
        return ArmReports(make_reports(self._problem, self._setup, self._standings, arms))

    def to_dict(self) -> dict[str, Any]:
        """The whole state as a JSON document: stopping anywhere and resuming gives the same run."""
        return _document.write(self._parts())

    @classmethod
    def from_dict(cls, document: object, algorithm: Algorithm | None = None) -> "Identifier":
        """The identifier that ``to_dict`` wrote down.

        ``algorithm`` is the one it was made with, where that has rules of your own which no package
        registers: a document names rules, and does not hold them.
        """
        ident = cls(*_document.read(document, algorithm))
        ident._pulls = _document.fill(ident._parts(), document)
        return ident

    def _parts(self) -> _document.Parts:
        return _document.Parts(
            self._problem,
            self._algorithm,
            self._seed,
            self._standings,
            self._ledger,
            self._good,
            self._pulls,
        )

    def __repr__(self) -> str:
        verdict = self.verdict
        return (
            f"Identifier({self._algorithm.name}: {len(verdict.good)} good, {len(verdict.bad)} bad, "
            f"{len(verdict.undecided)} undecided after {self._pulls} pulls)"
        )


def _told_otherwise(number: int, before: float, now: float) -> ProtocolError:
    return ProtocolError(
        f"Pull {number} was told {before!r} before and cannot be changed to {now!r}."
    )
