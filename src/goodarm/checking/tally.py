"""Rows checked one by one and added up to each arm's counts; nothing is guessed."""

from collections.abc import Callable, Iterable
from numbers import Integral
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.checking.chunk import Chunk, Names, empty_table
from goodarm.checks import as_float
from goodarm.errors import SpecError, must
from goodarm.problem import Arm, Problem

Floats = NDArray[np.float64]

MOST_PULLS: Final = 10**12
"""Up to here the evidence is known to be right to a millionth."""
_SLACK: Final = 1e-9
"""Sums of rewards carry rounding errors: so much of the range, for each pull, is forgiven."""


class Counts(NamedTuple):
    """Arms in the order of the table, with the number and the sum of their rewards."""

    arms: tuple[Arm, ...]
    pulls: Floats
    sums: Floats


def tally(chunks: Iterable[Chunk], problem: Problem, names: Names, *, is_raw: bool) -> Counts:
    """Each arm's counts; an error names the first row that is wrong."""
    book = _Arms()
    pulls, sums = np.zeros(0), np.zeros(0)
    source = "check"
    for chunk in chunks:
        source = chunk.source
        before = len(book.order)
        codes = book.enter(chunk, names.arm)
        if is_raw:
            rewards = _rewards(chunk, problem, names)
            counted = np.bincount(codes, minlength=len(book)).astype(np.float64)
            added = np.bincount(codes, weights=rewards, minlength=len(book)).astype(np.float64)
        else:
            _check_once(chunk, codes, before, names.arm)
            counted, added = _counts(chunk, problem, names)
            fresh = np.zeros(before)
            counted, added = np.append(fresh, counted), np.append(fresh, added)
        grown = len(counted) - len(pulls)
        pulls = np.append(pulls, np.zeros(grown)) + counted
        sums = np.append(sums, np.zeros(grown)) + added
    if not len(book):
        raise empty_table(source)
    return Counts(tuple(book.order), pulls, sums)


class _Arms(dict[Any, int]):
    """Each arm's place in the order of first sight."""

    def __init__(self) -> None:
        self.order: list[Any] = []
        self._texts: dict[str, Arm] = {}

    def __missing__(self, arm: Any) -> int:
        self[arm] = place = len(self.order)
        self.order.append(arm)
        return place

    def enter(self, chunk: Chunk, column: str) -> NDArray[np.int64]:
        """The places of a chunk's arms, each of which must be a label."""
        before = len(self.order)
        if not set(map(type, chunk.arms)) <= {str, int}:
            for row, arm in enumerate(chunk.arms):
                if not isinstance(arm, str | Integral) or isinstance(arm, bool):
                    raise _wrong(chunk, row, column, "be a label: text or a whole number", arm)
        codes = np.fromiter(map(self.__getitem__, chunk.arms), np.int64, len(chunk.arms))
        new = self.order[before:]
        texts = list(map(str, new))
        self._texts.update(zip(texts, new, strict=True))
        if len(self._texts) < len(self.order) or not all(map(str.strip, texts)):
            self._find_wrong(chunk, column)
        return codes

    def _find_wrong(self, chunk: Chunk, column: str) -> None:
        """Raise the error for the first label that is blank, or another one's text."""
        known: dict[str, Any] = {}
        for place, arm in enumerate(self.order):
            rule = ""
            if not str(arm).strip():
                rule = "be a label that is not blank"
            elif str(arm) in known:
                rule = f"be another label than {known[str(arm)]!r}"
            if rule:
                row = [self[other] for other in chunk.arms].index(place)
                raise _wrong(chunk, row, column, rule, arm)
            known[str(arm)] = arm


def _check_once(chunk: Chunk, codes: NDArray[np.int64], before: int, column: str) -> None:
    """A table of counts has one row for each arm."""
    again = codes != before + np.arange(len(codes))
    if again.any():
        row = int(again.argmax())
        remedy = "Add its rows up; for one row a reward pass raw=True, or --raw."
        raise _wrong(chunk, row, column, "stand in one row only", chunk.arms[row], remedy)


