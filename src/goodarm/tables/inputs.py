"""Inputs of any kind, read as chunks of rows: files, streams, dicts, arrays, frames."""

import os
from collections.abc import Iterator, Mapping, Sequence
from itertools import chain
from pathlib import Path
from typing import IO, Any, Final

import narwhals
import numpy as np

from goodarm.errors import SpecError, invalid_argument
from goodarm.tables.arm_counts import ArmCounts
from goodarm.tables.chunks import Cells, Chunk, empty_table
from goodarm.tables.csv_reader import read_csv
from goodarm.tables.engines import (
    FRAME_ROWS,
    from_batches,
    from_frame,
    from_lazy,
    is_stream,
    make_row_chunk,
)
from goodarm.tables.headers import WIDE, ColumnMatch, find_columns
from goodarm.tables.json_reader import OPENING, read_json, read_list
from goodarm.tables.optional_formats import import_library, is_library_error, make_unreadable_error
from goodarm.tables.pandas_tables import make_frame, name_columns
from goodarm.tables.read_options import Reading, ReadOptions
from goodarm.tables.requests import TableRequest
from goodarm.tables.row_lists import from_rows
from goodarm.tables.text_reader import find_start, open_lines
from goodarm.tables.wide_tables import make_long
from goodarm.tables.workbook_reader import ENDINGS, read_workbook
from goodarm.wording import NOT_GIVEN, Arg, ErrorPlace, phrase

_MEANINGS: Final = ("arm", "pulls", "successes", "sum")
_PARQUET: Final = (".parquet", ".pq")
_KINDS: Final = (
    "be a path, an open file, a dict, a list of rows, a numpy array, or a table that narwhals "
    "knows, such as those of pandas, polars, Arrow, DuckDB, Dask and Spark"
)


def read_chunks(table: object, request: TableRequest, reading: Reading) -> Iterator[Chunk]:
    """Return the rows of a table of any kind, in chunks."""
    chunks = _read_chunks(table, request, reading)
    return chunks if reading.form.wide is None else make_long(chunks, reading)


def _read_chunks(table: object, request: TableRequest, reading: Reading) -> Iterator[Chunk]:
    if isinstance(table, str | os.PathLike):
        return _read_file(Path(table), reading)
    given: Any = table
    if isinstance(table, ArmCounts):
        return _from_counted(table, reading)
    if isinstance(table, Mapping):
        return _from_dict(table, reading)
    if isinstance(table, np.ndarray):
        return _from_array(table, reading)
    # Test for frames before files: a Spark frame has an attribute of any name.
    frame = _wrap_frame(given, reading)
    if isinstance(frame, narwhals.LazyFrame):
        return from_lazy(frame, request, reading)
    if isinstance(frame, narwhals.DataFrame):
        return from_frame(frame, "the frame", reading)
    if _is_path_list(table, reading):
        return _read_files(given, reading)
    if hasattr(table, "read"):
        return _read_text(given, _find_name(given), reading)
    if is_stream(table):
        return from_batches(table, reading)
    if isinstance(table, Sequence | Iterator) and not isinstance(table, bytes):
        return from_rows(list(table), reading)
    raise invalid_argument("counts", "check", _KINDS, table)


def _is_path_list(table: object, reading: Reading) -> bool:
    """Return whether a list holds paths; unless rows are added up, texts must name files."""
    return (
        isinstance(table, list | tuple)
        and len(table) > 1
        and all(
            isinstance(each, os.PathLike)
            or (isinstance(each, str) and (reading.form.sum or Path(each).is_file()))
            for each in table
        )
    )


def _read_files(paths: Sequence[str | os.PathLike[str]], reading: Reading) -> Iterator[Chunk]:
    """Read several tables as one, whose rows are added up."""
    if not reading.form.sum and not reading.form.is_raw:
        remedy = phrase("To add up several tables, {pass} {sum}.", sum=Arg("sum", True))
        raise invalid_argument("counts", "check", "be one table", list(paths), remedy)
    files = [Path(path).resolve() for path in paths]
    if len(set(files)) < len(files):
        raise invalid_argument("counts", "check", "name each table once", list(paths))
    return chain.from_iterable(_read_file(Path(path), reading) for path in paths)


def _wrap_frame(table: Any, reading: Reading) -> Any:
    """Return a frame, lazy table or Series as narwhals has it, and anything else unchanged."""
    try:
        frame = narwhals.from_native(table, pass_through=True, allow_series=True)
        if isinstance(frame, narwhals.Series):
            table = make_frame(table, reading.form)
            frame = narwhals.from_native(table, eager_only=True)
        if isinstance(frame, narwhals.DataFrame):
            frame = narwhals.from_native(name_columns(table, reading.form), eager_only=True)
            frame.columns  # noqa: B018  some names are refused only here
    except SpecError:
        raise
    except Exception as error:
        raise make_unreadable_error("The frame could not be read", "the frame", error) from error
    return frame


def _find_name(stream: IO[Any]) -> str:
    name = getattr(stream, "name", None)
    return "standard input" if name in ("<stdin>", 0) or not isinstance(name, str) else name


