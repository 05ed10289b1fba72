"""Errors of goodarm, with their parts as fields; `goodarm.wording` makes their sentences.

::

    GoodArmError
    ├── SpecError      (also ValueError)     an invalid argument, reward or document
    ├── ProtocolError  (also RuntimeError)   a call that does not fit what was asked and told before
    ├── MissingExtra   (also ImportError)    an optional library is not installed
    ├── RewardError    (also RuntimeError)   a command or function gave no reward
    ├── NotAllowed     (also PermissionError) a service rejects the token, or it lacks the right
    └── StoreError     (also RuntimeError)   a store of experiments failed
        ├── StoreLocked                      timeout: another writer held it for too long
        ├── StoreReadOnly                    it can be read but not written
        ├── StoreFull                        there is no space left
        ├── StoreDown                        it cannot be reached, or the connection was lost
        ├── StoreTooNew                      a later goodarm made its tables
        ├── StoreTampered                    what it holds is not what was written
        └── Conflict                         another writer appended first: re-read and retry
            ├── Moved                        other entries were appended since
            ├── KeyTaken                     the request key is in the journal already
            └── Gone                         the experiment was deleted
"""

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from difflib import get_close_matches
from typing import Any, Final, Self, TypeVar

from goodarm.wording import NOT_GIVEN, PYTHON, ErrorPlace, Text, show_value

__all__ = [
    "Conflict",
    "Gone",
    "GoodArmError",
    "KeyTaken",
    "MissingExtra",
    "Moved",
    "NotAllowed",
    "ProtocolError",
    "RewardError",
    "SpecError",
    "StoreDown",
    "StoreError",
    "StoreFull",
    "StoreLocked",
    "StoreReadOnly",
    "StoreTampered",
    "StoreTooNew",
]
"""Public names: the classes of errors."""

_PICKLABLE_TYPES: Final = (str, int, float, bool, type(None), type(NOT_GIVEN))
"""Types of values that can be sent to other processes."""


_Error = TypeVar("_Error", bound="GoodArmError")

NAME_TAKEN: Final = "different"
"""Reason of the error for a name that belongs to another experiment."""
CLOSED: Final = "closed"
PAUSED: Final = "paused"
NOTHING_LEFT: Final = "nothing-left"
KEY_REUSED: Final = "key-reused"
"""Reasons of a `ProtocolError`."""


