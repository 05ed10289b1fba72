"""Which rows of a table of arms are shown, and in which order: on a terminal and on a page."""

import re
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from goodarm.results.arm_table import ArmTable
from goodarm.results.verdict import Label

LABELS: Final[tuple[Label, ...]] = ("bad", "undecided", "good")
SORTS: Final = ("label", "arm", "pulls", "mean", "needed", "table")
MOST: Final = 12
"""Arms of each label that are shown, unless all are asked for."""


class Shown(NamedTuple):
    """Rows to show, by their positions; and how many of each label were left out."""

    positions: list[int]
    left_out: dict[Label, int]


def choose(table: ArmTable, only: Sequence[str], sort: str, most: int | None = MOST) -> Shown:
    """The rows with these labels in this order, at most ``most`` of each label.

    A label's last arm alone is not left out: the row that says so would be as long.
    """
    labels = [label for label in LABELS if not only or label in only]
    order = {label: _ordered(table, label, sort) for label in labels}
    left_out: dict[Label, int] = {}
    chosen: list[int] = []
    for label in labels:
        found = order[label]
        if most is not None and len(found) > most + 1:
            left_out[label] = len(found) - most
            found = found[:most]
        chosen += found
    if sort != "label":
        chosen.sort(key=_key(table, sort))
    return Shown(chosen, left_out)


def _ordered(table: ArmTable, label: Label, sort: str) -> list[int]:
    found = [int(position) for position in table.ranked(label)]
    return found if sort == "label" else sorted(found, key=_key(table, sort))


def _key(table: ArmTable, sort: str) -> Callable[[int], tuple[object, ...]]:
    """What rows are compared by; those without a number come last, ties in the table's order."""
    if sort == "table":
        return lambda position: (position,)
    if sort == "arm":
        return lambda position: (*_natural(str(table.arms[position])), position)
    sign = 1.0 if sort == "needed" else -1.0
    values = {"pulls": table.pulls, "mean": table.mean, "needed": table.needed}[sort]

    def key(position: int) -> tuple[object, ...]:
        value = float(values[position])
        return value != value, sign * value if value == value else 0.0, position

    return key


def _natural(name: str) -> tuple[object, ...]:
    """Names as people order them: arm2 before arm10."""
    parts = re.split(r"([0-9]+)", name.casefold())
    return tuple(
        (1, int(part), "") if number % 2 else (0, 0, part) for number, part in enumerate(parts)
    )