def _read_file(path: Path, reading: Reading) -> Iterator[Chunk]:
    kind = path.suffix.lower()
    if kind in _PARQUET:
        yield from _read_parquet(path, reading)
    elif kind in ENDINGS:
        yield from read_workbook(path, reading)
    else:
        if "\n" in str(path):
            rule, remedy = "be a path, not the text itself", "Wrap the text: io.StringIO(text)."
            raise invalid_argument("counts", "check", rule, str(path), remedy)
        if "\0" in str(path):
            raise invalid_argument(
                "counts", "check", "be a path without null characters", str(path)
            )
        with path.open("rb") as stream:
            yield from _read_text(stream, str(path), reading)


def _read_text(stream: IO[Any], source: str, reading: Reading) -> Iterator[Chunk]:
    """Read CSV, or JSON lines if the first line opens an object."""
    with open_lines(stream, source, reading) as lines:
        start = find_start(lines, reading)
        if start is None:
            raise empty_table(source)
        line = start.line.lstrip()
        if line.startswith(OPENING):
            yield from read_json(lines, reading)
        elif line.startswith("["):
            yield from from_rows(read_list(lines, reading), reading, source)
        else:
            yield from read_csv(lines, start, reading)


def _read_parquet(path: Path, reading: Reading) -> Iterator[Chunk]:
    """Read a Parquet file slice by slice, and only the columns that are needed."""
    polars = import_library(path, "polars", "frames")
    try:
        lazy = polars.scan_parquet(path, glob=False, hive_partitioning=False)
        header = find_columns(str(path), reading, lazy.collect_schema().names())
        lazy = lazy.select(list(dict.fromkeys(header.names.values())))
        start = 0
        while len(frame := lazy.slice(start, FRAME_ROWS).collect()):
            wrapped = narwhals.from_native(frame, eager_only=True)
            yield from from_frame(wrapped, str(path), reading, start, header)
            start += len(frame)
    except BaseException as error:
        if not is_library_error(error):
            raise
        what = f"The file {str(path)!r} must be Parquet"
        raise make_unreadable_error(what, str(path), error, end=".") from None
    if start == 0:
        raise empty_table(str(path))


def _from_array(table: "np.ndarray[Any, Any]", reading: Reading) -> Iterator[Chunk]:
    """Read an array: fields are columns; without fields, rows are arms or begin with the arm."""
    source, form = "the array", reading.form
    if np.ma.is_masked(table):
        raise invalid_argument("array", "check", "have no masked cells", table.shape)
    if table.dtype.names is not None:
        columns = {name: np.ravel(table[name]) for name in table.dtype.names}
        return _from_columns(source, columns, reading)
    if form.wide is not None and table.ndim == 2:
        columns = {str(place): table[:, place] for place in range(table.shape[1])}
        return _from_columns(source, columns, reading)
    numbers = form.meanings[1:]
    named = numbers if form.is_counts else form.meanings
    if table.ndim != 2 or table.shape[1] != len(named):
        count = {2: "two", 3: "three"}[len(named)]
        listed = " and ".join([", ".join(named[:-1]), named[-1]])
        rule = f"have {count} columns, {listed}, or fields with names"
        is_wide = table.ndim == 2 and form.is_raw
        remedy = WIDE if is_wide and form.has_wide else ""
        raise invalid_argument("shape", "check", rule, table.shape, remedy, ErrorPlace(source))
    columns_named = {meaning: meaning for meaning in form.meanings}
    if form.is_counts:
        parts = dict(zip(numbers, table.T, strict=True))
        chunk = make_row_chunk(source, list(range(len(table))), parts, columns_named, is_named=True)
        return iter([chunk])
    reading.note(f"read each row as ({', '.join(form.meanings)})")
    arms = table[:, 0].tolist()
    whole = [int(arm) if isinstance(arm, float) and arm.is_integer() else arm for arm in arms]
    columns = dict(zip(numbers, table.T[1:], strict=True))
    return iter([make_row_chunk(source, whole, columns, columns_named)])


def _from_columns(source: str, table: Mapping[str, Any], reading: Reading) -> Iterator[Chunk]:
    """Read a dict of columns."""
    header = find_columns(source, reading, list(table))
    for name in header.names.values():
        if not _is_column(table[name]):
            rule = f"all be lists, and {name!r} is not"
            raise invalid_argument("columns", "check", rule, table[name], place=ErrorPlace(source))
    lengths = {name: len(table[name]) for name in header.names.values()}
    if len(set(lengths.values())) > 1:
        rule = "have the same length"
        raise invalid_argument("columns", "check", rule, lengths, place=ErrorPlace(source))
    numbers = {meaning: table[name] for meaning, name in header.names.items()}
    arms = numbers.pop("arm")
    listed = arms.tolist() if hasattr(arms, "tolist") else list(arms)
    yield make_row_chunk(source, listed, numbers, header.names)


