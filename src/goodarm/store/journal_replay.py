"""Replay and verification of the rows of a journal."""

import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import GoodArmError, StoreTampered
from goodarm.live import (
    Difference,
    Event,
    ExperimentSettings,
    ExperimentState,
    event_from_dict,
    make_columns,
    replay,
    replay_and_recompute,
)
from goodarm.problem import Arm
from goodarm.store.chain import SHORT_DIGITS, UNCHAINED, hash_row, hash_start
from goodarm.store.recorder import ExperimentHead, JournalRow
from goodarm.views.names import printable
from goodarm.wording import ErrorPlace, Phrase, PrivateText, Text, join, phrase

_BACKUP_REMEDY: Final = "Restore the journal from a backup."
_DELETE_REMEDY: Final = (
    "All entries of the journal are verified, so the snapshot is wrong, and may be deleted: it is "
    "a cache. Stop all that use the store, then delete the rows of its table goodarm_snapshots."
)
_KEEP_REMEDY: Final = (
    "Keep the snapshot until the journal is settled: it may be older than the change."
)
_MAX_DIFFERENCES: Final = 20
"""Entries with wrong labels after which verification ends: each costs a replay of those before
it."""
_MAX_SHOWN: Final = 5
"""Most differences of a snapshot that are listed."""
PROGRESS_ENTRIES: Final = 20
"""Entries between two progress reports: some 2 ms."""


class _VerifiedFields(NamedTuple):
    entries: int
    rewards: int
    """number of rewards that came in, or count as the worst case"""
    labels: int
    """number of labels"""
    head: str = ""
    """hash of the last row; empty if the journal is unchained"""


class Verified(_VerifiedFields):
    """Verified journal: its labels are those that its rewards prove.

    Args:
        entries, rewards, labels: how many were verified.
        head: hash of the last row.

    >>> from goodarm import Problem, open_store
    >>> exp = open_store("memory:").experiment("banners", Problem(1, threshold=0.5))
    >>> exp.observe(0, [1, 1, 0])
    >>> exp.verify()[:3]
    (1, 3, 0)
    """

    kept_at: int | None = None
    """the entry whose hash was kept elsewhere, if more entries have followed since"""


def read_event(row: JournalRow) -> Event:
    """Parse the event of a row."""
    return event_from_dict(json.loads(row.text))


def replay_rows(
    state: ExperimentState,
    rows: Iterable[JournalRow],
    name: str,
    act: Callable[[ExperimentState, Event], object] = replay,
    *,
    remedy: str = _BACKUP_REMEDY,
) -> None:
    """Replay the rows of an experiment on a state.

    ``act`` replays an event. A row that goodarm cannot have written is an error that names the
    entry.
    """
    for row in rows:
        number, place = str(row.number), ErrorPlace(name, entry=row.number)
        try:
            act(state, read_event(row))
        except GoodArmError as error:
            raise StoreTampered(
                phrase("Entry {row} of {name}: {error}", row=number, name=repr(name), error=error),
                remedy=remedy,
                place=place,
            ) from error
        except Exception as error:
            raise StoreTampered(
                phrase(
                    "Entry {row} of {name} is damaged{error}.",
                    row=number,
                    name=repr(name),
                    error=PrivateText(f": {type(error).__name__}: {error}", ""),
                ),
                remedy=remedy,
                place=place,
            ) from error


def verify(
    settings: ExperimentSettings,
    read_rows: Callable[[], Iterable[JournalRow]],
    snapshot: ExperimentState | None,
    name: str,
    progress: Callable[[int], None] | None = None,
    *,
    remedy: str = _BACKUP_REMEDY,
    head: ExperimentHead,
    expected: str | None = None,
) -> Verified:
    """Compute all labels and their evidence again, and compare them and the snapshot.

    The whole journal is replayed first. Only if it is right is a snapshot that differs from it
    called safe to delete: otherwise the snapshot may be what is left of the true journal.

    Args:
        settings: what the experiment was created with.
        read_rows: returns its whole journal, each time it is called.
        snapshot: the state that a snapshot holds, if there is one.
        name: the experiment's name, for messages.
        progress: called with the entries verified so far, now and then.
        remedy: what to do about a journal that does not prove its labels.
        head: what the store knows of it: the start, the number and the hash of the last row.
        expected: a head's hash, or its beginning, that was kept elsewhere.

    Raises:
        StoreTampered: with the first entry that differs, its fields, and what the rewards prove.
    """
    proof = _Proof(settings, read_rows, name, snapshot, head, expected)
    differences: list[Text] = []
    damage = None
    try:
        proof.run(progress)
    except StoreTampered as error:
        damage = error.replace_fields(remedy=remedy)
    if proof.differences:
        first, count = proof.differences[0], len(proof.differences)
        entries = "1 entry" if count == 1 else f"{count:,} entries"
        if count == _MAX_DIFFERENCES:
            entries = f"at least {entries}"
        differences.append(
            f"The journal of {name!r} has {entries} whose labels are not those that its rewards "
            f"prove; the first is entry {first.event_number}: "
            f"{first.describe(proof.state.ident.problem.arms)}. {remedy}"
        )
    if proof.broken is not None:
        differences.append(f"{proof.broken} {remedy}")
    if damage is not None:
        differences.append(Phrase((damage,)))
    if proof.is_whole and proof.broken is None:
        kept = None if proof.kept_at else expected
        differences += _find_head_differences(head, proof.hash, kept, name)
    if snapshot is not None and proof.stale:
        advice = _KEEP_REMEDY if differences else _DELETE_REMEDY
        differences.append(
            f"The snapshot of {name!r} at entry {snapshot.last} is not what a full replay of the "
            f"journal comes to: {_join_first(proof.stale)}. {advice}"
        )
    if differences:
        raise StoreTampered(join(*differences)) from damage
    found = Verified(proof.state.last, proof.state.ident.pulls, proof.labels, head.hash)
    found.kept_at = None if proof.kept_at == proof.state.last else proof.kept_at
    return found


