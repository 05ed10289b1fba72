"""Errors of a table, all of them at once: row, column, rule and value of each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from goodarm.errors import SpecError, invalid_argument
from goodarm.wording import Place, Text

MOST: Final = 20
"""Faults that are shown; reading ends soon after."""


class Fault(NamedTuple):
    """One fault, in words that wait for their sentence."""

    line: int
    place: Place
    column: str
    rule: Text
    value: object
    remedy: Text = ""

    def error(self, *, with_remedy: bool = True) -> SpecError:
        """The error for this fault alone."""
        remedy = self.remedy if with_remedy else ""
        place = self.place._replace(column=self.column)
        return invalid_argument(self.column, "check", self.rule, self.value, remedy, place)


class Failures:
    """Failed cells of one reading of a table, counted; they are described when that is asked for.

    Readings that are tried and given up cost no sentences.
    """

    def __init__(self) -> None:
        self.count = 0
        self._parts: list[Callable[[], Iterable[Fault]]] = []

    def add(self, count: int, describe: Callable[[], Iterable[Fault]]) -> None:
        """Count failures that ``describe`` tells one by one."""
        self.count += count
        self._parts.append(describe)

    def faults(self) -> list[Fault]:
        """Describe them all."""
        return [fault for describe in self._parts for fault in describe()]


def as_error(source: str, faults: Sequence[Fault], last: SpecError | None = None) -> SpecError:
    """One error for all faults, in the order of rows; a remedy is said once.

    ``last`` is what ended the reading, if it ended before its time.
    """
    ordered = sorted(faults, key=lambda fault: fault.line)
    shown: list[SpecError] = []
    said: list[Text] = []
    for fault in ordered[:MOST]:
        shown.append(fault.error(with_remedy=fault.remedy not in said))
        said.append(fault.remedy)
    if last is not None and len(ordered) <= MOST:
        shown.append(last)
    if len(shown) == 1:
        return shown[0]
    more = len(ordered) > MOST
    head = f"The table of {source} has {'more than ' if more else ''}{len(shown)} errors:"
    return joined(shown, head)


def joined(errors: Sequence[SpecError], head: str = "") -> SpecError:
    """Return one error for several, with the fields of the first."""
    first = errors[0]
    return SpecError(
        head,
        argument=first.argument,
        owner=first.owner,
        rule=first.rule,
        value=first.value,
        place=first.place,
        errors=errors,
    )
