"""Forecast of the pulls that are left, as far as that can be said."""

from collections.abc import Sequence
from typing import Literal

from goodarm.problem import Problem
from goodarm.results import ArmReport

Needed = Literal["pulls_needed", "pulls_needed_90"]


def pulls_expected(
    reports: Sequence[ArmReport],
    problem: Problem,
    pulls: int,
    needed_by: Needed = "pulls_needed",
) -> tuple[int, bool]:
    """Return the pulls still expected, and whether that is for all arms in play.

    It is not known for arms near the threshold, and for an arm for which more rewards wait than it
    is said to need. Where
    ``until`` good arms are enough, those count that get there first. ``needed_by`` says which
    number of an arm is meant: the likely one, or that which is enough in 90 % of cases.
    """
    open_ = [report for report in reports if report.label == "undecided" and not report.reason]
    needed = [_needed(report, needed_by) for report in open_]
    known = sorted(each for each in needed if each is not None)
    is_whole = len(known) == len(needed)
    if problem.until is not None:
        good = sum(report.label == "good" for report in reports)
        hopeful = [
            _needed(report, needed_by)
            for report in open_
            if report.mean is not None and report.mean >= problem.threshold
        ]
        first = sorted(each for each in hopeful if each is not None)[: problem.until - good]
        if len(first) == problem.until - good:
            known, is_whole = first, True
    total = sum(known)
    if problem.max_pulls is not None:
        left = max(problem.max_pulls - pulls, 0)
        if total >= left or not is_whole:
            return (left, True) if total >= left else (total, False)
    return total, is_whole


def _needed(report: ArmReport, needed_by: Needed) -> int | None:
    needed: int | None = getattr(report, needed_by)
    is_held_up = report.waits is not None and report.waits.rewards > (needed or 0)
    return None if is_held_up else needed
