"""Journals as JSON lines: out of a store, and into another one.

The first line says what the experiment was created with and how many entries follow, the others
are its entries with their numbers and request keys.
"""

import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from goodarm.arguments import check_document, check_name
from goodarm.errors import GoodArmError, SpecError
from goodarm.experiment import Start, State
from goodarm.store.recorder import Head, Recorder, Row
from goodarm.store.replaying import replay

_KIND: Final = "journal"
_KEYS: Final = ("name", "experiment", "entries")


def write(recorder: Recorder, head: Head) -> Iterator[str]:
    """The lines of an experiment's journal, up to the last entry that the head knows."""
    first = {
        "kind": _KIND,
        "format": 1,
        "name": head.name,
        "experiment": json.loads(head.start),
        "entries": head.last,
    }
    yield json.dumps(first) + "\n"
    for row in recorder.read(head.id, 0, head.last):
        line = {"number": row.number, "entry": json.loads(row.text)}
        if row.key is not None:
            line |= {"key": row.key, "digest": row.digest}
        yield json.dumps(line, allow_nan=False) + "\n"


def read(recorder: Recorder, lines: Iterable[str], name: str | None) -> str:
    """Put a journal into the store, whole or not at all, and return its name.

    It is replayed first. What is there of the same journal stays, so that an import that was cut
    off can be made again.
    """
    documents = _documents(lines)
    header = check_document(next(documents, None), _KIND, _KEYS)
    start = Start.from_dict(header["experiment"])
    name = header["name"] if name is None else name
    check_name("name", "Store.import_", name)
    rows = [_row(number, document) for number, document in enumerate(documents, 1)]
    if len(rows) != header["entries"]:
        raise SpecError(
            f"The journal must have {header['entries']} entries, as its first line says; it has "
            f"{len(rows)}. It may have been cut off: export it again."
        )
    replay(State(start), rows, name)
    head = recorder.create(name, json.dumps(start.to_dict(), allow_nan=False))
    there = list(recorder.read(head.id, 0))
    if Start.from_dict(json.loads(head.start)) != start or there != rows[: len(there)]:
        raise SpecError(
            f"There is another experiment {name!r} in this store. Import the journal under "
            "another name."
        )
    recorder.append(head, rows[len(there) :])
    return name


def _documents(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except ValueError as error:
            raise SpecError(f"Line {number} of the journal is not JSON: {error}.") from None
        if not isinstance(document, dict):
            raise SpecError(f"Line {number} of the journal must be a JSON object; got {line!r:.50}")
        yield document


def _row(number: int, document: dict[str, Any]) -> Row:
    try:
        key, digest = document.get("key"), document.get("digest")
        if document["number"] != number:
            raise SpecError(f"it has the number {document['number']!r}")
        if not all(text is None or isinstance(text, str) for text in (key, digest)):
            raise SpecError("its key is no text")
        return Row(number, json.dumps(document["entry"], allow_nan=False), key, digest)
    except (GoodArmError, KeyError, ValueError) as error:
        raise SpecError(f"Entry {number} of the journal is damaged: {error}.") from None
