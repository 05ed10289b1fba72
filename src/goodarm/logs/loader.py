"""Function ``read_logs``: from files of other tools to a table of arms, pulls and successes."""

from collections.abc import Iterable
from dataclasses import fields, replace
from typing import Any, Final, get_args

import numpy as np

from goodarm.arguments import check_number
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.logs.attempt_counter import AttemptCounter
from goodarm.logs.log_files import drop_copies, find_files
from goodarm.logs.log_table import LogTable
from goodarm.logs.reader import Cached, Copies, Errors, LogOptions, Reader, ReadFile, Repeats
from goodarm.logs.registry import detect_format, resolve_reader
from goodarm.problem import data_first
from goodarm.views.numbers import plural
from goodarm.wording import Arg, Symbol, Value, phrase

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "errors": get_args(Errors),
    "repeats": get_args(Repeats),
    "copies": get_args(Copies),
    "cached": get_args(Cached),
}
_READER_OPTIONS: Final = {field.name: field.default for field in fields(LogOptions)}
_CASE: Final = "case"
"""Name of the unit that a format has of its own, whatever it calls it."""
_EXCLUDED_NOTE: Final = (
    "Errors were left out. This is valid only if an error has nothing to do with whether the "
    "attempt would have passed."
)


@data_first
def read_logs(
    paths: object,
    *,
    format: str | Reader | ReadFile | None = None,  # noqa: A002
    by: str | Iterable[str] | None = None,
    unit: str | Iterable[str] | None = None,
    errors: Errors = "fail",
    repeats: Repeats = "refuse",
    copies: Copies | None = None,
    score: str | None = None,
    pass_at: float | None = None,
    filter: str | None = None,  # noqa: A002
    cached: Cached = "refuse",
) -> LogTable:
    """Read results that other tools wrote, as a table of arms, pulls and successes for ``check``.

    Args:
        paths: a file, a glob such as ``"reports/*.xml"``, or a list of them. A log that is named
            twice is counted once.
        format: ``"junit"``, ``"promptfoo"``, ``"inspect"``, ``"lm-eval"``, ``"pytest-json"``,
            ``"lerobot"``, ``"phoenix"``, ``"langfuse"``, ``"jsonl"``, or the name of a reader
            that another package registers; or a function from a path and options to attempts.
            Detected from the files' names and beginnings unless given.
        by: the parts that name an arm, as a list or separated by commas. Each format has its own:
            see the page on readers.
        unit: the part that names what was sampled, such as ``"sample"`` in Inspect's logs or
            ``"question"`` in JSON lines; ``"case"`` is the format's own. The rewards of a unit
            under one arm are averaged to one: see `goodarm.tables.units` for why that is valid.
        errors: how to treat an attempt that broke before there was an answer: ``"fail"`` counts it
            as a failure, ``"exclude"`` leaves it out, which is right only if errors have nothing to
            do with the outcome.
        repeats: how to treat a test that occurs twice where a run has it once. ``"refuse"`` raises
            an error. ``"attempts"`` counts each as a run with the outcome it shows. ``"reruns"``
            means that it was run again because it had failed: all but the last are failures,
            whatever they look like. The same applies where an arm has several cases and a case
            occurs again, as in a further epoch: a hard case stays hard, so its repeats are not
            independent. With ``unit``, units must have equal numbers of attempts, unless
            ``"fixed"`` declares that the numbers were fixed before the first result; a retry until
            it passes is not that.
        copies: how to treat a file that is a byte-for-byte copy of another: ``"once"`` or
            ``"count"``. Unless given, it is counted once if the file says when it was made, and
            refused otherwise.
        score: the score that decides, if there are several: Inspect's scorer, lm-eval's metric,
            Phoenix's evaluator, Langfuse's score, the key of a JSON line.
        pass_at: the lowest score that passes, for scores that are not 0 or 1.
        filter: lm-eval's filter, or the source of Langfuse's scores, if there are several.
        cached: how to treat answers from promptfoo's cache, which are no new samples: ``"refuse"``
            or ``"exclude"``.

    Returns:
        The counts of each arm, which ``check`` takes as they are.

    Raises:
        SpecError: the logs can be read in two ways, or an argument is invalid.

    The counts are a sample only if the files hold every attempt. Results that were collected until
    something looked good are not a sample, and no reader can detect that.

    >>> from pathlib import Path
    >>> from tempfile import TemporaryDirectory
    >>> with TemporaryDirectory() as folder:
    ...     log = Path(folder, "runs.jsonl")
    ...     with log.open("w") as file:
    ...         print('{"arm": "a", "passed": true}', '{"arm": "a", "passed": false}',
    ...             sep=chr(10), file=file)
    ...     table = read_logs(log, format="jsonl", by="arm")
    >>> list(zip(table.arms, table.pulls.tolist(), table.successes.tolist()))
    [('a', 2, 1)]
    """
    files, met_again = find_files(paths)
    name, reader = resolve_reader(_detect_format(files) if format is None else format)
    parts = reader.by if by is None else _parse_parts(reader, by, "by")
    options = _check_options(
        name,
        reader,
        by=parts,
        unit=() if unit is None else _parse_unit(name, reader, unit, parts),
        errors=errors,
        repeats=repeats,
        copies=copies,
        score=score,
        pass_at=None if pass_at is None else check_number("pass_at", "read_logs", pass_at),
        filter=filter,
        cached=cached,
    )
    logs = drop_copies(files, met_again, reader.stamp, options.copies)
    count = AttemptCounter(reader, options)
    # A reader skips parts that nobody asks for; without any, it gives all.
    asked = replace(options, by=tuple(dict.fromkeys((*parts, *options.unit)))) if parts else options
    for path in logs.files:
        count.add(path, reader.read(path, asked))
    count.refuse_repeats()
    return _make_table(
        name, count, [str(path) for path in logs.files], logs.met_again + logs.copies
    )


