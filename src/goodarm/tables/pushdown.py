"""Counting of raw rewards inside an engine, without fetching the rows.

One pass gives each arm's pulls, sum and errors. If values are requested, arms with few distinct
ones are grouped by value; values of other arms are counted in bins, and the logarithms of the
requested factors are summed.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

import narwhals
import numpy as np

from goodarm.errors import invalid_argument
from goodarm.problem import MAX_COST, MAX_UNITS, MONEY_UNITS, make_money_rule
from goodarm.tables.cases import is_case
from goodarm.tables.chunks import Chunk, empty_table
from goodarm.tables.headers import Header
from goodarm.tables.numerals import WORDS
from goodarm.tables.read_options import Reading
from goodarm.tables.requests import LOW_MONEY_DIGITS, TableRequest, ValueRequest
from goodarm.tables.table_errors import MAX_FAULTS_SHOWN, Fault
from goodarm.tables.units import UNIT, count_repeats, make_unequal_repeats_error
from goodarm.wording import ErrorPlace

Lazy = narwhals.LazyFrame[Any]

_ARM: Final = "goodarm_arm"
_VALUE: Final = "goodarm_value"
_WRONG: Final = "goodarm_wrong"
_MISSING: Final = "goodarm_missing"
_UNIT: Final = "goodarm_unit"
_BIN: Final = "goodarm_bin"
_NAME: Final = "goodarm_name"
_NAMELESS: Final = "goodarm_nameless"
_REPEATS: Final = "goodarm_repeats"
_LOG: Final = "goodarm_log_"
_DIGITS: Final = {"0": 0.0, "0.0": 0.0, "1": 1.0, "1.0": 1.0}
"""Rewards of 0 and 1 as text."""


class EngineCounter:
    """Counter of the rewards of a lazy table, run by its engine."""

    def __init__(
        self,
        lazy: Lazy,
        schema: Mapping[str, Any],
        header: Header,
        request: TableRequest,
        reading: Reading,
    ) -> None:
        self._header, self._request, self._reading = header, request, reading
        self._problem, wanted = request.problem, request.rewards
        self._wanted = None if wanted is None else wanted.values
        self._has_moments = wanted is not None and wanted.has_moments
        self._own = [name for name in reading.form.own if name in header.names]
        self._cases = [meaning for meaning in header.names if is_case(meaning)]
        self._has_words = False
        value, possible, is_missing = self._make_value_expressions(schema)
        money: dict[str, Any] = {}
        if "cost" in header.names:
            money = _make_money_columns(narwhals.col(header.names["cost"]).cast(narwhals.Float64))
        self._money = tuple(money)
        self._rows = lazy.select(
            narwhals.col(header.names["arm"]).alias(_ARM),
            value.cast(narwhals.Float64).alias(_VALUE),
            (~possible).cast(narwhals.Int64).alias(_WRONG),
            is_missing.cast(narwhals.Int64).alias(_MISSING),
            *(
                narwhals.col(header.names[name]).cast(narwhals.Float64).alias(f"goodarm_{name}")
                for name in self._own
            ),
            *(
                narwhals.col(header.names[meaning]).alias(f"goodarm_{meaning}")
                for meaning in self._cases
            ),
            *([narwhals.col(header.names[UNIT]).alias(_NAME)] if UNIT in header.names else []),
            *(column.alias(name) for name, column in money.items()),
        )
        self._has_units = UNIT in header.names
        if self._has_units:
            self._rows = self._average_by_unit()

    def chunks(self, source: str) -> Iterator[Chunk]:
        """Yield each arm's counts; then values, bins and sums of logs, if they are requested."""
        counted = self._compute_by_arm()
        arms = counted[_ARM]
        if not arms:
            raise empty_table(source)
        first = self._count_arms(source, counted)
        if self._has_units:
            self._check_units(source, counted)
        yield first
        if self._wanted is None:
            return
        is_many = _make_floats(counted["distinct"]) > self._wanted.max_distinct
        if not is_many.all():
            few_valued = self._select_rows(first, is_many, chosen=False)
            yield self._count_by(few_valued, _VALUE, "value", first)
        if is_many.any():
            many_valued = self._select_rows(first, is_many, chosen=True)
            many_valued = many_valued.with_columns(self._make_unit_expression().alias(_UNIT))
            many_valued = many_valued.with_columns(
                _make_bin_expression(self._wanted.num_bins).alias(_BIN)
            )
            yield self._count_by(many_valued, _BIN, "bin", first)
            yield from self._sum_logs(self._wanted, first, is_many)

    def _average_by_unit(self) -> Lazy:
        """Return a row for each unit of each arm: the average of its rewards, and their number."""
        value = narwhals.col(_VALUE)
        own = [f"goodarm_{name}" for name in self._own]
        averaged = self._rows.group_by(_ARM, _NAME, *own).agg(
            (value.sum() / narwhals.len()).alias(_VALUE),
            narwhals.col(_WRONG).sum().alias(_WRONG),
            narwhals.col(_MISSING).sum().alias(_MISSING),
            narwhals.len().cast(narwhals.Int64).alias(_REPEATS),
            *(narwhals.col(name).sum().alias(name) for name in self._money),
        )
        nameless = narwhals.col(_NAME).is_null().cast(narwhals.Int64)
        return averaged.with_columns(nameless.alias(_NAMELESS))

    def _make_value_expressions(self, schema: Mapping[str, Any]) -> tuple[Any, Any, Any]:
        """Return expressions for a reward as a number, for its validity, and for its absence."""
        name, problem = self._header.names["reward"], self._problem
        reward, kind = narwhals.col(name), schema[name]
        if kind in (narwhals.Categorical, narwhals.Enum):
            reward, kind = reward.cast(narwhals.String), narwhals.String
        if kind == narwhals.String:
            if problem.rewards != "bernoulli":
                rule, remedy = f"be a column of numbers; {name!r} is text", "Cast it in the query."
                raise invalid_argument("counts", "check", rule, str(kind), remedy)
            self._has_words = True
            return *_make_word_expressions(reward, self._reading), reward.is_null()
        value = reward.cast(narwhals.Int64) if kind == narwhals.Boolean else reward
        if problem.rewards == "bernoulli":
            return value, (value == 0) | (value == 1), reward.is_null()
        most = MAX_UNITS * problem.scale
        low, high = problem.reward_range or (-most, most)
        return value, (value >= low) & (value <= high), reward.is_null()

    def _compute_by_arm(self) -> dict[str, list[Any]]:
        """Compute a row for each arm, sorted by label, as engines keep no order."""
        value = narwhals.col(_VALUE)
        wanted = [
            narwhals.len().alias("pulls"),
            value.sum().alias("sum"),
            narwhals.col(_WRONG).sum().alias("wrong"),
            narwhals.col(_MISSING).sum().alias("missing"),
            value.min().alias("least"),
            value.max().alias("largest"),
        ]
        for name in self._own:
            arm_column = narwhals.col(f"goodarm_{name}")
            wanted += [
                arm_column.min().alias(f"{name}_least"),
                arm_column.max().alias(f"{name}_most"),
            ]
        for meaning in self._cases:
            case = narwhals.col(f"goodarm_{meaning}")
            wanted += [
                case.n_unique().alias(meaning),
                case.is_null().cast(narwhals.Int64).sum().alias(f"{meaning} missing"),
            ]
        if self._has_units:
            repeats = narwhals.col(_REPEATS)
            wanted += [
                repeats.min().alias("fewest"),
                repeats.max().alias("most"),
                narwhals.col(_NAMELESS).sum().alias("nameless"),
            ]
        wanted += [narwhals.col(name).sum().alias(name) for name in self._money]
        if self._has_moments:
            wanted.append(value.var(ddof=1).alias("variance"))
        if self._wanted is not None:
            wanted.append(value.n_unique().alias("distinct"))
        rows = self._rows.group_by(_ARM).agg(*wanted).collect().to_dict(as_series=False)
        order = sorted(range(len(rows[_ARM])), key=lambda k: _rank(rows[_ARM][k]))
        return {name: [column[k] for k in order] for name, column in rows.items()}

    def _count_arms(self, source: str, counted: Mapping[str, list[Any]]) -> Chunk:
        """Return pulls, sums and per-arm columns, with all faults."""
        numbers = {name: _make_floats(counted[name]) for name in ("pulls", "sum")}
        numbers |= {name: _make_floats(counted[f"{name}_least"]) for name in self._own}
        if self._has_moments:
            numbers["mean"] = numbers["sum"] / numbers["pulls"]
            numbers["squares"] = _make_floats(counted["variance"]) * (numbers["pulls"] - 1.0)
        if self._money:
            for part in ("spent high", "spent low"):
                numbers[part] = np.nan_to_num(_make_floats(counted[part]))
        for meaning in self._cases:  # n_unique takes all missing as one case; each may differ
            blank = _make_floats(counted[f"{meaning} missing"])
            numbers[meaning] = _make_floats(counted[meaning]) + np.maximum(blank - 1.0, 0.0)
        chunk = Chunk(
            source=source,
            arms=counted[_ARM],
            numbers=numbers,
            columns=self._header.names,
            lines=range(1, len(counted[_ARM]) + 1),
            is_named=True,
            is_counted=True,
        )
        faults = []
        wrong = _make_floats(counted["wrong"]) + _make_floats(counted["missing"])
        for row in map(int, np.flatnonzero(wrong)[: MAX_FAULTS_SHOWN + 1]):
            outside, missing = (int(counted[name][row] or 0) for name in ("wrong", "missing"))
            least, largest = counted["least"][row], counted["largest"][row]
            found = f"{outside} outside, {missing} missing"
            if not self._has_words and least is not None:
                found += f", all from {least} to {largest}"
            rule = f"all {self._problem.reward_rule}"
            faults.append(chunk.fault(row, self._header.names["reward"], rule, found))
        if self._money:
            faults += self._find_wrong_costs(chunk, counted)
        return replace(chunk, faults=[*faults, *self._find_differing(chunk, counted)])

    def _check_units(self, source: str, counted: Mapping[str, list[Any]]) -> None:
        """Raise an error for rows without a unit, or units that differ in number of rewards.

        An engine keeps no order, so it is not known which unit was begun last.
        """
        unit, place = str(self._reading.form.unit), ErrorPlace(source)
        if any(_make_floats(counted["nameless"])):
            column = self._header.names[UNIT]
            raise invalid_argument(
                column, "check", "name the unit of each reward", None, place=place
            )
        repeats = _make_floats([*counted["fewest"], *counted["most"]]).astype(np.int64)
        found = count_repeats(repeats)
        if found.least < found.most and self._reading.form.repeats != "fixed":
            raise make_unequal_repeats_error(unit, "check", (found.least, found.most), place)
        self._reading.note(found.describe(unit))

    def _find_wrong_costs(self, chunk: Chunk, counted: Mapping[str, list[Any]]) -> Iterator[Fault]:
        """Yield a fault for each arm with a cost that is missing or no amount of money."""
        wrong = _make_floats(counted["cost wrong"])
        for row in map(int, np.flatnonzero(wrong)[: MAX_FAULTS_SHOWN + 1]):
            found = f"{int(wrong[row])} outside, or missing"
            rule = f"all {make_money_rule()}"
            yield chunk.fault(row, self._header.names["cost"], rule, found)

    def _find_differing(self, chunk: Chunk, counted: Mapping[str, list[Any]]) -> Iterator[Fault]:
        """Yield a fault for each arm whose own number is not the same in all rows."""
        for name in self._own:
            least, most = counted[f"{name}_least"], counted[f"{name}_most"]
            for row in [k for k in range(len(least)) if least[k] != most[k]][
                : MAX_FAULTS_SHOWN + 1
            ]:
                rule = "be the same in all rows of an arm"
                yield chunk.fault(row, self._header.names[name], rule, [least[row], most[row]])

    def _select_rows(self, first: Chunk, is_many: "np.ndarray[Any, Any]", *, chosen: bool) -> Lazy:
        """Select the rows of the arms that have many values, or of the others."""
        if (is_many == chosen).all():
            return self._rows
        arms = [arm for arm, many in zip(first.arms, is_many, strict=True) if many]
        among = narwhals.col(_ARM).is_in(arms)
        return self._rows.filter(among if chosen else ~among)

    def _count_by(self, rows: Lazy, column: str, name: str, first: Chunk) -> Chunk:
        """Count the rows of each value or bin."""
        counted = rows.group_by(_ARM, column).agg(narwhals.len().alias("count")).collect()
        found = counted.to_dict(as_series=False)
        numbers = {name: _make_floats(found[column]), "count": _make_floats(found["count"])}
        return _make_chunk(first, found[_ARM], numbers)

    def _sum_logs(
        self, wanted: ValueRequest, first: Chunk, is_many: "np.ndarray[Any, Any]"
    ) -> Iterator[Chunk]:
        """Yield the sums of the logs of each factor, in one pass per distinct threshold."""
        for threshold, arms in self._group_by_threshold(first, is_many).items():
            slopes, offsets = wanted.factors_at(threshold)
            pairs = zip(slopes.tolist(), offsets.tolist(), strict=True)
            made = {
                f"{_LOG}{k}": (1.0 + slope * (narwhals.col(_UNIT) - offset)).log()
                for k, (slope, offset) in enumerate(pairs)
            }
            rows = self._rows
            if len(arms) < len(first.arms):
                rows = rows.filter(narwhals.col(_ARM).is_in(arms))
            rows = rows.with_columns(self._make_unit_expression().alias(_UNIT))
            rows = rows.with_columns(*(log.alias(name) for name, log in made.items()))
            summed = rows.group_by(_ARM).agg(*(narwhals.col(n).sum().alias(n) for n in made))
            found = summed.collect().to_dict(as_series=False)
            logs = np.stack([_make_floats(found[name]) for name in made], axis=1)
            yield _make_chunk(first, found[_ARM], {"logs": logs})

    def _group_by_threshold(
        self, first: Chunk, is_many: "np.ndarray[Any, Any]"
    ) -> dict[float, list[Any]]:
        """Group the arms that have many values by threshold."""
        given = self._request.threshold
        groups: dict[float, list[Any]] = {}
        for row in map(int, np.flatnonzero(is_many)):
            arm = first.arms[row]
            if "threshold" in first.numbers:
                threshold = first.numbers["threshold"][row]
            elif isinstance(given, Mapping):
                named = {str(key): value for key, value in given.items()}
                threshold = named.get(str(arm), self._problem.threshold)
            else:
                threshold = self._problem.threshold
            groups.setdefault(float(threshold), []).append(arm)
        return groups

    def _make_unit_expression(self) -> Any:
        problem = self._problem
        return (narwhals.col(_VALUE) - problem.offset) / problem.scale


