"""Readers for raw files: MovieLens u.data, Jester CSV, covtype.data. Every row is validated."""

import gzip
import hashlib
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from goodarm.errors import SpecError
from goodarm.wording import NOT_GIVEN, ErrorPlace

NOT_RATED = ("99", "99.0", "99.00")
"""Cells of the Jester tables for a joke that was not rated."""


@dataclass
class RawFile:
    """Raw file, whose errors name file, row and column. ``sha256`` is set after the last row."""

    path: Path
    sha256: str = field(default="", init=False)

    def rows(self, separator: str, columns: int) -> Iterator[tuple[int, list[str]]]:
        """Yield the number and the cells of each row; the first is row 1."""
        digest = hashlib.sha256()
        opener = gzip.open if self.path.suffix == ".gz" else open
        number = 0
        try:
            with opener(self.path, "rb") as file:
                for number, line in enumerate(file, start=1):
                    digest.update(line)
                    yield number, self._split_cells(number, line, separator, columns)
        except (gzip.BadGzipFile, EOFError) as error:
            wrong = f"is not a whole gzip file after row {number}: {error}."
            rule = "be a whole gzip file"
            raise self.error(wrong, rule, "Download it again.", row=number) from None
        if number == 0:
            raise self.error("is empty.", "have rows", "Download it again.")
        self.sha256 = digest.hexdigest()

    def _split_cells(self, number: int, line: bytes, separator: str, columns: int) -> list[str]:
        try:
            text = line.decode("ascii").rstrip("\r\n")
        except UnicodeDecodeError:
            text = "\0"
        if "\0" in text:
            wrong = (
                f"is not plain ASCII text in row {number}; it may have been saved in another "
                "encoding."
            )
            remedy = "Use the file as it was downloaded."
            raise self.error(wrong, "be plain ASCII text", remedy, row=number)
        cells = text.split(separator)
        if len(cells) != columns:
            wrong = (
                f"has {len(cells)} columns in row {number} where {columns} are expected: "
                f"{text[:40]!r}."
            )
            remedy = "It is another file, or it was cut off."
            rule = f"have {columns} columns"
            raise self.error(wrong, rule, remedy, row=number, value=text[:40])
        return cells

    def number(self, row: int, column: str, cell: str, low: float, high: float) -> float:
        """Parse a cell as a number in this range, or raise an error."""
        try:
            value = float(cell)
        except ValueError:
            value = float("nan")
        if not low <= value <= high:
            rule = f"a number from {low:g} to {high:g}"
            wrong = f"has {cell!r} in row {row}, column {column}, where {rule} is expected."
            raise self.error(wrong, f"hold {rule}", row=row, column=column, value=cell)
        return value

    def error(
        self,
        wrong: str,
        rule: str,
        remedy: str = "",
        *,
        row: int | None = None,
        column: str = "",
        value: object = NOT_GIVEN,
    ) -> SpecError:
        """Return an error about the file."""
        return SpecError(
            f"The file {self.path} {wrong}",
            argument="paths",
            owner="datasets.rebuild",
            rule=rule,
            value=value,
            remedy=remedy,
            place=ErrorPlace(str(self.path), "row", row, column),
        )


@dataclass
class RawSummary:
    """Content of raw files: class counts or means before scaling, and the counts to check."""

    values: list[float]
    counts: dict[str, int]
    sha256: list[str]


def read_covertype(paths: list[Path]) -> RawSummary:
    """Count the rows of each of the seven classes, from the last of 55 columns."""
    file = RawFile(_find_one(paths, "covertype", "covtype.data or covtype.data.gz"))
    counts = [0] * 7
    for row, cells in file.rows(",", 55):
        cover = file.number(row, "55 (cover type)", cells[54], 1, 7)
        counts[int(cover) - 1] += 1
    return RawSummary([float(count) for count in counts], {"rows": sum(counts)}, [file.sha256])


def read_jester(paths: list[Path]) -> RawSummary:
    """Compute the average rating of each of 100 jokes over all files; 99 means not rated."""
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
            num_stated = file.number(row, "1 (number of ratings)", cells[0], 0, 100)
            if num_stated != rated:
                wrong = (
                    f"says {num_stated:g} ratings in row {row}, column 1, but the row has {rated}."
                )
                remedy = "The file was changed or cut off."
                rule = "count the ratings of its row"
                raise file.error(wrong, rule, remedy, row=row, column="1", value=num_stated)
        digests.append(file.sha256)
    unrated = [joke + 1 for joke, count in enumerate(counts) if count == 0]
    if unrated:
        raise SpecError(
            f"The Jester files hold no rating of joke {unrated[0]}.",
            argument="paths",
            owner="datasets.rebuild",
            rule="hold a rating of each joke",
            value=[str(path) for path in paths],
            remedy="Give all files.",
        )
    means = [total / count for total, count in zip(sums, counts, strict=True)]
    return RawSummary(means, {"users": users, "ratings": sum(counts)}, digests)


def read_movielens(paths: list[Path]) -> RawSummary:
    """Compute the average rating of each movie, best first."""
    file = RawFile(_find_one(paths, "movielens", "u.data"))
    sums: defaultdict[int, float] = defaultdict(float)
    counts: defaultdict[int, int] = defaultdict(int)
    rated: set[tuple[int, int]] = set()
    for row, cells in file.rows("\t", 4):
        user = int(file.number(row, "1 (user)", cells[0], 1, 1e9))
        movie = int(file.number(row, "2 (movie)", cells[1], 1, 1e9))
        rating = file.number(row, "3 (rating)", cells[2], 1, 5)
        if (user, movie) in rated:
            wrong = f"rates movie {movie} by user {user} a second time in row {row}."
            raise file.error(wrong, "rate a movie once", "The file was changed.", row=row)
        rated.add((user, movie))
        sums[movie] += rating
        counts[movie] += 1
    means = sorted((sums[movie] / counts[movie] for movie in sums), reverse=True)
    users = len({user for user, _ in rated})
    found = {"rows": len(rated), "users": users, "movies": len(means)}
    return RawSummary(means, found, [file.sha256])


def _find_one(paths: list[Path], name: str, file: str) -> Path:
    if len(paths) != 1:
        raise SpecError(
            f"The {name} instance is rebuilt from one file, {file}; got {len(paths)}.",
            argument="paths",
            owner="datasets.rebuild",
            rule=f"be one file, {file}",
            value=[str(path) for path in paths],
        )
    return paths[0]
