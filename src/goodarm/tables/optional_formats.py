"""File formats that need another library, which may be missing or raise its own errors."""

from importlib import import_module
from pathlib import Path
from typing import Any

from goodarm.errors import SpecError, missing_extra
from goodarm.wording import ErrorPlace, third_party_message


def import_library(path: Path, module: str, extra: str) -> Any:
    """Import the library that reads a file; a missing extra is reported before a missing file."""
    try:
        library = import_module(module)
    except ImportError:
        raise missing_extra(f"goodarm check of {path.name}", extra) from None
    with path.open("rb"):
        pass  # a missing file is Python's own error
    return library


def make_unreadable_error(
    what: str, source: str, error: BaseException, *, end: str = ""
) -> SpecError:
    """Return the error for a table that another library cannot read, with its message.

    ``end`` ends the sentence, if the library's message does not.
    """
    return SpecError(
        f"{what}; {third_party_message(error)}{end}",
        argument="counts",
        owner="check",
        rule="be a table that can be read",
        place=ErrorPlace(source),
    )


def is_library_error(error: BaseException) -> bool:
    """Return whether an error comes from another library; panics in Rust are not Exceptions."""
    if type(error).__name__ == "PanicException":
        return True
    return isinstance(error, Exception) and not isinstance(error, SpecError | MemoryError)
