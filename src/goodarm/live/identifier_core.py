"""State of an identifier, and the acts that change it, each once and without further checks."""

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from goodarm.algorithm import Algorithm
from goodarm.errors import ProtocolError
from goodarm.kernels.live.next_pulls import ask_arms
from goodarm.live.arm_selection import ArmSelector
from goodarm.live.arm_state import ArmState
from goodarm.live.arm_tests import ArmTests, LabelRecord
from goodarm.live.case_order import CaseOrder
from goodarm.live.money import Money
from goodarm.live.observations import Observations
from goodarm.live.reward_queue import Block, RewardQueue
from goodarm.problem import Arm, Problem
from goodarm.results import Pull


class AskedPulls(NamedTuple):
    """New pulls: the number of the first, and the arm, and in a pool the case, of each."""

    first: int
    arms: list[int]
    cases: list[int] | None


class IdentifierCore:
    """State of an identifier: arms, queues, cases.

    An act that a journal replays is given what was written: the arms that were asked, the labels
    that fell. It then chooses nothing.

    Args:
        problem, algorithm, seed: as in Identifier.
    """

    def __init__(self, problem: Problem, algorithm: Algorithm, seed: int) -> None:
        self.problem, self.algorithm, self.seed = problem, algorithm, seed
        self.setup = algorithm.setup(problem)
        sampling = algorithm.sampling
        self.arms = ArmState(self.setup, algorithm.rule(problem), sampling.unknown_gap)
        self.queue = RewardQueue(self.arms)
        self.observations = Observations(self.arms)
        self.tests = ArmTests(self.arms, self.queue, self.observations)
        self.cases = CaseOrder(problem, seed, self.arms)
        self.money = None if problem.cost is None else Money(problem, self.arms)
        self._selector = ArmSelector(self.setup, sampling, self.tests, seed)

    @property
    def has_pool(self) -> bool:
        """True if pulls are made on cases of a pool."""
        return self.problem.pool is not None

    @property
    def is_done(self) -> bool:
        """True if nothing is left to ask or to be told that could change a label."""
        is_spent = self.arms.asked >= self.setup.max_pulls or self.is_money_used_up
        is_told = self.arms.progress["out"] == 0
        return bool(is_spent and is_told) or self.arms.is_final

    @property
    def is_money_used_up(self) -> bool:
        """True if another pull might exceed the money that may be asked for."""
        return self.money is not None and self.money.affordable == 0

    @property
    def pulls(self) -> int:
        """Number of rewards that came in, or count as the worst case."""
        return int(self.arms.progress["pulls"])

    def pull(self, number: int) -> Pull:
        """Return the pull of this number, which was asked."""
        _, arm, _, case, _ = self.arms.pull(number)
        return Pull(number, self.problem.arms[arm], case if self.has_pool else None)

    def ask(self, count: int) -> AskedPulls:
        """Choose up to ``count`` pulls and ask them. If the rule raises, nothing is asked."""
        if self.money is not None:
            count = min(count, self.money.affordable)
        first, arms = self._selector.choose(count)
        if self.money is not None:
            self.money.ask(arms)
        cases = None
        if self.has_pool:
            cases = self.cases.assign(range(first, first + len(arms)), arms)
        return AskedPulls(first, arms, cases)

    def ask_written(self, arms: Sequence[int], cases: Sequence[int] | None) -> range:
        """Ask pulls of these arms, on these cases; return their numbers."""
        state, start, done = self.arms, self.arms.asked, 0
        while done < len(arms):
            room = state.make_room(len(arms) - done)
            ask_arms(state.live, np.array(arms[done : done + room], np.int64))
            done += room
        if self.money is not None:
            self.money.ask(arms)
        numbers = range(start + 1, start + 1 + len(arms))
        if cases is not None:
            self.cases.take(numbers, arms, cases)
        return numbers

    def prepare(self) -> None:
        """Compute what the next rewards need, such as curves, before they come."""
        self.arms.extend_curves(int(np.argmax(self.arms.pulls)))

    def make_nothing_left_error(self) -> ProtocolError:
        """Return the error that says why nothing can be asked."""
        if self.money is not None and self.is_money_used_up and not self.arms.is_final:
            return self.money.make_used_up_error()
        return self._selector.make_nothing_left_error(self.is_done)

    def tell(
        self,
        numbers: Sequence[int],
        rewards: Sequence[float],
        written: Collection[LabelRecord] | None = None,
        costs: Mapping[int, int] | None = None,
    ) -> list[LabelRecord]:
        """Count rewards; return the labels that fell, in order, unless they are written.

        ``costs`` are those that were told, in billionths, by the number of the pull.
        """
        if self.money is not None and costs:
            self.money.tell(costs)
        told = np.array(numbers, np.int64), np.array(rewards, np.float64)
        labelled = self.tests.tell(*told, written)
        return self._make_records(labelled, numbers) if labelled and written is None else []

    def forget(
        self,
        numbers: Sequence[int],
        is_independent: bool,
        written: Collection[LabelRecord] | None = None,
    ) -> list[LabelRecord]:
        """Give pulls up; return the labels that fell, in order."""
        if is_independent and self.has_pool:
            for number in numbers:
                self.cases.give_back(number)
        labelled = self.tests.forget(numbers, is_independent, written)
        return self._make_records(labelled, numbers) if labelled and written is None else []

    def observe(
        self,
        arm: int,
        block: Block,
        cases: Sequence[int] | None,
        written: Collection[LabelRecord] | None = None,
    ) -> list[LabelRecord]:
        """Count a block of rewards; return the labels that fell, in order."""
        self.cases.observe(arm, cases)
        labelled = self.tests.observe(arm, block, written)
        return [] if written is not None else [self.tests.record_of(each) for each in labelled]

    def add_arm(self, arm: Arm, pool: int | None, owner: str, *, cost: float | None = None) -> None:
        """Add an arm, within ``arms_planned``; raise an error if it cannot be added."""
        problem = self.problem.with_arm(arm, pool, owner, cost=cost)
        self.setup = self.setup._replace(num_arms=problem.num_arms)
        self.arms.add_arm(self.setup, self.algorithm.rule(problem))
        self.cases.add_arm(problem)
        if self.money is not None:
            self.money.add_arm(problem)
        self._selector.add_arm(self.setup)
        self.problem = problem

    def take_out(self, arm: int) -> None:
        """Take an arm out of play, without a label."""
        self.tests.take_out(arm)

    def _make_records(self, labelled: list[int], numbers: Sequence[int]) -> list[LabelRecord]:
        """Return labels in the order of the total pulls at which they fell.

        Labels that fell at the same total stand in the order of their arms' first pulls told.
        """
        if len(labelled) > 1:
            asked = self.arms.log("arm")
            place = {int(asked[number - 1]): -k for k, number in enumerate(reversed(numbers))}
            labelled = sorted(
                labelled, key=lambda arm: (int(self.arms.labelled_at[arm]), place[arm])
            )
        return [self.tests.record_of(arm) for arm in labelled]
