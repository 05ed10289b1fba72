"""Reader of Phoenix's experiments, downloaded as JSON: a list with an object for each run.

Phoenix has one run for each example and repetition number. A run that broke is replaced by its
retry, and an evaluation by the next one of the same name: what was replaced is in no file. Runs
that are missing show, and runs that share a trace.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from goodarm.errors import SpecError, invalid_choice
from goodarm.logs.attempts import Attempt, LogNote, Outcome
from goodarm.logs.json_text import load_rows
from goodarm.logs.reader import LogOptions, Reader, invalid_file, invalid_log
from goodarm.logs.scores import find_score_outcome
from goodarm.logs.traces import refuse_copied_traces
from goodarm.wording import Arg, ErrorPlace, phrase

_WHAT: Final = "an experiment of Phoenix, downloaded as JSON"
_CSV_HEADER: Final = b"example_id,repetition_number,"
_UNIT: Final = "run"
_EVALUATE: Final = "Evaluate the experiment, and download it again."
_RESUME: Final = (
    "Runs may be missing because of their outcome. Resume the experiment and download it again, "
    "or, if what is missing has nothing to do with the outcome, {pass} {declared}."
)


def read_phoenix(path: Path, options: LogOptions) -> Iterator[Attempt | LogNote]:
    """Yield the runs of an experiment, which the file is named by."""
    if path.suffix == ".csv":
        found = "in CSV a text cannot be told from a number."
        raise invalid_file(path, f"be {_WHAT}", found, "Download it as JSON.")
    rows = load_rows(path, _WHAT, "Download experiments with fewer examples each.")
    for number, row in enumerate(rows, start=1):
        _check_run(row, ErrorPlace(str(path), _UNIT, number))
    refuse_copied_traces(path, rows, "trace_id", _UNIT)
    yield from _check_repetitions(path, rows, options)
    for number, row in enumerate(rows, start=1):
        place = ErrorPlace(str(path), _UNIT, number)
        outcome = _find_outcome(row, options, place)
        example = row["example_id"]
        parts = {"experiment": path.stem, "example": example}
        key = f"{path.stem}, {example}, repetition {row['repetition_number']}"
        identity = row.get("trace_id") or ""
        yield Attempt(parts, outcome, key, str(identity), number, cases={"example": example})


def _check_run(row: dict[str, Any], place: ErrorPlace) -> None:
    """Check the fields that tell runs apart."""
    example, repetition = row.get("example_id"), row.get("repetition_number")
    if not isinstance(example, str) or not example:
        raise invalid_log("example_id", place, "name the example", example)
    if isinstance(repetition, bool) or not isinstance(repetition, int) or repetition < 1:
        raise invalid_log("repetition_number", place, "be 1 or more", repetition)


def _check_repetitions(
    path: Path, rows: list[dict[str, Any]], options: LogOptions
) -> Iterator[LogNote]:
    """Check that each example has each repetition once; yield a note if some are missing."""
    found: dict[str, set[int]] = {}
    for number, row in enumerate(rows, start=1):
        repetitions = found.setdefault(row["example_id"], set())
        if row["repetition_number"] in repetitions:
            rule = f"come once for example {row['example_id']!r}"
            place = ErrorPlace(str(path), _UNIT, number)
            raise invalid_log("repetition_number", place, rule, row["repetition_number"])
        repetitions.add(row["repetition_number"])
    many = max((max(each) for each in found.values()), default=0)
    lacking = {name: each for name, each in found.items() if len(each) < many}
    if not lacking:
        return
    name, first = next(iter(lacking.items()))
    declared = "fixed" if options.unit else "attempts"
    if options.repeats != declared:
        rule = f"be 1 to {many} for example {name!r}, as for others"
        place = ErrorPlace(str(path))
        remedy = phrase(_RESUME, declared=Arg("repeats", declared))
        raise invalid_log("repetition_number", place, rule, sorted(first), remedy)
    missing = sum(many - len(each) for each in lacking.values())
    yield LogNote(f"{path.name}: {missing:,} of {many * len(found):,} runs are missing.")


def _find_outcome(row: dict[str, Any], options: LogOptions, place: ErrorPlace) -> Outcome:
    """Return error for a run that broke, which evaluators score all the same; else its outcome."""
    if row.get("error"):
        return "error"
    evaluation = _choose_evaluation(row, options, place)
    score = evaluation.get("score")
    if score is not None:
        return find_score_outcome(score, options, place)
    if not evaluation.get("error"):
        rule = "be a number, not a label alone"
        remedy = "Let the evaluator return a score of 0 or 1 with the label, or true and false."
        raise invalid_log("score", place, rule, evaluation.get("label"), remedy)
    if options.errors == "exclude":
        return "error"
    raise _make_evaluator_error(evaluation, place)


def _make_evaluator_error(evaluation: dict[str, Any], place: ErrorPlace) -> SpecError:
    """Return the error for an answer that nobody judged; to call it a failure would be a guess."""
    remedy = phrase(
        "{again} Or, if that has nothing to do with the outcome, leave it out: {exclude}.",
        again=_EVALUATE,
        exclude=Arg("errors", "exclude"),
    )
    rule = "be given; the evaluator broke"
    return invalid_log("score", place, rule, str(evaluation["error"]), remedy)


def _choose_evaluation(
    row: dict[str, Any], options: LogOptions, place: ErrorPlace
) -> dict[str, Any]:
    """Return the evaluation that decides: the only one, or the one that was named."""
    listed = row.get("annotations")
    given = [each for each in listed if isinstance(each, dict)] if isinstance(listed, list) else []
    if not given:
        raise invalid_log("annotations", place, "have an evaluation", listed, _EVALUATE)
    names = [str(each.get("name")) for each in given]
    if options.score is not None and options.score not in names:
        raise invalid_choice("score", "read_logs", names, options.score, place=place)
    named = [each for each in given if options.score in (None, each.get("name"))]
    if len(named) == 1:
        return named[0]
    remedy = phrase("Choose one: {score}.", score=Arg("score", "NAME"))
    if len(set(names)) < len(names):
        remedy = phrase("Delete all but one of each name, and download it again.")
    raise invalid_log("annotations", place, "be one alone", names, remedy)


def _looks_like(name: str, head: bytes) -> bool:
    if name.endswith(".csv"):
        return head.startswith(_CSV_HEADER)
    return name.endswith(".json") and b'"repetition_number"' in head and b'"example_id"' in head


READER: Final = Reader(
    read=read_phoenix,
    by=("experiment",),
    parts={
        "experiment": "the name of the experiment, which Phoenix names the file by",
        "example": "the example's id; its repetitions are its pulls",
    },
    options=frozenset({"score", "pass_at"}),
    looks_like=_looks_like,
    stamp=b'"start_time"',
    is_run=False,
    on_repeat="The two are one run, or two experiments of the same name.",
    unit=_UNIT,
    cases={"example": ("example",)},
)
