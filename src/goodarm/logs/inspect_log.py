"""Reader of Inspect's logs: JSON, and ``.eval`` files through Inspect itself (extra ``inspect``).

Samples are scheduled epoch after epoch in the order of the dataset, and end in another order, which
depends on what happened in them. So if a log was stopped, only the samples that were scheduled
before the first unfinished one are counted.
"""

import json
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final, NamedTuple

from goodarm.errors import SpecError, missing_extra
from goodarm.logs.attempts import Attempt, LogNote, Outcome
from goodarm.logs.inspect_scores import find_scores_outcome
from goodarm.logs.json_text import load_object
from goodarm.logs.reader import LogOptions, Reader, invalid_file, invalid_log
from goodarm.wording import Arg, ErrorPlace, phrase, third_party_message

_LOG_VERSION: Final = 2
_CHOOSE_SCORER: Final = phrase("Choose one: {score}.", score=Arg("score", "SCORER"))
_SAMPLE_KEYS: Final = ("id", "epoch", "scores", "error", "error_retries", "uuid")
_LATE_SAMPLES: Final = (
    "scheduled after the first sample that did not finish; counting only those that finished would "
    "be biased"
)


class InspectLog(NamedTuple):
    """Header of a log, and the samples that were started."""

    path: Path
    header: dict[str, Any]
    samples: Iterable[dict[str, Any]]


def read_inspect(path: Path, options: LogOptions) -> Iterator[Attempt | LogNote]:
    """Yield the samples of a log, each after the errors that caused it to be retried."""
    log = _open_eval(path) if path.suffix == ".eval" else _open_json(path)
    spec, dataset = _get_object(log.header, "eval"), _get_object(log.header, "eval", "dataset")
    ids = dataset.get("sample_ids")
    total = dataset.get("samples")
    drawn = len(ids) if isinstance(ids, list) else 0
    if isinstance(total, int) and 0 < drawn < total and not dataset.get("shuffled"):
        yield LogNote(
            f"{path.name} has the first {drawn} of {total} samples of the dataset, which are "
            "not a random selection."
        )
    samples = list(log.samples)
    counted = _find_slots_before_gap(log, samples)
    shared = {"task": str(spec.get("task")), "model": str(spec.get("model"))}
    for number, sample in enumerate(samples, start=1):
        if not _is_cancelled(sample):
            parts = {**shared, "sample": str(sample.get("id"))}
            aside = "" if counted is None or _read_slot(sample) in counted else _LATE_SAMPLES
            yield from _read_attempts(log, sample, parts, options, number, aside)


def _read_attempts(
    log: InspectLog,
    sample: dict[str, Any],
    parts: dict[str, str],
    options: LogOptions,
    number: int,
    aside: str,
) -> Iterator[Attempt]:
    """Yield the attempts of a sample; an error's identity is its index, as retries copy errors."""
    evaluation = _get_object(log.header, "eval").get("task_id") or log.path
    name = f"{evaluation}/{'/'.join(_read_slot(sample))}"
    place = ErrorPlace(str(log.path), "sample", number)
    retries = sample.get("error_retries") or []
    if not isinstance(retries, list):
        raise invalid_log("error_retries", place, "be a list of errors", retries)
    for error in range(len(retries)):
        yield Attempt(parts, "error", "", f"{name}/error {error}", number, aside)
    if sample.get("error") and not sample.get("scores"):
        yield Attempt(parts, "error", "", f"{name}/error {len(retries)}", number, aside)
        return
    outcome = _find_outcome(sample, options, place)
    case = {"sample": f"{parts['task']} {parts['sample']}"}
    identity = str(sample.get("uuid") or "")
    yield Attempt(parts, outcome, name, identity, number, aside, cases=case)


def _find_outcome(sample: dict[str, Any], options: LogOptions, place: ErrorPlace) -> Outcome:
    """Return the outcome by the score of the only scorer, or of the one that was named."""
    scores = sample.get("scores")
    if not isinstance(scores, dict) or not scores:
        raise invalid_log(
            "scores", place, "be given", scores, "Score the log first: inspect score FILE."
        )
    return find_scores_outcome(scores, options, place, _CHOOSE_SCORER)


