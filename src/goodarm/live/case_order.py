"""Order of the cases of pools: each case of an arm is drawn at most once.

An arm goes through its cases in an order that the seed fixes before the first reward, one order for
all arms or one for each; an arm that is added later has its own. A case whose loss had nothing to
do with its outcome comes again, after all others. Nothing here looks at rewards.
"""

import heapq
from collections import defaultdict
from collections.abc import Sequence
from typing import Any, Final

import numpy as np

from goodarm.errors import ProtocolError, invalid_argument
from goodarm.kernels.live.records import DROPPED
from goodarm.live.arm_state import ArmState
from goodarm.problem import Problem

CASE_STREAM: Final = 2
"""Random stream for the order of cases; rewards and choices have streams 0 and 1."""


class CaseOrder:
    """Order of cases of each arm, its position in that order, and the cases that come again."""

    def __init__(self, problem: Problem, seed: int, arms: ArmState) -> None:
        self._problem = problem
        self._sizes = list(problem.pools or ())
        self.num_first = problem.num_arms
        """number of arms that were there at the start"""
        self._seed = seed
        self._arms = arms
        self._orders: dict[int, list[int]] = {}
        self._drawn: defaultdict[int, int] = defaultdict(int)
        self._again: defaultdict[int, list[tuple[int, int]]] = defaultdict(list)
        self._used: defaultdict[int, set[int]] = defaultdict(set)
        self.observed: defaultdict[int, list[int]] = defaultdict(list)
        """cases that were observed without being asked"""

    def add_arm(self, problem: Problem) -> None:
        """Replace the problem by one with one more arm."""
        self._problem = problem
        if problem.pools is not None:
            self._sizes.append(problem.pools[-1])

    def order(self, arm: int) -> Sequence[int]:
        """Return the order in which an arm goes through its cases."""
        if arm not in self._orders:
            self._orders[arm] = self._make_order(arm)
        return self._orders[arm]

    def _make_order(self, arm: int) -> list[int]:
        size = self._sizes[arm]
        # Who adds an arm may have seen which cases come first, and how they went: an arm that was
        # chosen by that must meet them in an order that nobody has seen.
        if self._problem.case_order == "own" or arm >= self.num_first:
            return self._shuffle_cases(arm + 1, size)
        # Of a random order of the largest pool, the smaller ones keep the cases that they have.
        first = self._sizes[: self.num_first]
        largest = first.index(max(first))
        if largest not in self._orders:
            self._orders[largest] = self._shuffle_cases(0, max(first))
        shared = self._orders[largest]
        return shared if size == len(shared) else [case for case in shared if case < size]

    def _shuffle_cases(self, number: int, size: int) -> list[int]:
        key = np.array([self._seed, 0], np.uint64)
        counter = np.array([0, number, CASE_STREAM, 0], np.uint64)
        generator = np.random.Generator(np.random.Philox(key=key, counter=counter))
        found: list[int] = generator.permutation(size).tolist()
        return found

    def assign(self, numbers: range, arms: Sequence[int]) -> list[int]:
        """Draw the cases of pulls that were just asked, and write them into the log."""
        cases = [self._draw(arm) for arm in arms]
        self._arms.live.log["case"][numbers.start - 1 : numbers.stop - 1] = cases
        return cases

    def take(self, numbers: range, arms: Sequence[int], cases: Sequence[int]) -> None:
        """Mark cases that the journal has for pulls as drawn: none of them comes again."""
        for arm, case in zip(arms, cases, strict=True):
            self._used[arm].add(case)
            if again := self._again.get(arm):
                self._again[arm] = [each for each in again if each[1] != case]
                heapq.heapify(self._again[arm])
        self._arms.live.log["case"][numbers.start - 1 : numbers.stop - 1] = cases

    def _draw(self, arm: int) -> int:
        order, used, place = self.order(arm), self._used[arm], self._drawn[arm]
        lost = {case for _, case in self._again[arm]}
        while place < len(order) and (order[place] in used or order[place] in lost):
            place += 1
        self._drawn[arm] = place + 1
        if place < len(order):
            case = order[place]
        else:
            _, case = heapq.heappop(self._again[arm])
            while case in used:
                _, case = heapq.heappop(self._again[arm])
        used.add(case)
        return case

    def give_back(self, number: int) -> None:
        """Let the case of a pull that counts as never made come again."""
        _, arm, _, case, _ = self._arms.pull(number)
        self._used[arm].discard(case)
        heapq.heappush(self._again[arm], (number, case))

    def check_observed(self, arm: int, cases: Sequence[Any] | None, count: int, owner: str) -> None:
        """Raise an error unless each reward of a pool names a case, and none that is in use."""
        if not self._sizes:
            if cases is not None:
                raise invalid_argument("cases", owner, "be left out if there is no pool", cases)
            return
        if cases is None or len(cases) != count:
            raise invalid_argument(
                "cases", owner, f"name the case of each of {count} rewards", cases
            )
        size, earlier = self._sizes[arm], set[int]()
        for case in cases:
            is_whole = isinstance(case, int | np.integer) and not isinstance(case, bool)
            if not is_whole or not 0 <= case < size:
                rule = f"be whole numbers from 0 to {size - 1}, the arm's pool"
                raise invalid_argument("cases", owner, rule, case)
            if int(case) in self._used[arm] or int(case) in earlier:
                raise ProtocolError(
                    f"Case {case} of arm {self._problem.arms[arm]!r} was drawn before: each case "
                    "of a pool counts once.",
                    argument="cases",
                    owner=owner,
                    rule="be cases that were not drawn before",
                    value=case,
                )
            earlier.add(int(case))

    def observe(self, arm: int, cases: Sequence[Any] | None) -> None:
        """Mark cases, which were checked, as used."""
        for case in map(int, cases or ()):
            self._used[arm].add(case)
            self.observed[arm].append(case)

    def restore(self, observed: Sequence[Sequence[Any]]) -> None:
        """Derive the rest from the log and from each arm's observed cases."""
        log = self._arms.live.log[: self._arms.asked]
        order, ends = self._arms.by_arm()
        cases, is_dropped = log["case"][order].tolist(), (log["state"] == DROPPED)[order].tolist()
        for arm, arm_cases in enumerate(observed):
            self.check_observed(arm, arm_cases, len(arm_cases), "the identifier document")
            self.observe(arm, arm_cases)
            used, lost = self._used[arm], dict[int, int]()
            for place in range(ends[arm], ends[arm + 1]):
                case = cases[place]
                is_taken = case in used and not is_dropped[place]
                if not 0 <= case < self._sizes[arm] or is_taken:
                    raise ValueError(f"pull {order[place] + 1} has no case of its own")
                if is_dropped[place]:
                    lost[case] = int(order[place]) + 1
                else:
                    used.add(case)
            self._restore_order(
                arm, used, {case: number for case, number in lost.items() if case not in used}
            )

    def _restore_order(self, arm: int, used: set[int], lost: dict[int, int]) -> None:
        """Find how far the arm has come in its order, and the cases that are to come again."""
        # Fresh cases come in order, so all before the first that is neither used nor lost are gone.
        order = enumerate(self.order(arm))
        fresh = (place for place, case in order if case not in used and case not in lost)
        self._drawn[arm] = next(fresh, self._sizes[arm])
        self._again[arm] = sorted((number, case) for case, number in lost.items())
