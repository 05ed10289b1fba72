"""Traces: the record of one answer, which is an attempt of its own only once."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

from goodarm.logs.reader import invalid_log
from goodarm.wording import ErrorPlace


def refuse_copied_traces(path: Path, rows: Iterable[dict[str, Any]], key: str, unit: str) -> None:
    """Raise an error if two rows have one trace: an answer that was copied is no new sample.

    Args:
        path: the file.
        rows: the rows of the file.
        key: the key of the trace in a row; rows without one are passed over.
        unit: what a row is called in messages.
    """
    seen: dict[str, int] = {}
    for number, row in enumerate(rows, start=1):
        trace = row.get(key)
        if not isinstance(trace, str) or not trace:
            continue
        before = seen.setdefault(trace, number)
        if before != number:
            rule = f"not be that of {unit} {before}: an answer that was copied is no new sample"
            remedy = f"Leave out one {unit} of the two."
            raise invalid_log(key, ErrorPlace(str(path), unit, number), rule, trace, remedy)
