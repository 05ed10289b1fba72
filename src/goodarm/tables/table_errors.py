"""Errors of a table, reported all at once with row, column, rule and value of each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from goodarm.errors import SpecError
from goodarm.wording import ErrorPlace, Text

MAX_FAULTS_SHOWN: Final = 20
"""Maximum number of faults that are shown; reading stops soon after."""


class Fault(NamedTuple):
    """Fault of a cell or row: the fields of an error that is not yet worded."""

    line: int
    place: ErrorPlace
    column: str
    rule: Text
    value: object
    remedy: Text = ""
    statement: Text = ""
    """What is wrong, if column, rule and value do not say it."""

    def error(self, *, with_remedy: bool = True) -> SpecError:
        """Return the error for this fault alone."""
        remedy = self.remedy if with_remedy else ""
        place = self.place._replace(column=self.column)
        return SpecError(
            self.statement,
            argument=self.column,
            owner="check",
            rule=self.rule,
            value=self.value,
            remedy=remedy,
            place=place,
        )


class Failures:
    """Failed cells of one reading of a table, counted, and described only on request.

    So a reading that is tried and dropped costs no wording of errors.
    """

    def __init__(self) -> None:
        self.count = 0
        self._parts: list[Callable[[], Iterable[Fault]]] = []

    def add(self, count: int, describe: Callable[[], Iterable[Fault]]) -> None:
        """Add ``count`` failures, which ``describe`` returns as faults."""
        self.count += count
        self._parts.append(describe)

    def faults(self) -> list[Fault]:
        """Return the faults of all failures."""
        return [fault for describe in self._parts for fault in describe()]


def error_of_faults(
    source: str, faults: Sequence[Fault], last: SpecError | None = None
) -> SpecError:
    """Return one error for all faults, in the order of rows; each remedy is given once.

    ``last`` is the error that stopped reading early, if any.
    """
    ordered = sorted(faults, key=lambda fault: fault.line)
    shown: list[SpecError] = []
    said: list[Text] = []
    for fault in ordered[:MAX_FAULTS_SHOWN]:
        shown.append(fault.error(with_remedy=fault.remedy not in said))
        said.append(fault.remedy)
    if last is not None and len(ordered) <= MAX_FAULTS_SHOWN:
        shown.append(last)
    if len(shown) == 1:
        return shown[0]
    more = len(ordered) > MAX_FAULTS_SHOWN
    head = f"The table of {source} has {'more than ' if more else ''}{len(shown)} errors:"
    return join_errors(shown, head)


def join_errors(errors: Sequence[SpecError], head: str = "") -> SpecError:
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
