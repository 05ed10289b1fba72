"""Some rows of a table, as they were given; and how to say where each of them stands."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from numpy.typing import NDArray

from goodarm.errors import SpecError, must

ROWS: Final = 2_000
"""Rows that are read at a time: so few that they are gone before the garbage collector looks."""

Cells = Sequence[Any] | NDArray[Any]


@dataclass(frozen=True)
class Names:
    """The table's own names of the columns that are needed, by what they mean."""

    arm: str
    numbers: Mapping[str, str]

    @property
    def all(self) -> tuple[str, ...]:
        """The arm's column first."""
        return (self.arm, *self.numbers.values())


@dataclass(frozen=True)
class Chunk:
    """Rows of a table.

    Args:
        source: the table's name in messages.
        arms: each row's arm.
        numbers: the other columns, by what they mean.
        place: where a row stands, in words: "line 3", "row 2", "arm 'a'".
        is_text: the cells are text that numbers must be read from.
    """

    source: str
    arms: Sequence[Any]
    numbers: Mapping[str, Cells]
    place: Callable[[int], str]
    is_text: bool = False


def check_columns(source: str, names: Names, present: Sequence[str]) -> None:
    """Every column that is needed is there, once."""
    for meaning, name in (("arm", names.arm), *names.numbers.items()):
        if name in present:
            if list(present).count(name) > 1:
                raise must("columns", source, f"hold {name!r} once", list(present))
            continue
        remedy = (
            f"Say which column it is: columns={{'{meaning}': ...}}, or --column {meaning}=NAME."
        )
        if "reward" in present and meaning != "reward":
            remedy = "For one row a reward pass raw=True, or --raw."
        if len(present) == 1 and any(mark in present[0] for mark in ";\t|"):
            remedy = "Columns must be separated by commas."
        raise must("columns", source, f"hold {name!r}", list(present), remedy)


def empty_table(source: str) -> SpecError:
    """The error for a table without arms."""
    return SpecError(f"The table of {source} must hold at least one row; got none.")