def _from_counted(table: ArmCounts, reading: Reading) -> Iterator[Chunk]:
    """Read counts of other tools' logs, and note how they were read."""
    if table.unit:
        yield from _read_averages(table, reading)
        return
    if not reading.form.is_counts or not reading.form.is_bernoulli:
        raise _refuse_for_logs(reading.form, table.format)
    reading.note(table.read_as.rstrip("."))
    columns = {meaning: meaning for meaning in reading.form.meanings}
    numbers = {name: table[name] for name in reading.form.meanings[1:]}
    yield make_row_chunk("the logs", table["arm"], numbers, columns, is_named=True)


def _refuse_for_logs(form: ReadOptions, log_format: str) -> SpecError:
    """Return the error for a kind of table or of rewards that logs do not have."""
    argument = "raw" if form.is_raw else "values" if form.is_values else "rewards"
    rule = f"be left out for logs: those of {log_format} were read as attempts that passed or not"
    return invalid_argument(argument, "check", rule, NOT_GIVEN)


def _read_averages(table: ArmCounts, reading: Reading) -> Iterator[Chunk]:
    """Read the averages of logs, one reward for each unit."""
    reading.note(table.read_as.rstrip("."))
    reading.num_unfinished = table.num_unfinished
    averages = dict(zip(table.arms, table.averages, strict=True))
    yield from _read_arms(averages, reading, "the logs")


def _from_dict(table: Mapping[Any, Any], reading: Reading) -> Iterator[Chunk]:
    """Read a dict of columns if its keys name them all, else a dict from arms to numbers."""
    source, form = "the dict", reading.form
    if form.wide is not None:
        return _from_columns(source, {str(name): cells for name, cells in table.items()}, reading)
    if form.is_counts and (rows := _list_arm_rows(table)):
        return from_rows(rows, reading)
    documented = {form.columns.get(meaning, meaning) for meaning in form.meanings}
    if documented <= set(table):
        return _from_columns(source, table, reading)
    if ColumnMatch(source, form, list(table)).header is not None:  # common column names
        if not _can_be_arms(table, form):
            return _from_columns(source, table, reading)
        remedy = "Rename the columns to their documented names, or rename the arms."
        raise invalid_argument(
            "counts", "check", "be a dict of columns or of arms", dict(table), remedy
        )
    return _read_arms(table, reading)


def _list_arm_rows(table: Mapping[Any, Any]) -> list[dict[str, Any]]:
    """Return the rows of a dict from each arm to a dict of its counts; empty if it is none."""
    is_nested = all(isinstance(row, Mapping) and "arm" not in row for row in table.values())
    names = {str(name) for row in table.values() for name in row} if is_nested else set()
    if not names or any(isinstance(name, str) and name in _MEANINGS for name in table):
        return []
    return [{"arm": arm, **row} for arm, row in table.items()]


def _is_list(values: object) -> bool:
    if isinstance(values, np.ndarray):
        return values.ndim == 1
    return isinstance(values, Sequence) and not isinstance(values, str | bytes)


def _is_column(values: object) -> bool:
    """Return whether values are a list, a one-dimensional array, or a frame's series."""
    return _is_list(values) or hasattr(values, "to_list") or type(values).__name__ == "Series"


def _can_be_arms(table: Mapping[Any, Any], form: ReadOptions) -> bool:
    """Return whether every value holds numbers, as in a dict of arms."""
    return all(
        _is_numbers(values, form)
        and (form.is_values or not any(isinstance(value, str) for value in values))
        for values in table.values()
    )


def _is_numbers(values: Any, form: ReadOptions) -> bool:
    """Return whether values are what a dict of arms holds for each arm."""
    if form.is_values:
        return isinstance(values, Mapping)
    if form.is_raw:
        return _is_column(values)
    return _is_list(values) and len(values) == 2


def _read_arms(
    table: Mapping[Any, Any], reading: Reading, source: str = "the dict"
) -> Iterator[Chunk]:
    """Read a dict from each arm to its counts, or to its rewards."""
    form = reading.form
    meanings = form.meanings[1:]
    wanted = f"({', '.join(meanings)})"
    if not form.is_counts:
        wanted = "a list of rewards" if form.is_raw else "a dict from each value to its count"
    for arm, values in table.items():
        if not _is_numbers(values, form):
            names = ", ".join(repr(form.columns.get(name, name)) for name in form.meanings)
            remedy = f"A dict of columns has the keys {names}."
            place = ErrorPlace(source, entry=f"arm {arm!r}")
            raise invalid_argument("counts", "check", f"be {wanted}", values, remedy, place)
    named = {meaning: meaning for meaning in form.meanings}
    if not form.is_counts:
        for arm, values in table.items():
            if not len(values):
                none: dict[str, Cells] = {"pulls": [0.0], "sum": [0.0]}
                yield make_row_chunk(source, [arm], none, named, is_named=True, is_counted=True)
                continue
            arms = [arm] * len(values)
            held: dict[str, Cells] = {"reward": values}
            if form.is_values:
                held = {"value": list(values), "count": list(values.values())}
            yield make_row_chunk(source, arms, held, named, is_named=True)
        return
    columns = zip(*table.values(), strict=True) if table else ((), ())
    numbers: dict[str, Cells] = dict(zip(meanings, map(list, columns), strict=True))
    yield make_row_chunk(source, list(table), numbers, named, is_named=True)
