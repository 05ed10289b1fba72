"""Formats that another library reads: it may be missing, and it may fail in its own way."""

from importlib import import_module
from pathlib import Path
from typing import Any

from goodarm.errors import SpecError, missing_extra
from goodarm.wording import Place, say_foreign


def library_for(path: Path, module: str, extra: str) -> Any:
    """The library that reads a file; an extra that is missing comes before a file that is."""
    try:
        library = import_module(module)
    except ImportError:
        raise missing_extra(f"goodarm check of {path.name}", extra) from None
    with path.open("rb"):
        pass  # a missing file is Python's own error
    return library


def unreadable(what: str, source: str, error: BaseException, *, end: str = "") -> SpecError:
    """Return the error for a table that another library cannot read, with what it says.

    ``end`` is the sentence's last sign, where the library has none.
    """
    return SpecError(
        f"{what}; {say_foreign(error)}{end}",
        argument="counts",
        owner="check",
        rule="be a table that can be read",
        place=Place(source),
    )


def is_foreign(error: BaseException) -> bool:
    """Whether a library in Rust gave up on a file; its panics are no Exceptions."""
    if type(error).__name__ == "PanicException":
        return True
    return isinstance(error, Exception) and not isinstance(error, SpecError | MemoryError)
