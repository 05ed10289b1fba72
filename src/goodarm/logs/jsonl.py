"""Reader of JSON lines: one object per line, with a key for the arm and one for the outcome."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.logs.attempts import Attempt, Outcome
from goodarm.logs.json_text import read_lines
from goodarm.logs.reader import LogOptions, Reader, invalid_log
from goodarm.logs.scores import find_score_outcome
from goodarm.problem import find_case_columns
from goodarm.wording import Arg, ErrorPlace, phrase

_OUTCOME_KEYS: Final = ("reward", "outcome", "passed", "success", "correct", "score")
"""Keys that may hold the outcome, where the user names none."""
_OUTCOME_WORDS: Final[dict[str, Outcome]] = {
    "pass": "pass",
    "passed": "pass",
    "fail": "fail",
    "failed": "fail",
    "error": "error",
    "skip": "skip",
    "skipped": "skip",
}


def read_jsonl(path: Path, options: LogOptions) -> Iterator[Attempt]:
    """Yield an attempt for each line; any of its keys may name the arm."""
    score = options.score
    name = str(path)
    for number, row in read_lines(path, "a JSON object, one on each line"):
        place = ErrorPlace(name, line=number)
        if options.score is None:
            score = _find_outcome_key(row, score, place)
        if score not in row:
            raise invalid_log("keys", place, f"hold {score!r}", list(row))
        parts = {
            name: part
            for name, part in row.items()
            if isinstance(part, str | int) and not isinstance(part, bool)
        }
        others = [name for name in parts if name != score and name not in options.by]
        cases = {name: parts[name] for name in find_case_columns(others)}
        yield Attempt(
            parts, _read_outcome(row, str(score), options, place), number=number, cases=cases
        )


def _read_outcome(row: dict[str, Any], key: str, options: LogOptions, place: ErrorPlace) -> Outcome:
    value = row[key]
    if not isinstance(value, str):
        return find_score_outcome(value, options, place)
    if value.lower() not in _OUTCOME_WORDS:
        rule = f"be 0, 1, true, false, or one of {', '.join(_OUTCOME_WORDS)}"
        raise invalid_log(key, place, rule, value)
    return _OUTCOME_WORDS[value.lower()]


def _find_outcome_key(row: dict[str, Any], before: str | None, place: ErrorPlace) -> str:
    """Find the key that holds the outcome; it must be the same on all lines of a file."""
    found = [key for key in _OUTCOME_KEYS if key in row]
    if not found:
        remedy = phrase("Name the key: {score}.", score=Arg("score", "KEY"))
        raise invalid_log(
            "keys", place, f"include one of {', '.join(_OUTCOME_KEYS)}", list(row), remedy
        )
    key = found[0]
    remedy = phrase("Choose one: {score}.", score=Arg("score", key))
    if len(found) > 1:
        raise invalid_log("keys", place, "have the outcome under one key only", found, remedy)
    if before not in (None, key):
        rule = f"have the outcome under {before!r}, as earlier lines have"
        raise invalid_log("keys", place, rule, found)
    return key


READER: Final = Reader(
    read=read_jsonl,
    by=("arm",),
    options=frozenset({"score", "pass_at"}),
    looks_like=lambda name, head: name.endswith((".jsonl", ".ndjson")),
    is_typed=True,
)
