"""Recorder that keeps its journals in memory, as long as the process lives."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from threading import RLock

from goodarm.store.chain import UNCHAINED, hash_rows, hash_start
from goodarm.store.recorder import (
    ExperimentHead,
    JournalRow,
    Recorder,
    Turn,
    check_name,
    check_rows,
    compute_checksum,
    draw_id,
    make_gone_error,
    make_key_taken_error,
    make_moved_error,
)
from goodarm.store.tokens import MemoryTokens, TokenRows


class _Journal:
    """Journal of one experiment: its rows, and the row of each key."""

    def __init__(self, name: str, start: str, is_chained: bool) -> None:
        self.name, self.start, self.id = name, start, draw_id()
        self.hash = hash_start(start) if is_chained else UNCHAINED
        self.rows: list[JournalRow] = []
        self.keys: dict[str, JournalRow] = {}
        self.snapshot: tuple[int, bytes, str] | None = None

    @property
    def head(self) -> ExperimentHead:
        return ExperimentHead(self.name, self.start, len(self.rows), self.id, self.hash)


class _MemoryTurn(Turn):
    """Turn whose rows are put into the journal at its end."""

    def __init__(self, journal: _Journal) -> None:
        self._journal, self.head = journal, journal.head
        self.rows: Sequence[JournalRow] = ()

    def read(self, after: int) -> Iterator[JournalRow]:
        """Implement `Turn.read`."""
        return iter(self._journal.rows[after:])

    def find(self, key: str) -> JournalRow | None:
        """Implement `Turn.find`."""
        return self._journal.keys.get(key)

    def append(self, last: int, rows: Sequence[JournalRow]) -> None:
        """Implement `Turn.append`."""
        head = self._journal.head
        if head.last != last:
            raise make_moved_error(head._replace(last=last), head.last)
        check_rows(head, rows)
        for row in rows:
            if row.key in self._journal.keys:
                raise make_key_taken_error(head, row.key)
        hashes = hash_rows(head.hash, rows)
        self.rows = [row._replace(hash=each) for row, each in zip(rows, hashes, strict=True)]
        self.head = head._replace(last=last + len(rows), hash=hashes[-1])


class MemoryRecorder(Recorder):
    """Recorder that keeps journals in memory. Closing it does nothing: they go when it goes."""

    def __init__(self) -> None:
        self._lock, self._turns = RLock(), RLock()
        """locks: one held for a moment, and one for a writer's turn, which no reader waits for"""
        self._names: dict[str, _Journal] = {}
        self._ids: dict[str, _Journal] = {}
        self._tokens = MemoryTokens()

    def create(self, name: str, start: str, *, is_chained: bool = True) -> ExperimentHead:
        """Implement `Recorder.create`."""
        check_name(name, start)
        with self._lock:
            journal = self._names.get(name)
            if journal is None:
                journal = _Journal(name, start, is_chained)
                self._names[name] = self._ids[journal.id] = journal
            return journal.head

    def head(self, name: str) -> ExperimentHead | None:
        """Implement `Recorder.head`."""
        with self._lock:
            journal = self._names.get(name)
            return None if journal is None else journal.head

    def heads(self) -> list[ExperimentHead]:
        """Implement `Recorder.heads`."""
        with self._lock:
            return [self._names[name].head for name in sorted(self._names)]

    def sizes(self) -> list[tuple[str, int]]:
        """Implement `Recorder.sizes`."""
        return [(head.name, head.last) for head in self.heads()]

    @contextmanager
    def turn(self, head: ExperimentHead) -> Iterator[Turn]:
        """Implement `Recorder.turn`."""
        with self._turns:
            turn = _MemoryTurn(self._journal(head))
            yield turn
            with self._lock:
                journal = self._journal(head)
                journal.rows += turn.rows
                journal.hash = turn.head.hash
                journal.keys.update((row.key, row) for row in turn.rows if row.key is not None)

    def _journal(self, head: ExperimentHead) -> _Journal:
        with self._lock:
            journal = self._ids.get(head.id)
        if journal is None:
            raise make_gone_error(head.name)
        return journal

    def read(self, head_id: str, after: int, most: int | None = None) -> Iterator[JournalRow]:
        """Implement `Recorder.read`."""
        with self._lock:
            journal = self._ids.get(head_id)
            if journal is None:
                raise make_gone_error(head_id)
            rows = journal.rows[max(after, 0) :]
        return iter(rows if most is None else rows[:most])

    def find(self, head_id: str, key: str) -> JournalRow | None:
        """Implement `Recorder.find`."""
        with self._lock:
            journal = self._ids.get(head_id)
            return None if journal is None else journal.keys.get(key)

    def delete(self, name: str) -> bool:
        """Implement `Recorder.delete`."""
        with self._lock:
            journal = self._names.pop(name, None)
            if journal is not None:
                del self._ids[journal.id]
            return journal is not None

    def save_snapshot(self, head_id: str, number: int, data: bytes) -> None:
        """Implement `Recorder.save_snapshot`."""
        with self._lock:
            journal = self._ids.get(head_id)
            if journal is not None and (journal.snapshot is None or journal.snapshot[0] <= number):
                journal.snapshot = (number, data, compute_checksum(head_id, number, data))

    def load_snapshot(self, head_id: str) -> tuple[int, bytes] | None:
        """Implement `Recorder.load_snapshot`."""
        with self._lock:
            journal = self._ids.get(head_id)
            if journal is None or journal.snapshot is None:
                return None
            number, data, expected = journal.snapshot
            if compute_checksum(head_id, number, data) != expected:
                journal.snapshot = None
                return None
            return number, data

    @property
    def tokens(self) -> TokenRows:
        """Tokens in memory; implements `Recorder.tokens`."""
        return self._tokens

    def close(self) -> None:
        """Implement `Recorder.close`."""
