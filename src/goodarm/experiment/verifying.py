"""A journal against what its rewards prove: labels and evidence are computed again."""

import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Final, NamedTuple

from goodarm.experiment.applying import apply
from goodarm.experiment.deciding import labels_again
from goodarm.experiment.entries import Entry
from goodarm.experiment.possible import refuse_impossible
from goodarm.experiment.start import Start
from goodarm.experiment.state import State
from goodarm.identifier.trying import Labelled
from goodarm.kernels.codes import BAD, GOOD
from goodarm.problem import Arm
from goodarm.results.names import printable

CLOSE: Final = 1e-9
"""Logs of e-values that differ by less are the same."""


class Difference(NamedTuple):
    """An entry whose labels are not those that its rewards prove."""

    number: int
    written: tuple[Labelled, ...]
    found: tuple[Labelled, ...]

    def describe(self, arms: Sequence[Arm]) -> str:
        """Say what is written and what the rewards prove, arm by arm and field by field."""
        return "; ".join(self._lines(arms)) or "the labels are written in another order"

    def _lines(self, arms: Sequence[Arm]) -> Iterator[str]:
        written = {each.arm: each for each in self.written}
        found = {each.arm: each for each in self.found}
        for arm in dict.fromkeys((*written, *found)):
            name = printable(arms[arm])
            if arm not in found:
                yield (
                    f"'labels' has arm {name!r} as {_words(written[arm])}, "
                    "and its rewards prove no label there"
                )
            elif arm not in written:
                yield (
                    f"'labels' has nothing for arm {name!r}, "
                    f"and its rewards prove it {_words(found[arm])}"
                )
            else:
                yield from (
                    f"{field!r} of arm {name!r} is {_shown(field, said)}, "
                    f"and its rewards prove {_shown(field, proven)}"
                    for field, said, proven in _pairs(written[arm], found[arm])
                )


def verify(start: Start, entries: Iterable[Entry]) -> tuple[State, list[Difference]]:
    """Replay a journal, and compare each label and its evidence with what is computed here."""
    state, differences = State(start), []
    for entry in entries:
        if (found := difference(state, entry)) is not None:
            differences.append(found)
        apply(state, entry)
    return state, differences


def difference(state: State, entry: Entry) -> Difference | None:
    """What an entry says otherwise than is computed before it is applied; None if nothing.

    To compute is to try it, so it must be possible.
    """
    refuse_impossible(state, entry)
    written, found = tuple(getattr(entry, "labels", ())), labels_again(state, entry)
    return None if _are_same(written, found) else Difference(state.last + 1, written, found)


def _are_same(first: tuple[Labelled, ...], second: tuple[Labelled, ...]) -> bool:
    return [each.arm for each in first] == [each.arm for each in second] and not any(
        any(_pairs(a, b)) for a, b in zip(first, second, strict=True)
    )


def _pairs(written: Labelled, found: Labelled) -> Iterator[tuple[str, object, object]]:
    """Yield the fields of two labels of one arm that differ, with both values."""
    for field in ("label", "pulls"):
        said, proven = getattr(written, field), getattr(found, field)
        if said != proven:
            yield field, said, proven
    if not _is_close(written.evidence, found.evidence):
        yield "evidence", written.evidence, found.evidence


def _words(label: Labelled) -> str:
    return f"{_shown('label', label.label)} after {label.pulls:,} pulls"


def _shown(field: str, value: object) -> str:
    if field == "label" and value in (GOOD, BAD):
        return "1 (good)" if value == GOOD else "-1 (bad)"
    return repr(value)


def _is_close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=CLOSE, abs_tol=CLOSE)
