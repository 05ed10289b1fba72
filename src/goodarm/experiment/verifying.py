"""A journal against what its rewards prove: labels and evidence are computed again."""

import math
from collections.abc import Iterable
from typing import Final, NamedTuple

from goodarm.experiment.applying import apply
from goodarm.experiment.deciding import labels_again
from goodarm.experiment.entries import Entry
from goodarm.experiment.possible import refuse_impossible
from goodarm.experiment.start import Start
from goodarm.experiment.state import State
from goodarm.identifier.trying import Labelled

CLOSE: Final = 1e-9
"""Logs of e-values that differ by less are the same."""


class Difference(NamedTuple):
    """An entry whose labels are not those that its rewards prove."""

    number: int
    written: tuple[Labelled, ...]
    found: tuple[Labelled, ...]


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
    return len(first) == len(second) and all(
        (a.arm, a.label, a.pulls) == (b.arm, b.label, b.pulls) and _is_close(a.evidence, b.evidence)
        for a, b in zip(first, second, strict=True)
    )


def _is_close(first: float | None, second: float | None) -> bool:
    if first is None or second is None:
        return first is second
    return math.isclose(first, second, rel_tol=CLOSE, abs_tol=CLOSE)
