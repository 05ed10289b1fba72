"""Hash chain of a journal: each row carries a hash over its content and the row before.

The first link is the start: problem, arms, rule and limits. Changing, removing or swapping rows
without computing all later hashes again breaks the chain, and `verify` names the entry. Whoever can
write to the database can also compute them again, or cut off the end. Only a comparison with the
hash of the last row, the head, kept elsewhere, detects that.

A journal that was written before there were hashes has none, and is called unchained.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from goodarm.store.recorder import JournalRow

UNCHAINED: Final = ""
"""Hash of rows in an unchained journal."""
SHORT_DIGITS: Final = 12
"""Digits of a hash that are enough to tell two apart."""
SHOWN_DIGITS: Final = 32
"""Digits of a head that are shown: enough for ``verify --head``, and short enough for a narrow
terminal."""


class JournalHead(NamedTuple):
    """Number and hash of a journal's last entry; 0 and the hash of the start if it is empty.

    The hash is empty if the journal is unchained.

    Args:
        entry: number of the last entry.
        hash: its hash.

    >>> from goodarm import Problem, open_store
    >>> exp = open_store("memory:").experiment("banners", Problem(2, threshold=0.5))
    >>> exp.pause()
    >>> exp.head.entry, len(exp.head.hash)
    (1, 64)
    """

    entry: int
    hash: str


def hash_start(start: str) -> str:
    """Return the first link of a chain: the hash of the text that created the experiment."""
    return hashlib.sha256(b"goodarm start\0" + start.encode()).hexdigest()


def hash_row(before: str, row: JournalRow) -> str:
    """Return the hash of a row that follows the row with the hash ``before``."""
    number, text, key, digest, _ = row
    of_key = "" if key is None else f"={key}"
    of_digest = "" if digest is None else f"={digest}"
    linked = f"{before}\0{number}\0{text}\0{of_key}\0{of_digest}"
    return hashlib.sha256(linked.encode()).hexdigest()


def hash_rows(before: str, rows: Sequence[JournalRow]) -> list[str]:
    """Return the hashes of rows that follow the row with the hash ``before``, if it has one."""
    if before == UNCHAINED:
        return [UNCHAINED] * len(rows)
    hashes = []
    for row in rows:
        before = hash_row(before, row)
        hashes.append(before)
    return hashes
