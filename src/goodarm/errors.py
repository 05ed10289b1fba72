"""What goodarm raises, and the one helper that words it.

::

    GoodArmError
    ├── SpecError      (also ValueError)     an argument, reward or document is not what it must be
    ├── ProtocolError  (also RuntimeError)   a call that does not fit what was asked and told before
    └── MissingExtra   (also ImportError)    an optional library is not installed
"""

from collections.abc import Iterable
from difflib import get_close_matches


class GoodArmError(Exception):
    """Above every error that goodarm raises on purpose."""


class SpecError(GoodArmError, ValueError):
    """An argument, a reward or a document is not what it must be. Nothing was changed."""


class ProtocolError(GoodArmError, RuntimeError):
    """A call does not fit what was asked and told before. Nothing was changed."""


class MissingExtra(GoodArmError, ImportError):
    """An optional library is not installed; the message says which extra brings it."""


def must(argument: str, owner: str, rule: str, value: object, remedy: str = "") -> SpecError:
    """The error for a bad argument, in the one shape all of them have.

    >>> print(must("delta", "Problem", "be a number strictly between 0 and 1", 1.3))
    The 'delta' of Problem must be a number strictly between 0 and 1; got 1.3.
    """
    shown = repr(value)
    if len(shown) > 80:
        shown = f"{shown[:77]}..."
    sentence = f"The '{argument}' of {owner} must {rule}; got {shown}."
    return SpecError(f"{sentence} {remedy}" if remedy else sentence)


def must_be_one_of(argument: str, owner: str, known: Iterable[str], value: object) -> SpecError:
    """The error for an unknown name: lists the known ones and points at the nearest."""
    names = list(known)
    listing = ", ".join(repr(name) for name in names)
    near = get_close_matches(str(value).lower(), names, n=1, cutoff=0.5)
    remedy = f"Did you mean {near[0]!r}?" if near else ""
    return must(argument, owner, f"be one of {listing}", value, remedy)


def missing_extra(what: str, extra: str) -> MissingExtra:
    """The error for a library that is not installed.

    >>> print(missing_extra("Runs.to_polars", "frames"))
    Runs.to_polars needs the 'frames' extra: pip install 'goodarm[frames]'.
    """
    return MissingExtra(f"{what} needs the '{extra}' extra: pip install 'goodarm[{extra}]'.")
