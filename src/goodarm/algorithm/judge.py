"""What is shown of arms, from what their rewards come to: one road for ``check`` and Identifier.

Arrays over arms, in unit rewards until they are shown.
"""

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.rule import (
    Bools,
    Floats,
    IdentificationRule,
    Levels,
    Tally,
)
from goodarm.algorithm.needed import pulls_needed
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED, Setup
from goodarm.problem import Problem


class Proof(NamedTuple):
    """The arms whose lower bound stands on the good side, and whose upper one on the bad side."""

    good: Bools
    bad: Bools
    labels: NDArray[np.int8]


class Judged(NamedTuple):
    """Arrays over arms: nan where there is nothing to show, inf for pulls above the cap."""

    mean: Floats
    lower: Floats
    upper: Floats
    log_good: Floats
    log_bad: Floats
    needed: Floats
    needed_90: Floats


def labels_of(good: Bools, bad: Bools, is_high: Bools) -> NDArray[np.int8]:
    """Labels, from what is proven; where a margin makes both true the mean decides."""
    return np.where(good & (is_high | ~bad), GOOD, np.where(bad, BAD, UNDECIDED)).astype(np.int8)


def judge(
    problem: Problem,
    setup: Setup,
    rule: IdentificationRule,
    tally: Tally,
    proof: Proof,
    levels: Levels,
    next_levels: Levels,
    evidence: tuple[Floats, Floats] | None,
) -> Judged:
    """Everything that is shown of arms that have been pulled.

    Args:
        problem, setup, rule: by which they are judged.
        tally: what their rewards come to, as arrays.
        proof: what has been proven of them.
        levels: the logs of the evidence that has proven it.
        next_levels: those that an arm without a label needs.
        evidence: what the rule has for both labels, if it has e-values.
    """
    came = tally.n - tally.lost
    with np.errstate(invalid="ignore", divide="ignore"):
        means = problem.from_unit(tally.total / came)
    interval = rule.interval(setup, tally, levels)
    nothing = np.full(len(means), math.nan)
    lower, upper = (nothing, nothing) if interval is None else interval
    log_good, log_bad = (nothing, nothing) if evidence is None else evidence
    needed, needed_90 = np.zeros(len(means)), np.zeros(len(means))
    waiting = np.flatnonzero(proof.labels == UNDECIDED)
    if len(waiting):
        still = Tally(*(np.asarray(part)[waiting] for part in _full(tally)))
        needed[waiting], needed_90[waiting] = pulls_needed(setup, rule, still, next_levels)
    return Judged(
        mean=np.where(came > 0, means, math.nan),
        lower=_shown_lower(problem, lower, proof.good),
        upper=_shown_upper(problem, upper, proof.bad),
        log_good=log_good,
        log_bad=log_bad,
        needed=needed,
        needed_90=needed_90,
    )


def _full(tally: Tally) -> Tally:
    """With an entry for each arm in every field."""
    count = len(tally.n)
    wealth = np.broadcast_to(tally.wealth, (count, tally.wealth.shape[-1]))
    return tally._replace(lost=np.broadcast_to(tally.lost, count), wealth=wealth)


def _shown_lower(problem: Problem, units: Floats, is_proven: Bools) -> Floats:
    """Lower bounds in the user's units; rounding must not put one on the wrong side of its bar."""
    values = _in_range(problem, units)
    bar = problem.threshold - problem.margin
    return np.where(
        is_proven, np.maximum(values, bar), np.minimum(values, np.nextafter(bar, -math.inf))
    )


def _shown_upper(problem: Problem, units: Floats, is_proven: Bools) -> Floats:
    """Upper bounds, likewise."""
    values = _in_range(problem, units)
    bar = problem.threshold + problem.margin
    return np.where(
        is_proven, np.minimum(values, bar), np.maximum(values, np.nextafter(bar, math.inf))
    )


def _in_range(problem: Problem, units: Floats) -> Floats:
    low, high = problem.reward_range or (-math.inf, math.inf)
    return np.clip(problem.from_unit(units), low, high)