def _make_money_columns(cost: Any) -> dict[str, Any]:
    """Return columns of each row's billionths, in two parts, and of whether the cost is none.

    They are computed with remainders, because ``//`` keeps fractions in some engines.
    """
    shifted = cost * float(MONEY_UNITS) + 0.5
    units = shifted - shifted % 1.0
    low = units % float(LOW_MONEY_DIGITS)
    is_amount = (cost >= 0.0) & (cost <= MAX_COST)
    wrong = (~is_amount).cast(narwhals.Int64)
    return {
        "spent high": (units - low) / float(LOW_MONEY_DIGITS),
        "spent low": low,
        "cost wrong": narwhals.when(cost.is_null()).then(1).otherwise(wrong),
    }


def _make_bin_expression(num_bins: int) -> Any:
    """Return the bin of a unit reward: odd numbers are bins, even ones the edges between.

    It is computed with remainders, because ``//`` keeps fractions in some engines.
    """
    scaled = narwhals.col(_UNIT) * num_bins
    part = scaled % 1.0
    return (scaled - part) * 2.0 + (part > 0.0).cast(narwhals.Float64)


def _make_word_expressions(reward: Any, reading: Reading) -> tuple[Any, Any]:
    """Return expressions for a word as 0 or 1, and for whether it is a known word."""
    lowered = reward.str.strip_chars().str.to_lowercase()
    known = {} if reading.form.strict else {**WORDS, **_DIGITS}
    if known:
        reading.note("read words as 0 and 1")
    successes = [word for word in known if known[word] == 1.0]
    return lowered.is_in(successes or [""]).cast(narwhals.Int64), lowered.is_in(list(known) or [""])


def _make_chunk(first: Chunk, arms: Sequence[Any], numbers: Mapping[str, Any]) -> Chunk:
    """Return a chunk with further numbers of arms that have been counted."""
    return replace(first, arms=arms, numbers=numbers, lines=range(1, len(arms) + 1), faults=())


def _make_floats(column: Sequence[Any]) -> "np.ndarray[Any, np.dtype[np.float64]]":
    return np.array([float(value or 0) for value in column])


def _rank(arm: object) -> tuple[int, int, str]:
    """Return the sort key of a label: numbers first, then text, then invalid labels."""
    if isinstance(arm, int) and not isinstance(arm, bool):
        return 0, arm, ""
    return (1, 0, arm) if isinstance(arm, str) else (2, 0, str(arm))
