"""Conversion of scores to outcomes: 0 or 1, or any number with a pass mark."""

import math
from typing import Final

from goodarm.logs.attempts import Outcome
from goodarm.logs.reader import LogOptions, invalid_log
from goodarm.wording import Arg, ErrorPlace, Symbol, phrase

PASS_MARK_REMEDY: Final = phrase(
    "Scores are not 0/1: choose, before looking, the lowest that passes: {pass_at}.",
    pass_at=Arg("pass_at", Symbol("NUMBER")),
)


def find_score_outcome(value: object, options: LogOptions, place: ErrorPlace) -> Outcome:
    """Return pass or fail for a score, which must be 0 or 1 unless there is a pass mark.

    >>> find_score_outcome(1.0, LogOptions(), ErrorPlace("a.jsonl", line=1))
    'pass'
    """
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        if options.pass_at is not None:
            return "pass" if value >= options.pass_at else "fail"
        if value in (0, 1):
            return "pass" if value else "fail"
        raise invalid_log("score", place, "be 0 or 1", value, PASS_MARK_REMEDY)
    raise invalid_log("score", place, "be a finite number", value)
