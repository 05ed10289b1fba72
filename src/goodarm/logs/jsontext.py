"""JSON and JSON lines, read within limits: of size, of a line's length, and of depth."""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.arguments import each_once
from goodarm.errors import SpecError

MOST_BYTES: Final = 100_000_000
"""A JSON document is read as a whole, and takes up to twenty times its size."""
LONGEST_LINE: Final = 16_000_000


def load(path: Path, what: str, remedy: str) -> dict[str, Any]:
    """A JSON object; ``remedy`` says what to do where the file is too large."""
    size = path.stat().st_size
    if size > MOST_BYTES:
        raise SpecError(
            f"The file {str(path)!r} must have at most {MOST_BYTES:,} bytes to be read as one "
            f"document; got {size:,}. {remedy}"
        )
    return _object(path.read_bytes(), f"The file {str(path)!r}", what)


def lines(path: Path, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """The objects of a file with one on each line, with their line numbers; blank lines are not."""
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(LONGEST_LINE + 1):
            number += 1
            place = f"The line {number} of {str(path)!r}"
            if len(line) > LONGEST_LINE:
                raise SpecError(f"{place} must have at most {LONGEST_LINE:,} bytes; got more.")
            if line.strip():
                yield number, _object(line, place, what)


def _object(text: bytes, place: str, what: str) -> dict[str, Any]:
    try:
        text = text.removeprefix(codecs.BOM_UTF8)
        found = json.loads(text.decode(), object_pairs_hook=each_once)
    except UnicodeDecodeError as error:
        raise SpecError(f"{place} must be UTF-8; byte {error.start + 1} is not.") from error
    except RecursionError as error:
        raise SpecError(f"{place} must be {what}; it is nested too deeply.") from error
    except json.JSONDecodeError as error:
        raise SpecError(f"{place} must be {what}; {_trouble(error)}") from error
    except ValueError as error:  # a number of thousands of digits, a key that comes twice
        raise SpecError(f"{place} must be {what}; {error}.") from error
    if not isinstance(found, dict):
        raise SpecError(f"{place} must be {what}; got no JSON object but {_kind(found)}.")
    return found


def _trouble(error: json.JSONDecodeError) -> str:
    """What is wrong; a text that ends too early was cut off."""
    if error.pos >= len(error.doc.rstrip()) or error.msg.startswith("Unterminated string"):
        return "it ends in the middle: cut off, or still being written."
    return f"{error.msg} (line {error.lineno}, column {error.colno})."


def _kind(found: object) -> str:
    return {list: "a list", str: "a text", type(None): "null"}.get(type(found), "a number")
