"""A case of the corpus, and what came of it."""

import hashlib
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple


class Outcome(NamedTuple):
    """Text of an outcome, and whether the call was refused."""

    text: str
    is_refusal: bool = False


class Case(NamedTuple):
    """A named call; ``run`` makes it."""

    name: str
    call: str
    run: Callable[[], Outcome]


def slug_of(text, longest=60):
    """Return a text as part of a file's name: readable, with a digest if letters were lost.

    >>> slug_of("check"), slug_of("--json a b.csv")
    ('check', 'json-a-b.csv-5c78')
    """
    kept = "".join(sign if sign.isalnum() or sign in "._" else "-" for sign in text)
    while "--" in kept:
        kept = kept.replace("--", "-")
    kept = kept.strip("-")[:longest].strip("-.")
    digest = hashlib.sha256(text.encode()).hexdigest()[:4]
    return kept if kept == text else f"{kept or 'empty'}-{digest}"


def read_calls(name):
    """Return the calls of a file in the folder ``calls``, one on each line."""
    return (Path(__file__).parent / "calls" / f"{name}.txt").read_text("utf-8").splitlines()
