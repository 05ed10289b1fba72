"""Function ``read_logs``: from files of other tools to a table of arms, pulls and successes."""

from collections.abc import Iterable
from dataclasses import fields
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

_CHOICES: Final[dict[str, tuple[str, ...]]] = {
    "errors": get_args(Errors),
    "repeats": get_args(Repeats),
    "copies": get_args(Copies),
    "cached": get_args(Cached),
}
_READER_OPTIONS: Final = {field.name: field.default for field in fields(LogOptions)}
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
        errors: how to treat an attempt that broke before there was an answer: ``"fail"`` counts it
            as a failure, ``"exclude"`` leaves it out, which is right only if errors have nothing to
            do with the outcome.
        repeats: how to treat a test that occurs twice where a run has it once. ``"refuse"`` raises
            an error. ``"attempts"`` counts each as a run with the outcome it shows. ``"reruns"``
            means that it was run again because it had failed: all but the last are failures,
            whatever they look like. The same applies where an arm has several cases and a case
            occurs again, as in a further epoch: a hard case stays hard, so its repeats are not
            independent.
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
    options = _check_options(
        name,
        reader,
        by=_parse_parts(reader, by),
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
    for path in logs.files:
        count.add(path, reader.read(path, options))
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


def _parse_parts(reader: Reader, by: object) -> tuple[str, ...]:
    """Parse and validate the parts that name an arm."""
    if by is None:
        return reader.by
    listed = by.split(",") if isinstance(by, str) else by
    if not isinstance(listed, Iterable):
        raise invalid_argument("by", "read_logs", "name one or more parts", by)
    parts = tuple(part.strip() if isinstance(part, str) else part for part in listed)
    if not parts or len(set(parts)) < len(parts) or not all(parts):
        raise invalid_argument("by", "read_logs", "name one or more parts, each once", by)
    for part in parts:
        if not isinstance(part, str) or (reader.parts and part not in reader.parts):
            raise invalid_choice("by", "read_logs", reader.parts, part)
    return parts


def _check_options(name: str, reader: Reader, **given: Any) -> LogOptions:
    """Validate the options: each value must be known, and apply to the format."""
    for argument, known in _CHOICES.items():
        value = given[argument]
        if value not in known and not (argument == "copies" and value is None):
            raise invalid_choice(argument, "read_logs", known, value)
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
    return LogTable(
        arms=tuple(arms),
        pulls=counts[:, 0],
        successes=counts[:, 1],
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