def _rewards(chunk: Chunk, problem: Problem, names: Names) -> Floats:
    low, high = problem.reward_range or (0.0, 1.0)

    def is_possible(values: Floats) -> NDArray[np.bool_]:
        if problem.rewards == "bernoulli":
            return np.asarray((values == 0.0) | (values == 1.0))
        return np.asarray((low <= values) & (values <= high))

    remedy = ""
    if problem.rewards == "bernoulli":
        remedy = "For other rewards pass rewards='bounded' with low and high."
    rule = problem.reward_rule
    return _numbers(chunk, "reward", names, is_possible, lambda _: rule, remedy)


def _counts(chunk: Chunk, problem: Problem, names: Names) -> tuple[Floats, Floats]:
    def is_count(values: Floats) -> NDArray[np.bool_]:
        return np.asarray((values >= 0) & (values <= MOST_PULLS) & (values == np.floor(values)))

    rule = f"be a whole number from 0 to {MOST_PULLS}"
    pulls = _numbers(chunk, "pulls", names, is_count, lambda _: rule)
    if problem.rewards == "bernoulli":
        return pulls, _numbers(
            chunk,
            "successes",
            names,
            lambda values: is_count(values) & (values <= pulls),
            lambda row: f"be a whole number from 0 to the arm's pulls, {pulls[row]:.0f}",
            "For rewards that are not 0 or 1 pass rewards='bounded' and a column 'sum'.",
        )
    low, high = problem.reward_range or (0.0, 1.0)
    slack = _SLACK * pulls * max(abs(low), abs(high), high - low)
    least, most = low * pulls, high * pulls
    return pulls, _numbers(
        chunk,
        "sum",
        names,
        lambda values: (least - slack <= values) & (values <= most + slack),
        lambda row: f"lie from {least[row]:g} to {most[row]:g}, the pulls times low and high",
    )


def _numbers(
    chunk: Chunk,
    meaning: str,
    names: Names,
    is_right: Callable[[Floats], NDArray[np.bool_]],
    rule: Callable[[int], str],
    remedy: str = "",
) -> Floats:
    """A column as numbers, all of which are right."""
    cells = chunk.numbers[meaning]
    column = names.numbers[meaning]
    values = _quickly(cells, is_text=chunk.is_text, booleans=meaning == "reward")
    if values is None:
        values = np.array([_slowly(cell, chunk, meaning) for cell in cells], np.float64)
    wrong = ~(np.isfinite(values) & is_right(values))
    if wrong.any():
        row = int(wrong.argmax())
        raise _wrong(chunk, row, column, rule(row), cells[row], remedy)
    return values


def _quickly(cells: Any, *, is_text: bool, booleans: bool) -> Floats | None:
    """All cells at once, where they are numbers beyond doubt."""
    if isinstance(cells, np.ndarray) and cells.dtype.kind in ("iufb" if booleans else "iuf"):
        return cells.astype(np.float64)
    if is_text and "_" not in "".join(cells):
        try:
            return np.array(list(map(float, cells)), np.float64)
        except ValueError:
            return None
    return None


def _slowly(cell: Any, chunk: Chunk, meaning: str) -> float:
    """One cell: not a number where it is none."""
    if chunk.is_text:
        try:
            return float("nan") if "_" in cell else float(cell)
        except ValueError:
            return float("nan")
    if isinstance(cell, bool | np.bool_):
        return float(cell) if meaning == "reward" else float("nan")
    number = as_float(cell)
    return float("nan") if number is None else number


def _wrong(
    chunk: Chunk, row: int, column: str, rule: str, value: object, remedy: str = ""
) -> SpecError:
    """The error that names table, row, column, rule, value and remedy."""
    shown = value.item() if isinstance(value, np.generic) else value
    return must(column, f"{chunk.source}, {chunk.place(row)}", rule, shown, remedy)
