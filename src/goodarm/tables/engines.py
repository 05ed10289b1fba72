"""Reader of lazy and remote tables, whose engine does the counting.

Raw rows are grouped inside the engine (``pushdown``), which returns only each arm's counts. A table
of counts is small and is fetched whole. Arrow's datasets and streams have no engine: they are read
in batches.
"""

from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from typing import Any, Final

import narwhals

from goodarm.errors import GoodArmError, invalid_argument, missing_extra
from goodarm.tables.chunks import Cells, Chunk, empty_table
from goodarm.tables.headers import Header, find_columns
from goodarm.tables.optional_formats import make_unreadable_error
from goodarm.tables.pushdown import EngineCounter
from goodarm.tables.read_options import Reading
from goodarm.tables.requests import TableRequest

Frame = narwhals.DataFrame[Any]
Lazy = narwhals.LazyFrame[Any]

FRAME_ROWS: Final = 500_000
"""Number of rows of a frame in a chunk."""


def from_lazy(lazy: Lazy, request: TableRequest, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of a lazy table, or its engine's counts of raw ones."""
    source = f"the {lazy.implementation.value} table"
    try:
        if reading.form.wide is not None:
            rule, remedy = "be in memory if the table is wide", "Collect it first."
            raise invalid_argument("counts", "check", rule, source, remedy)
        schema = lazy.collect_schema()
        header = find_columns(source, reading, schema.names())
        if not reading.form.is_raw:
            needed = lazy.select(list(header.names.values())).collect()
            yield from from_frame(needed, source, reading, header=header)
            return
        if request.rewards is not None and request.rewards.has_order:
            rule = "be rows in the order of their cases, which an engine does not keep"
            raise invalid_argument(
                "counts", "check", rule, source, "Collect it in that order first."
            )
        yield from EngineCounter(lazy, schema, header, request, reading).chunks(source)
    except GoodArmError:
        raise
    except ImportError:
        raise missing_extra(f"goodarm check of {source}", "arrow") from None
    except Exception as error:
        raise make_unreadable_error(f"T{source[1:]} could not be read", source, error) from error


def is_stream(table: object) -> bool:
    """Return whether the table is an Arrow dataset or stream."""
    if hasattr(table, "to_batches") and hasattr(table, "scanner"):
        return True
    return hasattr(table, "__arrow_c_stream__")


def from_batches(table: Any, reading: Reading) -> Iterator[Chunk]:
    """Yield the rows of a dataset or stream, batch by batch."""
    try:
        arrow = import_module("pyarrow")
    except ImportError:
        raise missing_extra("goodarm check of an Arrow stream", "arrow") from None
    source = "the dataset" if hasattr(table, "to_batches") else "the stream"
    first = 0
    try:
        for part, header in _split_batches(table, source, arrow, reading):
            yield from from_frame(part, source, reading, first, header)
            first += len(part)
    except (arrow.ArrowException, OSError) as error:
        raise make_unreadable_error(f"T{source[1:]} could not be read", source, error) from error
    if first == 0:
        raise empty_table(source)


def _split_batches(
    table: Any, source: str, arrow: Any, reading: Reading
) -> Iterator[tuple[Frame, Header]]:
    """Yield non-empty frames with the columns that are needed, and what these are."""
    if hasattr(table, "to_batches"):
        header = find_columns(source, reading, table.schema.names)
        names = list(dict.fromkeys(header.names.values()))
        batches = table.to_batches(columns=names)
    else:
        batches = arrow.RecordBatchReader.from_stream(table)
        header = find_columns(source, reading, batches.schema.names)
        names = list(dict.fromkeys(header.names.values()))
    for batch in batches:
        if batch.num_rows:
            part = arrow.Table.from_batches([batch]).select(names)
            yield narwhals.from_native(part, eager_only=True), header


def from_frame(
    frame: Frame, source: str, reading: Reading, first: int = 0, header: Header | None = None
) -> Iterator[Chunk]:
    """Yield the rows of a frame, numbered after the ``first`` rows that came before it.

    ``header`` is given for a part of a table, which has only the columns that are needed.
    """
    header = find_columns(source, reading, frame.columns) if header is None else header
    if len(frame) == 0:
        raise empty_table(source)
    for start in range(0, len(frame), FRAME_ROWS):
        part = frame[start : start + FRAME_ROWS]
        columns: dict[str, Cells] = {
            meaning: _get_cells(part[name])
            for meaning, name in header.names.items()
            if meaning != "arm"
        }
        arms = part[header.names["arm"]].to_list()
        yield make_row_chunk(source, arms, columns, header.names, first + start)


def _get_cells(series: "narwhals.Series[Any]") -> Cells:
    """Return an array if all cells are plain numbers, else a list."""
    is_wide = series.dtype.is_decimal() or series.dtype in (narwhals.Int128, narwhals.UInt128)
    if series.null_count() == 0 and series.dtype.is_numeric() and not is_wide:
        return series.to_numpy()
    return series.to_list()


def make_row_chunk(
    source: str,
    arms: Sequence[Any],
    numbers: Mapping[str, Cells],
    columns: Mapping[str, str],
    first: int = 0,
    *,
    is_named: bool = False,
    is_counted: bool = False,
) -> Chunk:
    """Return a chunk of rows that do not come from a file, numbered after ``first``.

    ``columns`` holds the table's own names of all columns, by meaning.
    """
    lines = range(first + 1, first + len(arms) + 1)
    return Chunk(source, arms, numbers, columns, lines, is_named=is_named, is_counted=is_counted)
