"""Hash chain of a journal: each row carries a hash over its content and the row before.

The first link is the start: problem, arms, rule and limits. Whoever changes, removes or swaps rows
without computing all later hashes anew breaks the chain, and `verify` names the entry. Whoever can
write to the database can also compute them anew, or cut the end off. That is only found by
comparing with the hash of the last row, the head, which somebody has kept elsewhere.

A journal that was written before there were hashes has none, and is called unchained.
"""

import hashlib
from collections.abc import Sequence
from typing import Final, NamedTuple

from goodarm.store.recorder import Row

UNCHAINED: Final = ""
"""Hash of rows without one."""
SHORT: Final = 12
"""Digits of a hash that tell two apart at a glance."""
SHOWN_DIGITS: Final = 32
"""Digits of a head: enough for ``verify --head``, and short enough for a narrow terminal."""


class JournalHead(NamedTuple):
    """Number and hash of the last entry of a journal; 0 and the hash of the start before the first.

    The hash is empty if the journal is unchained.
    """

    entry: int
    hash: str


def hash_of_start(start: str) -> str:
    """Return the first link of a chain, from the text that an experiment was created with."""
    return hashlib.sha256(b"goodarm start\0" + start.encode()).hexdigest()


def hash_of_row(before: str, row: Row) -> str:
    """Return the hash of a row behind the row with the hash ``before``."""
    number, text, key, digest, _ = row
    of_key = "" if key is None else f"={key}"
    of_digest = "" if digest is None else f"={digest}"
    linked = f"{before}\0{number}\0{text}\0{of_key}\0{of_digest}"
    return hashlib.sha256(linked.encode()).hexdigest()


def hashes_of_rows(before: str, rows: Sequence[Row]) -> list[str]:
    """Return the hashes of rows behind the row with the hash ``before``, if that has one."""
    if before == UNCHAINED:
        return [UNCHAINED] * len(rows)
    hashes = []
    for row in rows:
        before = hash_of_row(before, row)
        hashes.append(before)
    return hashes
