"""Check for unknown keys in a file, which suggests the nearest known one."""

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from typing import Any

from goodarm.errors import SpecError


def check_keys(table: Mapping[str, Any], known: Iterable[str], where: str) -> None:
    """Raise an error for a key of the table that is not known.

    >>> check_keys({"treshold": 0.5}, ["threshold", "delta"], "the file")
    Traceback (most recent call last):
    goodarm.errors.SpecError: There is no key 'treshold' in the file. Did you mean 'threshold'?
    """
    names = list(known)
    for name in table:
        if name not in names:
            near = get_close_matches(name.lower(), names, n=1, cutoff=0.5)
            listing = ", ".join(sorted(names))
            remedy = f"Did you mean {near[0]!r}?" if near else f"There are: {listing}."
            raise SpecError(
                f"There is no key {name!r} in {where}.",
                argument=name,
                owner=where,
                rule="be left out",
                value=table[name],
                remedy=remedy,
            )
