"""Counts to labels, intervals, e-values and pulls needed, for all arms at once.

The mixture test proves an arm good when E_good reaches its level, and bad when E_bad does:

========  ==================================================================================
control   level
========  ==================================================================================
fwer      K / delta
per-arm   1 / delta
fdr       K / (k delta), k the number of arms that reach it: the largest k for which k arms do
========  ==================================================================================

The third is the e-BH procedure, for good and for bad each on its own. The bounds shown are those of
the same levels, so a label and a shown bound cannot contradict each other.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.mixture.bounds import lower_bounds, upper_bounds
from goodarm.algorithm.identification.mixture.evidence import log_evidence_bad, log_evidence_good
from goodarm.algorithm.identification.mixture.needed import pulls_needed
from goodarm.problem import Problem

Floats = NDArray[np.float64]
Bools = NDArray[np.bool_]
Control = Literal["fwer", "fdr", "per-arm"]


class Judged(NamedTuple):
    """Arrays over arms: 1 good, -1 bad, 0 undecided; nan where an arm has no rewards yet."""

    labels: NDArray[np.int8]
    mean: Floats
    lower: Floats
    upper: Floats
    log_good: Floats
    log_bad: Floats
    needed: Floats
    needed_90: Floats


class Proof(NamedTuple):
    """The arms proven good and proven bad, and the logs of the evidence it takes."""

    good: Bools
    bad: Bools
    level_good: float
    level_bad: float


def judge(problem: Problem, pulls: Floats, sums: Floats, control: Control, planned: int) -> Judged:
    """Everything that is shown of each arm."""
    seen = np.flatnonzero(pulls > 0)
    n = pulls[seen]
    units = np.clip(problem.to_unit(sums[seen], n), 0.0, n)
    bars = (
        problem.to_unit(problem.threshold - problem.margin),
        problem.to_unit(problem.threshold + problem.margin),
    )
    log_good = log_evidence_good(n, units, bars[0])
    log_bad = log_evidence_bad(n, units, bars[1])
    means = problem.from_unit(units / n)
    is_high = means >= problem.threshold
    proof = prove(log_good, log_bad, is_high, control, problem.delta, planned)
    labels = np.where(proof.good & (is_high | ~proof.bad), 1, np.where(proof.bad, -1, 0))
    lower = lower_bounds(n, units, proof.level_good)
    upper = upper_bounds(n, units, proof.level_bad)
    waiting = np.flatnonzero(labels == 0)
    needed, needed_90 = np.zeros(len(n)), np.zeros(len(n))
    needed[waiting], needed_90[waiting] = pulls_needed(
        n[waiting], units[waiting], bars, next_levels(proof, control, problem.delta, planned)
    )

    def spread(values: NDArray[np.generic], missing: float) -> Floats:
        full = np.full(len(pulls), missing)
        full[seen] = values
        return full

    return Judged(
        labels=spread(labels, 0).astype(np.int8),
        mean=spread(means, math.nan),
        lower=spread(_shown_lower(problem, lower, proof.good), math.nan),
        upper=spread(_shown_upper(problem, upper, proof.bad), math.nan),
        log_good=spread(log_good, math.nan),
        log_bad=spread(log_bad, math.nan),
        needed=spread(needed, math.inf),
        needed_90=spread(needed_90, math.inf),
    )


def prove(
    log_good: Floats, log_bad: Floats, is_high: Bools, control: Control, delta: float, planned: int
) -> Proof:
    """What the evidence proves; under fdr no arm is in both lists."""
    if control != "fdr":
        level = math.log((1 if control == "per-arm" else planned) / delta)
        return Proof(log_good >= level, log_bad >= level, level, level)
    may_good, may_bad = np.ones(len(is_high), bool), np.ones(len(is_high), bool)
    while True:
        level_good = e_bh_level(log_good[may_good], delta, planned)
        level_bad = e_bh_level(log_bad[may_bad], delta, planned)
        good = may_good & (log_good >= level_good)
        bad = may_bad & (log_bad >= level_bad)
        both = good & bad
        if not both.any():
            return Proof(good, bad, level_good, level_bad)
        # An arm that leaves a list counts there as an e-value of 0, which keeps e-BH valid.
        may_bad &= ~(both & is_high)
        may_good &= ~(both & ~is_high)


def e_bh_level(logs: Floats, delta: float, planned: int) -> float:
    """The log of the evidence that e-BH asks for: K / (k delta), or K / delta if none gets there.

    >>> round(math.exp(e_bh_level(np.log([50.0, 11.0, 6.0, 1.0]), 0.2, 4)), 9)
    10.0
    """
    ordered = np.sort(logs)[::-1]
    levels = np.log(planned / (np.arange(1, len(ordered) + 1) * delta))
    reached = np.flatnonzero(ordered >= levels)
    return float(levels[reached[-1]]) if len(reached) else math.log(planned / delta)


def next_levels(proof: Proof, control: Control, delta: float, planned: int) -> tuple[float, float]:
    """What the next arm of each list needs; under fdr it makes the list longer by one."""
    if control != "fdr":
        return proof.level_good, proof.level_bad
    sizes = (min(int(listed.sum()) + 1, planned) for listed in (proof.good, proof.bad))
    good, bad = (math.log(planned / (size * delta)) for size in sizes)
    return good, bad


def _shown_lower(problem: Problem, units: Floats, is_proven: Bools) -> Floats:
    """Lower bounds in the user's units; rounding must not put one on the wrong side of its bar."""
    low, high = problem.reward_range or (-math.inf, math.inf)
    values = np.clip(problem.from_unit(units), low, high)
    bar = problem.threshold - problem.margin
    return np.where(
        is_proven, np.maximum(values, bar), np.minimum(values, np.nextafter(bar, -math.inf))
    )


def _shown_upper(problem: Problem, units: Floats, is_proven: Bools) -> Floats:
    """Upper bounds, likewise."""
    low, high = problem.reward_range or (-math.inf, math.inf)
    values = np.clip(problem.from_unit(units), low, high)
    bar = problem.threshold + problem.margin
    return np.where(
        is_proven, np.minimum(values, bar), np.maximum(values, np.nextafter(bar, math.inf))
    )
