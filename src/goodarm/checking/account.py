"""Each arm's counts with one decimal sign, and all that is wrong with them."""

from collections.abc import Callable, Sequence
from decimal import Decimal
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.checking.chunk import Chunk
from goodarm.checking.faults import MOST, Fault
from goodarm.checking.form import Form, Sign
from goodarm.checking.headers import says_percent
from goodarm.checking.numerals import Numerals, has_sign, values_of
from goodarm.checking.rates import REMEDY, Rate, read_rates, successes_of
from goodarm.errors import Hint
from goodarm.problem import Problem
from goodarm.problem.rewards import MOST_UNITS

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

MOST_COUNT: Final = 10**12
"""Up to here the evidence is known to be right to a millionth."""
_SLACK: Final = 1e-9
"""Sums of rewards carry rounding errors: so much of the range, for each pull, is forgiven."""
_UP_TO: Final = "be a whole number from 0 to the arm's pulls"
_COUNT: Final = f"be a whole number from 0 to {MOST_COUNT}"
_NOT_BERNOULLI: Final = Hint(
    "For other rewards pass rewards='bounded' with low and high.",
    "For other rewards say --rewards bounded --low L --high H.",
)
_NOT_COUNTS: Final = Hint(
    "For rewards that are not 0 or 1 pass rewards='bounded' and a column 'sum'.",
    "For rewards that are not 0 or 1 say --rewards bounded and give a column 'sum'.",
)


class Counts(NamedTuple):
    """The number and the sum of each arm's rewards."""

    pulls: Floats
    sums: Floats


class Trace(NamedTuple):
    """A cell with a point or comma, and what it was read as."""

    place: str
    column: str
    cell: object
    value: float


class Account:
    """Counts, added up chunk by chunk.

    ``trace``: the first cell whose number may depend on the decimal sign.
    """

    def __init__(self, sign: Sign, problem: Problem, form: Form) -> None:
        self.numerals = Numerals(sign, is_strict=form.strict)
        self.faults: list[Fault] = []
        self.trace: Trace | None = None
        self.counts = Counts(np.zeros(0), np.zeros(0))
        self._problem = problem
        self._form = form

    def add(self, chunk: Chunk, codes: NDArray[np.int64], num_arms: int) -> None:
        """Check a chunk's numbers and add them to their arms."""
        if not self._form.is_raw:
            pulls, sums = self._counts(chunk)
        elif "reward" in chunk.numbers:
            sums = self._rewards(chunk)
            pulls = np.ones(len(sums))
        else:  # an engine has counted them
            pulls, sums = (np.asarray(chunk.numbers[name]) for name in ("pulls", "sum"))
        if len(codes) and codes.min() < 0:
            known = codes >= 0
            codes, pulls, sums = codes[known], pulls[known], sums[known]
        before = self.counts
        grown = np.zeros(num_arms - len(before.pulls))
        self.counts = Counts(
            np.append(before.pulls, grown) + np.bincount(codes, pulls, num_arms),
            np.append(before.sums, grown) + np.bincount(codes, sums, num_arms),
        )
        if self._form.sum:
            self._check_added(chunk, codes)

    def _check_added(self, chunk: Chunk, codes: NDArray[np.int64]) -> None:
        """Rows that are each right may be too many together."""
        for row in np.flatnonzero(self.counts.pulls[codes] > MOST_COUNT)[:1]:
            total = float(self.counts.pulls[codes[row]])
            column = chunk.columns.get("pulls", "pulls")
            self.faults.append(chunk.fault(int(row), column, _COUNT, total))

    def _rewards(self, chunk: Chunk) -> Floats:
        low, high = self._problem.reward_range or (-MOST_UNITS, MOST_UNITS)
        is_bernoulli = self._problem.rewards == "bernoulli"

        def is_possible(values: Floats) -> Bools:
            if is_bernoulli:
                return np.asarray((values == 0.0) | (values == 1.0))
            return np.asarray((low <= values) & (values <= high))

        rule = self._problem.reward_rule
        remedy = _NOT_BERNOULLI if is_bernoulli else ""
        return self._numbers(chunk, "reward", is_possible, lambda _: rule, remedy)

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
        remedy = Hint(
            f"Say which pulls count: columns={{'pulls': {name!r}}} leaves failures alone.",
            f"Say which pulls count: --column pulls={name} leaves failures alone.",
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
        low, high = self._problem.reward_range or (0.0, 1.0)
        slack = _SLACK * pulls * max(abs(low), abs(high), high - low)
        least, most = low * pulls, high * pulls
        return self._numbers(
            chunk,
            "sum",
            lambda values: np.isnan(pulls) | ((least - slack <= values) & (values <= most + slack)),
            lambda row: f"lie from {least[row]:g} to {most[row]:g}, the pulls times low and high",
        )

    def _from_rates(self, chunk: Chunk, pulls: Floats) -> Floats:
        """Successes, each the one whole number that its rate stands for."""
        cells, column = chunk.numbers["rate"], chunk.columns["rate"]
        is_percent = says_percent(column)
        rates = read_rates(cells, self.numerals, is_text=chunk.is_text, is_percent=is_percent)
        found = np.zeros(len(pulls))
        for row, (rate, count) in enumerate(zip(rates, pulls, strict=True)):
            if np.isnan(count) or count == 0:
                continue
            if rate is None:
                rule = "be a rate from 0 to 1, or in percent with a % sign"
                self.faults.append(chunk.fault(row, column, rule, cells[row]))
                continue
            known = successes_of(rate, int(count))
            if known.least != known.most:
                self.faults.append(chunk.fault(row, column, known.rule, cells[row], REMEDY))
            else:
                found[row] = known.least
        if is_percent:
            self._check_percent(chunk, rates)
        self._keep_trace(chunk, "rate", found)
        return found

    def _check_percent(self, chunk: Chunk, rates: Sequence[Rate | None]) -> None:
        """Percentages that are all below 1 may be parts of one, as a workbook keeps them."""
        cells, column = chunk.numbers["rate"], chunk.columns["rate"]
        signed = [isinstance(cell, str) and "%" in cell for cell in cells]
        known = [r.value for r, has in zip(rates, signed, strict=True) if r is not None and not has]
        if known and 0 < max(known) <= Decimal("0.01"):
            row = next(k for k, rate in enumerate(rates) if rate is not None and rate.value > 0)
            rule = f"be in percent, as {column!r} says, or parts of one; all are at most 1"
            remedy = "Write 75 or 75% for three quarters, or name the column rate."
            self.faults.append(chunk.fault(row, column, rule, cells[row], remedy))

    def _numbers(
        self,
        chunk: Chunk,
        meaning: str,
        is_right: Callable[[Floats], Bools],
        rule: Callable[[int], str],
        remedy: str | Hint = "",
    ) -> Floats:
        """A column as numbers; nan where a cell is wrong, and a fault for each of these."""
        cells, column = chunk.numbers[meaning], chunk.columns[meaning]
        values = values_of(
            cells,
            self.numerals,
            is_text=chunk.is_text,
            booleans=meaning == "reward",
            words=meaning == "reward" and self._problem.rewards == "bernoulli",
        )
        wrong = ~(np.isfinite(values) & is_right(values))
        if wrong.any():
            for row in map(int, np.flatnonzero(wrong)[: MOST + 1]):
                fitting = remedy if np.isfinite(values[row]) else ""
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


def _is_count(values: Floats) -> Bools:
    return np.asarray((values >= 0) & (values <= MOST_COUNT) & (values == np.floor(values)))
