"""Each arm's counts with one decimal sign, and all that is wrong with them."""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import invalid_argument
from goodarm.judging.bets import Stakes
from goodarm.judging.case_order import OrderedBook
from goodarm.judging.distinct_values import ValueBook
from goodarm.judging.sigma_test import Spread
from goodarm.problem import Problem
from goodarm.problem.rewards import MOST_UNITS, OTHER_REWARDS
from goodarm.tables.chunks import Chunk
from goodarm.tables.numerals import Numerals, has_sign, values_of
from goodarm.tables.per_arm_columns import Own, bound_of
from goodarm.tables.rates import from_rates
from goodarm.tables.read_options import Form, Sign
from goodarm.tables.table_errors import MOST, Fault
from goodarm.wording import Arg, Place, Text, phrase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MOST_COUNT: Final = 10**12
"""Up to here the evidence is known to be right to a millionth."""
_SLACK: Final = 1e-9
"""The part of the range, for each pull, that is forgiven as rounding errors in sums of rewards."""
_UP_TO: Final = "be a whole number from 0 to the arm's pulls"
_COUNT: Final = f"be a whole number from 0 to {MOST_COUNT}"
_REWARDS: Final = ("reward", "value")
_MOST_PAIRS: Final = 1 << 20
"""Values of arms that are looked for in later rows: a table with more is no summary."""
_ADD_UP: Final = phrase("{Pass} {sum} to add its rows up.", sum=Arg("sum", True))
_NOT_COUNTS: Final = phrase(
    "For rewards that are not 0 or 1 {pass} {rewards} and a column 'sum'.",
    rewards=Arg("rewards", "bounded"),
)


class Asked(NamedTuple):
    """What is asked of a table.

    Args:
        problem: rewards, margin and delta; its threshold counts only where arms have no own.
        threshold, pool: the number of all arms, a dict from each arm to its own, or None where
            there is none, or a column has them.
        stakes: the bets of a rule that needs every reward.
        has_arms: the problem names the arms, of which the table may lack some.
        has_trusted_sigma: whether rewards fit their sigma is not looked at.
    """

    problem: Problem
    threshold: float | Mapping[Any, Any] | None
    pool: int | Mapping[Any, Any] | None = None
    stakes: Stakes | None = None
    has_arms: bool = False
    has_trusted_sigma: bool = False

    @property
    def tests_sigma(self) -> bool:
        """Return whether single rewards are compared with their sigma."""
        return self.problem.rewards == "gaussian" and not self.has_trusted_sigma


class Counts(NamedTuple):
    """The number and the sum of each arm's rewards."""

    pulls: Floats
    sums: Floats


class Trace(NamedTuple):
    """A cell with a point or comma, and what it was read as."""

    place: Place
    column: str
    cell: object
    value: float


