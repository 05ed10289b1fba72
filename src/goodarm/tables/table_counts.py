"""Counts of a table's arms, from validated rows.

What can be read in two ways, a decimal sign or a row of totals, is an error and never guessed.
"""

from collections.abc import Iterable
from typing import Final, NamedTuple

import numpy as np

from goodarm.errors import SpecError
from goodarm.problem import Arm
from goodarm.tables.arms import ArmIndex
from goodarm.tables.cases import CaseCounter, is_case
from goodarm.tables.chunks import Cells, Chunk, empty_table
from goodarm.tables.counts import ArmCounter, Counts, Floats
from goodarm.tables.headers import normalize_name
from goodarm.tables.inputs import read_chunks
from goodarm.tables.numerals import has_sign
from goodarm.tables.read_options import Reading
from goodarm.tables.requests import RewardSink, TableRequest
from goodarm.tables.table_errors import MAX_FAULTS_SHOWN, Fault, make_table_error
from goodarm.tables.units import UnitIndex
from goodarm.wording import Arg, ErrorPlace, phrase

_TOTAL_NAMES: Final = frozenset(
    {"total", "totals", "sum", "all", "overall", "grand total", "gesamt"}
)
_TOTAL_PARTS: Final = ("total", "sum", "all", "gesamt")
"""Substrings, one of which is in each of ``_TOTAL_NAMES``: a fast test that most tables pass."""


class TableCounts(NamedTuple):
    """Arms in the order of the table, with their pulls and the sums of their rewards.

    ``lost`` are the pulls that have no reward, None if the table does not say. ``thresholds`` and
    ``pools`` are each arm's; ``rewards`` is the sink of single rewards, if requested; ``spent`` is
    each arm's money in billionths, if the table has a column of it.
    """

    arms: tuple[Arm, ...]
    pulls: Floats
    sums: Floats
    thresholds: Floats
    pools: Floats | None = None
    rewards: RewardSink | None = None
    lost: Floats | None = None
    spent: tuple[int, ...] | None = None


def read_counts(table: object, request: TableRequest, reading: Reading) -> TableCounts:
    """Read any table and sum each arm's counts.

    Raises one error for all wrong rows, and then, if there are none, one for a row of totals.
    """
    rows = read_rows(read_chunks(table, request, reading), request, reading)
    arm_index, source = rows.book, rows.source
    counter, *others = rows.counters
    for other in others:
        is_same = all(map(np.array_equal, counter.counts, other.counts))
        if not is_same or counter.spent != other.spent:
            raise _make_ambiguity_error(counter, other)
    for note in counter.numerals.notes:
        reading.note(note)
    arm_index.note_rows()
    if reading.form.is_counts and not reading.form.keep_total and not rows.is_named:
        _refuse_total(arm_index, counter.counts, source)
    for arm_numbers in counter.own.values():
        arm_numbers.check_names(arm_index.order)
    thresholds = counter.thresholds(len(arm_index.order))
    pools = counter.own["pool"].by_arm if "pool" in counter.own else None
    pulls, sums, lost = counter.counts
    lost_or_none = lost if counter.has_lost else None
    spent = None if reading.form.money is None else tuple(counter.spent)
    arms = tuple(arm_index.order)
    return TableCounts(arms, pulls, sums, thresholds, pools, counter.rewards, lost_or_none, spent)


class TableRows(NamedTuple):
    """All rows of a table.

    Args:
        book: the arms.
        counters: one for each decimal sign with which the table can be read.
        source: the table's name in messages.
        is_named: all rows are known to be arms, because the user's own code names them.
    """

    book: ArmIndex
    counters: list[ArmCounter]
    source: str
    is_named: bool


