"""Counts of each arm under one decimal sign, with all their errors."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import invalid_argument
from goodarm.problem import (
    MAX_COST,
    MAX_MONEY,
    MAX_UNITS,
    MONEY_UNITS,
    OTHER_REWARDS,
    Problem,
    make_money_rule,
    to_money_units,
)
from goodarm.tables.cases import is_blank
from goodarm.tables.chunks import Chunk
from goodarm.tables.numerals import Numerals, has_sign, parse_values
from goodarm.tables.per_arm_columns import PerArmNumbers, make_number_rule
from goodarm.tables.rates import from_rates
from goodarm.tables.read_options import LOST, Reading, ReadOptions, Sign
from goodarm.tables.requests import LOW_MONEY_DIGITS, TableRequest
from goodarm.tables.table_errors import MAX_FAULTS_SHOWN, Failures, Fault
from goodarm.tables.units import (
    UNIT,
    average_units,
    count_repeats,
    find_unfinished,
    make_unequal_repeats_error,
)
from goodarm.wording import Arg, EdgeText, ErrorPlace, Symbol, Text, join, phrase

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

MAX_COUNT: Final = 10**12
"""Largest count: up to it, the evidence is known to be accurate to a millionth."""
_SUM_ROUNDING: Final = 1e-9
"""Rounding error tolerated in sums of rewards, per pull, as a share of the range."""
_UP_TO: Final = "be a whole number from 0 to the arm's pulls"
_COUNT: Final = f"be a whole number from 0 to {MAX_COUNT}"
_REWARDS: Final = ("reward", "value")
_EMPTY: Final = "Give the reward. Leave a row out only if there was no test."
_TOTALS: Final = ("pulls", "successes", "failed", "sum", "count")
_NONE: Final = "If there were none, write 0."
_FORMULA: Final = (
    "If a formula is in its cell, open the workbook in a spreadsheet program and save it, so that "
    "its value is stored."
)
_NOTHING: Final = frozenset(
    ("-", "--", "\u2013", "\u2014", "n/a", "na", "#n/a", "null", "none", "nan")
)
"""Words for an empty cell."""
_PLAIN: Final = "Write plain numbers, such as 1500 or 0.53."
_MAX_PAIRS: Final = 1 << 20
"""Maximum number of (arm, value) pairs checked for repeats: a larger table is no summary."""
_ADD_UP: Final = phrase("To add up its rows, {pass} {sum}.", sum=Arg("sum", True))
_OTHER_RANGE: Final = phrase("For rewards in another range, {pass} {low} and {high}.")
_RANGE: Final = (
    "Do not take the range from the data: set it beforehand, and cap amounts that are beyond it."
)
_NOT_COUNTS: Final = phrase(
    "For rewards other than 0 and 1, {pass} {rewards} and {give}a column 'sum'.",
    rewards=Arg("rewards", "bounded"),
    give=EdgeText("command line", "give "),
)


class Counts(NamedTuple):
    """Number and sum of each arm's rewards, and the pulls that have none."""

    pulls: Floats
    sums: Floats
    lost: Floats


class DecimalCell(NamedTuple):
    """Cell with a point or comma, and the number that it was read as."""

    place: ErrorPlace
    column: str
    cell: object
    value: float


