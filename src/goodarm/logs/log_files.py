"""Files to read: globs are expanded, and a log that has several names is read once."""

import glob
import os
from collections.abc import Iterable, Mapping
from itertools import pairwise
from pathlib import Path
from typing import Final, NamedTuple

from goodarm.errors import SpecError, invalid_argument
from goodarm.logs.reader import Copies, invalid_file
from goodarm.wording import Arg, phrase

_HEAD_BYTES: Final = 1 << 12
_BLOCK_BYTES: Final = 1 << 20


class LogFiles(NamedTuple):
    """Files to read, and how many were left out: named again, or a copy of another."""

    files: list[Path]
    met_again: int
    copies: int


def find_files(paths: object) -> tuple[list[Path], int]:
    """Return the files that paths and globs name, each once, and the number of repeats."""
    found: dict[Path, Path] = {}
    met = 0
    for given in _list_paths(paths):
        for path in _expand_glob(given):
            if path.is_dir():
                remedy = f"Name its files, such as {path / '**/*.xml'}."
                raise invalid_argument("paths", "read_logs", "be files", str(path), remedy)
            met += 1
            found.setdefault(path.resolve(), path)
    if not found:
        raise invalid_argument("paths", "read_logs", "name at least one file", paths)
    return list(found.values()), met - len(found)


def _list_paths(paths: object) -> list[str | os.PathLike[str]]:
    if isinstance(paths, str | os.PathLike):
        return [paths]
    if isinstance(paths, Iterable) and not isinstance(paths, bytes | Mapping):
        listed = list(paths)
        if all(isinstance(path, str | os.PathLike) for path in listed):
            return listed
    raise invalid_argument("paths", "read_logs", "be a path, a glob, or a list of them", paths)


def _expand_glob(given: str | os.PathLike[str]) -> list[Path]:
    """Return the path if it exists; else, if it contains *, ? or [, the files it matches."""
    path = Path(given)
    if path.exists() or not isinstance(given, str) or not glob.has_magic(given):
        return [path]
    matches = [Path(name) for name in sorted(glob.glob(given, recursive=True))]
    files = [match for match in matches if not match.is_dir()]
    if not files:
        raise invalid_argument("paths", "read_logs", "be globs that match a file", given)
    return files


def drop_copies(
    files: list[Path], met_again: int, stamp: bytes | None, copies: Copies | None
) -> LogFiles:
    """Drop files that are a copy of another file, or its beginning.

    A log that was copied and then continued begins with its copy. Where runs write no time into
    their files, equal files may be different runs: then the user must say which it is.
    """
    if copies == "count":
        return LogFiles(files, met_again, 0)
    left: set[Path] = set()
    for same_head in _group_by_head(files).values():
        same_head.sort(key=lambda path: path.stat().st_size, reverse=True)
        kept_files: list[Path] = []
        for path in same_head:
            whole = next((other for other in kept_files if _has_prefix(other, path)), None)
            if whole is None:
                kept_files.append(path)
                continue
            if copies is None and not _is_stamped(path, stamp):
                raise _copy_error(path, whole)
            left.add(path)
    return LogFiles([path for path in files if path not in left], met_again, len(left))


def _group_by_head(files: list[Path]) -> dict[bytes, list[Path]]:
    """Group files by their first bytes; a short file joins all groups that begin with it."""
    heads: dict[Path, bytes] = {}
    for path in files:
        with path.open("rb") as stream:
            heads[path] = stream.read(_HEAD_BYTES)
    groups: dict[bytes, list[Path]] = {}
    for path, head in heads.items():
        groups.setdefault(head, []).append(path)
    ordered = sorted(groups)
    for short, following in pairwise(ordered):
        if 0 < len(short) < _HEAD_BYTES and following.startswith(short):
            groups[following] += groups[short]
    return groups


def _has_prefix(whole: Path, part: Path) -> bool:
    """Return whether a file begins with all bytes of another, which is not longer."""
    if part.stat().st_size == 0:
        return False
    with whole.open("rb") as long, part.open("rb") as short:
        while block := short.read(_BLOCK_BYTES):
            if long.read(len(block)) != block:
                return False
    return True


def _is_stamped(path: Path, stamp: bytes | None) -> bool:
    if stamp is None:
        return False
    with path.open("rb") as stream:
        return stamp in stream.read(_HEAD_BYTES)


def _copy_error(path: Path, whole: Path) -> SpecError:
    """Return the error for equal files that may be one run or two."""
    remedy = phrase(
        "If they are one run, {pass} {once}; if they are two, {pass} {count}.",
        once=Arg("copies", "once"),
        count=Arg("copies", "count"),
    )
    found = "all of its content is also there, and no time in it shows that it was another run."
    return invalid_file(path, f"differ from {str(whole)!r}", found, remedy)
