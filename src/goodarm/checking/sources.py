"""What a table may be, and its rows in chunks: a file, a stream, a dict, an array, a frame."""

import os
from collections.abc import Iterator, Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import IO, Any, Final

import narwhals
import numpy as np

from goodarm.checking.chunk import Cells, Chunk, Names, check_columns, empty_table
from goodarm.checking.csvfile import read_csv
from goodarm.errors import SpecError, missing_extra, must

_PARQUET: Final = (".parquet", ".pq")
_FRAME_ROWS: Final = 500_000
_KINDS: Final = (
    "be a path, an open file, a dict, a numpy array, or a pandas or polars frame (not a lazy one)"
)


def chunks_of(table: object, names: Names, *, is_raw: bool) -> Iterator[Chunk]:
    """The rows of a table, some at a time, from whatever it is."""
    if isinstance(table, str | os.PathLike):
        return _read_file(Path(table), names)
    given: Any = table
    if hasattr(table, "read"):
        return read_csv(given, _name_of(given), names)
    if isinstance(table, Mapping):
        if set(names.all) <= set(table):
            return iter([_columns("the dict", table, names)])
        return _from_arms(table, names, is_raw=is_raw)
    if isinstance(table, np.ndarray):
        return _from_array(table, names, is_raw=is_raw)
    try:
        frame = narwhals.from_native(given, eager_only=True)
    except TypeError:
        raise must("counts", "check", _KINDS, table) from None
    return _from_frame(frame, "the frame", names)


def _name_of(stream: IO[Any]) -> str:
    name = getattr(stream, "name", None)
    return "standard input" if name in ("<stdin>", 0) or not isinstance(name, str) else name


def _read_file(path: Path, names: Names) -> Iterator[Chunk]:
    if path.suffix.lower() in _PARQUET:
        yield from _read_parquet(path, names)
        return
    with path.open("rb") as stream:
        yield from read_csv(stream, str(path), names)


def _read_parquet(path: Path, names: Names) -> Iterator[Chunk]:
    """A slice of the file at a time; only the columns that are needed are read."""
    try:
        polars = import_module("polars")
    except ImportError:
        raise missing_extra(f"goodarm check of {path.name}", "frames") from None
    with path.open("rb"):
        pass  # a missing file is Python's own error
    try:
        lazy = polars.scan_parquet(path)
        check_columns(str(path), names, lazy.collect_schema().names())
        lazy = lazy.select(names.all)
        start = 0
        while len(frame := lazy.slice(start, _FRAME_ROWS).collect()):
            wrapped = narwhals.from_native(frame, eager_only=True)
            yield from _from_frame(wrapped, str(path), names, start)
            start += len(frame)
        if start == 0:
            raise empty_table(str(path))
    except polars.exceptions.PolarsError as error:
        raise SpecError(f"The file {str(path)!r} must be Parquet; {error}.") from error


def _from_frame(
    frame: "narwhals.DataFrame[Any]", source: str, names: Names, first: int = 0
) -> Iterator[Chunk]:
    check_columns(source, names, frame.columns)
    if len(frame) == 0:
        raise empty_table(source)
    for start in range(0, len(frame), _FRAME_ROWS):
        part = frame[start : start + _FRAME_ROWS]
        columns = {meaning: _cells(part[name]) for meaning, name in names.numbers.items()}
        yield _chunk(source, part[names.arm].to_list(), columns, first + start)


def _cells(series: "narwhals.Series[Any]") -> Cells:
    """An array where all cells are numbers, else a list to be looked through."""
    if series.null_count() == 0 and (series.dtype.is_numeric() or series.dtype.is_decimal()):
        return series.to_numpy()
    return series.to_list()


def _from_array(table: "np.ndarray[Any, Any]", names: Names, *, is_raw: bool) -> Iterator[Chunk]:
    """Fields are columns. Without fields, two columns: those of arms 0, 1, ..., or arm, reward."""
    if table.dtype.names is not None:
        check_columns("the array", names, table.dtype.names)
        columns = {name: np.ravel(table[name]) for name in names.all}
        return iter([_columns("the array", columns, names)])
    wanted = "arm and reward" if is_raw else " and ".join(names.numbers)
    if table.ndim != 2 or table.shape[1] != 2:
        rule = f"have two columns, {wanted}, or fields with names"
        raise must("shape", "the array", rule, table.shape)
    if not is_raw:
        parts = dict(zip(names.numbers, table.T, strict=True))
        return iter([_chunk("the array", list(range(len(table))), parts)])
    arms = table[:, 0].tolist()
    whole = [int(arm) if isinstance(arm, float) and arm.is_integer() else arm for arm in arms]
    return iter([_chunk("the array", whole, {"reward": table[:, 1]})])


def _columns(source: str, table: Mapping[str, Any], names: Names) -> Chunk:
    """A dict of columns."""
    lengths = {name: len(table[name]) for name in names.all}
    if len(set(lengths.values())) > 1:
        raise must("columns", source, "be of one length", lengths)
    arms = table[names.arm]
    numbers = {meaning: table[name] for meaning, name in names.numbers.items()}
    return _chunk(source, arms.tolist() if hasattr(arms, "tolist") else list(arms), numbers)


def _chunk(source: str, arms: Sequence[Any], numbers: Mapping[str, Cells], first: int = 0) -> Chunk:
    return Chunk(source, arms, numbers, lambda row: f"row {first + row + 1}")


def _from_arms(table: Mapping[Any, Any], names: Names, *, is_raw: bool) -> Iterator[Chunk]:
    """A dict from each arm to its counts, or to its rewards."""
    source = "the dict"
    meanings = tuple(names.numbers)
    wanted = "a list of rewards" if is_raw else f"({', '.join(meanings)})"
    for arm, values in table.items():
        is_list = isinstance(values, Sequence | np.ndarray) and not isinstance(values, str | bytes)
        if not is_list or (not is_raw and len(values) != 2):
            remedy = f"A dict of columns has the keys {', '.join(map(repr, names.all))}."
            raise must("counts", f"{source}, arm {arm!r}", f"be {wanted}", values, remedy)
    if is_raw:
        for arm, values in table.items():
            yield Chunk(source, [arm] * len(values), {"reward": values}, _row_of(arm))
        return
    columns = zip(*table.values(), strict=True) if table else ((), ())
    numbers: dict[str, Cells] = dict(zip(meanings, map(list, columns), strict=True))
    arms = list(table)
    yield Chunk(source, arms, numbers, lambda row: f"arm {arms[row]!r}")


def _row_of(arm: object) -> Any:
    return lambda row: f"arm {arm!r}, reward {row + 1}"