class ArmCounter:
    """Counter of arms under one decimal sign, chunk by chunk.

    ``failures``: the cells that cannot be read with this sign. ``trace``: the first cell whose
    number may depend on the decimal sign. ``rewards``: the sink of single rewards, if requested.
    """

    def __init__(self, sign: Sign, request: TableRequest, form: ReadOptions) -> None:
        self.numerals = Numerals(sign, is_strict=form.strict)
        self.failures = Failures()
        self.trace: DecimalCell | None = None
        self.counts = Counts(np.zeros(0), np.zeros(0), np.zeros(0))
        self.has_lost = False
        self.rewards = None if request.rewards is None else request.rewards.new_sink()
        self._problem, self._threshold = request.problem, request.threshold
        self._form = form
        given = {"threshold": request.threshold, "pool": request.pool}
        self.own = {
            name: PerArmNumbers(
                name,
                given[name],
                make_number_rule(name, request.problem),
                is_exact=not request.has_arms,
            )
            for name in given
            if name in form.columns
            or isinstance(given[name], Mapping)
            or (name == "pool" and given[name] is not None)
        }
        self.spent: list[int] = []
        """money of each arm, in billionths, if the table has a column of it"""
        self._pairs: set[tuple[int, float]] = set()
        self._units: list[tuple[Ints, Ints, Floats]] = []
        """Arm, unit and value of each reward, where units are averaged."""

    def fork(self, sign: Sign) -> "ArmCounter":
        """Return a copy that continues with another sign; there are no failures yet."""
        other = copy(self)
        other.numerals = self.numerals.with_sign(sign)
        other.failures = Failures()
        other.rewards = None if self.rewards is None else self.rewards.copy()
        other.own = {name: own.copy() for name, own in self.own.items()}
        other._pairs = set(self._pairs)
        other._units = list(self._units)
        other.spent = list(self.spent)
        return other

    def thresholds(self, num_arms: int) -> Floats:
        """Return the threshold of each arm so far."""
        if "threshold" in self.own:
            return self.own["threshold"].by_arm
        return np.full(num_arms, self._threshold)

    def add(self, chunk: Chunk, codes: Ints, order: Sequence[Any]) -> None:
        """Validate a chunk's numbers and add them to their arms."""
        for name, arm_numbers in self.own.items():
            arm_numbers.grow(order)
            if name in self._form.own and not (chunk.is_counted and "pulls" not in chunk.numbers):
                numbers = self._add_arm_numbers(chunk, name, arm_numbers)
                rows = arm_numbers.enter(codes, numbers)[: MAX_FAULTS_SHOWN + 1]
                if len(rows):
                    self.failures.add(
                        len(rows), partial(arm_numbers.faults, chunk, codes, numbers, rows)
                    )
        if chunk.is_counted and "pulls" not in chunk.numbers:
            self._take_counted(chunk, codes, len(order))
            return
        pulls, sums, values = self._read(chunk, codes)
        lost = self._read_lost(chunk, pulls, sums)
        self._add_money(chunk, codes, pulls, len(order))
        known = np.flatnonzero(codes >= 0)
        if len(known) < len(codes):
            codes, pulls, sums, lost = codes[known], pulls[known], sums[known], lost[known]
            values = None if values is None else values[known]
        if self._form.unit is not None and values is not None:
            self._units.append((codes, np.asarray(chunk.numbers[UNIT])[known], values))
            return
        self._add(codes, pulls, sums, lost, len(order))
        if self.rewards is not None and not self.failures.count:
            if values is not None:
                self.rewards.add(codes, values, pulls, self.thresholds(len(order)))
            elif "squares" in chunk.numbers:
                means, squares = (np.asarray(chunk.numbers[name]) for name in ("mean", "squares"))
                self.rewards.add_moments(codes, pulls, means, squares)
        if self._form.sum or self._form.is_values:
            self._check_added(chunk, codes, known)
        if "pool" in self.own:
            self._check_cases(chunk, codes, pulls, known)

    def average(self, source: str, order: Sequence[Any], reading: Reading) -> None:
        """Count each unit, if there is one, as one reward: the average of its own.

        Raises an error for units that differ in their number of rewards; `goodarm.tables.units`
        says why.
        """
        if not self._units:  # there is no unit, or an engine has averaged
            return
        unit, is_fixed = str(self._form.unit), self._form.repeats == "fixed"
        arms, units, values = (np.concatenate(part) for part in zip(*self._units, strict=True))
        found = average_units(arms, units, values)
        is_unfinished = np.zeros(len(found.arms), bool)
        if not is_fixed:
            unfinished = find_unfinished(found.arms, found.repeats)
            if unfinished is None:
                ends = int(found.repeats.min()), int(found.repeats.max())
                raise make_unequal_repeats_error(unit, "check", ends, ErrorPlace(source))
            is_unfinished = unfinished
        found = found.at(~is_unfinished)
        reading.num_unfinished = int(is_unfinished.sum())
        reading.note(count_repeats(found.repeats, reading.num_unfinished).describe(unit))
        averages, ones = found.averages, np.ones(len(found.arms))
        if self._problem.reward_range is not None:  # a sum may have been rounded
            averages = np.clip(averages, *self._problem.reward_range)
        self._add(found.arms, ones, averages, np.zeros(len(ones)), len(order))
        if self.rewards is not None:
            self.rewards.add(found.arms, averages, ones, self.thresholds(len(order)))
        if "pool" in self.own:
            self._check_units(source, order)

    def _check_units(self, source: str, order: Sequence[Any]) -> None:
        """Raise an error for an arm that has more units than cases."""
        pools = self.own["pool"].by_arm
        for arm in np.flatnonzero(self.counts.pulls > pools)[:1]:
            raise invalid_argument(
                str(self._form.unit),
                "check",
                f"have at most the {pools[arm]:.0f} cases of arm {order[arm]!r}",
                int(self.counts.pulls[arm]),
                place=ErrorPlace(source),
            )

    def _add(self, codes: Ints, pulls: Floats, sums: Floats, lost: Floats, num_arms: int) -> None:
        """Add pulls, sums and lost pulls to their arms."""
        before = self.counts
        grown = np.zeros(num_arms - len(before.pulls))
        self.counts = Counts(
            np.append(before.pulls, grown) + np.bincount(codes, pulls, num_arms),
            np.append(before.sums, grown) + np.bincount(codes, sums, num_arms),
            np.append(before.lost, grown) + np.bincount(codes, lost, num_arms),
        )

    def _add_arm_numbers(self, chunk: Chunk, name: str, arm_numbers: PerArmNumbers) -> Floats:
        if name not in chunk.numbers:  # a dict of arms, or other tools' logs
            rule = f"be a table with the column {self._form.columns[name]!r}"
            raise invalid_argument("counts", "check", rule, chunk.source)
        bound = arm_numbers.bound
        return self._read_numbers(chunk, name, bound.is_right, lambda _: bound.rule, bound.remedy)

    def _add_money(self, chunk: Chunk, codes: Ints, pulls: Floats, num_arms: int) -> None:
        """Add the money of a chunk's rows to their arms, exactly, if a column has it."""
        name = self._form.money
        if name is None:
            return
        self.spent += [0] * (num_arms - len(self.spent))
        if chunk.is_counted and "spent high" in chunk.numbers:
            parts = (np.asarray(chunk.numbers[f"spent {part}"]) for part in ("high", "low"))
            self._add_billionths(codes, *parts)
            return
        if name not in chunk.numbers:  # a dict of arms, or other tools' logs
            rule = f"be a table with the column {self._form.columns[name]!r}"
            raise invalid_argument("counts", "check", rule, chunk.source)
        most = MAX_MONEY if name == "spent" else MAX_COST
        amounts = self._read_numbers(
            chunk,
            name,
            lambda values: np.asarray((values >= 0.0) & (values <= most)),
            lambda _: make_money_rule(most),
        )
        if self.failures.count:
            return
        if self._form.is_raw:
            units = np.rint(amounts * MONEY_UNITS)
            high = np.floor(units / LOW_MONEY_DIGITS)
            known = codes >= 0
            self._add_billionths(
                codes[known], high[known], (units - high * LOW_MONEY_DIGITS)[known]
            )
            return
        times = [1] * len(amounts) if name == "spent" else map(int, pulls.tolist())
        for code, amount, count in zip(codes.tolist(), amounts.tolist(), times, strict=True):
            if code >= 0:
                self.spent[code] += count * to_money_units(name, "check", amount, most)

    def _add_billionths(self, codes: Ints, high: Floats, low: Floats) -> None:
        """Add billionths in two parts; each part's sum is a whole number that a float holds."""
        count = len(self.spent)
        sums = (np.bincount(codes, part, count) for part in (high, low))
        for place, (above, below) in enumerate(zip(*(each.tolist() for each in sums), strict=True)):
            self.spent[place] += int(above) * LOW_MONEY_DIGITS + int(below)

    def _read(self, chunk: Chunk, codes: Ints) -> tuple[Floats, Floats, Floats | None]:
        """Return pulls and sum of each row, and its value if rows have single values."""
        if chunk.is_counted:
            pulls, sums = (np.asarray(chunk.numbers[name]) for name in ("pulls", "sum"))
            return pulls, sums, None
        if self._form.is_values:
            values = self._read_rewards(chunk, "value")
            times = self._read_whole_numbers(chunk, "count")
            self._refuse_pairs(chunk, codes, values)
            return times, values * times, values
        if self._form.is_raw:
            values = self._read_rewards(chunk, "reward")
            return np.ones(len(values)), values, values
        return *self._read_counts(chunk), None

    def _take_counted(self, chunk: Chunk, codes: Ints, num_arms: int) -> None:
        """Pass on what an engine counted beside pulls and sums: values, bins or sums of logs."""
        if self.rewards is None or self.failures.count:
            return
        if "logs" in chunk.numbers:
            self.rewards.add_logs(codes, np.asarray(chunk.numbers["logs"]))
            return
        times = np.asarray(chunk.numbers["count"])
        if "bin" in chunk.numbers:
            self.rewards.add_bins(codes, np.asarray(chunk.numbers["bin"]), times)
        else:
            values = np.asarray(chunk.numbers["value"])
            self.rewards.add(codes, values, times, self.thresholds(num_arms))

    def _refuse_pairs(self, chunk: Chunk, codes: Ints, values: Floats) -> None:
        """Refuse a value of an arm in two rows: it may have been counted twice."""
        if self._form.sum or len(self._pairs) > _MAX_PAIRS:
            return
        for row, pair in enumerate(zip(codes.tolist(), values.tolist(), strict=True)):
            if pair in self._pairs and pair[0] >= 0:
                rule = f"come only once for arm {chunk.arms[row]!r}"
                cell = chunk.numbers["value"][row]
                self._fail(chunk.fault(row, chunk.columns["value"], rule, cell, _ADD_UP))
            self._pairs.add(pair)

    def _check_cases(
        self, chunk: Chunk, codes: Ints, pulls: Floats, known: NDArray[np.intp]
    ) -> None:
        """Check that no arm has more pulls than cases; the fault is at the first excess row."""
        pools = self.own["pool"].by_arm
        over = np.flatnonzero(self.counts.pulls > pools)
        for arm in map(int, np.intersect1d(over, codes)[: MAX_FAULTS_SHOWN + 1]):
            rows = np.flatnonzero(codes == arm)
            before = self.counts.pulls[arm] - pulls[rows].sum()
            totals = before + np.cumsum(pulls[rows])
            first = int(np.flatnonzero(totals > pools[arm])[0])
            row = int(known[rows[first]])
            column = chunk.columns.get("pulls", "pulls")
            rule = f"be at most the {pools[arm]:.0f} cases of arm {chunk.arms[row]!r}"
            self._fail(chunk.fault(row, column, rule, int(totals[first])))

    def _check_added(self, chunk: Chunk, codes: Ints, known: NDArray[np.intp]) -> None:
        """Check that the added-up pulls of an arm are not too many."""
        for row in np.flatnonzero(self.counts.pulls[codes] > MAX_COUNT)[:1]:
            total = float(self.counts.pulls[codes[row]])
            column = chunk.columns.get("pulls", "pulls")
            self._fail(chunk.fault(int(known[row]), column, _COUNT, total))

    def _fail(self, fault: Fault) -> None:
        self.failures.add(1, lambda: [fault])

    def _read_rewards(self, chunk: Chunk, meaning: str) -> Floats:
        low, high = self._problem.reward_range or _find_widest_range(self._problem)
        is_bernoulli = self._problem.rewards == "bernoulli"

        def is_possible(values: Floats) -> Bools:
            if is_bernoulli:
                return np.asarray((values == 0.0) | (values == 1.0))
            return np.asarray((low <= values) & (values <= high))

        def rule(row: int) -> str:
            arm = "" if chunk.is_named else f" for arm {chunk.arms[row]!r}"
            return f"{self._problem.reward_rule}{arm}"

        remedy: Text = OTHER_REWARDS if is_bernoulli else ""
        if not is_bernoulli and (low, high) == (0.0, 1.0):
            remedy = phrase(
                "For scores up to 100 {pass} {high}, and give the threshold on that scale.",
                high=Arg("high", 100),
            )
        elif not is_bernoulli and self._problem.reward_range is not None:
            remedy = _RANGE
        many = f"must {self._problem.reward_rule}"
        return self._read_numbers(chunk, meaning, is_possible, rule, remedy, many)

    def _read_counts(self, chunk: Chunk) -> tuple[Floats, Floats]:
        if not self._form.is_bernoulli:
            pulls = self._read_whole_numbers(chunk, "pulls")
            return pulls, self._read_sums(chunk, pulls)
        if "rate" in chunk.numbers:
            pulls = self._read_whole_numbers(chunk, "pulls")
            told = pulls - self._read_whole_numbers(chunk, LOST) if LOST in chunk.numbers else pulls
            successes = self._from_rates(chunk, np.maximum(told, 0.0))
            if "failed" in chunk.numbers:
                self._check_failed(chunk, told, successes)
            return pulls, successes
        if "successes" not in chunk.numbers:
            pulls = self._read_whole_numbers(chunk, "pulls")
            told = pulls - self._read_whole_numbers(chunk, LOST) if LOST in chunk.numbers else pulls
            return pulls, told - self._read_up_to(chunk, "failed", told)
        if "pulls" not in chunk.numbers:
            passed, failed = (
                self._read_whole_numbers(chunk, "successes"),
                self._read_whole_numbers(chunk, "failed"),
            )
            return passed + failed, passed
        pulls = self._read_whole_numbers(chunk, "pulls")
        successes = self._read_up_to(chunk, "successes", pulls, _NOT_COUNTS)
        if "failed" in chunk.numbers:
            self._check_failed(chunk, pulls, successes)
        return pulls, successes

    def _read_up_to(self, chunk: Chunk, meaning: str, pulls: Floats, remedy: Text = "") -> Floats:
        """Read a column of counts that are at most the pulls."""
        return self._read_numbers(
            chunk,
            meaning,
            lambda values: _is_count(values) & (values <= np.nan_to_num(pulls, nan=MAX_COUNT)),
            lambda row: _COUNT if np.isnan(pulls[row]) else f"{_UP_TO}, {pulls[row]:.0f}",
            remedy,
            f"must {_UP_TO}",
        )

    def _read_lost(self, chunk: Chunk, pulls: Floats, sums: Floats) -> Floats:
        """Return the pulls of each row that have no reward, which ``pulls`` counts, too.

        What is left of the pulls must be able to give the sum.
        """
        if LOST not in chunk.numbers:
            return np.zeros(len(pulls))
        self.has_lost = True
        if self._problem.reward_range is None:
            rule = "be 0: a lost Gaussian reward has no worst case"
            return self._read_numbers(chunk, LOST, lambda values: values == 0.0, lambda _: rule)
        low, high = self._problem.reward_range
        slack = _SUM_ROUNDING * pulls * max(abs(low), abs(high), high - low)

        def is_possible(lost: Floats) -> Bools:
            told = pulls - lost
            fits = (low * told - slack <= sums) & (sums <= high * told + slack)
            return _is_count(lost) & (np.isnan(pulls) | np.isnan(sums) | ((told >= 0) & fits))

        rule = "be a whole number of pulls that can have been lost, given the arm's other counts"
        return self._read_numbers(chunk, LOST, is_possible, lambda _: rule)

    def _check_failed(self, chunk: Chunk, pulls: Floats, successes: Floats) -> None:
        """Check that pulls are successes plus failures, if the table has all three."""
        missing = pulls - successes
        name = chunk.columns["pulls"]
        remedy = phrase(
            "To ignore the failures, {pass} {columns}.",
            columns=Arg("columns", {"pulls": name}),
        )
        self._read_numbers(
            chunk,
            "failed",
            lambda values: (values == missing) | np.isnan(missing),
            lambda row: f"be pulls minus successes, {missing[row]:.0f}",
            remedy,
            "must be pulls minus successes",
        )

    def _read_whole_numbers(self, chunk: Chunk, meaning: str) -> Floats:
        return self._read_numbers(chunk, meaning, _is_count, lambda _: _COUNT)

    def _read_sums(self, chunk: Chunk, pulls: Floats) -> Floats:
        low, high = self._problem.reward_range or _find_widest_range(self._problem)
        slack = _SUM_ROUNDING * pulls * max(abs(low), abs(high), high - low)
        told = pulls - self._read_whole_numbers(chunk, LOST) if LOST in chunk.numbers else pulls
        least, most = low * told, high * told

        def rule(row: int) -> str:
            if self._problem.reward_range is None:
                return "be a finite number" if pulls[row] else "be 0, as there are no pulls"
            return f"lie from {least[row]:g} to {most[row]:g}, the pulls times low and high"

        return self._read_numbers(
            chunk,
            "sum",
            lambda values: np.isnan(pulls) | ((least - slack <= values) & (values <= most + slack)),
            rule,
            "" if self._problem.reward_range is None else join(_OTHER_RANGE, _RANGE),
            many="must be possible sums of the arm's rewards",
        )

    def _from_rates(self, chunk: Chunk, pulls: Floats) -> Floats:
        """Return successes: for each rate, the only whole number that it can stand for."""
        found, rates = from_rates(chunk, pulls, self.numerals)
        if rates.count:
            self.failures.add(rates.count, rates.faults)
        self._keep_trace(chunk, "rate", found)
        return found

    def _read_numbers(
        self,
        chunk: Chunk,
        meaning: str,
        is_right: Callable[[Floats], Bools],
        rule: Callable[[int], str],
        remedy: Text | Callable[[float], str] = "",
        many: str = "",
    ) -> Floats:
        """Parse a column as numbers; a wrong cell becomes nan and a fault.

        ``many`` is the rule for all rows alike, where ``rule`` depends on the row.
        """
        cells, column = chunk.numbers[meaning], chunk.columns[meaning]
        self.numerals.in_memory |= not chunk.is_text
        has_words = meaning in _REWARDS and self._problem.rewards == "bernoulli"
        values = parse_values(
            cells,
            self.numerals,
            is_text=chunk.is_text or not self._form.strict,
            booleans=meaning in _REWARDS,
            words=has_words,
            shares=(meaning in _REWARDS and self._problem.reward_range == (0.0, 1.0))
            or (meaning in self.own and self.own[meaning].bound.is_share),
        )
        wrong = ~(np.isfinite(values) & is_right(values))
        if wrong.any():
            read = values.copy()

            def describe() -> Iterator[Fault]:
                for row in map(int, np.flatnonzero(wrong)[: MAX_FAULTS_SHOWN + 1]):
                    fitting, what = self._explain_unreadable(chunk, row, meaning)
                    if np.isfinite(read[row]):
                        fitting = remedy(float(read[row])) if callable(remedy) else remedy
                        what = many
                    yield chunk.fault(row, column, rule(row), cells[row], fitting, what)

            self.failures.add(min(int(np.count_nonzero(wrong)), MAX_FAULTS_SHOWN + 1), describe)
            values[wrong] = np.nan
        self._keep_trace(chunk, meaning, values)
        return values

    def _explain_unreadable(self, chunk: Chunk, row: int, meaning: str) -> tuple[Text, str]:
        """Return the remedy for a cell that is no number, and what is wrong with it."""
        cell, column = chunk.numbers[meaning][row], chunk.columns[meaning]
        if is_blank(cell) or str(cell).strip().casefold() in _NOTHING:
            remedy: Text = _EMPTY if meaning in _REWARDS else _NONE if meaning in _TOTALS else ""
            if chunk.is_text and chunk.word == "row":
                remedy = join(remedy, _FORMULA)
            return remedy, "are empty"
        if not isinstance(cell, str) or self._form.strict:
            return "", "are not numbers"
        if cell.rstrip().endswith("%") and meaning in ("successes", "sum"):
            rate = Arg("columns", {"rate": column})
            return phrase("If it is a rate, {pass} {rate}.", rate=rate), "are not counts"
        if meaning not in _REWARDS:
            return _PLAIN, "are not numbers"
        wrong_column = phrase(
            "If {column} is not the column of rewards, {pass} {other}.",
            column=repr(column),
            other=Arg("columns", {meaning: Symbol("NAME")}),
        )
        if self._form.wide is not None:
            wrong_column = phrase(
                "If {column} is not an arm, name the columns that are: {wide}.",
                column=repr(column),
                wide=Arg("wide", Symbol("COLUMNS")),
            )
        if self._problem.rewards != "bernoulli":
            return join(_PLAIN, wrong_column), "are not numbers"
        words = "Write 1 or 0, yes or no, true or false, pass or fail."
        return join(words, wrong_column), "are not 0 or 1"

    def _keep_trace(self, chunk: Chunk, meaning: str, values: Floats) -> None:
        """Keep the first cell with a sign, to show its two readings in an error."""
        if self.trace is not None or not self.numerals.has_signs:
            return
        for row, cell in enumerate(chunk.numbers[meaning]):
            if isinstance(cell, str) and has_sign(cell):
                column = chunk.columns[meaning]
                self.trace = DecimalCell(chunk.place(row), column, cell, float(values[row]))
                return


def _is_count(values: Floats) -> Bools:
    return np.asarray((values >= 0) & (values <= MAX_COUNT) & (values == np.floor(values)))


def _find_widest_range(problem: Problem) -> tuple[float, float]:
    """Return the range for rewards without a range: beyond it, sums would overflow."""
    return -MAX_UNITS * problem.scale, MAX_UNITS * problem.scale
