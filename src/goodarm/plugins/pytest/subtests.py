"""Subtests, which are parts of a repeat: if one fails, the repeat has failed.

A part that is left out counts for nothing, so the meaning of a pass depends on which parts those
are. They must be the same in all repeats that pass. A part that fails is a failure of its repeat
whatever else is left out; only, it must not be one that passing repeats leave out.
"""

import copy
from collections import Counter
from typing import Any, NamedTuple

import pytest


def is_left_out(
    error: BaseException | None, report: pytest.TestReport, expects_failure: bool = False
) -> bool:
    """Return whether there is no outcome: a skip, ``pytest.xfail``, or a report that was skipped.

    A mark ``xfail`` makes a skip of a failure, and says so; ``unittest.expectedFailure`` makes an
    exception of it that looks like a call of ``pytest.xfail``.
    """
    if isinstance(error, pytest.skip.Exception):
        return True
    if isinstance(error, pytest.xfail.Exception):
        return not expects_failure
    return report.skipped and not hasattr(report, "wasxfail")


def _get_subtest_name(report: Any) -> str:
    """Return a subtest's name, as its test calls it."""
    context = getattr(report, "context", None)
    message, values = getattr(context, "msg", None), getattr(context, "kwargs", None) or {}
    named = [f"[{message}]"] if message is not None else []
    if values:
        named.append(f"({', '.join(f'{name}={value}' for name, value in values.items())})")
    return " ".join(named) or "without a name"


class _RepeatSubtests(NamedTuple):
    """Parts of one repeat that were left out, and those that failed, by name."""

    number: int
    left: Counter[str]
    failed: Counter[str]


class Subtests:
    """Subtests of a gate, repeat by repeat."""

    def __init__(self) -> None:
        self._now = _RepeatSubtests(0, Counter(), Counter())
        self._passed: _RepeatSubtests | None = None
        """First repeat that passed; the others are compared with it."""
        self._failed: list[_RepeatSubtests] = []
        """Repeats before it in which a part failed."""
        self.failure: pytest.TestReport | None = None
        """Last part of this repeat that failed."""

    def begin(self, number: int) -> None:
        """Begin a repeat."""
        self._now, self.failure = _RepeatSubtests(number, Counter(), Counter()), None

    def add(self, error: BaseException | None, report: pytest.TestReport) -> None:
        """Record a part of this repeat: its report, and what it raised."""
        name = _get_subtest_name(report)
        if is_left_out(error, report):
            self._now.left[name] += 1
        elif error is not None or report.failed:
            self._now.failed[name] += 1
            self.failure = copy.copy(report)

    def end(self, passed: bool) -> str | None:
        """End a repeat; return a sentence if it left out other parts than the rest did."""
        now = self._now
        if passed and self._passed is None:
            self._passed = now
            return next(filter(None, map(self._as_failed, self._failed)), None)
        if passed:
            return self._as_passed(now)
        if now.failed and self._passed is None:
            self._failed.append(now)
        return self._as_failed(now) if self._passed is not None else None

    def _as_passed(self, now: _RepeatSubtests) -> str | None:
        assert self._passed is not None
        for one, other in (now, self._passed), (self._passed, now):
            for name in one.left - other.left:
                return _describe_difference(name, one.number, other.number)
        return None

    def _as_failed(self, now: _RepeatSubtests) -> str | None:
        assert self._passed is not None
        for name in (self._passed.left - now.left) & now.failed:
            return _describe_difference(name, self._passed.number, now.number)
        return None


def _describe_difference(name: str, left_out: int, not_left_out: int) -> str:
    return f"The subtest {name} was left out in run {left_out}, but not in run {not_left_out}."
