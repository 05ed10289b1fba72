"""Numbers that each arm may have of its own: a threshold, or the size of its pool.

Either one number applies to all arms, or each arm has its own, from a dict or a column of the
table. All of them must be fixed before the data.
"""

import math
from collections.abc import Callable, Mapping, Sequence
from copy import copy
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import Percentage, as_float, parse_number, suggest_fraction
from goodarm.errors import invalid_argument
from goodarm.problem import MAX_CASES, MAX_UNITS, MIN_PART, Problem
from goodarm.tables.chunks import Chunk
from goodarm.tables.table_errors import Fault
from goodarm.wording import ErrorPlace

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]

NAMES: Final = ("threshold", "pool")
"""Names of these numbers; their columns are read only if the user names them."""


class NumberRule(NamedTuple):
    """Rule for such a number, as a function and in words."""

    is_right: Callable[[Floats], Bools]
    rule: str
    is_share: bool = False
    """True if it is between 0 and 1, so that a user may have given a percentage."""

    def remedy(self, value: float) -> str:
        """Suggest what may have been meant by a wrong number."""
        return suggest_fraction(value) if self.is_share else ""


def make_number_rule(name: str, problem: Problem) -> NumberRule:
    """Return the rule for an arm's own threshold or pool; the problem's threshold is ignored."""
    if name == "pool":
        return NumberRule(_is_size, f"be a whole number from 1 to {MAX_CASES}")
    margin, gap = problem.margin, problem.gap
    if problem.reward_range is None:
        most = 2.0 * MAX_UNITS * (problem.sigma or 1.0)
        return NumberRule(
            lambda bars: np.asarray(np.abs(bars) + margin <= most),
            f"be within {MAX_UNITS:g} sigma of 0",
        )
    low, high = problem.reward_range
    room = MIN_PART * (high - low) + margin

    def is_right(bars: Floats) -> Bools:
        inside = (bars - room >= low) & (bars + room <= high)
        if gap is not None:
            inside &= (bars - low) * (high - bars) > gap * gap
        return np.asarray(inside)

    rule = f"be strictly between {low:g} and {high:g}"
    if margin:
        rule += f", with the margin of {margin:g} on both sides"
    if gap is not None:
        rule += f", and leave room for means at the gap of {gap:g}"
    return NumberRule(is_right, rule, is_share=(low, high) == (0.0, 1.0))


def _is_size(values: Floats) -> Bools:
    return np.asarray((values >= 1) & (values <= MAX_CASES) & (values == np.floor(values)))


class PerArmNumbers:
    """Numbers of the arms, in the order of appearance; nan if a number is not known yet.

    Args:
        name: "threshold" or "pool".
        given: the number of all arms, a dict from each arm to its own, or None for a column.
        bound: the rule for the numbers.
        is_exact: a dict must name all arms of the table and no others.
    """

    def __init__(
        self,
        name: str,
        given: float | Mapping[Any, Any] | None,
        bound: NumberRule,
        *,
        is_exact: bool = True,
    ) -> None:
        self._is_exact = is_exact
        self.by_arm: Floats = np.zeros(0)
        self._name, self._given, self._bound = name, given, bound
        self._named: dict[str, float] = {}
        if isinstance(given, Mapping):
            self._named = {
                str(arm): self._validate_number(arm, value) for arm, value in given.items()
            }

    @property
    def bound(self) -> NumberRule:
        """Rule for the numbers."""
        return self._bound

    def _validate_number(self, arm: object, value: object) -> float:
        typed = parse_number(value)
        number = as_float(typed)
        if (
            number is None
            or (isinstance(typed, Percentage) and not self._bound.is_share)
            or not math.isfinite(number)
            or not self._bound.is_right(np.array(number))
        ):
            remedy = "" if number is None else self._bound.remedy(number)
            place = ErrorPlace("check", entry=f"arm {arm!r}")
            raise invalid_argument(self._name, "check", self._bound.rule, value, remedy, place)
        return number

    def grow(self, order: Sequence[Any]) -> None:
        """Add the numbers of new arms."""
        new = order[len(self.by_arm) :]
        if not new:
            return
        if isinstance(self._given, Mapping):
            numbers = [self._get_number(arm) for arm in new]
        else:
            numbers = [math.nan if self._given is None else float(self._given)] * len(new)
        self.by_arm = np.append(self.by_arm, numbers)

    def _get_number(self, arm: Any) -> float:
        if arm is None or (not self._is_exact and str(arm) not in self._named):
            return math.nan  # reported elsewhere
        if str(arm) not in self._named:
            rule = f"name every arm of the table; {arm!r} is missing"
            raise invalid_argument(self._name, "check", rule, self._given)
        return self._named[str(arm)]

    def copy(self) -> "PerArmNumbers":
        """Return a copy."""
        other = copy(self)
        other.by_arm = self.by_arm.copy()
        return other

    def enter(self, codes: NDArray[np.int64], values: Floats) -> NDArray[np.intp]:
        """Add a column's numbers; return the rows where an arm's number differs from before."""
        known = np.flatnonzero((codes >= 0) & ~np.isnan(values))
        first, rows = np.unique(codes[known], return_index=True)
        fresh = np.isnan(self.by_arm[first])
        self.by_arm[first[fresh]] = values[known[rows[fresh]]]
        return np.asarray(known[self.by_arm[codes[known]] != values[known]])

    def faults(
        self, chunk: Chunk, codes: NDArray[np.int64], values: Floats, rows: NDArray[np.intp]
    ) -> list[Fault]:
        """Return the faults of rows where an arm's number differs from before."""
        column = chunk.columns.get(self._name, self._name)
        return [
            chunk.fault(
                int(row),
                column,
                f"be the same in all rows of arm {chunk.arms[row]!r}; "
                f"it is {self.by_arm[codes[row]]:.15g} in the first",
                values[row],
            )
            for row in rows
        ]

    def check_names(self, arms: Sequence[Any]) -> None:
        """Raise an error if a dict names an arm without a row, which would not be counted."""
        if self._is_exact and len(self._named) > len(arms):
            known = set(map(str, arms))
            extra = next(arm for arm in self._named if arm not in known)
            remedy = "To count an arm that has no pulls, add a row with 0 pulls."
            rule = f"name arms of the table only, and not {extra!r}"
            raise invalid_argument(self._name, "check", rule, self._given, remedy)
