"""Choice of the rows of arms that are shown, and their order: in text, in a notebook, on a page."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import CODES, Label
from goodarm.views.columns import ArmColumns
from goodarm.views.names import ELLIPSIS

ORDER: Final[tuple[Label, ...]] = ("bad", "undecided", "good")
SORTS: Final = ("label", "arm", "pulls", "mean", "needed", "table")
MAX_ROWS_PER_LABEL: Final = 12
"""Number of arms shown for each label, unless all are asked for."""


class ShownRows(NamedTuple):
    """Rows to show, by their positions, and the number left out for each label."""

    positions: list[int]
    left_out: dict[Label, int]


def choose_rows(
    table: ArmColumns,
    only: Sequence[str] = (),
    sort: str = "label",
    most: int | None = MAX_ROWS_PER_LABEL,
) -> ShownRows:
    """Return the rows with these labels in this order, at most ``most`` of each label.

    A single arm is never left out: the row that says so would be as long.
    """
    labels = [label for label in ORDER if not only or label in only]
    left_out: dict[Label, int] = {}
    chosen: list[int] = []
    for label in labels:
        found = rank_arms(table, label).tolist()
        if most is not None and len(found) > most + 1:
            if sort != "label":
                found.sort(key=_make_key(table, sort))
            left_out[label] = len(found) - most
            found = found[:most]
        chosen += found
    if sort != "label":
        chosen.sort(key=_make_key(table, sort))
    return ShownRows(chosen, left_out)


def rank_arms(table: ArmColumns, label: Label) -> NDArray[np.intp]:
    """Return the positions of the arms with a label, the most important first.

    Bad arms by their upper bound, the worst first; undecided ones by the pulls they still need, the
    soonest first; good ones by their lower bound, the best first.
    """
    keys = {"bad": table.upper, "undecided": table.needed, "good": -table.lower}
    chosen = np.flatnonzero(table.labels == CODES[label])
    return np.asarray(chosen[np.argsort(keys[label][chosen], kind="stable")])


def add_left_out_rows(
    rows: Sequence[Sequence[str]], left_out: Mapping[Label, int], blank: str = ELLIPSIS
) -> Iterator[tuple[int | None, Sequence[str]]]:
    """Yield the rows, whose second cells are labels, and after each label how many are left out.

    Each comes with its number; the row that stands for others has none.

    >>> list(add_left_out_rows([["a", "bad"], ["b", "good"]], {"bad": 30}))
    [(0, ['a', 'bad']), (None, ['… 30 more', 'bad']), (1, ['b', 'good'])]
    """
    more: dict[str, int] = {str(label): count for label, count in left_out.items()}
    for number, row in enumerate(rows):
        yield number, row
        is_last = number + 1 == len(rows) or rows[number + 1][1] != row[1]
        if is_last and row[1] in more:
            yield None, [name_left_out(more[row[1]]), row[1], *[blank] * (len(row) - 2)]


def name_left_out(count: int) -> str:
    """Return the name of the row that says how many are left out."""
    return f"{ELLIPSIS} {count:,} more"


def _make_key(table: ArmColumns, sort: str) -> Callable[[int], tuple[object, ...]]:
    """Return a sort key for rows; rows without a number come last, ties as in the table."""
    if sort == "table":
        return lambda position: (position,)
    if sort == "arm":
        return lambda position: (*_make_natural_key(str(table.arms[position])), position)
    sign = 1.0 if sort == "needed" else -1.0
    values = {"pulls": table.pulls, "mean": table.mean, "needed": table.needed}[sort].tolist()

    def key(position: int) -> tuple[object, ...]:
        value = values[position]
        return value != value, sign * value if value == value else 0.0, position

    return key


def _make_natural_key(name: str) -> tuple[object, ...]:
    """Return a name's sort key in natural order: arm2 before arm10."""
    parts = re.split(r"([0-9]+)", name.casefold())
    return tuple(
        (1, int(part), "") if number % 2 else (0, 0, part) for number, part in enumerate(parts)
    )
