"""Repeated cases under one arm of a raw table: an error, unless the user says what they mean.

To detect repeats, 16 bytes are kept of each row, and none of its text.
"""

from collections.abc import Sequence
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError
from goodarm.problem import make_repeats_remedy
from goodarm.tables.chunks import Chunk
from goodarm.wording import ErrorPlace

CASE: Final = "case"
"""Meaning of the column of cases; a second one is ``case 2``, and so on."""

Ints = NDArray[np.int64]


def is_case(meaning: str) -> bool:
    """Return whether a column with this meaning names cases."""
    return meaning.partition(" ")[0] == CASE


class CaseCounter:
    """Cases of each arm, for each column of cases."""

    def __init__(self) -> None:
        self._columns: dict[str, str] = {}
        self._rows: dict[str, list[tuple[Ints, Ints]]] = {}
        self._counted: dict[str, tuple[NDArray[Any], NDArray[Any]]] = {}

    def add(self, chunk: Chunk, codes: Ints) -> None:
        """Add the cases of a chunk, or their number by arm if an engine has counted them."""
        for meaning in filter(is_case, chunk.numbers):
            self._columns[meaning] = chunk.columns[meaning]
            cells = chunk.numbers[meaning]
            if chunk.is_counted:
                pulls = np.asarray(chunk.numbers["pulls"])
                self._counted[meaning] = (pulls, np.asarray(cells))
                continue
            listed = cells.tolist() if isinstance(cells, np.ndarray) else list(cells)
            is_known = (codes >= 0) & [not is_blank(cell) for cell in listed]
            known = np.flatnonzero(is_known)
            hashes = np.fromiter((_hash(listed[k]) for k in known.tolist()), np.int64, len(known))
            self._rows.setdefault(meaning, []).append((codes[known], hashes))

    def refuse_repeats(self, source: str, order: Sequence[Any]) -> None:
        """Raise an error for an arm that has several cases, and one of them in several rows.

        For an arm with a single case, repeats of that case are its pulls.
        """
        for meaning, column in self._columns.items():
            rows, cases = self._count_cases(meaning, len(order))
            for arm in np.flatnonzero((cases > 1) & (cases < rows))[:1]:
                rule = "name a different case in each row of an arm"
                raise SpecError(
                    f"The {column!r} of {source} must {rule}; arm {order[arm]!r} has "
                    f"{rows[arm]:,.0f} rows with {cases[arm]:,.0f} cases.",
                    argument=column,
                    owner="check",
                    rule=rule,
                    value=order[arm],
                    remedy=make_repeats_remedy(
                        "with the names of arm and case together in its column", column
                    ),
                    place=ErrorPlace(source, column=column),
                )

    def _count_cases(self, meaning: str, num_arms: int) -> tuple[NDArray[Any], NDArray[Any]]:
        """Return each arm's number of rows that name a case, and its number of cases."""
        if meaning in self._counted:
            return self._counted[meaning]
        arms, hashes = (np.concatenate(part) for part in zip(*self._rows[meaning], strict=True))
        order = np.lexsort((hashes, arms))
        arms, hashes = arms[order], hashes[order]
        is_first = np.ones(len(arms), bool)
        is_first[1:] = (arms[1:] != arms[:-1]) | (hashes[1:] != hashes[:-1])
        return np.bincount(arms, minlength=num_arms), np.bincount(arms[is_first], None, num_arms)


def is_blank(cell: object) -> bool:
    """Return whether a cell is empty: None, blank, nan or pandas.NA."""
    if cell is None or isinstance(cell, str):
        return not (cell and cell.strip())
    try:
        return bool(cell != cell)
    except ValueError:  # an array is a case, like a list
        return False
    except TypeError:  # pandas.NA
        return True


def _hash(cell: Any) -> int:
    try:
        return hash(cell)
    except TypeError:
        return hash(repr(cell.tolist() if isinstance(cell, np.ndarray) else cell))