class Account:
    """Counts, added up chunk by chunk.

    ``trace``: the first cell whose number may depend on the decimal sign.
    """

    def __init__(self, sign: Sign, asked: Asked, form: Form) -> None:
        self.numerals = Numerals(sign, is_strict=form.strict)
        self.faults: list[Fault] = []
        self.trace: Trace | None = None
        self.counts = Counts(np.zeros(0), np.zeros(0))
        self.book = _book(asked)
        self.spread = Spread() if asked.tests_sigma else None
        self._problem = asked.problem
        self._form = form
        given = {"threshold": asked.threshold, "pool": asked.pool}
        self.own = {
            name: Own(name, given[name], bound_of(name, asked.problem), is_exact=not asked.has_arms)
            for name in given
            if name == "threshold" or given[name] is not None or name in form.columns
        }
        self._pairs: set[tuple[int, float]] = set()

    def add(self, chunk: Chunk, codes: Ints, order: Sequence[Any]) -> None:
        """Check a chunk's numbers and add them to their arms."""
        for name, own in self.own.items():
            own.grow(order)
            if name in self._form.own and not (chunk.is_counted and "pulls" not in chunk.numbers):
                numbers = self._own_numbers(chunk, name, own)
                self.faults += own.enter(chunk, codes, numbers)
        if chunk.is_counted and "pulls" not in chunk.numbers:
            self._take_counted(chunk, codes)
            return
        pulls, sums, values = self._read(chunk, codes)
        known = np.flatnonzero(codes >= 0)
        if len(known) < len(codes):
            codes, pulls, sums = codes[known], pulls[known], sums[known]
            values = None if values is None else values[known]
        before = self.counts
        grown = np.zeros(len(order) - len(before.pulls))
        self.counts = Counts(
            np.append(before.pulls, grown) + np.bincount(codes, pulls, len(order)),
            np.append(before.sums, grown) + np.bincount(codes, sums, len(order)),
        )
        if self.book is not None and values is not None and not self.faults:
            came = pulls > 0
            units = self._problem.to_unit(values[came])
            thresholds = self.own["threshold"].by_arm
            self.book.add(codes[came], np.clip(units, 0.0, 1.0), pulls[came], thresholds)
        if self.spread is not None and not self.faults:
            self._add_spread(chunk, codes, pulls, values, len(order))
        if self._form.sum or self._form.is_values:
            self._check_added(chunk, codes, known)
        if "pool" in self.own:
            self._check_cases(chunk, codes, pulls, known)

    def _add_spread(
        self, chunk: Chunk, codes: Ints, pulls: Floats, values: Floats | None, num_arms: int
    ) -> None:
        """Take single rewards, or what an engine has made of them; a table of counts has none."""
        if self.spread is None:
            return
        if values is not None:
            self.spread.add(codes, values, pulls, num_arms)
        elif "squares" in chunk.numbers:
            means, squares = (np.asarray(chunk.numbers[name]) for name in ("mean", "squares"))
            self.spread.add_counted(codes, pulls, means, squares)

    def _own_numbers(self, chunk: Chunk, name: str, own: Own) -> Floats:
        if name not in chunk.numbers:  # arms that a dict names, or other tools' logs
            rule = f"be a table with the column {self._form.columns[name]!r}"
            raise invalid_argument("counts", "check", rule, chunk.source)
        bound = own.bound
        return self._numbers(chunk, name, bound.is_right, lambda _: bound.rule, bound.remedy)

    def _read(self, chunk: Chunk, codes: Ints) -> tuple[Floats, Floats, Floats | None]:
        """The pulls and sum of each row, and the value that it holds, if it holds one."""
        if chunk.is_counted:
            pulls, sums = (np.asarray(chunk.numbers[name]) for name in ("pulls", "sum"))
            return pulls, sums, None
        if self._form.is_values:
            values = self._rewards(chunk, "value")
            times = self._whole(chunk, "count")
            self._refuse_pairs(chunk, codes, values)
            return times, values * times, values
        if self._form.is_raw:
            values = self._rewards(chunk, "reward")
            return np.ones(len(values)), values, values
        return *self._counts(chunk), None

    def _take_counted(self, chunk: Chunk, codes: Ints) -> None:
        """What an engine has counted beside pulls and sums: values, bins, or wealth."""
        if not isinstance(self.book, ValueBook) or self.faults:
            return
        if "wealth" in chunk.numbers:
            self.book.add_wealth(codes, np.asarray(chunk.numbers["wealth"]))
            return
        times = np.asarray(chunk.numbers["count"])
        if "bin" in chunk.numbers:
            self.book.add_bins(codes, np.asarray(chunk.numbers["bin"]), times)
        else:
            units = self._problem.to_unit(np.asarray(chunk.numbers["value"]))
            thresholds = self.own["threshold"].by_arm
            self.book.add(codes, np.clip(units, 0.0, 1.0), times, thresholds)

    def _refuse_pairs(self, chunk: Chunk, codes: Ints, values: Floats) -> None:
        """An arm's value in two rows may be counted twice."""
        if self._form.sum or len(self._pairs) > _MOST_PAIRS:
            return
        for row, pair in enumerate(zip(codes.tolist(), values.tolist(), strict=True)):
            if pair in self._pairs and pair[0] >= 0:
                rule = f"come once for arm {chunk.arms[row]!r}"
                cell = chunk.numbers["value"][row]
                self.faults.append(chunk.fault(row, chunk.columns["value"], rule, cell, _ADD_UP))
            self._pairs.add(pair)

    def _check_cases(
        self, chunk: Chunk, codes: Ints, pulls: Floats, known: NDArray[np.intp]
    ) -> None:
        """An arm has no more pulls than its pool has cases; the first row too many is named."""
        pools = self.own["pool"].by_arm
        over = np.flatnonzero(self.counts.pulls > pools)
        for arm in map(int, np.intersect1d(over, codes)[: MOST + 1]):
            rows = np.flatnonzero(codes == arm)
            before = self.counts.pulls[arm] - pulls[rows].sum()
            totals = before + np.cumsum(pulls[rows])
            first = int(np.flatnonzero(totals > pools[arm])[0])
            row = int(known[rows[first]])
            column = chunk.columns.get("pulls", "pulls")
            rule = f"be at most the {pools[arm]:.0f} cases of arm {chunk.arms[row]!r}"
            self.faults.append(chunk.fault(row, column, rule, int(totals[first])))

    def _check_added(self, chunk: Chunk, codes: Ints, known: NDArray[np.intp]) -> None:
        """Rows that are each right may be too many together."""
        for row in np.flatnonzero(self.counts.pulls[codes] > MOST_COUNT)[:1]:
            total = float(self.counts.pulls[codes[row]])
            column = chunk.columns.get("pulls", "pulls")
            self.faults.append(chunk.fault(int(known[row]), column, _COUNT, total))

    def _rewards(self, chunk: Chunk, meaning: str) -> Floats:
        low, high = self._problem.reward_range or _widest(self._problem)
        is_bernoulli = self._problem.rewards == "bernoulli"

        def is_possible(values: Floats) -> Bools:
            if is_bernoulli:
                return np.asarray((values == 0.0) | (values == 1.0))
            return np.asarray((low <= values) & (values <= high))

        def rule(row: int) -> str:
            arm = "" if chunk.is_named else f" for arm {chunk.arms[row]!r}"
            return f"{self._problem.reward_rule}{arm}"

        remedy = OTHER_REWARDS if is_bernoulli else ""
        return self._numbers(chunk, meaning, is_possible, rule, remedy)

    def _counts(self, chunk: Chunk) -> tuple[Floats, Floats]:
        if not self._form.is_bernoulli:
            pulls = self._whole(chunk, "pulls")
            return pulls, self._sums(chunk, pulls)
        if "rate" in chunk.numbers:
            pulls = self._whole(chunk, "pulls")
            return pulls, self._from_rates(chunk, pulls)
        if "pulls" not in chunk.numbers:
            passed, failed = self._whole(chunk, "successes"), self._whole(chunk, "failed")
            return passed + failed, passed
        pulls = self._whole(chunk, "pulls")
        successes = self._numbers(
            chunk,
            "successes",
            lambda values: _is_count(values) & (values <= np.nan_to_num(pulls, nan=MOST_COUNT)),
            lambda row: _COUNT if np.isnan(pulls[row]) else f"{_UP_TO}, {pulls[row]:.0f}",
            _NOT_COUNTS,
        )
        if "failed" in chunk.numbers:
            self._check_failed(chunk, pulls, successes)
        return pulls, successes

    def _check_failed(self, chunk: Chunk, pulls: Floats, successes: Floats) -> None:
        """Where pulls, successes and failures are all there, they must fit."""
        missing = pulls - successes
        name = chunk.columns["pulls"]
        remedy = phrase(
            "Say which pulls count: {columns} leaves failures alone.",
            columns=Arg("columns", {"pulls": name}),
        )
        self._numbers(
            chunk,
            "failed",
            lambda values: (values == missing) | np.isnan(missing),
            lambda row: f"be pulls less successes, {missing[row]:.0f}",
            remedy,
        )

    def _whole(self, chunk: Chunk, meaning: str) -> Floats:
        return self._numbers(chunk, meaning, _is_count, lambda _: _COUNT)

    def _sums(self, chunk: Chunk, pulls: Floats) -> Floats:
        low, high = self._problem.reward_range or _widest(self._problem)
        slack = _SLACK * pulls * max(abs(low), abs(high), high - low)
        least, most = low * pulls, high * pulls

        def rule(row: int) -> str:
            if self._problem.reward_range is None:
                return "be a finite number" if pulls[row] else "be 0, as there are no pulls"
            return f"lie from {least[row]:g} to {most[row]:g}, the pulls times low and high"

        return self._numbers(
            chunk,
            "sum",
            lambda values: np.isnan(pulls) | ((least - slack <= values) & (values <= most + slack)),
            rule,
        )

    def _from_rates(self, chunk: Chunk, pulls: Floats) -> Floats:
        """Successes, each the one whole number that its rate stands for."""
        found, faults = from_rates(chunk, pulls, self.numerals)
        self.faults += faults
        self._keep_trace(chunk, "rate", found)
        return found

    def _numbers(
        self,
        chunk: Chunk,
        meaning: str,
        is_right: Callable[[Floats], Bools],
        rule: Callable[[int], str],
        remedy: Text | Callable[[float], str] = "",
    ) -> Floats:
        """A column as numbers; nan where a cell is wrong, and a fault for each of these."""
        cells, column = chunk.numbers[meaning], chunk.columns[meaning]
        values = values_of(
            cells,
            self.numerals,
            is_text=chunk.is_text,
            booleans=meaning in _REWARDS,
            words=meaning in _REWARDS and self._problem.rewards == "bernoulli",
        )
        wrong = ~(np.isfinite(values) & is_right(values))
        if wrong.any():
            for row in map(int, np.flatnonzero(wrong)[: MOST + 1]):
                fitting: Text = ""
                if np.isfinite(values[row]):
                    fitting = remedy(float(values[row])) if callable(remedy) else remedy
                fault = chunk.fault(int(row), column, rule(row), cells[row], fitting)
                self.faults.append(fault)
            values[wrong] = np.nan
        self._keep_trace(chunk, meaning, values)
        return values

    def _keep_trace(self, chunk: Chunk, meaning: str, values: Floats) -> None:
        """Remember one cell with a sign, to show what it can be read as."""
        if self.trace is not None or not self.numerals.has_signs:
            return
        for row, cell in enumerate(chunk.numbers[meaning]):
            if isinstance(cell, str) and has_sign(cell):
                column = chunk.columns[meaning]
                self.trace = Trace(chunk.place(row), column, cell, float(values[row]))
                return


def _book(asked: Asked) -> ValueBook | OrderedBook | None:
    """Where single rewards are kept, if a rule asks for them."""
    if asked.stakes is None:
        return None
    return ValueBook(asked.stakes) if asked.problem.pool is None else OrderedBook(asked.stakes)


def _is_count(values: Floats) -> Bools:
    return np.asarray((values >= 0) & (values <= MOST_COUNT) & (values == np.floor(values)))


def _widest(problem: Problem) -> tuple[float, float]:
    """The range of rewards that have none: beyond it sums would overflow."""
    return -MOST_UNITS * problem.scale, MOST_UNITS * problem.scale
