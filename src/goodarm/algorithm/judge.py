"""What is shown of arms, from what their rewards come to: one road for ``check`` and Identifier.

Arrays over arms, in unit rewards until they are shown.
"""

import math
from collections.abc import Iterator
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.counts import LOOKED_UP
from goodarm.algorithm.identification.rule import (
    Bools,
    Floats,
    IdentificationRule,
    Levels,
    Tally,
)
from goodarm.kernels.codes import BAD, BERNOULLI, GOOD, NEVER, UNDECIDED, Setup
from goodarm.problem import Problem

_MOST_FOLLOWED: Final = NEVER // 2
"""Pulls beyond which a label is not looked for."""


class Proof(NamedTuple):
    """The arms whose lower bound stands on the good side, and whose upper one on the bad side."""

    good: Bools
    bad: Bools
    labels: NDArray[np.int8]


class Judged(NamedTuple):
    """Arrays over arms: nan where there is nothing to show, inf where no number would do."""

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
    thresholds: Floats | None = None,
) -> Judged:
    """Everything that is shown of arms that have been pulled.

    Args:
        problem, setup, rule: by which they are judged.
        tally: what their rewards come to, as arrays.
        proof: what has been proven of them.
        levels: the logs of the evidence that has proven it.
        next_levels: those that an arm without a label needs.
        evidence: what the rule has for both labels, if it has e-values.
        thresholds: those of the arms, where they are not all the problem's; the bars of the setup
            are then arrays too.
    """
    bar = problem.threshold if thresholds is None else thresholds
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
        for alike, arms in _by_bar(setup, waiting):
            still = tally.of(arms)
            needed[arms], needed_90[arms] = _pulls_needed(alike, rule, still, next_levels)
    return Judged(
        mean=np.where(came > 0, means, math.nan),
        lower=_shown_lower(problem, lower, bar - problem.margin, proof.good),
        upper=_shown_upper(problem, upper, bar + problem.margin, proof.bad),
        log_good=log_good,
        log_bad=log_bad,
        needed=needed,
        needed_90=needed_90,
    )


def _by_bar(setup: Setup, arms: NDArray[np.intp]) -> Iterator[tuple[Setup, NDArray[np.intp]]]:
    """These arms, and those of each threshold with its own bars where they differ."""
    if np.ndim(setup.threshold) == 0:
        yield setup, arms
        return
    names = ("threshold", "good_bar", "bad_bar")
    bars = np.stack([np.asarray(getattr(setup, name))[arms] for name in names], axis=1)
    rows, back = np.unique(bars, axis=0, return_inverse=True)
    order = np.argsort(back.ravel(), kind="stable")
    ends = np.cumsum(np.bincount(back.ravel()))
    for row, alike in zip(rows.tolist(), np.split(arms[order], ends[:-1]), strict=True):
        yield setup._replace(**dict(zip(names, row, strict=True))), alike


def _pulls_needed(
    setup: Setup, rule: IdentificationRule, tally: Tally, levels: Levels
) -> tuple[Floats, Floats]:
    """Further pulls until arms are labelled if their means stay what they are, and 90 % of them."""
    unknown = np.full(len(tally.n), math.nan)
    expected, likely = rule.remaining(setup, tally, levels) or (unknown, unknown)
    arms = np.flatnonzero(np.isnan(expected))
    if len(arms):
        expected = expected.copy()
        expected[arms] = _followed(setup, rule, tally.of(arms))
    return expected, likely


def _followed(setup: Setup, rule: IdentificationRule, tally: Tally) -> Floats:
    """The same, by trying how far the mean must be followed; rewards go on as they did.

    An arm's last case settles it, so in a pool no more are needed than are left.
    """
    n = np.asarray(tally.n, np.int64)
    low, high = tally.total / n, (tally.total + tally.lost) / n
    above, below = low - setup.good_bar, setup.bad_bar - high
    share = np.where(above >= below, low, high)
    cases = np.broadcast_to(np.asarray(tally.cases, np.int64), len(n))
    most = np.where(cases > 0, cases, NEVER)
    first = n + 1 if setup.identify_during_warmup else np.maximum(n, setup.warmup) + 1

    def is_labelled(pulls: NDArray[np.int64], of: NDArray[np.intp]) -> Bools:
        pulls = np.minimum(pulls, most[of])
        sums = share[of] * pulls
        if setup.has_curves and setup.rewards == BERNOULLI:
            # as ``decide`` does, which looks up whole successes
            sums = np.where(sums < LOOKED_UP, np.floor(sums), sums)
        grown = (pulls / n[of])[:, None]
        wealth = tally.wealth[of] * grown if tally.wealth.ndim > 1 else tally.wealth
        good, bad = rule.proven(setup, Tally(pulls, sums, 0.0, wealth, cases=cases[of]))
        return good | bad

    found = np.full(len(n), math.inf)
    arms = np.flatnonzero(np.maximum(above, below) > 0.0)
    done = is_labelled(first[arms], arms)
    found[arms[done]] = (first - n)[arms[done]]
    arms = arms[~done]
    before, after = first[arms], 2 * first[arms]
    while arms.size and (short := ~is_labelled(after, arms)).any():
        lost_cause = short & (after >= _MOST_FOLLOWED)
        before = np.where(short, after, before)[~lost_cause]
        after = np.where(short & ~lost_cause, 2 * after, after)[~lost_cause]
        arms = arms[~lost_cause]
    while arms.size and (after - before > 1).any():
        middle = (before + after) // 2
        is_enough = is_labelled(middle, arms)
        before, after = np.where(is_enough, before, middle), np.where(is_enough, middle, after)
    found[arms] = after - n[arms]
    return np.where(cases > 0, np.minimum(found, cases - n), found)


def _shown_lower(problem: Problem, units: Floats, bar: float | Floats, is_proven: Bools) -> Floats:
    """Lower bounds in the user's units; rounding must not put one on the wrong side of its bar."""
    values = _in_range(problem, units)
    return np.where(
        is_proven, np.maximum(values, bar), np.minimum(values, np.nextafter(bar, -math.inf))
    )


def _shown_upper(problem: Problem, units: Floats, bar: float | Floats, is_proven: Bools) -> Floats:
    """Upper bounds, likewise."""
    values = _in_range(problem, units)
    return np.where(
        is_proven, np.minimum(values, bar), np.maximum(values, np.nextafter(bar, math.inf))
    )


def _in_range(problem: Problem, units: Floats) -> Floats:
    low, high = problem.reward_range or (-math.inf, math.inf)
    return np.clip(problem.from_unit(units), low, high)
