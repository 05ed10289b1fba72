"""What goodarm raises, and the one helper that words it.

::

    GoodArmError
    ├── SpecError      (also ValueError)     an argument, reward or document is not what it must be
    ├── ProtocolError  (also RuntimeError)   a call that does not fit what was asked and told before
    ├── MissingExtra   (also ImportError)    an optional library is not installed
    ├── RewardError    (also RuntimeError)   a command or function gave no reward
    ├── NotAllowed     (also PermissionError) a service does not take the token, or not for this
    └── StoreError     (also RuntimeError)   what keeps experiments did not do what it was asked
        ├── StoreLocked                      another writer held it for longer than one waits
        ├── StoreReadOnly                    it may be read and not written
        ├── StoreFull                        there is no room left
        ├── StoreDown                        it cannot be reached, or was lost on the way
        ├── StoreTooNew                      a later goodarm made its tables
        ├── StoreTampered                    what it holds is not what was written
        └── Conflict                         somebody else was first: read on and decide again
            ├── Moved                        other entries were written since
            ├── KeyTaken                     the request key is in the journal already
            └── Gone                         the experiment was deleted
"""

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final, NamedTuple

_CALLS: Final = (
    *("Problem", "check", "export", "history", "open_store", "plan", "read", "reproduce", "run"),
    *("show", "simulate", "token", "verify"),
)
"""Owners whose arguments are options of a command."""
_OPTIONS: Final = {
    ("check", "columns"): "--column",
    ("history", "arm"): "--arm",
    ("open_store", "url"): "URL",
    ("read", "format"): "--from",
    ("read", "paths"): "PATHS",
    ("reproduce", "algorithm"): "--algorithms",
    ("reproduce", "folder"): "--out",
}
"""Arguments of calls that have another name on the command line."""


class Hint(NamedTuple):
    """A rule or remedy in two wordings: for who calls a function, and for who types a command."""

    python: str
    option: str


class GoodArmError(Exception):
    """Above every error that goodarm raises on purpose."""


class SpecError(GoodArmError, ValueError):
    """An argument, a reward or a document is not what it must be. Nothing was changed.

    ``on_command_line`` is the same message for who types a command: it speaks of options.
    """

    def __init__(self, message: str, on_command_line: str | None = None) -> None:
        super().__init__(message)
        self.on_command_line = message if on_command_line is None else on_command_line

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (str(self), self.on_command_line)


class ProtocolError(GoodArmError, RuntimeError):
    """A call does not fit what was asked and told before. Nothing was changed."""


class MissingExtra(GoodArmError, ImportError):
    """An optional library is not installed; the message says which extra brings it."""


class RewardError(GoodArmError, RuntimeError):
    """A command or function that makes pulls gave no reward. The pull is out, to be made again."""


class NotAllowed(GoodArmError, PermissionError):
    """A service does not take the token, or not for this. Nothing was changed."""


class StoreError(GoodArmError, RuntimeError):
    """What keeps experiments did not do what it was asked; the driver's error is the cause.

    Nothing was written, unless the class says otherwise.
    """


class StoreLocked(StoreError):
    """Another writer held the store for longer than one waits."""


class StoreReadOnly(StoreError):
    """The store may be read and not written."""


class StoreFull(StoreError):
    """There is no room left; the store is as it was."""


class StoreDown(StoreError):
    """The store cannot be reached. If it went during a commit, that may have been made or not."""


class StoreTooNew(StoreError):
    """A later version of goodarm made the store's tables."""


class StoreTampered(StoreError):
    """What the store holds is not what goodarm has written."""


class Conflict(StoreError):
    """Somebody else was first. Who reads on may decide again."""


class Moved(Conflict):
    """Other entries were written since the writer has read."""


class KeyTaken(Conflict):
    """The request key is in the journal already: ``key`` says which."""

    def __init__(self, message: str, key: str) -> None:
        super().__init__(message)
        self.key = key

    def __reduce__(self) -> tuple[type, tuple[str, str]]:
        return type(self), (str(self), self.key)


class Gone(Conflict):
    """The experiment was deleted, or its name now belongs to a new one."""


def must(
    argument: str, owner: str, rule: str | Hint, value: object, remedy: str | Hint = ""
) -> SpecError:
    """The error for a bad argument, in the one shape all of them have.

    >>> error = must("delta", "Problem", "be a number strictly between 0 and 1", 1.3)
    >>> print(error)
    The 'delta' of Problem must be a number strictly between 0 and 1; got 1.3.
    >>> print(error.on_command_line)
    The '--delta' must be a number strictly between 0 and 1; got 1.3.
    """
    shown = repr(value)
    if len(shown) > 80:
        shown = f"{shown[:77]}..."
    rules = rule if isinstance(rule, Hint) else Hint(rule, rule)
    remedies = remedy if isinstance(remedy, Hint) else Hint(remedy, remedy)
    subject = f"The '{argument}' of {owner}"
    option = _option(argument, owner) if owner in _CALLS else subject
    got = "" if value is None and owner in _CALLS else f"; got {shown}"
    return SpecError(
        f"{subject} must {rules.python}; got {shown}. {remedies.python}".rstrip(),
        f"{option} must {rules.option}{got}. {remedies.option}".rstrip(),
    )


def _option(argument: str, owner: str) -> str:
    """How a command calls an argument.

    >>> _option("arms_planned", "check")
    "The '--arms-planned'"
    >>> _option("NAME", "show")
    "The 'NAME'"
    """
    is_typed = argument.startswith("--") or argument.isupper()
    name = argument if is_typed else f"--{argument.replace('_', '-')}"
    return f"The '{_OPTIONS.get((owner, argument), name)}'"


def must_be_one_of(
    argument: str, owner: str, known: Iterable[str], value: object, otherwise: str = ""
) -> SpecError:
    """The error for an unknown name: lists the known ones and points at the nearest, if any is."""
    names = list(known)
    listing = ", ".join(repr(name) for name in names)
    near = get_close_matches(str(value).lower(), names, n=1, cutoff=0.5)
    remedy = f"Did you mean {near[0]!r}?" if near else otherwise
    return must(argument, owner, f"be one of {listing}", value, remedy)


def missing_extra(what: str, extra: str) -> MissingExtra:
    """Return the error for a library that is not installed, with the command that installs it.

    >>> print(missing_extra("Runs.to_polars", "frames"))  # doctest: +ELLIPSIS
    Runs.to_polars needs the 'frames' extra: ... install ...[frames]'.
    """
    from goodarm.installation import install_command  # needed only here, and slow to import

    return MissingExtra(f"{what} needs the '{extra}' extra: {install_command(extra)}.")