def _detect_format(files: Iterable[Any]) -> str:
    """Detect the format of the files; raise an error if they have several."""
    found: dict[str, Any] = {}
    for path in files:
        found.setdefault(detect_format(path), path)
    if len(found) > 1:
        listing = ", ".join(f"{path} ({name})" for name, path in found.items())
        raise SpecError(
            f"The files must have one format; got {listing}.",
            argument="paths",
            owner="read_logs",
            rule="be of one format",
            value=list(found),
            remedy="Read each format by itself.",
        )
    return next(iter(found))


def _parse_parts(reader: Reader, given: object, argument: str) -> tuple[str, ...]:
    """Parse and validate the parts that name an arm, or a unit."""
    listed = given.split(",") if isinstance(given, str) else given
    if not isinstance(listed, Iterable):
        raise invalid_argument(argument, "read_logs", "name one or more parts", given)
    parts = tuple(part.strip() if isinstance(part, str) else part for part in listed)
    if not parts or len(set(parts)) < len(parts) or not all(parts):
        raise invalid_argument(argument, "read_logs", "name one or more parts, each once", given)
    for part in parts:
        if not isinstance(part, str) or (reader.parts and part not in reader.parts):
            raise invalid_choice(argument, "read_logs", reader.parts, part)
    return parts


def _parse_unit(name: str, reader: Reader, given: object, by: tuple[str, ...]) -> tuple[str, ...]:
    """Parse and validate the parts that name a unit, with those that tell it apart."""
    if given == _CASE and reader.cases:
        given = next(iter(reader.cases))
    named = _parse_parts(reader, given, "unit")
    whole = [part for each in named for part in reader.cases.get(each, (each,))]
    parts = tuple(dict.fromkeys(whole))
    if set(named) <= set(by):
        remedy = phrase(
            "In {name} logs read by {by}, it is the arm itself, and its repeats are its pulls. "
            "Leave out {unit}; or choose larger arms: {larger}.",
            name=name,
            by=", ".join(by),
            larger=Arg("by", Symbol("PARTS")),
        )
        rule = "name a part that is not the arm"
        raise invalid_argument("unit", "read_logs", rule, ",".join(named), remedy)
    return parts


def _check_options(name: str, reader: Reader, **given: Any) -> LogOptions:
    """Validate the options: each value must be known, and apply to the format."""
    for argument, known in _CHOICES.items():
        value = given[argument]
        if value not in known and not (argument == "copies" and value is None):
            raise invalid_choice(argument, "read_logs", known, value)
    _check_repeats(given["unit"], given["repeats"])
    for argument in ("score", "filter"):
        if given[argument] is not None and not isinstance(given[argument], str):
            raise invalid_argument(argument, "read_logs", "be a text", given[argument])
    for argument in ("score", "pass_at", "filter", "cached"):
        is_given = given[argument] != _READER_OPTIONS[argument]
        if is_given and argument not in reader.options:
            raise invalid_argument(
                argument, "read_logs", f"be left out for {name}", given[argument]
            )
    return LogOptions(**given)


def _check_repeats(unit: tuple[str, ...], repeats: Repeats) -> None:
    """Check that the meaning of repeats goes with the unit: averaged ones are no pulls."""
    is_known = repeats in ("refuse", "fixed") if unit else repeats != "fixed"
    if not is_known:
        when = "if" if unit else "unless"
        rule = phrase(f"not be {{value}} {when} {{unit}} is given", value=Value(repeats))
        raise invalid_argument("repeats", "read_logs", rule, repeats)


def _make_table(name: str, count: AttemptCounter, files: list[str], copies: int) -> LogTable:
    if not count.arms:
        raise SpecError(
            f"The logs must have at least one attempt; got none in {plural(len(files), 'file')} of "
            f"format {name}, with {count.skipped} skipped.",
            argument="paths",
            owner="read_logs",
            rule="have at least one attempt",
            value=files,
        )
    arms = count.names()
    notes = [_EXCLUDED_NOTE] if count.errors and count.options.errors == "exclude" else []
    hint = count.reader.hint(arms, count.options)
    counts = np.array(list(count.arms.values()), np.int64)
    pulls, averaged = counts[:, 0], None
    if count.options.unit:
        averaged = count.average()
        pulls = np.array([len(averages) for averages in averaged.averages], np.int64)
    return LogTable(
        arms=tuple(arms),
        pulls=pulls,
        successes=counts[:, 1],
        **({} if averaged is None else averaged._asdict()),
        format=name,
        by=count.by,
        files=tuple(files),
        attempts=count.attempts,
        errors=count.errors,
        errors_are=count.options.errors,
        skipped=count.skipped,
        duplicates=count.duplicates,
        copies=copies,
        asides=dict(count.asides),
        notes=(*notes, *count.notes, *([hint] if hint else [])),
    )
