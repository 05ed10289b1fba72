"""Arms' numbers for a person: the interval shown is the one that decides."""

import math
from collections.abc import Sequence
from typing import Final

import numpy as np

from goodarm.algorithm.identification.rule import Bools, Floats
from goodarm.algorithm.judge import Judged, Proof, judge
from goodarm.identifier.entered import Entered
from goodarm.identifier.standings import Standings
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED, Setup
from goodarm.problem import Problem
from goodarm.results import ArmReport, Label

LABELS: Final[dict[int, Label]] = {1: "good", -1: "bad", 0: "undecided"}

_USED_UP: Final = "its cases are used up, some of them lost"

_NOTHING: Final = Judged(*(np.array([math.nan]) for _ in Judged._fields))
"""Of an arm that has not been pulled."""


def make_reports(
    problem: Problem, setup: Setup, standings: Standings, entered: Entered, arms: Sequence[int]
) -> list[ArmReport]:
    """The ArmReports of the arms at these positions."""
    seen = [arm for arm in arms if standings.pulls[arm] > 0]
    judged = _NOTHING
    if seen:
        judged = _judge(problem, setup, standings, entered, np.array(seen, np.intp))
    rows = {arm: (judged, row) for row, arm in enumerate(seen)}
    return [_report(problem, standings, arm, *rows.get(arm, (_NOTHING, 0))) for arm in arms]


def _judge(
    problem: Problem, setup: Setup, standings: Standings, entered: Entered, arms: np.ndarray
) -> Judged:
    tally = standings.tallies(arms)
    if standings.rule.shows_values:
        tally = tally._replace(values=entered.values(arms))
    labels, levels = standings.labels[arms], (setup.level, setup.level)
    is_tested = setup.identify_during_warmup | (tally.n > setup.warmup)
    good, bad = standings.rule.proven(setup, tally)
    proof = Proof(_side(labels, GOOD, is_tested, good), _side(labels, BAD, is_tested, bad), labels)
    evidence = standings.rule.evidence(setup, tally)
    return judge(problem, setup, standings.rule, tally, proof, levels, levels, evidence)


def _side(labels: np.ndarray, what: int, is_tested: Bools, is_proven: Bools) -> Bools:
    """Whether a bound stands on the proven side: as the label says, where it says anything."""
    return np.asarray((labels == what) | (is_proven & ~((labels == UNDECIDED) & is_tested)))


def _report(
    problem: Problem, standings: Standings, arm: int, judged: Judged, row: int
) -> ArmReport:
    label = int(standings.labels[arm])
    return ArmReport(
        arm=problem.arms[arm],
        pulls=int(standings.pulls[arm]),
        mean=_number(judged.mean, row),
        lower=_number(judged.lower, row),
        upper=_number(judged.upper, row),
        e_good=_e_value(judged.log_good, row),
        e_bad=_e_value(judged.log_bad, row),
        label=LABELS[label],
        labelled_at=int(standings.labelled_at[arm]) if label != UNDECIDED else None,
        pulls_needed=_count(judged.needed, row),
        pulls_needed_90=_count(judged.needed_90, row),
        reason=_USED_UP if not label and standings.is_used_up(arm) else None,
    )


def _number(values: Floats, row: int) -> float | None:
    return None if math.isnan(values[row]) else float(values[row])


def _count(values: Floats, row: int) -> int | None:
    return int(values[row]) if math.isfinite(values[row]) else None


def _e_value(logs: Floats, row: int) -> float | None:
    """An e-value, at most the largest number there is."""
    return None if math.isnan(logs[row]) else float(np.exp(min(logs[row], 709.0)))
