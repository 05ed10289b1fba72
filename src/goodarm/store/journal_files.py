"""Export and import of journals as JSON lines.

The first line says what the experiment was created with and how many entries follow, the others
are its entries with their numbers and request keys.
"""

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Final

from goodarm.arguments import check_document, check_name
from goodarm.errors import NAME_TAKEN, GoodArmError, SpecError
from goodarm.live import ExperimentSettings
from goodarm.store.chain import UNCHAINED, hash_start
from goodarm.store.journal_replay import verify
from goodarm.store.recorder import ExperimentHead, JournalRow, Recorder, check_rows
from goodarm.wording import ErrorPlace, phrase

_KIND: Final = "journal"
_FIRST_LINE_KEYS: Final = ("name", "experiment", "entries")
_REMEDY: Final = (
    "Nothing was imported. Export the journal again from the store that it came from, and verify "
    "that one."
)


def write_journal(recorder: Recorder, head: ExperimentHead) -> Iterator[str]:
    """Yield the lines of an experiment's journal, up to the last entry of the head."""
    first = {
        "kind": _KIND,
        "format": 1,
        "name": head.name,
        "experiment": json.loads(head.start),
        "entries": head.last,
    }
    if head.hash != UNCHAINED:
        first["hash"] = hash_start(head.start)
    yield json.dumps(first) + "\n"
    for row in recorder.read(head.id, 0, head.last):
        line = {"number": row.number, "entry": json.loads(row.text)}
        if row.key is not None:
            line |= {"key": row.key, "digest": row.digest}
        if row.hash != UNCHAINED:
            line["hash"] = row.hash
        yield json.dumps(line, allow_nan=False) + "\n"


def read_journal(recorder: Recorder, lines: Iterable[str], name: str | None) -> str:
    """Import a journal into the store, whole or not at all, and return its name.

    It is verified first: each label and its evidence is computed again from the rewards, and so are
    the hashes. A journal that differs is rejected, and the store stays as it was. If part of the
    same journal is there already, the rest is added, so an interrupted import can be repeated.

    This proves that labels follow from rewards, not where the rewards come from. A replay cannot
    see rewards that were changed together with the labels they prove, names of arms that were
    swapped in the first line, or entries that were left out if the rest was renumbered.
    """
    documents = _read_documents(lines)
    header = check_document(next(documents, None), _KIND, _FIRST_LINE_KEYS)
    settings = ExperimentSettings.from_dict(header["experiment"])
    name = header["name"] if name is None else name
    check_name("name", "Store.import_", name)
    rows = [_read_row(number, document) for number, document in enumerate(documents, 1)]
    if len(rows) != header["entries"]:
        raise SpecError(
            f"The journal must have {header['entries']} entries, as its first line says; it has "
            f"{len(rows)}.",
            argument="entries",
            owner="the journal",
            rule=f"be {len(rows)}, those that follow",
            value=header["entries"],
            remedy="It may have been cut off. Export it again.",
        )
    first = header.get("hash", UNCHAINED)
    is_chained = first != UNCHAINED
    text = json.dumps(header["experiment"] if is_chained else settings.to_dict(), allow_nan=False)
    _check_keys(rows, name)
    last = rows[-1].hash if rows else first
    expected = ExperimentHead(name, text, len(rows), "", last if is_chained else UNCHAINED)
    verify(settings, lambda: rows, None, name, remedy=_REMEDY, head=expected)
    head = recorder.create(name, text, is_chained=is_chained)
    there = list(recorder.read(head.id, 0))
    is_same = all(old[:4] == new[:4] for old, new in zip(there, rows, strict=False))
    if ExperimentSettings.from_dict(json.loads(head.start)) != settings or not is_same:
        raise SpecError(
            f"This store has another experiment {name!r}.",
            argument="name",
            owner="Store.import_",
            rule="be that of no other experiment",
            value=name,
            remedy="Import the journal under another name.",
            reason=NAME_TAKEN,
        )
    recorder.append(head, rows[len(there) :])
    return name


def _check_keys(rows: Sequence[JournalRow], name: str) -> None:
    """Raise an error for keys that no store could append, before anything is created."""
    keys: set[str] = set()
    for row in rows:
        try:
            check_rows(ExperimentHead(name, "", row.number - 1, ""), [row])
        except GoodArmError as error:
            raise _make_damage_error(row.number, error) from None
        if row.key in keys:
            raise _make_damage_error(row.number, f"an entry before it has its 'key' {row.key!r}.")
        if row.key is not None:
            keys.add(row.key)


def _read_documents(lines: Iterable[str]) -> Iterator[dict[str, Any]]:
    for number, line in enumerate(lines, 1):
        if not line.strip():
            continue
        try:
            document = json.loads(line)
        except ValueError as error:
            raise _make_line_error(number, f"is not JSON: {error}.", "be JSON") from None
        if not isinstance(document, dict):
            got = f"must be a JSON object; got {line!r:.50}"
            raise _make_line_error(number, got, "be a JSON object")
        yield document


def _read_row(number: int, document: dict[str, Any]) -> JournalRow:
    key, digest = document.get("key"), document.get("digest")
    hash_ = document.get("hash", UNCHAINED)
    for name in ("number", "entry"):
        if name not in document:
            raise _make_damage_error(number, f"it lacks {name!r}.")
    if document["number"] != number:
        raise _make_damage_error(number, f"it has the number {document['number']!r}.")
    if not all(text is None or isinstance(text, str) for text in (key, digest)):
        raise _make_damage_error(number, "its key is not a text.")
    if not isinstance(hash_, str):
        raise _make_damage_error(number, "its hash is not a text.")
    try:
        return JournalRow(
            number, json.dumps(document["entry"], allow_nan=False), key, digest, hash_
        )
    except ValueError as error:
        raise _make_damage_error(number, f"{error}.") from None


def _make_damage_error(number: int, why: str | GoodArmError) -> SpecError:
    return SpecError(
        phrase("Entry {number} of the journal is damaged: {why}", number=str(number), why=why),
        argument="entry",
        owner="Store.import_",
        rule="be as it was written",
        value=number,
        remedy=_REMEDY,
        place=ErrorPlace("the journal", entry=number),
    )


def _make_line_error(number: int, what: str, rule: str) -> SpecError:
    return SpecError(
        f"Line {number} of the journal {what}",
        argument="line",
        owner="Store.import_",
        rule=rule,
        value=number,
        place=ErrorPlace("the journal", line=number),
    )
