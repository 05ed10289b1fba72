"""Lazy and remote tables: the engine counts, we judge.

Raw rows are grouped inside the engine, and only each arm's counts come back. A table of counts is
small and comes back whole. Arrow's datasets and streams have no engine: they are read in batches.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import import_module
from typing import Any, Final

import narwhals
import numpy as np

from goodarm.checking.chunk import Cells, Chunk, empty_table
from goodarm.checking.faults import MOST
from goodarm.checking.form import Reading
from goodarm.checking.headers import Header, find
from goodarm.checking.numerals import WORDS
from goodarm.errors import GoodArmError, SpecError, missing_extra
from goodarm.problem import Problem

Frame = narwhals.DataFrame[Any]
Lazy = narwhals.LazyFrame[Any]

FRAME_ROWS: Final = 500_000
"""Rows of a frame that are looked at together."""
_ARM: Final = "goodarm_arm"
_VALUE: Final = "goodarm_value"
_WRONG: Final = "goodarm_wrong"
_MISSING: Final = "goodarm_missing"


def from_lazy(lazy: Lazy, problem: Problem, reading: Reading) -> Iterator[Chunk]:
    """The rows of a lazy table, or what its engine makes of raw ones."""
    source = f"the {lazy.implementation.value} table"
    try:
        schema = lazy.collect_schema()
        header = find(source, reading, schema.names())
        if not reading.form.is_raw:
            yield from from_frame(
                lazy.select(list(header.names.values())).collect(), source, reading
            )
            return
        counted = _counted(lazy, schema, header, problem, reading).collect()
    except GoodArmError:
        raise
    except ImportError:
        raise missing_extra(f"goodarm check of {source}", "arrow") from None
    except Exception as error:
        raise SpecError(f"T{source[1:]} could not be read; {error}") from error
    if len(counted) == 0:
        raise empty_table(source)
    yield _as_chunk(counted, source, header, problem)


def _counted(lazy: Lazy, schema: Any, header: Header, problem: Problem, reading: Reading) -> Lazy:
    """A row for each arm: rewards, their sum, and how many are missing or impossible."""
    reward = narwhals.col(header.names["reward"])
    if schema[header.names["reward"]] in (narwhals.Categorical, narwhals.Enum):
        reward = reward.cast(narwhals.String)
        schema = {**schema, header.names["reward"]: narwhals.String}
    value, possible = reward, None
    if schema[header.names["reward"]] == narwhals.String:
        value, possible = _words(reward, problem, reading)
    elif schema[header.names["reward"]] == narwhals.Boolean:
        value = reward.cast(narwhals.Int64)
    if possible is None:
        low, high = problem.reward_range or (0.0, 1.0)
        possible = (value >= low) & (value <= high)
        if problem.rewards == "bernoulli":
            possible = (value == 0) | (value == 1)
    rows = lazy.select(
        narwhals.col(header.names["arm"]).alias(_ARM),
        value.cast(narwhals.Float64).alias(_VALUE),
        (~possible).cast(narwhals.Int64).alias(_WRONG),
        reward.is_null().cast(narwhals.Int64).alias(_MISSING),
    )
    return rows.group_by(_ARM).agg(
        narwhals.len().alias("pulls"),
        narwhals.col(_VALUE).sum().alias("sum"),
        narwhals.col(_WRONG).sum().alias("wrong"),
        narwhals.col(_MISSING).sum().alias("missing"),
        narwhals.col(_VALUE).min().alias("least"),
        narwhals.col(_VALUE).max().alias("largest"),
    )


def _words(reward: Any, problem: Problem, reading: Reading) -> tuple[Any, Any]:
    """Words for 0 and 1 as numbers, and whether each is one."""
    lowered = reward.str.strip_chars().str.to_lowercase()
    known = [] if reading.form.strict or problem.rewards != "bernoulli" else list(WORDS)
    if known:
        reading.note("words read as 0 and 1")
    successes = [word for word in known if WORDS[word] == 1.0]
    return lowered.is_in(successes or [""]).cast(narwhals.Int64), lowered.is_in(known or [""])


def _as_chunk(counted: Frame, source: str, header: Header, problem: Problem) -> Chunk:
    """Arms in the order of their labels, since engines keep none."""
    rows = counted.to_dict(as_series=False)
    arms = rows[_ARM]
    order = sorted(range(len(arms)), key=lambda k: _rank(arms[k]))
    columns = {
        name: np.array([float(rows[name][k] or 0) for k in order])
        for name in ("pulls", "sum", "wrong", "missing")
    }
    chunk = Chunk(
        source=source,
        arms=[arms[k] for k in order],
        numbers={"pulls": columns["pulls"], "sum": columns["sum"]},
        columns={"arm": header.names["arm"]},
        lines=range(1, len(arms) + 1),
        is_named=True,
    )
    faults = []
    for row in map(int, np.flatnonzero(columns["wrong"] + columns["missing"])[: MOST + 1]):
        found = {
            "impossible": int(columns["wrong"][row]),
            "missing": int(columns["missing"][row]),
            "least": rows["least"][order[row]],
            "largest": rows["largest"][order[row]],
        }
        column = header.names["reward"]
        faults.append(chunk.fault(row, column, f"all {problem.reward_rule}", found))
    return replace(chunk, faults=faults)


def _rank(arm: object) -> tuple[int, int, str]:
    """Numbers in their order, then texts in theirs, then what is no label."""
    if isinstance(arm, int) and not isinstance(arm, bool):
        return 0, arm, ""
    return (1, 0, arm) if isinstance(arm, str) else (2, 0, str(arm))


def is_stream(table: object) -> bool:
    """Whether it is one of Arrow's datasets or streams."""
    if hasattr(table, "to_batches") and hasattr(table, "scanner"):
        return True
    return hasattr(table, "__arrow_c_stream__")