def read_rows(chunks: Iterable[Chunk], request: TableRequest, reading: Reading) -> TableRows:
    """Read all rows; raise one error that names every wrong row.

    Numbers without a point or comma are read once. From the first point or comma on, there is a
    counter for each decimal sign; a counter that fails is dropped if another does not fail.
    """
    arm_index, cases, units = ArmIndex(reading), CaseCounter(), UnitIndex(reading.form.unit)
    first, *others = reading.form.signs
    counters = [ArmCounter(first, request, reading.form)]
    last: SpecError | None = None
    source, is_named = "check", False
    rows = iter(chunks)
    while True:
        try:
            chunk = next(rows, None)
        except SpecError as error:
            last = error
            break
        if chunk is None:
            break
        source, is_named = chunk.source, chunk.is_named
        arm_index.faults += chunk.faults
        codes = arm_index.enter(chunk)
        cases.add(chunk, codes)
        chunk = units.number(chunk)
        arm_index.faults += units.take_faults()
        if others and _has_signs(chunk):
            counters += [counters[0].fork(sign) for sign in others]
            others = []
        for counter in counters:
            counter.add(chunk, codes, arm_index.order)
        clean = [counter for counter in counters if not counter.failures.count]
        counters = clean or [min(counters, key=lambda counter: counter.failures.count)]
        if counters[0].failures.count:
            others = []
        num_faults = len(arm_index.faults) + len(arm_index.repeated) + counters[0].failures.count
        if num_faults > MAX_FAULTS_SHOWN or (num_faults and chunk.is_counted):
            break
    faults = [*arm_index.faults, *arm_index.repeated.values(), *counters[0].failures.faults()]
    if faults or last is not None:
        raise make_table_error(source, faults, last)
    if not len(arm_index):
        raise empty_table(source)
    cases.refuse_repeats(source, arm_index.order)
    for counter in counters:
        counter.average(source, arm_index.order, reading)
    return TableRows(arm_index, counters, source, is_named)


def _has_signs(chunk: Chunk) -> bool:
    """Return whether a number has a point or comma, so that the decimal sign matters."""
    columns = (cells for meaning, cells in chunk.numbers.items() if not is_case(meaning))
    return any(map(has_sign, map(_join_cells, columns)))


def _join_cells(cells: Cells) -> str:
    """Join the text cells of a column."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in "iufb":
        return ""
    try:
        return "".join(cells)
    except TypeError:  # not all cells are text
        return "".join(cell for cell in cells if isinstance(cell, str))


def _make_ambiguity_error(first: ArmCounter, second: ArmCounter) -> SpecError:
    point, comma = first.trace, second.trace
    if point is None or comma is None:
        raise AssertionError("readings that differ have met a sign")
    return SpecError(
        f"The {point.column!r} of {point.place} can be read in two ways: {point.cell!r} "
        f"is {point.value:.15g} with a decimal point and {comma.value:.15g} with a decimal comma.",
        argument=point.column,
        owner="check",
        rule="be a number that can be read in one way only",
        value=point.cell,
        remedy=phrase(
            "Choose one: {point} or {comma}.",
            point=Arg("decimal", "."),
            comma=Arg("decimal", ","),
        ),
        place=point.place._replace(column=point.column),
    )


def _refuse_total(arm_index: ArmIndex, counts: Counts, source: str) -> None:
    """Refuse a row that is named total, or is the sum of all others: it is probably no arm."""
    total, whole = counts.pulls.sum(), counts.sums.sum()
    is_half = (counts.pulls * 2 == total) & np.isclose(counts.sums * 2, whole, rtol=1e-9, atol=0.0)
    is_named = np.zeros(len(arm_index.order), bool)
    folded = list(map(str.casefold, map(str, arm_index.order)))
    if any(part in "\n".join(folded) for part in _TOTAL_PARTS):
        is_named[:] = [
            any(part in name for part in _TOTAL_PARTS) and normalize_name(name) in _TOTAL_NAMES
            for name in folded
        ]
    is_sum = is_half & (counts.pulls > 0) & (np.count_nonzero(counts.pulls) > 2)
    places = np.flatnonzero(is_named | is_sum)
    if not len(places):
        return
    place = int(places[0])
    where = ErrorPlace(source, entry=arm_index.place_of(place))
    keep = Arg("keep_total", True)
    remedy = phrase("Remove the row or, if it is an arm, {pass} {keep}.", keep=keep)
    rule = "be an arm, not the total of the other rows"
    raise Fault(0, where, arm_index.column, rule, arm_index.order[place], remedy).error()
