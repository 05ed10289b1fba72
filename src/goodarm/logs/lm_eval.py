"""Reader of lm-eval's samples: ``MODEL/samples_TASK_TIME.jsonl``, one row per document and filter.

A document that was answered once has a row for each filter: only one of them may be counted.
"""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.errors import invalid_choice
from goodarm.logs.attempts import Attempt
from goodarm.logs.json_text import read_lines
from goodarm.logs.reader import LogOptions, Reader, invalid_log
from goodarm.logs.scores import find_score_outcome
from goodarm.wording import Arg, ErrorPlace, phrase

_FILE_NAME: Final = re.compile(r"samples_(?P<task>.+)_\d{4}-\d\d-\d\dT[\d.:-]+\.jsonl")
_KNOWN_KEYS: Final = frozenset(
    (
        *("doc_id", "doc", "target", "arguments", "resps", "filtered_resps", "filter", "metrics"),
        *("doc_hash", "prompt_hash", "target_hash"),
    )
)
"""Keys of a row that are not metrics."""


def read_lm_eval(path: Path, options: LogOptions) -> Iterator[Attempt]:
    """Yield the rows of one filter."""
    named = _FILE_NAME.fullmatch(path.name)
    task = named["task"] if named else path.stem
    model = path.resolve().parent.name
    filters: set[str] = set()
    name = str(path)
    for number, row in read_lines(path, "a sample of lm-eval, a JSON object on each line"):
        place = ErrorPlace(name, line=number)
        if "doc_id" not in row or "filter" not in row:
            how = "lm-eval writes such files with --log_samples."
            raise invalid_log("keys", place, "hold 'doc_id' and 'filter'", list(row), how)
        used = str(row["filter"])
        filters.add(used)
        if options.filter is None and len(filters) > 1:
            remedy = phrase("Choose one: {filter}.", filter=Arg("filter", "NAME"))
            rule = "be one alone, since every document stands there once for each"
            raise invalid_log("filter", place, rule, sorted(filters), remedy)
        if options.filter in (None, used):
            outcome = find_score_outcome(row[_choose_metric(row, options, place)], options, place)
            doc = str(row["doc_id"])
            parts = {"model": model, "task": task, "doc": doc}
            key = "" if options.unit else f"{model}/{task}/{doc}"
            yield Attempt(parts, outcome, key, number=number)
    if options.filter is not None and options.filter not in filters:
        raise invalid_choice(
            "filter", "read_logs", sorted(filters), options.filter, place=ErrorPlace(str(path))
        )


def _choose_metric(row: dict[str, Any], options: LogOptions, place: ErrorPlace) -> str:
    """Return the metric that decides: the only one, or the one that was named."""
    listed = row.get("metrics")
    names = listed if isinstance(listed, list) else [key for key in row if key not in _KNOWN_KEYS]
    metrics = [name for name in names if isinstance(name, str) and name in row]
    if options.score is not None:
        if options.score not in metrics:
            raise invalid_choice("score", "read_logs", metrics, options.score, place=place)
        return options.score
    if len(metrics) != 1:
        remedy = phrase("Choose one: {score}.", score=Arg("score", "METRIC"))
        raise invalid_log("metrics", place, "be one alone", metrics, remedy)
    return metrics[0]


READER: Final = Reader(
    read=read_lm_eval,
    by=("model", "task"),
    parts={
        "model": "the folder that the file is in, which lm-eval names by the model",
        "task": "the task, from the file's name",
        "doc": "the document's number",
    },
    options=frozenset({"score", "pass_at", "filter"}),
    looks_like=lambda name, head: name.endswith(".jsonl") and b'"doc_id"' in head,
    stamp=b'"doc_id"',
    is_run=False,
    on_repeat=(
        "If the model does not sample, its answers are the same every time: read only one of the "
        "files. If it does, choose what to judge: each document (by model,task,doc), the average "
        "document (unit doc), or this set of documents (unit doc, and the pool)."
    ),
    cases={"doc": ("task", "doc")},
)
