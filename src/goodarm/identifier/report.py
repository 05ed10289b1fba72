"""The reports of arms that an identifier follows."""

from collections.abc import Sequence

import numpy as np

from goodarm.algorithm.judge import Judged, Proof, judge
from goodarm.algorithm.reporting import NOTHING, TAKEN_OUT, USED_UP, make_report, proven_side
from goodarm.identifier.entered import Entered
from goodarm.identifier.held_up import num_waiting
from goodarm.identifier.standings import Standings
from goodarm.kernels.codes import BAD, GOOD, Setup
from goodarm.problem import Problem
from goodarm.results import ArmReport, Waiting


def make_reports(
    problem: Problem, setup: Setup, standings: Standings, entered: Entered, arms: Sequence[int]
) -> list[ArmReport]:
    """The ArmReports of the arms at these positions."""
    seen = [arm for arm in arms if standings.pulls[arm] > 0]
    judged = NOTHING
    if seen:
        judged = _judge(problem, setup, standings, entered, np.array(seen, np.intp))
    rows = {arm: (judged, row) for row, arm in enumerate(seen)}
    return [_report(problem, standings, arm, *rows.get(arm, (NOTHING, 0))) for arm in arms]


def _judge(
    problem: Problem, setup: Setup, standings: Standings, entered: Entered, arms: np.ndarray
) -> Judged:
    tally = standings.tallies(arms)
    if standings.rule.shows_values:
        tally = tally._replace(values=entered.values(arms))
    labels, levels = standings.labels[arms], (setup.level, setup.level)
    is_tested = setup.identify_during_warmup | (tally.n > setup.warmup)
    good, bad = standings.rule.proven(setup, tally)
    proof = Proof(
        proven_side(labels, GOOD, is_tested, good),
        proven_side(labels, BAD, is_tested, bad),
        labels,
    )
    evidence = standings.rule.evidence(setup, tally)
    return judge(problem, setup, standings.rule, tally, proof, levels, levels, evidence)


def _report(
    problem: Problem, standings: Standings, arm: int, judged: Judged, row: int
) -> ArmReport:
    return make_report(
        problem.arms[arm],
        int(standings.pulls[arm]),
        judged,
        row,
        int(standings.labels[arm]),
        int(standings.labelled_at[arm]),
        _reason(standings, arm),
        _waits(standings, arm),
    )


def _waits(standings: Standings, arm: int) -> Waiting | None:
    """What waits to enter the arm's test, behind the first of its pulls that is out."""
    count = num_waiting(standings, arm)
    return Waiting(count, int(standings.arms[arm]["first"])) if count else None


def _reason(standings: Standings, arm: int) -> str | None:
    """Why the arm is out of play, if no label is the reason."""
    if arm in standings.taken_out:
        return TAKEN_OUT
    return USED_UP if standings.is_used_up(arm) else None
