"""Recorders, which keep journals. They know names, numbers, keys and text, not arms or rewards.

A journal is a list of rows numbered 1, 2, 3, ... which only grows. A writer names the last row that
it has seen, by the `Head` it holds. If that is still the last one, all its rows are committed; if
not, none is, and `Moved` is raised. Nothing else decides who may write: no lock, no lease and no
clock.

A writer that is often behind would retry again and again. So it may take a `turn`: others wait
while it reads on, decides and appends. A turn saves work and protects nothing: the number alone
stops a writer that waited too long or lost its connection. A writer that is alone needs no turns:
it decides on what it has written itself, and `append` raises an error if that was wrong.

When an append ends in `StoreDown`, its commit may have been made and the answer lost. Look the
request key up with `find` first: a row with it is your own. If there is none, the same append may
be repeated with the same head, even while a server is still busy with the first one: only one of
the two can find the journal where the head says it is, and the other gets `Moved`.
"""

import hashlib
import secrets
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Final, NamedTuple

from goodarm.errors import Gone, KeyTaken, Moved, invalid_argument
from goodarm.store.tokens import TokenRows

KEY_LENGTH: Final = 255
"""Most characters of a request key, of its digest and of a name. PostgreSQL cannot index values of
more than 2.7 kB."""


class JournalRow(NamedTuple):
    """Entry of a journal, as it is stored.

    ``number`` counts 1, 2, 3, ... within the experiment, without gaps. ``text`` is the entry as
    JSON. ``key`` is the request key, unique within the experiment and kept for its life, ``digest``
    the hash of the request under that key. ``hash`` is the row's link in the chain, which the
    recorder computes when the row is appended; empty if the journal is unchained.

    Args:
        number: position within the experiment.
        text: the entry as JSON.
        key: the request key; None without one.
        digest: hash of the request.
        hash: the row's link in the chain.

    >>> from goodarm.store import open_recorder
    >>> recorder = open_recorder("memory:")
    >>> head = recorder.create("banners", "{}")
    >>> recorder.append(head, [JournalRow(1, "{}", key=None, digest=None)]).last
    1
    """

    number: int
    text: str
    key: str | None
    digest: str | None
    hash: str = ""


class ExperimentHead(NamedTuple):
    """Summary of an experiment that is known without reading its journal.

    ``start`` is the JSON text that it was created with, which never changes; ``last`` the number of
    the last row, 0 if there is none. ``id`` is drawn anew at creation, so that an experiment that
    was deleted is told from another of the same name. ``hash`` is that of the last row, or of the
    start if there is none; empty if the journal is unchained.

    Args:
        name: the experiment's name.
        start: the JSON text that it was created with.
        last: the number of the last row.
        id: drawn at creation.
        hash: hash of the last row, or of the start.

    >>> from goodarm.store import open_recorder
    >>> head = open_recorder("memory:").create("banners", "{}")
    >>> head.name, head.last
    ('banners', 0)
    """

    name: str
    start: str
    last: int
    id: str
    hash: str = ""


class Turn(ABC):
    """Writer's turn at one experiment. What it has appended is committed at its end.

    ``head`` is the experiment's at the beginning of the turn, and after ``append`` the new one.
    """

    head: ExperimentHead

    @abstractmethod
    def read(self, after: int) -> Iterator[JournalRow]:
        """Yield the rows after ``after``, in order."""

    @abstractmethod
    def find(self, key: str) -> JournalRow | None:
        """Return the row with this request key, if any."""

    @abstractmethod
    def append(self, last: int, rows: Sequence[JournalRow]) -> None:
        """Append rows numbered from ``last + 1``, once in a turn. Raise `Moved` or `KeyTaken`."""


