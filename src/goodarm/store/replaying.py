"""From the rows of a journal to the state that they make, and whether they prove what they say."""

import json
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, NamedTuple

import numpy as np

from goodarm.errors import GoodArmError, StoreTampered
from goodarm.experiment import Entry, Start, State, apply, entry_from_dict
from goodarm.experiment.columns import write
from goodarm.experiment.verifying import Difference, difference
from goodarm.store.recorder import Row

_BACKUP: Final = "Take the journal from a backup."
_OFTEN: Final = 1000
"""Entries after which progress is told."""


class Verified(NamedTuple):
    """A journal whose labels are those that its rewards prove."""

    entries: int
    rewards: int
    """that came in, or count as the worst case"""
    labels: int
    """that fell"""


def entry_of(row: Row) -> Entry:
    """The entry that a row holds."""
    return entry_from_dict(json.loads(row.text))


def replay(
    state: State,
    rows: Iterable[Row],
    name: str,
    look: Callable[[State, Entry], None] | None = None,
    then: Callable[[State, Entry], None] | None = None,
) -> None:
    """Bring a state forward by the rows of an experiment.

    ``look`` sees each before it is applied, ``then`` after.
    What cannot have been written by goodarm is an error that names the entry.
    """
    for row in rows:
        try:
            entry = entry_of(row)
            if look is not None:
                look(state, entry)
            apply(state, entry)
            if then is not None:
                then(state, entry)
        except GoodArmError as error:
            raise StoreTampered(f"Entry {row.number} of {name!r}: {error} {_BACKUP}") from error
        except Exception as error:
            raise StoreTampered(
                f"Entry {row.number} of {name!r} is damaged: {type(error).__name__}: {error}. "
                f"{_BACKUP}"
            ) from error


def verify(
    start: Start,
    rows: Iterable[Row],
    snapshot: State | None,
    name: str,
    progress: Callable[[int], None] | None = None,
) -> Verified:
    """Compute all labels and their evidence again, and compare; the snapshot, too.

    ``progress`` is called with the entries verified so far, now and then.
    """
    state, labels = State(start), 0
    differences: list[Difference] = []

    def look(state: State, entry: Entry) -> None:
        nonlocal labels
        labels += len(getattr(entry, "labels", ()))
        if (found := difference(state, entry)) is not None:
            differences.append(found)

    def until_snapshot() -> Iterator[Row]:
        for row in rows:
            yield row
            if snapshot is not None and state.last == snapshot.last:
                _compare(state, snapshot, name)
            if progress is not None and state.last % _OFTEN == 0:
                progress(state.last)

    replay(state, until_snapshot(), name, look)
    if differences:
        first = differences[0]
        raise StoreTampered(
            f"The journal of {name!r} has {len(differences)} entries whose labels are not those "
            f"that its rewards prove; the first is entry {first.number}: {first.written} in place "
            f"of {first.found}. {_BACKUP}"
        )
    return Verified(state.last, state.ident.pulls, labels)


def _compare(state: State, snapshot: State, name: str) -> None:
    """A snapshot holds what the entries up to it come to."""
    (arrays, rest), (other_arrays, other_rest) = write(state), write(snapshot)
    different = [key for key in arrays if not np.array_equal(arrays[key], other_arrays[key])]
    different += [key for key in rest if _plain(rest[key]) != _plain(other_rest[key])]
    if different:
        raise StoreTampered(
            f"The snapshot of {name!r} at entry {state.last} is not what its journal comes to: "
            f"{', '.join(sorted(different))} differ. Throw it away: it is a cache."
        )


def _plain(value: Any) -> Any:
    """As JSON has it, without tuples."""
    return json.loads(json.dumps(value))
