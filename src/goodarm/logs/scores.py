"""The scores that tools write, to outcomes: 0 or 1, or anything with a pass mark."""

import math
from typing import Final

from goodarm.errors import Hint, must
from goodarm.logs.attempt import Outcome
from goodarm.logs.reader import Options

PASS_MARK: Final = Hint(
    "Say from which score on it has passed: pass_at=0.5.",
    "Say from which score on it has passed: --pass-at 0.5.",
)


def outcome_of(value: object, options: Options, place: str) -> Outcome:
    """Pass or fail, by the score: 0 or 1 unless there is a pass mark.

    >>> outcome_of(1.0, Options(), "a.jsonl, line 1")
    'pass'
    """
    if isinstance(value, int) or (isinstance(value, float) and math.isfinite(value)):
        if options.pass_at is not None:
            return "pass" if value >= options.pass_at else "fail"
        if value in (0, 1):
            return "pass" if value else "fail"
        raise must("score", place, "be 0 or 1", value, PASS_MARK)
    raise must("score", place, "be a finite number", value)
