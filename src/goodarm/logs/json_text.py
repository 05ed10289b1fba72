"""Parser of JSON and JSON lines with limits on size, line length and depth."""

import codecs
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.arguments import reject_duplicate_keys
from goodarm.logs.reader import invalid_file

MAX_JSON_BYTES: Final = 100_000_000
"""Maximum size of a JSON document: it is read as a whole, and takes up to 20 times its size."""
MAX_LINE_BYTES: Final = 16_000_000
_WORDS: Final = ("true", "false", "null", "-")
"""Words of JSON, which may be cut off in the middle."""


def load_object(path: Path, what: str, remedy: str) -> dict[str, Any]:
    """Read a JSON object from a file; ``remedy`` says what to do if the file is too large."""
    return _parse_object(_read_document(path, remedy), path, what)


def load_rows(path: Path, what: str, remedy: str) -> list[dict[str, Any]]:
    """Read a JSON list of objects from a file; for ``remedy`` see `load_object`."""
    rows = _parse_json(_read_document(path, remedy), path, what)
    if not isinstance(rows, list):
        raise invalid_file(path, f"be {what}", f"got no JSON list but {_name_kind(rows)}.")
    for number, row in enumerate(rows, start=1):
        if not isinstance(row, dict):
            wrong = f"entry {number} is no JSON object but {_name_kind(row)}."
            raise invalid_file(path, f"be {what}", wrong)
    return rows


def _read_document(path: Path, remedy: str) -> bytes:
    size = path.stat().st_size
    if size > MAX_JSON_BYTES:
        rule = f"have at most {MAX_JSON_BYTES:,} bytes to be read as one document"
        raise invalid_file(path, rule, f"got {size:,}.", remedy)
    return path.read_bytes()


def read_lines(path: Path, what: str) -> Iterator[tuple[int, dict[str, Any]]]:
    """Yield line number and object of each line of a file; skip blank lines."""
    with path.open("rb") as stream:
        number = 0
        while line := stream.readline(MAX_LINE_BYTES + 1):
            number += 1
            if len(line) > MAX_LINE_BYTES:
                rule = f"have at most {MAX_LINE_BYTES:,} bytes"
                raise invalid_file(path, rule, "got more.", line=number)
            if line.strip():
                yield number, _parse_object(line, path, what, number)


def _parse_object(text: bytes, path: Path, what: str, line: int | None = None) -> dict[str, Any]:
    found = _parse_json(text, path, what, line)
    if not isinstance(found, dict):
        wrong = f"got no JSON object but {_name_kind(found)}."
        raise invalid_file(path, f"be {what}", wrong, line=line)
    return found


def _parse_json(text: bytes, path: Path, what: str, line: int | None = None) -> Any:
    try:
        text = text.removeprefix(codecs.BOM_UTF8)
        return json.loads(text.decode(), object_pairs_hook=reject_duplicate_keys)
    except UnicodeDecodeError as error:
        wrong = f"byte {error.start + 1} is not."
        raise invalid_file(path, "be UTF-8", wrong, line=line) from error
    except RecursionError as error:
        raise invalid_file(path, f"be {what}", "it is nested too deeply.", line=line) from error
    except json.JSONDecodeError as error:
        raise invalid_file(path, f"be {what}", _describe_error(error), line=line) from error
    except ValueError as error:  # a number of thousands of digits, a duplicate key
        raise invalid_file(path, f"be {what}", f"{error}.", line=line) from error


def _describe_error(error: json.JSONDecodeError) -> str:
    """Say what is wrong; text that ends too early was cut off."""
    rest = error.doc[error.pos :].rstrip()
    is_cut = any(word.startswith(rest) for word in _WORDS)
    if is_cut or error.msg.startswith("Unterminated string"):
        return "it ends early: it was cut off, or is still being written."
    return f"{error.msg} (line {error.lineno}, column {error.colno})."


def _name_kind(found: object) -> str:
    return {dict: "an object", list: "a list", str: "a text", type(None): "null"}.get(
        type(found), "a number"
    )
