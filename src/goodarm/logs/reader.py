"""What a reader is, and the choices that it is given."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Literal

from goodarm.errors import SpecError, invalid_argument
from goodarm.logs.attempt import Attempt, Note
from goodarm.wording import Place, Text

Errors = Literal["fail", "exclude"]
Repeats = Literal["refuse", "attempts", "reruns"]
Copies = Literal["once", "count"]
Cached = Literal["refuse", "exclude"]


@dataclass(frozen=True)
class Options:
    """The user's choices; what each means is said at ``read``.

    A reader uses ``by`` only to know which parts are worth the work.
    """

    by: tuple[str, ...] = ()
    errors: Errors = "fail"
    repeats: Repeats = "refuse"
    copies: Copies | None = None
    score: str | None = None
    pass_at: float | None = None
    filter: str | None = None
    cached: Cached = "refuse"


def invalid_log(
    argument: str, place: Place, rule: Text, value: object, remedy: Text = ""
) -> SpecError:
    """Return the error for what a log holds."""
    return invalid_argument(argument, "read", rule, value, remedy, place)


def bad_file(
    path: Path, rule: str, found: str, remedy: Text = "", line: int | None = None
) -> SpecError:
    """Return the error for a file, or a line of it, that is not what it must be."""
    what = f"The file {str(path)!r}" if line is None else f"The line {line} of {str(path)!r}"
    return SpecError(
        f"{what} must {rule}; {found}",
        argument="paths",
        owner="read",
        rule=rule,
        value=str(path),
        remedy=remedy,
        place=Place(str(path), line=line),
    )


ReadFile = Callable[[Path, Options], Iterable[Attempt | Note]]
"""From a file to its attempts."""
OnRepeat = Callable[[tuple[str, ...], tuple[str, ...], Options], Text]
"""What the same test twice may mean, by what the first and the second stand within."""


@dataclass(frozen=True)
class Reader:
    """A format: a function from a file to attempts, and what is known about such files.

    Args:
        read: the file's attempts, one by one. A file that is not what it must be is a SpecError.
        by: the parts that name an arm unless the user says otherwise; all of them if empty.
        parts: what an arm may be named by, with the meaning in words; if empty, whatever the
            attempts have.
        options: those of score, pass_at, filter and cached that mean something here.
        looks_like: whether a file of this name that begins so is of this format.
        stamp: bytes near the beginning of files of which no two runs write the same; None if equal
            files may be different runs.
        is_run: each file is a run of its own, so that a test comes again in every file.
        on_repeat: what the same test twice may mean, for the message; or a function that tells it
            by what the two attempts stand within.
        unit: what the number of an attempt counts.
        hint: a remark on the arms found; empty if there is none.
        is_typed: labels are written by people, so that two that look alike are an error.
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
    hint: Callable[[Sequence[str], Options], str] = lambda arms, options: ""
    is_typed: bool = False