class Recorder(ABC):
    """Storage of journals. Safe for threads; several may be open on one database.

    >>> from goodarm.store import open_recorder
    >>> recorder = open_recorder("memory:")
    >>> recorder.create("banners", "{}").last, recorder.sizes()
    (0, [('banners', 0)])
    """

    @abstractmethod
    def create(self, name: str, start: str, *, is_chained: bool = True) -> ExperimentHead:
        """Return the experiment with this name; create it if there is none.

        The rows of a new one get hashes if ``is_chained`` and if the store's tables have columns
        for them.

        Args:
            name: the experiment's name.
            start: its settings, as JSON.
            is_chained: whether the rows of a new one get hashes.
        """

    @abstractmethod
    def head(self, name: str) -> ExperimentHead | None:
        """Return the head of an experiment; None if there is none with this name.

        Args:
            name: the experiment's name.
        """

    @abstractmethod
    def heads(self) -> list[ExperimentHead]:
        """Return the heads of all experiments, by name."""

    @abstractmethod
    def sizes(self) -> list[tuple[str, int]]:
        """Return the names of all experiments in order, each with the number of its last row."""

    @abstractmethod
    def turn(self, head: ExperimentHead) -> AbstractContextManager[Turn]:
        """Take a turn at writing. Raise `Gone` if it was deleted; undo all if there is an error.

        Args:
            head: the experiment's head, as the writer knows it.

        Returns:
            A context manager with the `Turn`.

        Raises:
            Gone: the experiment was deleted.
        """

    def append(self, head: ExperimentHead, rows: Sequence[JournalRow]) -> ExperimentHead:
        """Commit all rows, numbered from ``head.last + 1``, or none of them; return the new head.

        The rows are chained to the last row of the journal, even if the ``hash`` of the head is
        wrong. Without rows nothing is done.
        Errors are looked for in the order below, so that a request that is repeated with an old
        head gets `Moved`, and its key can be found.

        Args:
            head: the experiment's head, as the writer knows it.
            rows: what to append.

        Raises:
            Gone: the experiment is not there any more.
            Moved: its last row is not ``head.last``.
            KeyTaken: a row's key is in the journal.
        """
        check_rows(head, rows)
        if not rows:
            return head
        with self.turn(head) as turn:
            turn.append(head.last, rows)
        return turn.head

    def one_reading(self) -> AbstractContextManager[None]:
        """Make all reads of a block in this thread in one transaction, begun at the first read.

        In a database this is a snapshot: the block does not see what others commit meanwhile.
        Within it, take no lock that a thread holds while it waits for a connection.

        Returns:
            A context manager around the reads.
        """
        return nullcontext()

    @abstractmethod
    def read(self, head_id: str, after: int, most: int | None = None) -> Iterator[JournalRow]:
        """Yield the rows after ``after`` in order, at most ``most``, up to the present last one.

        Args:
            head_id: the ``id`` of the experiment's head.
            after: the number of the row before the first.
            most: the most rows to yield; all if None.

        Raises:
            Gone: the experiment is not there.
            StoreTampered: rows are missing.
        """

    @abstractmethod
    def find(self, head_id: str, key: str) -> JournalRow | None:
        """Return the row with this request key, if any.

        Args:
            head_id: the ``id`` of the experiment's head.
            key: the request key.
        """

    @abstractmethod
    def delete(self, name: str) -> bool:
        """Delete an experiment with all its rows; return whether there was one.

        Args:
            name: the experiment's name.
        """

    @abstractmethod
    def save_snapshot(self, head_id: str, number: int, data: bytes) -> None:
        """Save the state after the rows up to ``number``, replacing an older snapshot.

        This is a cache: a failure to write it is logged, and nothing else happens.

        Args:
            head_id: the ``id`` of the experiment's head.
            number: the number of the last row that the state has.
            data: the state.
        """

    @abstractmethod
    def load_snapshot(self, head_id: str) -> tuple[int, bytes] | None:
        """Return the number and bytes of the snapshot, or None. A damaged one is deleted.

        Args:
            head_id: the ``id`` of the experiment's head.
        """

    @property
    @abstractmethod
    def tokens(self) -> TokenRows:
        """Storage of tokens."""

    @abstractmethod
    def close(self) -> None:
        """Close files and connections. What was committed stays."""


def draw_id() -> str:
    """Draw an id that no other experiment has, not even a deleted one."""
    return secrets.token_hex(8)


def compute_checksum(head_id: str, number: int, data: bytes) -> str:
    """Return the checksum of a snapshot: of its bytes, its number and its experiment."""
    return hashlib.sha256(f"{head_id} {number} ".encode() + data).hexdigest()


def check_name(name: str, start: str) -> None:
    """Raise an error for a name or start that a database could not store unchanged."""
    _check_text("name", "create", name, KEY_LENGTH)
    _check_text("start", "create", start)


def check_rows(head: ExperimentHead, rows: Sequence[JournalRow]) -> None:
    """Raise an error unless rows are the next ones, with unique keys and storable text."""
    keys = set()
    for number, row in enumerate(rows, head.last + 1):
        if row.number != number:
            rule = f"be numbered from {head.last + 1}, one by one"
            raise invalid_argument("rows", "append", rule, row.number)
        if not row.text.isascii() or "\0" in row.text:
            _check_text("text", "append", row.text)
        if row.key is not None:
            _check_text("key", "append", row.key, KEY_LENGTH)
            if row.key in keys:
                raise make_key_taken_error(head, row.key)
            keys.add(row.key)
        if row.digest is not None:
            _check_text("digest", "append", row.digest, KEY_LENGTH)


def _check_text(argument: str, owner: str, text: str, most: int | None = None) -> None:
    if most is not None and len(text) > most:
        raise invalid_argument(argument, owner, f"have at most {most} characters", text)
    if not is_storable(text):
        remedy = "JSON has both as escapes: json.dumps writes them so."
        raise invalid_argument(
            argument, owner, "hold no NUL character and no half of a pair", text, remedy
        )


def is_storable(text: str) -> bool:
    """Return whether every database can store a text: it has no NUL and no lone surrogate."""
    if "\0" in text:
        return False
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


def make_moved_error(head: ExperimentHead, last: int) -> Moved:
    """Return the error for a writer whose last row is not the journal's last one."""
    return Moved(
        f"The experiment {head.name!r} has moved on: its last entry is {last}, not {head.last}. "
        "Read the new entries and try again."
    )


def make_key_taken_error(head: ExperimentHead, key: str) -> KeyTaken:
    """Return the error for a request key that is in the journal already."""
    return KeyTaken(
        f"The request key {key!r} is in the journal of {head.name!r} already. "
        "Its entry has the answer.",
        key,
    )


def make_gone_error(name: str) -> Gone:
    """Return the error for an experiment that was deleted.

    Args:
        name: the experiment's name.

    >>> make_gone_error("banners")
    Gone("The experiment 'banners' was deleted. Open it again to start over.")
    """
    return Gone(f"The experiment {name!r} was deleted. Open it again to start over.")
