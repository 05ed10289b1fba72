"""Units: the cases, questions or people that were sampled, whose rewards are averaged.

A test counts each reward as a new draw. Rewards of one case are alike, so a hundred answers to one
question are no hundred draws: the unit of the draw is the question. Here each unit has one reward,
the average of its own, and weighs one, however many those are.

Why the labels stay valid:

- *One reward.* An average of rewards in [low, high] lies in [low, high]. If units are drawn at
  random, and the number of rewards of a unit does not depend on them, the average of the next unit
  has the arm's mean as its expectation, given all units before it, whatever the rewards within a
  unit have in common. That is all that bets on bounded rewards need: their wealth is a nonnegative
  supermartingale over units. It is not 0 or 1 any more, and its spread is unknown, so no test for
  counts and no known sigma applies.
- *Several arms, adaptive sampling.* Each arm has its own wealth, and the union over arms does not
  ask which arm was chosen next, as long as what is chosen is a unit with all of its rewards.
- *Optional stopping.* By Ville's inequality the chance that the wealth of any number of complete
  units, in the order begun, reaches K/delta is at most delta/K. So labels hold at each look at
  complete units. The unit begun last may be unfinished. Its rewards so far are left out: a look at
  an unfinished unit then shows the wealth of the complete ones, which is among those that Ville's
  inequality bounds. To average what is there would be wrong: whoever stops a unit at its first
  success has averages above its mean. Under e-BH the e-values themselves must have expectation 1
  when the data are looked at, and whoever looks into an unfinished unit may stop because of what is
  there: ``check`` refuses that.
- *Unequal numbers.* A number of rewards that depends on the rewards biases the average: retry a
  case until it passes, at most once more, and a rate of p becomes p + (1 - p) p / 2. Numbers fixed
  before the results do not. A table shows only that numbers differ, not why: so that is refused
  unless the user declares it.
- *A fixed pool of cases.* The average of a case takes the place of its score, and the bets against
  the moving bar hold for cases in random order: see ``docs/pools.md``. If the rewards of a case are
  drawn anew each time, the claim is about the averages that were drawn.

The number of rewards per unit must be fixed, too, before the results: adding epochs until a label
falls is a choice among as many tests. A table does not say that number. It is taken to be the
largest that any unit has, so that the first unit of all must be complete before one looks.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import SpecError
from goodarm.problem import make_visible_form
from goodarm.tables.cases import is_blank
from goodarm.tables.chunks import Chunk
from goodarm.tables.table_errors import Fault
from goodarm.views.numbers import plural
from goodarm.wording import Arg, ErrorPlace, phrase

UNIT: Final = "unit"
"""Meaning of the column that names the unit."""
_BLANK: Final = -1

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]


class UnitAverages(NamedTuple):
    """Averages of units, in the order in which the units were begun.

    Args:
        arms: the arm of each.
        units: its unit.
        averages: the average of its rewards.
        repeats: the number of its rewards.
    """

    arms: Ints
    units: Ints
    averages: Floats
    repeats: Ints

    def at(self, chosen: Bools) -> "UnitAverages":
        """Select units by a mask."""
        arms, units, averages, repeats = self
        return UnitAverages(arms[chosen], units[chosen], averages[chosen], repeats[chosen])


class RepeatRange(NamedTuple):
    """Smallest and largest number of rewards of the units that count, and of those left out."""

    least: int
    most: int
    num_unfinished: int = 0

    def describe(self, unit: str, rewards: str = "reward") -> str:
        """Say how many rewards were averaged, and what was left out.

        >>> RepeatRange(10, 10, 1).describe("question")
        'averaged the 10 rewards of each question; left out 1 unfinished question'
        """
        text = f"averaged {self.least:,} to {self.most:,} {rewards}s of each {unit}"
        if self.least == self.most:
            text = f"averaged the {self.most:,} {rewards}s of each {unit}"
        if self.most == 1:
            text = f"one {rewards} for each {unit}"
        if self.num_unfinished:
            some = plural(self.num_unfinished, f"unfinished {unit}", f"unfinished {unit}s")
            text += f"; left out {some}"
        return text


def average_units(arms: Ints, units: Ints, rewards: Floats) -> UnitAverages:
    """Average the rewards of each unit of each arm.

    >>> found = average_units(np.array([0, 0, 0]), np.array([7, 3, 7]), np.array([1.0, 0.0, 0.0]))
    >>> found.units.tolist(), found.averages.tolist(), found.repeats.tolist()
    ([7, 3], [0.5, 0.0], [2, 1])
    """
    if not len(arms):
        return UnitAverages(arms, units, rewards, arms)
    keys = arms * (int(units.max()) + 1) + units
    _, firsts, of = np.unique(keys, return_index=True, return_inverse=True)
    repeats = np.bincount(of)
    averages = np.bincount(of, rewards) / repeats
    order = np.argsort(firsts, kind="stable")
    begun = firsts[order]
    return UnitAverages(arms[begun], units[begun], averages[order], repeats[order])


def find_unfinished(arms: Ints, repeats: Ints) -> Bools | None:
    """Return which units are unfinished; None if the numbers of rewards differ in another way.

    A unit is unfinished if it is the last that its arm has begun, and has fewer rewards than all
    complete units, which have the same number.

    Args:
        arms: the arm of each unit, in the order begun.
        repeats: the number of rewards of each.

    >>> find_unfinished(np.array([0, 0, 0]), np.array([3, 3, 1])).tolist()
    [False, False, True]
    >>> find_unfinished(np.array([0, 0, 0]), np.array([1, 1, 3])) is None
    True
    """
    is_short = repeats < repeats.max(initial=0)
    _, lasts = np.unique(arms[::-1], return_index=True)
    is_last = np.zeros(len(arms), bool)
    is_last[len(arms) - 1 - lasts] = True
    return None if (is_short & ~is_last).any() else is_short


def count_repeats(repeats: Sequence[int] | Ints, num_unfinished: int = 0) -> RepeatRange:
    """Return the range of the numbers of rewards of the units that count."""
    if not len(repeats):
        return RepeatRange(0, 0, num_unfinished)
    return RepeatRange(int(min(repeats)), int(max(repeats)), num_unfinished)


def make_unequal_repeats_error(
    unit: str, owner: str, found: tuple[int, int], place: ErrorPlace, rewards: str = "reward"
) -> SpecError:
    """Return the error for units that differ in their number of rewards.

    Args:
        unit: what names the unit.
        owner: the function that the user called.
        found: the smallest and the largest number.
        place: the table, or the unit with the smallest number.
        rewards: what a unit has several of.
    """
    least, most = found
    rule = f"have the same number of {rewards}s for each {unit}"
    return SpecError(
        phrase(
            "{source} must {rule}; got from {least} to {most}.",
            source=f"{str(place)[:1].upper()}{str(place)[1:]}",
            rule=rule,
            least=f"{least:,}",
            most=f"{most:,}",
        ),
        argument="repeats",
        owner=owner,
        rule=rule,
        value=list(found),
        remedy=phrase(
            "If these numbers were fixed before the first result, {pass} {fixed}. If they depend "
            "on results, as in a retry until it passes, the averages are biased: keep as many for "
            "each, from the first on.",
            fixed=Arg("repeats", "fixed"),
        ),
        place=place,
    )


class UnitIndex(dict[str, int]):
    """Index of each unit of a raw table in the order of appearance.

    Names that look alike are one unit: 1, 1.0 and ``"1 "``. Without a column there is no unit.
    """

    def __init__(self, column: str | None) -> None:
        self.column = column
        self._faults: list[Fault] = []
        self._known: dict[Any, int] = {}

    def number(self, chunk: Chunk) -> Chunk:
        """Return the chunk with the index of each row's unit in place of its name."""
        if self.column is None or chunk.is_counted:
            return chunk
        if UNIT not in chunk.numbers:  # a dict of arms, or an array without names
            rule = f"be a table with the column {self.column!r}"
            raise SpecError(
                f"{chunk.source[:1].upper()}{chunk.source[1:]} must {rule}.",
                argument="counts",
                owner="check",
                rule=rule,
                place=ErrorPlace(chunk.source),
            )
        cells = chunk.numbers[UNIT]
        listed = cells.tolist() if isinstance(cells, np.ndarray) else list(cells)
        found = np.fromiter(map(self._index, listed), np.int64, len(listed))
        for row in np.flatnonzero(found == _BLANK).tolist():
            rule = "name the unit of each reward"
            column = chunk.columns[UNIT]
            many = "are empty"
            self._faults.append(chunk.fault(row, column, rule, listed[row], many=many))
        return replace(chunk, numbers={**chunk.numbers, UNIT: found})

    def take_faults(self) -> list[Fault]:
        """Return the rows without a unit that were found since the last call, as faults."""
        taken, self._faults = self._faults, []
        return taken

    def _index(self, cell: Any) -> int:
        try:
            if cell in self._known:
                return self._known[cell]
        except TypeError:  # a list or an array, which has no hash
            cell = repr(cell.tolist() if isinstance(cell, np.ndarray) else cell)
        if is_blank(cell):
            return _BLANK
        whole = isinstance(cell, float) and cell.is_integer()
        index = self.setdefault(make_visible_form(int(cell) if whole else cell), len(self))
        self._known[cell] = index
        return index