def _find_slots_before_gap(
    log: InspectLog, samples: list[dict[str, Any]]
) -> set[tuple[str, str]] | None:
    """Return the slots scheduled before the first unfinished one; None if all are finished."""
    ids = _get_object(log.header, "eval", "dataset").get("sample_ids")
    epochs = _get_object(log.header, "eval", "config").get("epochs") or 1
    if not isinstance(ids, list) or not ids or not isinstance(epochs, int):
        if log.header.get("status") == "success":
            return None
        rule = "be given in a log that was stopped"
        remedy = "Read logs whose status is success."
        raise invalid_log("eval.dataset.sample_ids", ErrorPlace(str(log.path)), rule, ids, remedy)
    ended = {_read_slot(sample) for sample in samples if not _is_cancelled(sample)}
    before: set[tuple[str, str]] = set()
    for slot in ((str(id_), str(epoch)) for epoch in range(1, epochs + 1) for id_ in ids):
        if slot not in ended:
            return before
        before.add(slot)
    return None


def _read_slot(sample: dict[str, Any]) -> tuple[str, str]:
    return str(sample.get("id")), str(sample.get("epoch"))


def _is_cancelled(sample: dict[str, Any]) -> bool:
    """Return whether a sample was running when the log was stopped, as its error tells."""
    message = _get_object(sample, "error").get("message")
    return isinstance(message, str) and message.startswith("CancelledError")


def _get_object(holder: dict[str, Any], *keys: str) -> dict[str, Any]:
    for key in keys:
        found = holder.get(key)
        holder = found if isinstance(found, dict) else {}
    return holder


def _open_json(path: Path) -> InspectLog:
    what = "a log of Inspect"
    header = load_object(
        path, what, "Convert it: inspect log convert FILE --to eval --output-dir DIR."
    )
    samples = header.pop("samples", None)
    _check(path, header)
    if not isinstance(samples, list) or not all(isinstance(sample, dict) for sample in samples):
        remedy = "Run Inspect with --log-samples."
        raise invalid_log("samples", ErrorPlace(str(path)), "be in the log", samples, remedy)
    return InspectLog(path, header, samples)


def _check(path: Path, header: dict[str, Any]) -> None:
    version = header.get("version")
    if version != _LOG_VERSION or not isinstance(header.get("eval"), dict):
        remedy = "Convert it with a newer Inspect: inspect log convert FILE --to json."
        raise invalid_log(
            "version", ErrorPlace(str(path)), f"be {_LOG_VERSION}, with 'eval'", version, remedy
        )


def _open_eval(path: Path) -> InspectLog:
    """Open a zip file with Inspect's own reader, as only Inspect knows its compression."""
    try:
        from inspect_ai.log import read_eval_log, read_eval_log_samples
    except ImportError:
        raise missing_extra(f"Reading {path.name}", "inspect") from None
    with path.open("rb"):
        pass  # a missing file is Python's own error
    try:
        header = json.loads(read_eval_log(str(path), header_only=True).model_dump_json())
        _check(path, header)
        samples = [
            json.loads(sample.model_dump_json(include=set(_SAMPLE_KEYS)))
            for sample in read_eval_log_samples(str(path), all_samples_required=False)
        ]
    except SpecError:
        raise
    except Exception as error:  # whatever Inspect raises for a file that it cannot read
        trouble = f"{type(error).__name__}: {third_party_message(error)}"
        raise invalid_file(path, "be a log of Inspect", f"{trouble}.") from error
    return InspectLog(path, header, samples)


def _is_inspect_log(name: str, head: bytes) -> bool:
    return name.endswith(".eval") or (name.endswith(".json") and b'"eval_id"' in head)


READER: Final = Reader(
    read=read_inspect,
    by=("model", "task"),
    parts={
        "model": "the model's name",
        "task": "the task's name",
        "sample": "the sample's id; its epochs are its pulls",
    },
    options=frozenset({"score", "pass_at"}),
    looks_like=_is_inspect_log,
    stamp=b"",
    is_run=False,
    on_repeat="Two logs have different answers to the same sample and epoch of one evaluation.",
    unit="sample",
    cases={"sample": ("task", "sample")},
)
