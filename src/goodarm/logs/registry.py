"""Registry of readers by name: those of goodarm, and those that other packages register.

To add a reader, register a function from a path and ``LogOptions`` to attempts, or a ``Reader``,
under the entry point group ``goodarm.readers``. Its module is loaded when the format is requested.
"""

from importlib import import_module
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final

from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.logs.reader import Reader, invalid_log
from goodarm.wording import Arg, ErrorPlace, phrase, third_party_message

ENTRY_POINT_GROUP: Final = "goodarm.readers"
_BUILT_IN: Final = {
    "junit": "junit",
    "promptfoo": "promptfoo",
    "inspect": "inspect_log",
    "lm-eval": "lm_eval",
    "pytest-json": "pytest_json",
    "lerobot": "lerobot",
    "phoenix": "phoenix",
    "langfuse": "langfuse",
    "jsonl": "jsonl",
}
"""Module of each format, in the order in which they are tried to detect a file's format."""
_HEAD_BYTES: Final = 1 << 16


def list_formats() -> list[str]:
    """Return the names of all formats, goodarm's own first.

    >>> list_formats()[:3]
    ['junit', 'promptfoo', 'inspect']
    """
    return [*_BUILT_IN, *sorted(_find_registered())]


def resolve_reader(given: object) -> tuple[str, Reader]:
    """Return name and reader of a format, given its name, a ``Reader`` or a read function."""
    if isinstance(given, Reader):
        return getattr(given.read, "__name__", "a reader"), given
    if callable(given):
        return getattr(given, "__name__", "a reader"), Reader(read=given)
    return str(given), load_reader(given)


def load_reader(name: object) -> Reader:
    """Load the reader of a format."""
    if isinstance(name, str) and name in _BUILT_IN:
        return _load_built_in(name)
    found = _find_registered().get(str(name))
    if found is None:
        raise invalid_choice("format", "read_logs", list_formats(), name)
    try:
        loaded = found.load()
    except Exception as error:
        what = f"The reader {found.name!r} ({found.value}) does not load"
        raise SpecError(
            f"{what}: {type(error).__name__}: {third_party_message(error)}",
            argument="format",
            owner="read_logs",
            rule="name a reader that loads",
            value=name,
        ) from error
    if isinstance(loaded, Reader):
        return loaded
    if callable(loaded):
        return Reader(read=loaded)
    rule = "be a function from a path and options to attempts, or a Reader"
    raise invalid_argument(found.name, f"the entry points {ENTRY_POINT_GROUP}", rule, loaded)


def find_format(path: Path) -> str | None:
    """Return the format that the name and the beginning of a file show; None if they show none.

    Args:
        path: the file.

    Returns:
        The name of one of goodarm's own formats, or None.

    Raises:
        OSError: the file cannot be read.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     report = Path(folder, "report.xml")
    ...     _ = report.write_text("<testsuites/>")
    ...     find_format(report)
    'junit'
    """
    with path.open("rb") as stream:
        head = stream.read(_HEAD_BYTES)
    return next(
        (name for name in _BUILT_IN if _load_built_in(name).looks_like(path.name, head)), None
    )


def detect_format(path: Path) -> str:
    """Detect the format of a file by its name and beginning; raise an error if both fail."""
    found = find_format(path)
    if found is not None:
        return found
    known = ", ".join(list_formats())
    remedy = phrase("Name it: {format}, one of {known}.", format=Arg("format", "NAME"), known=known)
    raise invalid_log(
        "format",
        ErrorPlace(str(path)),
        "be one that its name and beginning show",
        path.name,
        remedy,
    )


def _load_built_in(name: str) -> Reader:
    reader: Reader = import_module(f"goodarm.logs.{_BUILT_IN[name]}").READER
    return reader


def _find_registered() -> dict[str, EntryPoint]:
    """Return the readers of other packages, except under names of goodarm's own formats."""
    found = entry_points(group=ENTRY_POINT_GROUP)
    return {point.name: point for point in found if point.name not in _BUILT_IN}