def from_batches(table: Any, reading: Reading) -> Iterator[Chunk]:
    """The rows of a dataset or stream, a batch at a time."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        raise missing_extra("goodarm check of an Arrow stream", "arrow") from None
    source = "the dataset" if hasattr(table, "to_batches") else "the stream"
    first = 0
    try:
        for part in _batches(table, source, arrow, reading):
            yield from from_frame(part, source, reading, first)
            first += len(part)
    except (arrow.ArrowException, OSError) as error:
        raise SpecError(f"T{source[1:]} could not be read; {error}") from error
    if first == 0:
        raise empty_table(source)


def _batches(table: Any, source: str, arrow: Any, reading: Reading) -> Iterator[Frame]:
    """Frames of the columns that are needed, none of them empty."""
    if hasattr(table, "to_batches"):
        names = list(find(source, reading, table.schema.names).names.values())
        batches = table.to_batches(columns=names)
    else:
        batches = arrow.RecordBatchReader.from_stream(table)
        names = list(find(source, reading, batches.schema.names).names.values())
    for batch in batches:
        if batch.num_rows:
            part = arrow.Table.from_batches([batch]).select(names)
            yield narwhals.from_native(part, eager_only=True)


def from_frame(frame: Frame, source: str, reading: Reading, first: int = 0) -> Iterator[Chunk]:
    """The rows of a frame; ``first`` rows came before it."""
    header = find(source, reading, frame.columns)
    if len(frame) == 0:
        raise empty_table(source)
    for start in range(0, len(frame), FRAME_ROWS):
        part = frame[start : start + FRAME_ROWS]
        columns: dict[str, Cells] = {
            meaning: _cells(part[name])
            for meaning, name in header.names.items()
            if meaning != "arm"
        }
        arms = part[header.names["arm"]].to_list()
        yield rows_of(source, arms, columns, header, first + start)


def _cells(series: "narwhals.Series[Any]") -> Cells:
    """An array where all cells are numbers, else a list to be looked through."""
    is_wide = series.dtype.is_decimal() or series.dtype in (narwhals.Int128, narwhals.UInt128)
    if series.null_count() == 0 and series.dtype.is_numeric() and not is_wide:
        return series.to_numpy()
    return series.to_list()


def rows_of(
    source: str,
    arms: Sequence[Any],
    numbers: Mapping[str, Cells],
    header: Header,
    first: int = 0,
    *,
    is_named: bool = False,
) -> Chunk:
    """Rows that have numbers and no lines."""
    lines = range(first + 1, first + len(arms) + 1)
    return Chunk(source, arms, numbers, header.names, lines, is_named=is_named)
