"""Reports of the arms of an identifier."""

from collections.abc import Sequence

import numpy as np

from goodarm.algorithm.judge import Judged, Proof, judge
from goodarm.algorithm.reporting import NOTHING, TAKEN_OUT, USED_UP, make_report, proven_side
from goodarm.kernels.codes import BAD, GOOD
from goodarm.live.core import Core
from goodarm.results import ArmReport, Waiting


def make_reports(core: Core, arms: Sequence[int]) -> list[ArmReport]:
    """Return the ArmReports of the arms at these positions."""
    seen = [arm for arm in arms if core.arms.pulls[arm] > 0]
    judged = NOTHING
    if seen:
        judged = _judge(core, np.array(seen, np.intp))
    rows = {arm: (judged, row) for row, arm in enumerate(seen)}
    return [_report(core, arm, *rows.get(arm, (NOTHING, 0))) for arm in arms]


def _judge(core: Core, arms: np.ndarray) -> Judged:
    state, setup = core.arms, core.setup
    tally = state.tallies(arms)
    if state.rule.shows_values:
        tally = tally._replace(values=core.observations.values(arms))
    labels, levels = state.labels[arms], (setup.level, setup.level)
    is_tested = setup.identify_during_warmup | (tally.n > setup.warmup)
    good, bad = state.rule.proven(setup, tally)
    proof = Proof(
        proven_side(labels, GOOD, is_tested, good),
        proven_side(labels, BAD, is_tested, bad),
        labels,
    )
    evidence = state.rule.evidence(setup, tally)
    return judge(core.problem, setup, state.rule, tally, proof, levels, levels, evidence)


def _report(core: Core, arm: int, judged: Judged, row: int) -> ArmReport:
    state = core.arms
    return make_report(
        core.problem.arms[arm],
        int(state.pulls[arm]),
        judged,
        row,
        int(state.labels[arm]),
        int(state.labelled_at[arm]),
        _reason(core, arm),
        _waits(core, arm),
    )


def _waits(core: Core, arm: int) -> Waiting | None:
    """Return what waits to enter the arm's test, behind the first of its pulls that is out."""
    count = core.tests.num_waiting(arm)
    return Waiting(count, int(core.arms.arms[arm]["first"])) if count else None


def _reason(core: Core, arm: int) -> str | None:
    """Return why the arm is out of play, if no label is the reason."""
    if arm in core.arms.taken_out:
        return TAKEN_OUT
    return USED_UP if core.arms.is_used_up(arm) else None
