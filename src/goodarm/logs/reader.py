"""Reader interface, and the options that a reader gets."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from goodarm.errors import SpecError, invalid_argument
from goodarm.logs.attempts import Attempt, LogNote
from goodarm.wording import ErrorPlace, Text

Errors = Literal["fail", "exclude"]
Repeats = Literal["refuse", "attempts", "reruns", "fixed"]
Copies = Literal["once", "count"]
Cached = Literal["refuse", "exclude"]


@dataclass(frozen=True)
class LogOptions:
    """Options of ``read_logs``, which documents them.

    A reader uses ``by`` only to skip parts that nobody asks for.

    Args:
        by, errors, repeats, copies, score, pass_at, filter, cached: as in ``read_logs``.
        unit: the parts that name a unit, with those that tell it apart; none if each attempt is a
            pull.

    >>> LogOptions(by=("suite", "name")).errors
    'fail'
    """

    by: tuple[str, ...] = ()
    errors: Errors = "fail"
    repeats: Repeats = "refuse"
    copies: Copies | None = None
    score: str | None = None
    pass_at: float | None = None
    filter: str | None = None
    cached: Cached = "refuse"
    unit: tuple[str, ...] = ()


def invalid_log(
    argument: str, place: ErrorPlace, rule: Text, value: object, remedy: Text = ""
) -> SpecError:
    """Return the error for a wrong value in a log."""
    return invalid_argument(argument, "read_logs", rule, value, remedy, place)


def invalid_file(
    path: Path, rule: str, found: str, remedy: Text = "", line: int | None = None
) -> SpecError:
    """Return the error for a file, or a line of it, that breaks a rule of its format."""
    what = f"The file {str(path)!r}" if line is None else f"The line {line} of {str(path)!r}"
    return SpecError(
        f"{what} must {rule}; {found}",
        argument="paths",
        owner="read_logs",
        rule=rule,
        value=str(path),
        remedy=remedy,
        place=ErrorPlace(str(path), line=line),
    )


ReadFile = Callable[[Path, LogOptions], Iterable[Attempt | LogNote]]
"""Function from a file to its attempts."""
OnRepeat = Callable[[tuple[str, ...], tuple[str, ...], LogOptions], Text]
"""Function that explains a repeated test, given what contains the first and the second."""


@dataclass(frozen=True)
class Reader:
    """Reader of a format: a function from a file to attempts, and properties of such files.

    Args:
        read: yields the file's attempts. Raises a SpecError for a file that it cannot read.
        by: the parts that name an arm by default; all of them if empty.
        parts: the parts that may name an arm, with their descriptions; if empty, whatever parts the
            attempts have.
        options: those of score, pass_at, filter and cached that apply to this format.
        looks_like: tells from a file's name and first bytes whether it is of this format.
        stamp: bytes near the beginning of a file that show that no two runs write equal files; None
            if equal files may be different runs.
        is_run: each file is a separate run, so that every file may hold the same tests.
        on_repeat: an explanation of a repeated test for the error message, or a function that makes
            one from what contains the two attempts.
        unit: the unit that an attempt's number counts, such as a line.
        hint: returns a remark on the arms found; empty if there is none.
        is_typed: labels are written by people, so that two that look alike are an error.
        cases: the parts that name a case, such as ``{"sample": ("task", "sample")}``, with all
            parts that tell it apart; the first is the format's own unit.

    >>> def read_lines(path, options):
    ...     for number, line in enumerate(path.read_text().splitlines(), 1):
    ...         name, outcome = line.split()
    ...         yield Attempt({"name": name}, outcome, number=number)
    >>> Reader(read_lines, by=("name",)).unit
    'line'
    """

    read: ReadFile
    by: tuple[str, ...] = ()
    parts: Mapping[str, str] = field(default_factory=dict)
    options: frozenset[str] = frozenset({"score", "pass_at", "filter", "cached"})
    looks_like: Callable[[str, bytes], bool] = lambda name, head: False
    stamp: bytes | None = None
    is_run: bool = True
    on_repeat: str | OnRepeat = ""
    unit: str = "line"
    hint: Callable[[Sequence[str], LogOptions], str] = lambda arms, options: ""
    is_typed: bool = False
    cases: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
