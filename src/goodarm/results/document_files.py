"""Files that hold one JSON document: read whole, written whole or not at all."""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from goodarm.arguments import reject_duplicate_keys
from goodarm.errors import SpecError, invalid_argument
from goodarm.wording import Text


def write_document(
    document: Mapping[str, Any], path: str | os.PathLike[str], argument: str, owner: str
) -> None:
    """Write a document to a file, so that after a crash the old file or the new one is there.

    Raises:
        SpecError: the file cannot be written; what was there before is unchanged.
    """
    target = Path(os.path.realpath(path))
    if not target.name or target.is_dir():
        raise invalid_argument(argument, owner, "be a file, not a folder", os.fspath(path))
    draft = target.with_name(f"{target.name}.{os.getpid()}.part")
    try:
        with draft.open("w", encoding="utf-8") as file:
            json.dump(document, file, indent=2, allow_nan=False)
            file.write("\n")
            file.flush()
            os.fsync(file.fileno())
        draft.replace(target)
        _sync_folder(target.parent)
    except OSError as error:
        rule = f"be a file that can be written ({error.strerror})"
        raise invalid_argument(argument, owner, rule, os.fspath(path)) from error
    finally:
        draft.unlink(missing_ok=True)


def _sync_folder(folder: Path) -> None:
    """Make the new name of a file durable, where the operating system can."""
    if os.name == "nt":
        return
    opened = os.open(folder, os.O_RDONLY)
    try:
        os.fsync(opened)
    finally:
        os.close(opened)


def read_document(
    path: str | os.PathLike[str], argument: str, owner: str, missing: Text = ""
) -> Any:
    """Read the document of a file.

    Args:
        path: the file.
        argument: the argument that named it.
        owner: the function whose argument that is.
        missing: what to do if there is no such file.

    Raises:
        SpecError: there is no such file, it cannot be read, or it is not JSON.
    """
    shown = os.fspath(path)
    try:
        text = Path(path).read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise invalid_argument(argument, owner, "be a file that exists", shown, missing) from error
    except OSError as error:
        rule = f"be a file that can be read ({error.strerror})"
        raise invalid_argument(argument, owner, rule, shown) from error
    except UnicodeDecodeError as error:
        raise invalid_argument(argument, owner, "be a JSON document", shown) from error
    try:
        return json.loads(text, object_pairs_hook=reject_duplicate_keys)
    except (ValueError, RecursionError) as error:
        raise SpecError(
            f"{shown} is not a JSON document: {error}.",
            argument=argument,
            owner=owner,
            rule="be a JSON document",
            value=shown,
        ) from error
