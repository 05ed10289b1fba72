"""Reader of Langfuse: the items of experiments, and the table of scores, both as JSON.

Written after the documented forms, as no server ran here: the answer of ``GET
/api/public/experiment-items?fields=core,scores`` by the types of the Python SDK 5.0.4
(``langfuse.api.experiments``), and the export of the table of scores by langfuse/langfuse,
``worker/src/features/database-read-stream/getDatabaseReadStream.ts`` (commit 00385c56).

Langfuse keeps one item of an experiment for each item of the dataset: a repeat replaces the one
before it, unless it is an experiment of its own. A score replaces another if id, name and day are
the same; else both are kept.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.errors import invalid_choice
from goodarm.logs.attempts import Attempt, LogNote, Outcome
from goodarm.logs.json_text import load_object, load_rows
from goodarm.logs.reader import LogOptions, Reader, invalid_file, invalid_log
from goodarm.logs.scores import find_score_outcome
from goodarm.logs.traces import refuse_copied_traces
from goodarm.wording import Arg, ErrorPlace, phrase

_ITEMS: Final = "items of experiments of Langfuse"
_SCORES: Final = "a table of scores of Langfuse, exported as JSON"
_UNIT: Final = "entry"
_SMALLER: Final = "Export fewer at a time."
_UNSCORED: Final = "without the score; counting only the others is right if that was set beforehand"
_CHOOSE_SCORE: Final = phrase("Choose one: {score}.", score=Arg("score", "NAME"))
_CHOOSE_SOURCE: Final = phrase("Choose one: {filter}.", filter=Arg("filter", "SOURCE"))


def read_langfuse(path: Path, options: LogOptions) -> Iterator[Attempt | LogNote]:
    """Yield an attempt for each item of an experiment, or for each score of the table."""
    if path.suffix == ".csv":
        found = "in CSV a text cannot be told from a number."
        raise invalid_file(path, f"be {_SCORES}", found, "Export it as JSON.")
    with path.open("rb") as stream:
        is_table = stream.read(16).lstrip(b"\xef\xbb\xbf \t\r\n").startswith(b"[")
    return _read_scores(path, options) if is_table else _read_items(path, options)


def _read_items(path: Path, options: LogOptions) -> Iterator[Attempt | LogNote]:
    """Yield the items of experiments, each with the score that decides."""
    document = load_object(path, _ITEMS, _SMALLER)
    items, meta = document.get("data"), document.get("meta")
    if not isinstance(items, list) or not all(isinstance(item, dict) for item in items):
        raise invalid_log("data", ErrorPlace(str(path)), "be a list of items", items)
    if isinstance(meta, dict) and meta.get("cursor"):
        yield LogNote(f"{path.name} has a cursor: there was a further page. Read all of them.")
    refuse_copied_traces(path, items, "traceId", _UNIT)
    scores = [score for item in items for score in _list_scores(item)]
    name, source = _choose_scores(scores, options, ErrorPlace(str(path)))
    for number, item in enumerate(items, start=1):
        place = ErrorPlace(str(path), _UNIT, number)
        case = _get_text(item, "experimentItemId", place)
        parts = {"experiment": _get_text(item, "experimentName", place), "item": case}
        if environment := item.get("environment"):
            parts["environment"] = str(environment)
        given = [
            score
            for score in _list_scores(item)
            if score.get("name") == name and score.get("source") == source
        ]
        if len(given) > 1:
            values = [score.get("value") for score in given]
            rule = f"have one score {name!r}; which of several counts must not depend on them"
            raise invalid_log("scores", place, rule, values, "Delete all but one in Langfuse.")
        outcome, aside = _find_outcome(item, given, options, place)
        key = f"{item.get('experimentId')}, {case}"
        yield Attempt(
            parts, outcome, key, str(item.get("traceId") or ""), number, aside, cases={"item": case}
        )


def _find_outcome(
    item: dict[str, Any], given: list[dict[str, Any]], options: LogOptions, place: ErrorPlace
) -> tuple[Outcome, str]:
    """Return the outcome of an item, and why it is left out if it has no score."""
    if given:
        return find_score_outcome(given[0].get("value"), options, place), ""
    return ("error", "") if item.get("level") == "ERROR" else ("fail", _UNSCORED)


def _read_scores(path: Path, options: LogOptions) -> Iterator[Attempt]:
    """Yield the scores of the table that have the name and the source that decide."""
    rows = load_rows(path, _SCORES, _SMALLER)
    name, source = _choose_scores(rows, options, ErrorPlace(str(path)))
    for number, row in enumerate(rows, start=1):
        if row.get("name") != name or row.get("source") != source:
            continue
        place = ErrorPlace(str(path), _UNIT, number)
        value = row.get("value")
        if row.get("dataType") not in ("NUMERIC", "BOOLEAN"):
            rule = "be NUMERIC or BOOLEAN: a category does not say whether it passes"
            raise invalid_log("dataType", place, rule, row.get("dataType"))
        trace = _get_text(row, "traceId", place)
        subject = f"trace {trace}"
        cases: dict[str, str | int] = {}
        if row.get("observationId"):
            subject += f", observation {row['observationId']}"
            cases["trace"] = trace
        found = {
            "name": row.get("traceName"),
            "environment": row.get("environment"),
            "user": row.get("userId"),
            "session": row.get("sessionId"),
            "trace": trace,
        }
        parts = {part: str(each) for part, each in found.items() if each}
        unit = next((part for part in ("user", "session") if part in parts), None)
        if unit is not None:
            cases[unit] = parts[unit]
        outcome = find_score_outcome(value, options, place)
        yield Attempt(parts, outcome, subject, str(row.get("id") or ""), number, cases=cases)


def _list_scores(item: dict[str, Any]) -> list[dict[str, Any]]:
    scores = item.get("scores")
    listed = scores if isinstance(scores, list) else []
    return [score for score in listed if isinstance(score, dict)]


def _choose_scores(
    scores: list[dict[str, Any]], options: LogOptions, place: ErrorPlace
) -> tuple[str, object]:
    """Return name and source of the scores that decide: the only ones, or those that were named."""
    names = sorted({str(score.get("name")) for score in scores})
    if not names:
        remedy = "Ask for them with fields=core,scores, or export the table of scores."
        raise invalid_log("scores", place, "be in the file", names, remedy)
    if options.score is None and len(names) > 1:
        raise invalid_log("names", place, "be one alone", names, _CHOOSE_SCORE)
    name = options.score or names[0]
    if name not in names:
        raise invalid_choice("score", "read_logs", names, name, place=place)
    sources = sorted({str(each.get("source")) for each in scores if each.get("name") == name})
    if options.filter is None and len(sources) > 1:
        rule = f"be one alone for score {name!r}, since a trace may have one of each"
        raise invalid_log("sources", place, rule, sources, _CHOOSE_SOURCE)
    source = options.filter or sources[0]
    if source not in sources:
        raise invalid_choice("filter", "read_logs", sources, source, place=place)
    return name, source


def _get_text(row: dict[str, Any], key: str, place: ErrorPlace) -> str:
    found = row.get(key)
    if not isinstance(found, str) or not found:
        raise invalid_log(key, place, "be a text", found)
    return found


def _looks_like(name: str, head: bytes) -> bool:
    if name.endswith(".csv"):
        line = head.partition(b"\n")[0]
        return b"traceId" in line and b"stringValue" in line
    is_table = b'"traceId"' in head and b'"stringValue"' in head
    return name.endswith(".json") and (is_table or b'"experimentItemId"' in head)


READER: Final = Reader(
    read=read_langfuse,
    parts={
        "experiment": "the experiment's name (items)",
        "item": "the id of the dataset's item (items)",
        "name": "the name of the trace (scores)",
        "environment": "the environment",
        "user": "the user's id, where the trace has one (scores)",
        "session": "the session's id, where the trace has one (scores)",
        "trace": "the trace's id (scores)",
    },
    by=("experiment",),
    options=frozenset({"score", "pass_at", "filter"}),
    looks_like=_looks_like,
    stamp=b'"id"',
    is_run=False,
    on_repeat=(
        "It was scored twice, or exported twice. Keep one score of each name in Langfuse, or read "
        "only one of the files."
    ),
    unit=_UNIT,
    cases={"item": ("item",), "user": ("user",), "session": ("session",)},
)
