"""Recorders: what keeps journals. They know names, numbers, keys and text, and no arm or reward.

A journal is a list of rows numbered 1, 2, 3, ... which only grows. A writer names the last row that
it has seen, by the `Head` it holds. If that is the last one still, all its rows are committed; if
not, none is, and it is told that the journal has moved. Nothing else decides who may write: no
lock, no lease and no clock.

A writer that is often behind would decide in vain again and again. So it may take a `turn`: others
wait while it reads on, decides and appends. A turn saves work and protects nothing: who has waited
too long, or was cut off, is held off by the number alone. A writer that is alone needs no turns: it
decides on what it has written itself, and `append` says if that was wrong.

When an append ends in `StoreDown`, its commit may have been made and the answer lost. Look the
request key up with `find` before anything else: a row there is one's own. If there is none, the
same append may be made again with the same head, even while a server is still busy with the first
one: only one of the two can find the journal where the head says it is, and the other is told
`Moved`.
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
"""The most characters of a request key, of its digest and of a name. PostgreSQL cannot index values
of more than 2.7 kB."""


class Row(NamedTuple):
    """An entry of a journal, as it is kept.

    ``number`` counts 1, 2, 3, ... within the experiment, without gaps. ``text`` is the entry as
    JSON. ``key`` is the request key, unique within the experiment and kept for its life, ``digest``
    the hash of the request under that key. ``hash`` is the row's link in the chain, which the
    recorder computes when the row is appended; empty if the journal is unchained.
    """

    number: int
    text: str
    key: str | None
    digest: str | None
    hash: str = ""


class Head(NamedTuple):
    """What is known of an experiment without reading its journal.

    ``start`` is the JSON text that it was created with, which never changes; ``last`` the number of
    the last row, 0 if there is none. ``id`` is drawn anew at creation, so that an experiment that
    was deleted is told from another of the same name. ``hash`` is that of the last row, or of the
    start if there is none; empty if the journal is unchained.
    """

    name: str
    start: str
    last: int
    id: str
    hash: str = ""


class Turn(ABC):
    """A writer's turn at one experiment. What it has appended is committed at its end.

    ``head`` is the experiment as the turn found it, and behind ``append`` as the turn leaves it.
    """

    head: Head

    @abstractmethod
    def read(self, after: int) -> Iterator[Row]:
        """The rows behind ``after`` in order."""

    @abstractmethod
    def find(self, key: str) -> Row | None:
        """The row with that request key, if any."""

    @abstractmethod
    def append(self, last: int, rows: Sequence[Row]) -> None:
        """Rows numbered from ``last + 1``; once in a turn. Raises `Moved` and `KeyTaken`."""


class Recorder(ABC):
    """What keeps journals. Safe for threads; several may be open on one database."""

    @abstractmethod
    def create(self, name: str, start: str, *, is_chained: bool = True) -> Head:
        """Return the experiment of that name: a new one, or the one that is there.

        Rows of a new one get hashes if ``is_chained``, and if the store has room for them.
        """

    @abstractmethod
    def head(self, name: str) -> Head | None:
        """What is known of an experiment; None if there is none of that name."""

    @abstractmethod
    def heads(self) -> list[Head]:
        """All experiments, by name."""

    @abstractmethod
    def sizes(self) -> list[tuple[str, int]]:
        """The names of all experiments in order, each with the number of its last row."""

    @abstractmethod
    def turn(self, head: Head) -> AbstractContextManager[Turn]:
        """A turn at writing. Raises `Gone`; an error within it leaves the journal as it was."""

    def append(self, head: Head, rows: Sequence[Row]) -> Head:
        """Commit all rows, which are numbered from ``head.last + 1``, or none; return the new head.

        The rows are chained behind the row that is there; the ``hash`` of a head that is not known
        may be wrong. None given is none.

        Raises `Gone` if the experiment is not there any more, `Moved` if its last row is not
        ``head.last``, and `KeyTaken` if a row's key is in the journal; in this order, so that
        a request that is repeated with an old head is told `Moved`, and its key is to be found.
        """
        check_rows(head, rows)
        if not rows:
            return head
        with self.turn(head) as turn:
            turn.append(head.last, rows)
        return turn.head

    def one_reading(self) -> AbstractContextManager[None]:
        """Read all that a block reads in this thread in one transaction, begun at its first read.

        In a database it is a snapshot: what others commit during the block is not seen in it.
        Take no lock within it that a thread holds while it waits for a connection.
        """
        return nullcontext()

    @abstractmethod
    def read(self, head_id: str, after: int, most: int | None = None) -> Iterator[Row]:
        """The rows behind ``after`` in order, at most ``most``, up to the last one at this moment.

        Raises `Gone` if the experiment is not there, and `StoreTampered` if rows are missing.
        """

    @abstractmethod
    def find(self, head_id: str, key: str) -> Row | None:
        """The row with that request key, if any."""

    @abstractmethod
    def delete(self, name: str) -> bool:
        """Takes an experiment and all its rows away; says whether there was one."""

    @abstractmethod
    def save_snapshot(self, head_id: str, number: int, data: bytes) -> None:
        """Keeps what the rows up to ``number`` come to, in the place of an older one.

        A cache: if it cannot be written, that is logged, and nothing else happens.
        """

    @abstractmethod
    def load_snapshot(self, head_id: str) -> tuple[int, bytes] | None:
        """The snapshot with its number; None if there is none. A damaged one is thrown away."""

    @property
    @abstractmethod
    def tokens(self) -> TokenRows:
        """Where tokens are kept."""

    @abstractmethod
    def close(self) -> None:
        """Lets go of files and connections. What was committed stays."""


def draw_id() -> str:
    """What tells an experiment from all others, deleted ones too."""
    return secrets.token_hex(8)


def checksum(head_id: str, number: int, data: bytes) -> str:
    """The hash that a snapshot must still have: of its bytes, its number and whose it is."""
    return hashlib.sha256(f"{head_id} {number} ".encode() + data).hexdigest()


def check_name(name: str, start: str) -> None:
    """Refuses what a database could not keep as it is."""
    _check_text("name", "create", name, KEY_LENGTH)
    _check_text("start", "create", start)


def check_rows(head: Head, rows: Sequence[Row]) -> None:
    """Refuses rows that are not the next ones, have a key twice, or hold what cannot be kept."""
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
                raise key_taken(head, row.key)
            keys.add(row.key)
        if row.digest is not None:
            _check_text("digest", "append", row.digest, KEY_LENGTH)


def _check_text(argument: str, owner: str, text: str, most: int | None = None) -> None:
    if most is not None and len(text) > most:
        raise invalid_argument(argument, owner, f"have at most {most} characters", text)
    if not can_be_kept(text):
        remedy = "JSON has both as escapes: json.dumps writes them so."
        raise invalid_argument(
            argument, owner, "hold no NUL character and no half of a pair", text, remedy
        )


def can_be_kept(text: str) -> bool:
    """Whether every database takes it: PostgreSQL has no NUL, and none half a surrogate pair."""
    if "\0" in text:
        return False
    try:
        text.isascii() or text.encode()
    except UnicodeEncodeError:
        return False
    return True


def moved(head: Head, last: int) -> Moved:
    """The error for who writes behind a row that is not the last one."""
    return Moved(
        f"The experiment {head.name!r} has moved on: its last entry is {last}, not {head.last}. "
        "Read on and decide again."
    )


def key_taken(head: Head, key: str) -> KeyTaken:
    """The error for a request key that is in the journal."""
    return KeyTaken(
        f"The request key {key!r} is in the journal of {head.name!r} already. "
        "Look its entry up: that is the answer.",
        key,
    )


def gone(name: str) -> Gone:
    """The error for an experiment that is not there any more."""
    return Gone(f"The experiment {name!r} was deleted. Open it again to start anew.")