class GoodArmError(Exception):
    """Base class of every error that goodarm raises on purpose.

    ``str(error)`` is the sentence for Python users; `goodarm.wording` has those for others.

    Args:
        statement: what is wrong, if argument, rule and value do not say it.
        argument: what is wrong: an argument, a column, a key.
        owner: the function or class whose argument it is, as the user called it.
        rule: what it must do: "be a finite number".
        value: what was given.
        remedy: what to do, in whole sentences.
        place: where it was found: file, line, row, column, entry.
        errors: the errors that this one consists of, where there are several.
        reason: a word for programs, where one class has several kinds.

    >>> import goodarm as ga
    >>> try:
    ...     ga.Problem(["a", "b"], threshold=0.5, delta=1.3)
    ... except GoodArmError as error:
    ...     print(error.owner, error.argument, error.value)
    Problem delta 1.3
    """

    def __init__(
        self,
        statement: Text = "",
        *,
        argument: str = "",
        owner: str = "",
        rule: Text = "",
        value: object = NOT_GIVEN,
        remedy: Text = "",
        place: ErrorPlace | None = None,
        errors: "Sequence[GoodArmError]" = (),
        reason: str = "",
    ) -> None:
        super().__init__()
        self.statement, self.argument, self.owner = statement, argument, owner
        self.rule, self.value, self.remedy, self.place = rule, value, remedy, place
        self.errors, self.reason = tuple(errors), reason

    def __str__(self) -> str:
        return PYTHON.sentence(self)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({str(self)!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        fields = dict(vars(self))
        if not isinstance(self.value, _PICKLABLE_TYPES):
            fields["value"] = _RemoteText(show_value(self.value))
        return _restore, (type(self), fields)

    def replace_fields(self, **fields: Any) -> Self:
        """Return a copy with other fields.

        Args:
            fields: the fields to replace, by their names in the constructor.
        """
        return _restore(type(self), {**vars(self), **fields})


def _restore(made: type[_Error], fields: dict[str, Any]) -> _Error:
    error: _Error = made.__new__(made)
    vars(error).update(fields)
    return error


class _RemoteText(str):
    """Value of another process, as text that is shown without quotes."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


class SpecError(GoodArmError, ValueError):
    """Invalid argument, reward or document. Nothing was changed.

    >>> import goodarm as ga
    >>> ga.Problem(["a", "b"], threshold=0.5, delta=0)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.SpecError: The 'delta' of Problem must be ... strictly between 0 and 1; got 0.
    """


class ProtocolError(GoodArmError, RuntimeError):
    """Call that does not fit what was asked and told before. Nothing was changed.

    >>> import goodarm as ga
    >>> ident = ga.Identifier(ga.Problem(["a", "b"], threshold=0.5))
    >>> ident.tell(ga.Pull(1, "a"), 1)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.ProtocolError: Pull 1 was never asked; there are 0 pulls. ...
    """


class MissingExtra(GoodArmError, ImportError):
    """Missing optional library; the message names the extra that installs it.

    >>> from unittest.mock import patch
    >>> import goodarm as ga
    >>> table = ga.check({"a": (500, 460)}, threshold=0.8)
    >>> with patch.dict("sys.modules", {"pandas": None}):  # as if pandas were not installed
    ...     table.to_pandas()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.MissingExtra: ArmTable.to_pandas needs the 'frames' extra: ...
    """


class RewardError(GoodArmError, RuntimeError):
    """Failure of a command or function that makes pulls. The pull is still in progress.

    >>> import goodarm as ga
    >>> from goodarm.runner.experiment_file import read_experiment_file
    >>> from goodarm.runner.experiment_run import ExperimentRun
    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     path = Path(folder, "experiment.toml")
    ...     _ = path.write_text('''
    ... arms = ["red"]
    ... threshold = 0.5
    ... [reward]
    ... command = ["no-such-command", "{arm}"]
    ... ''')
    ...     file = read_experiment_file(path)
    ...     exp = ga.open_store("memory:").experiment("one", file.problem)
    ...     run = ExperimentRun(exp, file.source(), file.reward, "ann", 1, file.task_of)
    ...     run.go(lambda progress: None)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.RewardError: Pull 1 of arm 'red' gave no reward: ...
    """


class NotAllowed(GoodArmError, PermissionError):
    """Token that a service rejects, or rejects for this call. Nothing was changed.

    >>> from goodarm.client.problem_documents import make_error, read_problem
    >>> answer = read_problem(403, {"detail": "The token may only read."})
    >>> make_error(answer, "https://example.org")
    NotAllowed('https://example.org: The token may only read.')
    """


class StoreError(GoodArmError, RuntimeError):
    """Failure of the store; the driver's error is its ``__cause__``.

    Nothing was written, unless the class says otherwise.

    >>> import goodarm as ga
    >>> store = ga.open_store("memory:")
    >>> exp = store.experiment("banners", ga.Problem(["red", "blue"], threshold=0.5))
    >>> store.delete("banners")
    True
    >>> try:
    ...     exp.ask()
    ... except StoreError as error:
    ...     print(type(error).__name__)
    Gone
    """


class StoreLocked(StoreError):
    """Timeout: another writer held the store for too long.

    >>> from tempfile import TemporaryDirectory
    >>> import goodarm as ga
    >>> with TemporaryDirectory() as folder:
    ...     url = f"sqlite:///{folder}/goodarm.db"
    ...     with ga.open_store(url) as mine, ga.open_store(url, wait=0.1) as yours:
    ...         exp = mine.experiment("banners", ga.Problem(["red", "blue"], threshold=0.5))
    ...         same = yours.experiment("banners")
    ...         with exp.together():
    ...             _ = exp.ask()
    ...             same.ask()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.StoreLocked: The store ... was busy for more than 0.1 seconds: ...
    """


class StoreReadOnly(StoreError):
    """Store that can be read but not written.

    >>> import sqlite3
    >>> from goodarm.store.dialects import open_sqlite
    >>> database = sqlite3.connect(":memory:", isolation_level=None)
    >>> _ = database.execute("PRAGMA query_only = ON")
    >>> try:
    ...     _ = database.execute("CREATE TABLE rewards (arm, reward)")
    ... except sqlite3.Error as error:
    ...     print(type(open_sqlite("goodarm.db", wait=30).translate(error)).__name__)
    StoreReadOnly
    """


class StoreFull(StoreError):
    """Store without space left. It is unchanged.

    >>> import sqlite3
    >>> from goodarm.store.dialects import open_sqlite
    >>> database = sqlite3.connect(":memory:", isolation_level=None)
    >>> _ = database.execute("PRAGMA max_page_count = 1")
    >>> try:
    ...     _ = database.execute("CREATE TABLE rewards (arm, reward)")
    ... except sqlite3.Error as error:
    ...     print(type(open_sqlite("goodarm.db", wait=30).translate(error)).__name__)
    StoreFull
    """


class StoreDown(StoreError):
    """Store that cannot be reached.

    If the connection was lost during a commit, the commit may or may not have been made.

    >>> import goodarm as ga
    >>> with ga.Client("http://127.0.0.1:1", patience=0.1) as client:  # where nobody listens
    ...     client.experiments()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.StoreDown: http://127.0.0.1:1: It cannot be reached: ...
    """


class StoreTooNew(StoreError):
    """Store whose tables were made by a later version of goodarm.

    >>> import sqlite3
    >>> from tempfile import TemporaryDirectory
    >>> import goodarm as ga
    >>> with TemporaryDirectory() as folder:
    ...     url = f"sqlite:///{folder}/goodarm.db"
    ...     ga.open_store(url).close()
    ...     with sqlite3.connect(f"{folder}/goodarm.db") as database:
    ...         _ = database.execute("UPDATE goodarm_schema SET number = 99")
    ...     database.close()
    ...     ga.open_store(url)  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.StoreTooNew: The store ... has tables of schema 99. ...
    """


class StoreTampered(StoreError):
    """Store whose content is not what goodarm wrote.

    >>> import goodarm as ga
    >>> problem = ga.Problem(["red", "blue"], threshold=0.5)
    >>> exp = ga.open_store("memory:").experiment("banners", problem)
    >>> exp.verify(head="0" * 64)  # a hash that was kept, of a journal that was changed since
    ... # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.StoreTampered: The head of 'banners' is ...
    """


class Conflict(StoreError):
    """Write conflict: another writer appended first. Re-read and retry.

    >>> from goodarm.store import JournalRow, open_recorder
    >>> recorder = open_recorder("memory:")
    >>> head = recorder.create("banners", "{}")
    >>> _ = recorder.append(head, [JournalRow(1, "{}", key=None, digest=None)])
    >>> try:
    ...     recorder.append(head, [JournalRow(1, "{}", key=None, digest=None)])
    ... except Conflict as error:
    ...     print(type(error).__name__)
    Moved
    """


class Moved(Conflict):
    """Write conflict: other entries were appended after the writer's last read.

    >>> from goodarm.store import JournalRow, open_recorder
    >>> recorder = open_recorder("memory:")
    >>> head = recorder.create("banners", "{}")
    >>> _ = recorder.append(head, [JournalRow(1, "{}", key=None, digest=None)])
    >>> recorder.append(head, [JournalRow(1, "{}", key=None, digest=None)])  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.Moved: The experiment 'banners' has moved on: its last entry is 1, not 0. ...
    """


class KeyTaken(Conflict):
    """Write conflict: the request key, ``key``, is already in the journal.

    Args:
        statement: the sentence for people.
        key: the request key.

    >>> from goodarm.store import JournalRow, open_recorder
    >>> recorder = open_recorder("memory:")
    >>> head = recorder.create("banners", "{}")
    >>> head = recorder.append(head, [JournalRow(1, "{}", key="order-17", digest=None)])
    >>> try:
    ...     recorder.append(head, [JournalRow(2, "{}", key="order-17", digest=None)])
    ... except KeyTaken as error:
    ...     print(error.key)
    order-17
    """

    def __init__(self, statement: Text, key: str) -> None:
        super().__init__(statement)
        self.key = key


class Gone(Conflict):
    """Write conflict: the experiment was deleted, or its name belongs to a new one. Do not retry.

    >>> import goodarm as ga
    >>> store = ga.open_store("memory:")
    >>> exp = store.experiment("banners", ga.Problem(["red", "blue"], threshold=0.5))
    >>> store.delete("banners")
    True
    >>> exp.ask()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    goodarm.errors.Gone: The experiment ... was deleted. Open it again to start over.
    """


def invalid_argument(
    argument: str,
    owner: str,
    rule: Text,
    value: object,
    remedy: Text = "",
    place: ErrorPlace | None = None,
) -> SpecError:
    """Return the error for an argument that breaks its rule.

    >>> print(invalid_argument("delta", "Problem", "be a number strictly between 0 and 1", 1.3))
    The 'delta' of Problem must be a number strictly between 0 and 1; got 1.3.
    """
    return SpecError(
        argument=argument, owner=owner, rule=rule, value=value, remedy=remedy, place=place
    )


def invalid_choice(
    argument: str,
    owner: str,
    known: Iterable[str],
    value: object,
    fallback_remedy: Text = "",
    place: ErrorPlace | None = None,
) -> SpecError:
    """Return the error for an unknown name; it lists the known ones and suggests the nearest."""
    names = list(known)
    listing = ", ".join(repr(name) for name in names)
    names_by_folded = {name.casefold(): name for name in reversed(names)}
    near = get_close_matches(str(value).casefold(), names_by_folded, n=1, cutoff=0.5)
    remedy = f"Did you mean {names_by_folded[near[0]]!r}?" if near else fallback_remedy
    return invalid_argument(argument, owner, f"be one of {listing}", value, remedy, place)


@contextmanager
def naming_caller(owner: str, **arguments: str) -> Iterator[None]:
    """Make errors about the problem name the function that the user called.

    ``arguments`` maps arguments of the problem to the function's names for them.

    >>> with naming_caller("check"):
    ...     raise invalid_argument("delta", "Problem", "be a number", "x")
    Traceback (most recent call last):
    goodarm.errors.SpecError: The 'delta' of check must be a number; got 'x'.
    """
    try:
        yield
    except SpecError as error:
        if error.owner != "Problem":
            raise
        argument = arguments.get(error.argument, error.argument)
        raise error.replace_fields(owner=owner, argument=argument) from None


def missing_extra(what: str, extra: str) -> MissingExtra:
    """Return the error for a library that is not installed, with the command that installs it.

    >>> print(missing_extra("Runs.to_polars", "frames"))  # doctest: +ELLIPSIS
    Runs.to_polars needs the 'frames' extra: ... install ...[frames]'.
    """
    from goodarm.installation import install_command  # needed only here, and slow to import

    return MissingExtra(f"{what} needs the '{extra}' extra: {install_command(extra)}.")
