"""Gate: repeats that pass or fail, counted in the order in which they were started.

Why that is valid: the test of the arm is an e-process in the outcomes of its repeats, in order, so
you may look after each and stop at any time. With repeats in parallel, quick ones end first, and
those may be the failures. So an outcome waits until all that were begun before it are known, and a
repeat without an outcome counts as the worst case in both tests.
"""

import math
from bisect import bisect_left
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.algorithm import (
    REASON_CASES_USED_UP,
    ResultColumns,
    Tally,
    compute_live_columns,
    resolve_algorithm,
)
from goodarm.errors import ProtocolError, invalid_argument
from goodarm.kernels.codes import GOOD, UNDECIDED
from goodarm.problem import (
    CODES,
    LABELS,
    MAX_MONEY,
    Problem,
    from_money_units,
    to_money_units,
)
from goodarm.results import ArmTable, GateResult, Label, make_gate_fields
from goodarm.views.numbers import format_money

OUT: Final = 0
FAILED: Final = 1
PASSED: Final = 2
LOST: Final = 3


class _GateCounts(NamedTuple):
    """Counts and label; replaced as a whole, so that Ctrl-C never leaves half an update."""

    pulls: int = 0
    passes: int = 0
    lost: int = 0
    label: int = UNDECIDED


class Gate:
    """Test of one arm: ``begin`` a repeat, ``tell`` whether it passed, read the ``result``.

    Args:
        problem: what is asked; it has one arm, and rewards of 0 or 1. A gate among K has delta / K.
        so_far: an earlier answer to the same question, to go on from.

    Its numbers freeze with the label. It is not thread-safe.

    >>> gate = Gate(Problem(["login"], threshold=0.9, delta=0.05, max_pulls=300))
    >>> while gate.is_open:
    ...     gate.tell(gate.begin(), passed=True)
    >>> gate.result().sentence
    'good: 53 of 53 runs passed; the pass rate is at least 0.9 (interval 0.9007 to 1).'
    """

    def __init__(self, problem: Problem, so_far: GateResult | None = None) -> None:
        is_asked = isinstance(problem, Problem) and problem.num_arms == 1
        if not is_asked or problem.rewards != "bernoulli":
            raise invalid_argument(
                "problem", "Gate", "have one arm, and rewards of 0 or 1", problem
            )
        algorithm = resolve_algorithm(None, problem, "Gate")
        self._problem = problem
        self._rule, self._setup = algorithm.rule(problem), algorithm.setup(problem)
        self._pool = problem.pools[0] if problem.pools is not None else 0
        self._now = _GateCounts() if so_far is None else self._take_up_counts(so_far)
        self._before = self._now.pulls
        costs = problem.cost_units
        self._price = None if costs is None else costs[0]
        self._paid_before = self._before * (self._price or 0)
        """money of the runs in ``so_far``, some of which may not count"""
        if so_far is not None and so_far.spent is not None:
            self._paid_before = to_money_units("spent", "Gate", so_far.spent, MAX_MONEY)
        self.max_runs = self._find_max_runs()
        """most runs that ``max_pulls`` and ``max_cost`` allow; None without a limit"""
        self._most = min(
            math.inf if self.max_runs is None else self.max_runs, self._pool or math.inf
        )
        self._outcomes = bytearray()
        """outcomes of the repeats begun here, after those in ``so_far``"""

    def _find_max_runs(self) -> int | None:
        """Return the most runs, from the first on, that may be made.

        What a run costs is known beforehand, so that the money is a number of runs.
        """
        problem, price = self._problem, self._price
        if problem.max_cost is None or not price:
            return problem.max_pulls
        left = to_money_units("max_cost", "Gate", problem.max_cost, MAX_MONEY) - self._paid_before
        paid = self._before + max(left // price, 0)
        return paid if problem.max_pulls is None else min(paid, problem.max_pulls)

    def _take_up_counts(self, so_far: GateResult) -> _GateCounts:
        asked = self._problem
        for name in ("threshold", "delta", "margin"):
            if getattr(so_far, name) != getattr(asked, name):
                raise invalid_argument(
                    name,
                    "Gate",
                    f"be that of the answer to go on from, {getattr(so_far, name)!r}",
                    getattr(asked, name),
                    "The question cannot change once the first outcome is known.",
                )
        if (so_far.pool or 0) != self._pool:
            raise invalid_argument("pool", "Gate", f"be {so_far.pool!r}, as before", asked.pool)
        return _GateCounts(so_far.pulls, so_far.passes, so_far.lost, CODES[so_far.label])

    @property
    def problem(self) -> Problem:
        """Problem with its one arm."""
        return self._problem

    @property
    def pulls(self) -> int:
        """Number of repeats that count so far."""
        return self._now.pulls

    @property
    def passes(self) -> int:
        """Number of counted repeats that passed."""
        return self._now.passes

    @property
    def label(self) -> Label:
        """Good, bad or undecided; a label never changes."""
        return LABELS[self._now.label]

    @property
    def is_open(self) -> bool:
        """True if another repeat may begin: there is no label, and the limit is not reached."""
        return self._now.label == UNDECIDED and self._begun < self._most

    @property
    def is_done(self) -> bool:
        """True if nothing can change: there is a label, or all allowed repeats are known."""
        return self._now.label != UNDECIDED or self._now.pulls >= self._most

    @property
    def num_in_progress(self) -> int:
        """Number of repeats that were begun and do not count yet."""
        return self._begun - self._now.pulls

    @property
    def _begun(self) -> int:
        return self._before + len(self._outcomes)

    def check_cap(self, owner: str, argument: str) -> None:
        """Raise an error if the gate cannot be good within its limit, even if all runs pass.

        The rule itself is evaluated. If all runs pass, the evidence may fall at first and grows
        from then on, so checking after the last run is enough.
        """
        most, now = self.max_runs, self._now
        if most is None or self._pool or self.is_done or self._is_good_after(most):
            return
        least = 2 * most
        while not self._is_good_after(least):
            least *= 2
        least = bisect_left(range(least), True, lo=most, key=self._is_good_after)
        asked = self._problem
        bar = f"{asked.threshold - asked.margin:g}"
        passing = "if all pass" if now.pulls == 0 else "if all further ones pass"
        rule = (
            f"be at least {least}: with fewer runs, a pass rate of {bar} cannot be proven at delta "
            f"{asked.delta:g}, even {passing}"
        )
        remedy = "Allow more runs, or choose a lower threshold, a larger delta or a margin."
        if most != asked.max_pulls:
            paid = self._paid_before + (least - self._before) * (self._price or 0)
            rule = rule.replace(
                f"be at least {least}:",
                f"pay for at least {least} runs, {format_money(from_money_units(paid))}:",
            )
            raise invalid_argument("max_cost", owner, rule, asked.max_cost, remedy)
        raise invalid_argument(argument, owner, rule, most, remedy)

    def _is_good_after(self, pulls: int) -> bool:
        """Return whether the gate is good after ``pulls`` runs, if all from now on pass."""
        passes = self._now.passes + pulls - self._now.pulls
        after = _GateCounts(pulls, passes, self._now.lost)
        return self._rule.decide(self._setup, self._make_tally(after)) == GOOD

    def begin(self) -> int:
        """Begin a repeat and return its number; the first is 1."""
        if not self.is_open:
            raise ProtocolError(
                "No further repeat can begin. Check 'is_open' first.",
                argument="is_open",
                owner="Gate.begin",
                rule="be True",
                value=False,
            )
        self._outcomes.append(OUT)
        return self._begun

    def tell(self, number: int, passed: bool) -> None:
        """Tell the outcome of a repeat. Telling the same again is a no-op."""
        self._put(number, PASSED if passed else FAILED)

    def lose(self, number: int) -> None:
        """Give up a repeat that will have no outcome: it counts as the worst case in both tests."""
        self._put(number, LOST)

    def lose_all(self) -> None:
        """Give up every repeat that is in progress."""
        for number in range(self._now.pulls + 1, self._begun + 1):
            if self._outcomes[number - self._before - 1] == OUT:
                self._put(number, LOST)
        self._settle()

    def _put(self, number: int, outcome: int) -> None:
        if not self._before < number <= self._begun:
            raise _repeat_error(number, "has not begun", "have begun")
        place = number - self._before - 1
        if self._outcomes[place] not in (OUT, outcome):
            raise _repeat_error(number, "has another outcome already", "keep its outcome")
        self._outcomes[place] = outcome
        self._settle()

    def _settle(self) -> None:
        """Count outcomes in order, up to the first that is not known."""
        while self._now.label == UNDECIDED and self._now.pulls < self._begun:
            outcome = self._outcomes[self._now.pulls - self._before]
            if outcome == OUT:
                return
            self._enter(outcome)

    def _enter(self, outcome: int) -> None:
        pulls, passes, lost, _ = self._now
        after = _GateCounts(pulls + 1, passes + (outcome == PASSED), lost + (outcome == LOST))
        label = self._rule.decide(self._setup, self._make_tally(after))
        self._now = after._replace(label=label)

    def _make_tally(self, now: _GateCounts) -> Tally:
        return Tally(now.pulls, float(now.passes), float(now.lost), cases=self._pool)

    def result(self) -> GateResult:
        """Return the answer so far, valid at every moment."""
        table, counts = self._make_table(), (self._now.passes, self._now.lost)
        return GateResult(table, *counts, self.max_runs, self._problem.max_cost)

    def _make_table(self) -> ArmTable:
        asked, pulls, label = self._problem, self._now.pulls, self._now.label
        is_open = label == UNDECIDED
        is_used_up = is_open and 0 < self._pool <= pulls
        return ArmTable(
            arms=self._problem.arms,
            pulls=np.array([pulls]),
            labels=np.array([label], np.int8),
            **self._judge()._asdict(),
            labelled_at=np.array([0 if is_open else pulls]),
            reasons={0: REASON_CASES_USED_UP} if is_used_up else {},
            lost=np.array([self._now.lost]),
            **self._make_money_columns(),
            **make_gate_fields(asked.threshold, asked.delta, asked.margin, self._pool or None),
        )

    def _make_money_columns(self) -> dict[str, Any]:
        """Return what a run costs, and what all runs that were begun have cost."""
        if self._price is None:
            return {}
        spent = self._paid_before + (self._begun - self._before) * self._price
        amounts = {"cost": from_money_units(self._price), "spent": from_money_units(spent)}
        return {name: np.array([amount]) for name, amount in amounts.items()}

    def _judge(self) -> ResultColumns:
        if not self._now.pulls:
            return ResultColumns(*(np.array([math.nan]),) * 5, *(np.array([math.inf]),) * 2)
        n, total, lost = (np.array([part]) for part in self._make_tally(self._now)[:3])
        tally = Tally(n, total, lost, cases=self._pool)
        labels, is_tested = np.array([self._now.label], np.int8), np.array([True])
        asked = self._problem, self._setup, self._rule
        return compute_live_columns(*asked, tally, labels, is_tested)


def _repeat_error(number: int, what: str, rule: str) -> ProtocolError:
    return ProtocolError(
        f"Repeat {number} {what}.", argument="number", owner="Gate.tell", rule=rule, value=number
    )
