"""From the rows of a journal to the state that they make, and whether they prove what they say."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import GoodArmError, StoreTampered
from goodarm.experiment import Entry, Start, State, apply, entry_from_dict
from goodarm.experiment.columns import write
from goodarm.experiment.verifying import Difference, difference
from goodarm.problem import Arm
from goodarm.results.names import printable
from goodarm.store.recorder import Row

_BACKUP: Final = "Take the journal from a backup."
_DELETE: Final = (
    "All entries of the journal are verified, so the snapshot is wrong, and may be deleted: it is "
    "a cache. Stop all that use the store, then delete the rows of its table goodarm_snapshots."
)
_KEEP: Final = "Keep the snapshot until the journal is settled: it may be older than the change."
_MAX_SHOWN: Final = 5
"""Differences of a snapshot that are said one by one."""
PROGRESS_ENTRIES: Final = 20
"""Entries after which progress is told: some 2 ms."""


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
    *,
    remedy: str = _BACKUP,
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
            raise StoreTampered(f"Entry {row.number} of {name!r}: {error} {remedy}") from error
        except Exception as error:
            raise StoreTampered(
                f"Entry {row.number} of {name!r} is damaged: {type(error).__name__}: {error}. "
                f"{remedy}"
            ) from error


def verify(
    start: Start,
    rows: Iterable[Row],
    snapshot: State | None,
    name: str,
    progress: Callable[[int], None] | None = None,
    *,
    remedy: str = _BACKUP,
) -> Verified:
    """Compute all labels and their evidence again, and compare; the snapshot, too.

    The whole journal is replayed first. Only if it proves what it says is a snapshot that differs
    from it called safe to delete: otherwise the snapshot may be what is left of the true journal.

    Args:
        start: what the experiment was created with.
        rows: its whole journal.
        snapshot: the state that a snapshot holds, if there is one.
        name: the experiment's name, for messages.
        progress: called with the entries verified so far, now and then.
        remedy: what to do about a journal that does not prove its labels.

    Raises:
        StoreTampered: with the first entry that differs, its fields, and what the rewards prove.
    """
    state, labels = State(start), 0
    differences: list[Difference] = []
    stale: list[str] = []

    def look(state: State, entry: Entry) -> None:
        nonlocal labels
        labels += len(getattr(entry, "labels", ()))
        if (found := difference(state, entry)) is not None:
            differences.append(found)

    def until_snapshot() -> Iterator[Row]:
        for row in rows:
            yield row
            if snapshot is not None and state.last == snapshot.last:
                stale.extend(_snapshot_differences(state, snapshot))
            if progress is not None and state.last % PROGRESS_ENTRIES == 0:
                progress(state.last)

    said, damage = [], None
    try:
        replay(state, until_snapshot(), name, look, remedy=remedy)
    except StoreTampered as error:
        damage = error
    if differences:
        first, count = differences[0], len(differences)
        entries = "1 entry" if count == 1 else f"{count:,} entries"
        said.append(
            f"The journal of {name!r} has {entries} whose labels are not those that its rewards "
            f"prove; the first is entry {first.number}: "
            f"{first.describe(state.ident.problem.arms)}. {remedy}"
        )
    if damage is not None:
        said.append(str(damage))
    if snapshot is not None and stale:
        is_proven = not differences and damage is None
        said.append(
            f"The snapshot of {name!r} at entry {snapshot.last} is not what a full replay of the "
            f"journal comes to: {_some(stale)}. {_DELETE if is_proven else _KEEP}"
        )
    if said:
        raise StoreTampered(" ".join(said)) from damage
    return Verified(state.last, state.ident.pulls, labels)


def _some(differences: Sequence[str]) -> str:
    more = len(differences) - _MAX_SHOWN
    return "; ".join(differences[:_MAX_SHOWN]) + (f"; and {more:,} more" if more > 0 else "")


def _snapshot_differences(state: State, snapshot: State) -> list[str]:
    """Say what a snapshot holds otherwise than the entries up to it come to, value by value."""
    (arrays, rest), (other_arrays, other_rest) = write(state), write(snapshot)
    arms = state.ident.problem.arms
    found: list[str] = []
    for key, array in arrays.items():
        found += _array_differences(key, array, other_arrays[key], arms)
    for key in rest:
        proven, kept = _plain(rest[key]), _plain(other_rest[key])
        if proven != kept:
            found.append(_said(repr(key), kept, proven))
    return found


def _array_differences(
    key: str, array: NDArray[Any], other: NDArray[Any], arms: Sequence[Arm]
) -> Iterator[str]:
    """Yield the rows of a column that differ: of an arm, of a pull, or by their places."""
    if array.shape != other.shape:
        yield _said(f"the number of rows of {key!r}", len(other), len(array))
    elif array.size:
        group, _, field = key.partition("_")
        differs = (array != other).reshape(len(array), -1).any(axis=1)
        for place in np.flatnonzero(differs).tolist():
            if group in ("arm", "wealth"):
                where = f"{field or key!r} of arm {printable(arms[place])!r}"
            elif group == "pull":
                where = f"{field!r} of pull {place + 1}"
            else:
                where = f"row {place + 1} of {key!r}"
            yield _said(where, other[place].tolist(), array[place].tolist())


def _said(where: str, kept: object, proven: object) -> str:
    return f"{where} is {kept!r:.100} in the snapshot and {proven!r:.100} by the replay"


def _plain(value: Any) -> Any:
    """As JSON has it, without tuples."""
    return json.loads(json.dumps(value))
