"""Errors of a table, reported all at once with row, column, rule and value of each."""

from collections.abc import Callable, Iterable, Sequence
from typing import Final, NamedTuple

from goodarm.errors import SpecError
from goodarm.wording import ErrorPlace, Text, phrase, show_value

MAX_FAULTS_SHOWN: Final = 20
"""Maximum number of faults that are shown; the table is then read to the end of the chunk only."""


_MIN_FOLDED: Final = 4
"""Minimum number of equal faults that are told in one sentence."""
_MAX_PLACES: Final = 5
_MAX_VALUES: Final = 3


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
    many: str = ""
    """What is wrong, where several cells of the column share the fault: "are empty"."""
    unit: str = ""
    """What several such faults are faults of, if not cells of the column: "rows" or "lines"."""

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
    """Wrong cells of one reading of a table, such as that with decimal commas; faults on request.

    A reading that is tried and dropped then costs no wording of errors.
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


def make_table_error(
    source: str, faults: Sequence[Fault], stopping_error: SpecError | None = None
) -> SpecError:
    """Return one error for all faults, in the order of rows.

    Equal faults of a column are told in one sentence, and each remedy is given once.
    ``stopping_error`` is the error that stopped reading early, if any.
    """
    ordered = sorted(faults, key=lambda fault: fault.line)
    has_more = len(ordered) > MAX_FAULTS_SHOWN
    shown: list[SpecError] = []
    given_remedies: list[Text] = []
    for group in _group_faults(ordered):
        remedy = next((fault.remedy for fault in group if fault.remedy != ""), "")
        new_remedy = "" if remedy in given_remedies else remedy
        given_remedies.append(remedy)
        if len(group) > 1:
            shown.append(_fold_faults(source, group, new_remedy, has_more=has_more))
        else:
            shown.append(group[0].error(with_remedy=new_remedy != ""))
    shown = shown[:MAX_FAULTS_SHOWN]
    if stopping_error is not None and not has_more:
        shown.append(stopping_error)
    if len(shown) == 1:
        return shown[0]
    count = MAX_FAULTS_SHOWN if has_more else len(ordered) + (stopping_error is not None)
    head = f"The table of {source} has {'more than ' if has_more else ''}{count} errors:"
    return join_errors(shown, head)


def _group_faults(faults: Sequence[Fault]) -> list[list[Fault]]:
    """Return lists of equal faults, if there are enough of them, and each other fault alone.

    A fault with a statement of its own stays alone.
    """
    groups: dict[object, list[Fault]] = {}
    for number, fault in enumerate(faults):
        same = fault.many or (fault.rule if isinstance(fault.rule, str) else "")
        same = "" if fault.statement else same
        key = (fault.unit, fault.column, same) if same else number
        groups.setdefault(key, []).append(fault)
    found: list[list[Fault]] = []
    for group in groups.values():
        found += [group] if len(group) >= _MIN_FOLDED else [[fault] for fault in group]
    return sorted(found, key=lambda group: group[0].line)


def _fold_faults(source: str, group: Sequence[Fault], remedy: Text, *, has_more: bool) -> SpecError:
    """Return one error for equal faults: how many, what is wrong, where, and with which values."""
    first, count = group[0], len(group)
    number = (
        f"More than {MAX_FAULTS_SHOWN}"
        if count > MAX_FAULTS_SHOWN
        else f"{'At least ' * has_more}{count}"
    )
    cells = first.unit or f"cells of column {first.column!r}"
    values = list(dict.fromkeys(show_value(fault.value) for fault in group))
    got = ", ".join(values[:_MAX_VALUES]) + ", ..." * (len(values) > _MAX_VALUES)
    wrong = (
        phrase("{many}", many=first.many) if first.many else phrase("must {rule}", rule=first.rule)
    )
    statement = phrase(
        "{number} {cells} in {source} {wrong} ({places}); got {got}.",
        number=number,
        cells=cells,
        source=source,
        wrong=wrong,
        places=_format_places(group),
        got=got,
    )
    place = first.place._replace(column=first.column)
    return SpecError(
        statement,
        argument=first.column,
        owner="check",
        rule=first.rule,
        value=first.value,
        remedy=remedy,
        place=place,
    )


def _format_places(group: Sequence[Fault]) -> str:
    """Return the places of faults: "lines 3, 7, 9, ...", or "arm 'a', reward 2; ..."."""
    places = [fault.place for fault in group[:_MAX_PLACES]]
    end = ", ..." * (len(group) > _MAX_PLACES)
    if all(place.line is not None for place in places):
        return f"{places[0].word}s {', '.join(str(place.line) for place in places)}{end}"
    return "; ".join(str(place.entry) for place in places) + end


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
