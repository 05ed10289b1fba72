"""Money of an identifier: what its pulls cost, and whether there is enough for another.

A pull counts from the moment it is asked: at its arm's declared cost, until its own is told with
its reward. So whoever asks, and however many pulls are in progress, declared costs never exceed
``max_cost``. A pull that was given up keeps the declared cost, for it may have been paid. Rewards
that nobody asked for cost nothing here.

Asking stops once less money is left than a pull of the dearest arm in play costs; which arm would
have come next plays no part in it, so that the sampling rule need not be asked. Labels are valid at
any stopping time: given all that was told before, costs included, the next reward of an arm has the
arm's mean, whatever it will cost. Costs decide whether a further pull is asked, and never which of
the rewards told enter a test: each enters in its place in the order asked.
"""

from collections.abc import Mapping, Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import NOTHING_LEFT, ProtocolError
from goodarm.live.arm_state import ArmState
from goodarm.problem import MAX_MONEY, Problem, from_money_units, to_money_units
from goodarm.views.numbers import format_money
from goodarm.wording import phrase

REASON_MONEY: Final = "the money is used up"
_WITHOUT_LIMIT: Final = 1 << 62


class Money:
    """Money of the pulls that were asked, in billionths, exact.

    Args:
        problem: has a cost for each arm.
        arms: the state of the arms.
    """

    def __init__(self, problem: Problem, arms: ArmState) -> None:
        self._arms = arms
        self.own: dict[int, int] = {}
        """costs that were told, by the number of the pull"""
        self._asked = np.zeros(0, np.int64)
        self._extra = dict[int, int]()
        """by arm, how much more than declared its told costs are"""
        self.total = 0
        self.add_arm(problem)

    def add_arm(self, problem: Problem) -> None:
        """Take over the costs of all arms, one of which may be new."""
        self.costs = problem.cost_units or ()
        self._dearest = max(self.costs)
        self._most = None
        if problem.max_cost is not None:
            self._most = to_money_units("max_cost", "Problem", problem.max_cost, MAX_MONEY)
        asked = np.zeros(len(self.costs), np.int64)
        asked[: len(self._asked)] = self._asked
        self._asked = asked

    def ask(self, arms: Sequence[int]) -> None:
        """Count pulls of these arms as asked."""
        for arm in arms:
            self._asked[arm] += 1
            self.total += self.costs[arm]

    def tell(self, costs: Mapping[int, int]) -> None:
        """Count these pulls, by number, at the costs that were told."""
        for number, cost in costs.items():
            _, arm, *_ = self._arms.pull(number)
            more = cost - self.costs[arm]
            self.own[number] = cost
            self._extra[arm] = self._extra.get(arm, 0) + more
            self.total += more

    def restore(self, own: Mapping[int, int]) -> None:
        """Derive all sums from the log of pulls and the costs that were told."""
        counts = np.bincount(self._arms.log("arm"), minlength=len(self.costs))
        self._asked[:] = counts
        self.total = sum(n * cost for n, cost in zip(counts.tolist(), self.costs, strict=True))
        self.tell(own)

    def spent(self, arms: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return the money of each of these arms."""
        asked = self._asked.tolist()
        units = [asked[k] * self.costs[k] + self._extra.get(k, 0) for k in arms.tolist()]
        return np.array([from_money_units(each) for each in units], np.float64)

    def prices(self, arms: NDArray[np.intp]) -> NDArray[np.float64]:
        """Return what a pull of each of these arms costs."""
        return np.array([from_money_units(self.costs[k]) for k in arms.tolist()], np.float64)

    def is_within(self, arms: Sequence[int]) -> bool:
        """Return whether pulls of these arms may be asked."""
        new = sum(self.costs[arm] for arm in arms)
        return self._most is None or not arms or self.total + new <= self._most

    @property
    def affordable(self) -> int:
        """Number of pulls that are paid for whichever arms they are of."""
        if self._most is None:
            return _WITHOUT_LIMIT
        left = self._most - self.total
        dearest = self._dearest
        if left < dearest:
            dearest = self._find_dearest_in_play()
        if not dearest:
            return _WITHOUT_LIMIT if left >= 0 else 0
        return max(left // dearest, 0)

    def _find_dearest_in_play(self) -> int:
        active = np.flatnonzero(self._arms.active).tolist()
        return max((self.costs[arm] for arm in active), default=0)

    def make_used_up_error(self) -> ProtocolError:
        """Return the error that says that no money is left to ask."""
        used, most = from_money_units(self.total), from_money_units(self._most or 0)
        dearest = from_money_units(self._find_dearest_in_play())
        why = (
            "There is nothing left to ask: {used} of the {most} allowed is asked for, and a pull "
            "of the dearest arm in play costs {dearest}."
        )
        is_told = self._arms.progress["out"] == 0
        return ProtocolError(
            phrase(
                why,
                used=format_money(used),
                most=format_money(most),
                dearest=format_money(dearest),
            ),
            argument="max_cost",
            owner="ask",
            rule="have money left to ask",
            remedy="What is undecided stays so."
            if is_told
            else "Tell the rewards that are missing.",
            reason=NOTHING_LEFT,
        )
