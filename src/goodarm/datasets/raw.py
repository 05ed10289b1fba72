"""Readers of the raw files: MovieLens u.data, Jester CSV, covtype.data. Each row is checked."""

import gzip
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from goodarm.errors import SpecError

NOT_RATED = ("99", "99.0", "99.00")
"""How the Jester tables write that a joke was not rated."""


@dataclass
class RawFile:
    """Lines of a raw file, with its place in every message and its sha256 at the end."""

    path: Path
    sha256: str = field(default="", init=False)

    def rows(self, separator: str, columns: int) -> Iterator[tuple[int, list[str]]]:
        """(row number, cells) of each row; the first is row 1."""
        digest = hashlib.sha256()
        opener = gzip.open if self.path.suffix == ".gz" else open
        number = 0
        try:
            with opener(self.path, "rb") as file:
                for number, line in enumerate(file, start=1):
                    digest.update(line)
                    yield number, self._cells(number, line, separator, columns)
        except (gzip.BadGzipFile, EOFError) as error:
            raise SpecError(
                f"The file {self.path} is not a whole gzip file after row {number}: {error}. "
                "Download it again."
            ) from None
        if number == 0:
            raise SpecError(f"The file {self.path} is empty. Download it again.")
        self.sha256 = digest.hexdigest()

    def _cells(self, number: int, line: bytes, separator: str, columns: int) -> list[str]:
        try:
            text = line.decode("ascii").rstrip("\r\n")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            raise SpecError(
                f"The file {self.path} is not plain ASCII text in row {number}; it may have been "
                "saved in another encoding. Use the file as it was downloaded."
            )
        cells = text.split(separator)
        if len(cells) != columns:
            raise SpecError(
                f"The file {self.path} has {len(cells)} columns in row {number} where {columns} "
                f"are expected: {text[:40]!r}. It is another file, or it was cut off."
            )
        return cells

    def number(self, row: int, column: str, cell: str, low: float, high: float) -> float:
        """A cell as a number within its range."""
        try:
            value = float(cell)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            raise SpecError(
                f"The file {self.path} has {cell!r} in row {row}, column {column}, where a number "
                f"from {low:g} to {high:g} is expected."
            )
        return value


@dataclass
class RawSummary:
    """What a reader found: means before scaling, and the counts to check."""

    values: list[float]
    counts: dict[str, int]
    sha256: list[str]


def read_covertype(paths: list[Path]) -> RawSummary:
    """Counts of the seven classes, from the last of 55 columns."""
    file = RawFile(_one(paths, "covertype", "covtype.data or covtype.data.gz"))
    counts = [0] * 7
    for row, cells in file.rows(",", 55):
        cover = file.number(row, "55 (cover type)", cells[54], 1, 7)
        counts[int(cover) - 1] += 1
    return RawSummary([float(count) for count in counts], {"rows": sum(counts)}, [file.sha256])


def read_jester(paths: list[Path]) -> RawSummary:
    """Average rating of each of 100 jokes over all files; 99 means not rated."""
    sums, counts = [0.0] * 100, [0] * 100
    users, digests = 0, []
    for path in paths:
        file = RawFile(path)
        for row, cells in file.rows(",", 101):
            users += 1
            rated = 0
            for joke, cell in enumerate(cells[1:]):
                if cell.strip() in NOT_RATED:
                    continue
                sums[joke] += file.number(row, f"{joke + 2} (joke {joke + 1})", cell, -10, 10)
                counts[joke] += 1
                rated += 1
            said = file.number(row, "1 (number of ratings)", cells[0], 0, 100)
            if said != rated:
                raise SpecError(
                    f"The file {path} says {said:g} ratings in row {row}, column 1, but the row "
                    f"has {rated}. The file was changed or cut off."
                )
        digests.append(file.sha256)
    unrated = [joke + 1 for joke, count in enumerate(counts) if count == 0]
    if unrated:
        raise SpecError(f"The Jester files hold no rating of joke {unrated[0]}. Give all files.")
    means = [total / count for total, count in zip(sums, counts, strict=True)]
    return RawSummary(means, {"users": users, "ratings": sum(counts)}, digests)


def read_movielens(paths: list[Path]) -> RawSummary:
    """Average rating of each movie, best first."""
    file = RawFile(_one(paths, "movielens", "u.data"))
    sums: defaultdict[int, float] = defaultdict(float)
    counts: defaultdict[int, int] = defaultdict(int)
    seen: set[tuple[int, int]] = set()
    for row, cells in file.rows("\t", 4):
        user = int(file.number(row, "1 (user)", cells[0], 1, 1e9))
        movie = int(file.number(row, "2 (movie)", cells[1], 1, 1e9))
        rating = file.number(row, "3 (rating)", cells[2], 1, 5)
        if (user, movie) in seen:
            raise SpecError(
                f"The file {file.path} rates movie {movie} by user {user} a second time in row "
                f"{row}. The file was changed."
            )
        seen.add((user, movie))
        sums[movie] += rating
        counts[movie] += 1
    means = sorted((sums[movie] / counts[movie] for movie in sums), reverse=True)
    users = len({user for user, _ in seen})
    found = {"rows": len(seen), "users": users, "movies": len(means)}
    return RawSummary(means, found, [file.sha256])


def _one(paths: list[Path], name: str, file: str) -> Path:
    if len(paths) != 1:
        raise SpecError(f"The {name} instance is rebuilt from one file, {file}; got {len(paths)}.")
    return paths[0]