class _Proof:
    """Replay of a journal in which every label is computed again."""

    def __init__(
        self,
        settings: ExperimentSettings,
        read_rows: Callable[[], Iterable[JournalRow]],
        name: str,
        snapshot: ExperimentState | None,
        head: ExperimentHead,
        expected: str | None,
    ) -> None:
        self._settings, self._read_rows, self._name = settings, read_rows, name
        self._snapshot, self._is_chained = snapshot, head.hash != UNCHAINED
        self.hash = hash_start(head.start) if self._is_chained else UNCHAINED
        """hash of the last row"""
        is_long = expected is not None and len(expected) >= SHORT_DIGITS
        self._expected = expected.lower() if expected and is_long else None
        self.kept_at: int | None = None
        """the entry that has the hash kept elsewhere; fewer digits may be those of any entry"""
        self.broken: str | None = None
        """the first entry that breaks the chain, in words"""
        self.state, self.labels = ExperimentState(settings), 0
        self.differences: list[Difference] = []
        self.stale: list[str] = []
        """differences of the snapshot"""
        self.is_whole = False
        """whether all entries were replayed"""

    def run(self, progress: Callable[[int], None] | None) -> None:
        """Verify event after event; after one that differs, go on as it is written."""
        for row in self._read_rows():
            self._check_hash(row)
            replay_rows(self.state, [row], self._name, self._prove, remedy="")
            number = self.state.last
            if self.differences and self.differences[-1].event_number == number:
                if len(self.differences) == _MAX_DIFFERENCES:
                    return
                self.state = ExperimentState(self._settings)
                replay_rows(self.state, islice(self._read_rows(), number), self._name, remedy="")
            if self._snapshot is not None and number == self._snapshot.last:
                self.stale = _find_snapshot_differences(self.state, self._snapshot)
            if progress is not None and number % PROGRESS_ENTRIES == 0:
                progress(number)
        self.is_whole = True

    def _check_hash(self, row: JournalRow) -> None:
        """Check the hash of a row against its content and the row before."""
        expected = hash_row(self.hash, row) if self._is_chained else UNCHAINED
        if self.broken is None and row.hash != expected:
            before = "the start (problem, arms, rule, limits)"
            if row.number > 1:
                before = f"entry {row.number - 1:,} before it"
            self.broken = (
                f"The hash of entry {row.number:,} of {self._name!r} does not fit its content and "
                f"{before}: one of them was changed, removed or replaced after it was written."
            )
        self.hash = row.hash
        if self._expected and row.hash.startswith(self._expected):
            self.kept_at = row.number

    def _prove(self, state: ExperimentState, event: Event) -> None:
        found = replay_and_recompute(state, event)
        self.labels += len(getattr(event, "labels", ()))
        if found is not None:
            self.differences.append(found)


def _find_head_differences(
    head: ExperimentHead, found: str, expected: str | None, name: str
) -> list[str]:
    """List where the hash of the last row differs from the head, or from one kept elsewhere."""
    differences = []
    if found != head.hash:
        differences.append(
            f"The head of {name!r} says that its last entry has the hash "
            f"{head.hash[:SHORT_DIGITS]}; it has {found[:SHORT_DIGITS]}. Entries were removed "
            "from the end, or the head was changed."
        )
    if expected is None:
        return differences
    if head.hash == UNCHAINED:
        differences.append(
            f"The journal of {name!r} has no hashes, so there is no last hash to compare with. Add "
            "hashes with: goodarm upgrade"
        )
    elif not expected or not head.hash.startswith(expected.lower()):
        differences.append(
            f"The head of {name!r} is {head.hash}, and no entry of the journal has the hash "
            f"{expected}: it was changed or cut after that head was kept."
        )
    return differences


def _join_first(differences: Sequence[str]) -> str:
    more = len(differences) - _MAX_SHOWN
    return "; ".join(differences[:_MAX_SHOWN]) + (f"; and {more:,} more" if more > 0 else "")


def _find_snapshot_differences(state: ExperimentState, snapshot: ExperimentState) -> list[str]:
    """List the values of a snapshot that differ from those of the entries up to it."""
    (arrays, rest), (other_arrays, other_rest) = make_columns(state), make_columns(snapshot)
    arms = state.ident.problem.arms
    found: list[str] = []
    for key, array in arrays.items():
        found += _find_array_differences(key, array, other_arrays[key], arms)
    for key in rest:
        proven, kept = _to_plain(rest[key]), _to_plain(other_rest[key])
        if proven != kept:
            found.append(_describe_difference(repr(key), kept, proven))
    return found


def _find_array_differences(
    key: str, array: NDArray[Any], other: NDArray[Any], arms: Sequence[Arm]
) -> Iterator[str]:
    """Yield the rows of a column that differ, named by arm, pull or position."""
    if array.shape != other.shape:
        yield _describe_difference(f"the number of rows of {key!r}", len(other), len(array))
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
            yield _describe_difference(where, other[place].tolist(), array[place].tolist())


def _describe_difference(where: str, kept: object, proven: object) -> str:
    return f"{where} is {kept!r:.100} in the snapshot and {proven!r:.100} by the replay"


def _to_plain(value: Any) -> Any:
    """Convert a value to what JSON returns: lists in place of tuples."""
    return json.loads(json.dumps(value))
