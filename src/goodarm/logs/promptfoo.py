"""Reader of promptfoo's exports: version 3 as JSON, or JSON lines with one result per line.

Results have no repeat index, and each repeat of a test has its own testIdx. So a test is identified
by its description, variables and assertions.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.errors import SpecError
from goodarm.logs.attempts import Attempt, Outcome
from goodarm.logs.json_text import load_object, read_lines
from goodarm.logs.reader import LogOptions, Reader, invalid_log
from goodarm.wording import Arg, ErrorPlace, phrase

_EXPORT_VERSION: Final = 3
_OUTCOMES: Final[dict[tuple[bool, int], Outcome]] = {
    (True, 0): "pass",
    (False, 1): "fail",
    (False, 2): "error",
}
_CACHED_NOTE: Final = "answers from a cache are not new samples"
_MAX_NAME_LENGTH: Final = 120
_EXPORT_REMEDY: Final = (
    "Export it again with promptfoo 0.121: promptfoo export eval ID -o FILE.json."
)


def read_promptfoo(path: Path, options: LogOptions) -> Iterator[Attempt]:
    """Yield an attempt for each result of an export."""
    name = str(path)
    for number, row in _read_rows(path):
        place = ErrorPlace(name, "result", number)
        outcome = _read_outcome(row, place)
        aside = ""
        if _get_object(row, "response").get("cached") is True:
            if options.cached == "refuse":
                raise _cache_error(place)
            aside = _CACHED_NOTE
        identity, parts = row.get("id"), _read_parts(row)
        yield Attempt(
            parts,
            outcome,
            identity=identity if isinstance(identity, str) else "",
            number=number,
            aside=aside,
            cases={"test": parts["test"]},
        )


def _read_rows(path: Path) -> Iterable[tuple[int, dict[str, Any]]]:
    what = "an export of promptfoo"
    if path.suffix == ".jsonl":
        return read_lines(path, what)
    document = load_object(path, what, "Export it as JSON lines, -o FILE.jsonl.")
    results = document.get("results")
    version = results.get("version") if isinstance(results, dict) else None
    if not isinstance(results, dict) or version != _EXPORT_VERSION:
        raise invalid_log(
            "results.version",
            ErrorPlace(str(path)),
            f"be {_EXPORT_VERSION}",
            version,
            _EXPORT_REMEDY,
        )
    rows = results.get("results")
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise invalid_log(
            "results.results",
            ErrorPlace(str(path)),
            "be a list of results",
            type(rows),
            _EXPORT_REMEDY,
        )
    return enumerate(rows, start=1)


def _read_outcome(row: dict[str, Any], place: ErrorPlace) -> Outcome:
    """Return pass, fail or error; raise an error if the fields of the result disagree."""
    found = (row.get("success"), row.get("failureReason"))
    for known, outcome in _OUTCOMES.items():
        if found == known and isinstance(found[0], bool):
            return outcome
    rule = "be true and 0, false and 1 (an assertion), or false and 2 (an error)"
    raise invalid_log("success and failureReason", place, rule, found, _EXPORT_REMEDY)


def _cache_error(place: ErrorPlace) -> SpecError:
    return SpecError(
        f"The answer of {place} must be new; it came from a cache.",
        argument="answer",
        owner="read_logs",
        rule="be new",
        value="from a cache",
        remedy=phrase(
            "Run promptfoo with --no-cache or, to leave out such answers, {pass} {cached}.",
            cached=Arg("cached", "exclude"),
        ),
        place=place,
    )


def _get_object(row: dict[str, Any], key: str) -> dict[str, Any]:
    found = row.get(key)
    return found if isinstance(found, dict) else {}


def _read_parts(row: dict[str, Any]) -> dict[str, str]:
    provider, prompt = _get_object(row, "provider"), _get_object(row, "prompt")
    parts = {"test": _test_name(_get_object(row, "testCase"))}
    name = provider.get("label") or provider.get("id")
    if name:
        parts["provider"] = str(name)
    label = prompt.get("label") or prompt.get("raw")
    if label:
        parts["prompt"] = str(label)
    return parts


def _test_name(case: dict[str, Any]) -> str:
    """Name a test by description, variables and assertions; add a digest if that is not exact."""
    values, checks = case.get("vars") or {}, case.get("assert") or []
    listed = values.items() if isinstance(values, dict) else ()
    asserted = [
        check for check in (checks if isinstance(checks, list) else ()) if isinstance(check, dict)
    ]
    shown = [
        str(case.get("description") or ""),
        ", ".join(f"{name}={_get_text(value)}" for name, value in listed),
        ", ".join(f"{check.get('type')} {_get_text(check.get('value', ''))}" for check in asserted),
    ]
    name = ": ".join(part.strip() for part in shown if part.strip()) or "(no variables)"
    exact = json.dumps([case.get("description"), values, checks], sort_keys=True)
    if len(name) <= _MAX_NAME_LENGTH and _is_plain(values, checks):
        return name
    short = name if len(name) <= _MAX_NAME_LENGTH else f"{name[:100]}…"
    return f"{short} #{hashlib.sha256(exact.encode()).hexdigest()[:8]}"


def _is_plain(values: object, checks: object) -> bool:
    """Return whether a name is exact: text variables, and assertions of type and value only."""
    return (
        isinstance(values, dict)
        and isinstance(checks, list)
        and all(isinstance(value, str) for value in values.values())
        and all(
            isinstance(check, dict)
            and set(check) <= {"type", "value"}
            and isinstance(check.get("value", ""), str)
            for check in checks
        )
    )


def _get_text(value: object) -> str:
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True)


def _is_promptfoo_log(name: str, head: bytes) -> bool:
    if name.endswith(".jsonl"):
        return b'"failureReason"' in head
    return name.endswith(".json") and b'"evalId"' in head


READER: Final = Reader(
    read=read_promptfoo,
    by=("provider", "prompt"),
    parts={
        "provider": "the provider's label, or its id",
        "prompt": "the prompt's label",
        "test": "description, variables and assertions of the test case",
    },
    options=frozenset({"cached"}),
    looks_like=_is_promptfoo_log,
    stamp=b'"id"',
    is_run=False,
    unit="result",
    cases={"test": ("test",)},
)
