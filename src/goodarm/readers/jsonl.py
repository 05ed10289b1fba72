"""One JSON object a line: a key that names the arm, and one that says how it went."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.errors import Hint, must
from goodarm.readers.attempt import Attempt, Outcome
from goodarm.readers.jsontext import lines
from goodarm.readers.reader import Options, Reader
from goodarm.readers.scores import outcome_of

_USUAL: Final = ("reward", "outcome", "passed", "success", "correct", "score")
"""Keys that say how it went, where the user names none."""
_WORDS: Final[dict[str, Outcome]] = {
    "pass": "pass",
    "passed": "pass",
    "fail": "fail",
    "failed": "fail",
    "error": "error",
    "skip": "skip",
    "skipped": "skip",
}


def read_jsonl(path: Path, options: Options) -> Iterator[Attempt]:
    """The rows of a file; the arm is named by any of their keys."""
    for number, row in lines(path, "a JSON object, one on each line"):
        place = f"{path}, line {number}"
        key = _score_key(row, options, place)
        value = row[key]
        if isinstance(value, str):
            if value.lower() not in _WORDS:
                rule = f"be 0, 1, true, false, or one of {', '.join(_WORDS)}"
                raise must(key, place, rule, value)
            outcome = _WORDS[value.lower()]
        else:
            outcome = outcome_of(value, options, place)
        parts = {
            name: part if isinstance(part, str) else str(part)
            for name, part in row.items()
            if isinstance(part, str | int) and not isinstance(part, bool)
        }
        yield Attempt(parts, outcome, number=number)


def _score_key(row: dict[str, Any], options: Options, place: str) -> str:
    """The key that says how it went."""
    if options.score is not None:
        if options.score not in row:
            raise must("keys", place, f"hold {options.score!r}", list(row))
        return options.score
    found = [key for key in _USUAL if key in row]
    if len(found) == 1:
        return found[0]
    remedy = Hint("Name the key: score='KEY'.", "Name the key: --score KEY.")
    raise must("keys", place, f"hold one of {', '.join(_USUAL)}", list(row), remedy)


READER: Final = Reader(
    read=read_jsonl,
    by=("arm",),
    options=frozenset({"score", "pass_at"}),
    looks_like=lambda name, head: name.endswith((".jsonl", ".ndjson")),
)
