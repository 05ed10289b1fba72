"""Work of a run, and the number of runs that fit: in steps of the engine, never by the clock.

A step is a success where the engine skips failures, and a pull where it does not. A step costs more
with more arms to look at, if the clock moves at every pull, and little where no divergence is
inverted for the index. A million steps take a tenth to half of a second.
"""

import math
from typing import Final

import numpy as np

from goodarm.algorithm import Algorithm, SamplingRule, compute_bernoulli_kl
from goodarm.errors import SpecError
from goodarm.kernels.codes import BERNOULLI
from goodarm.planning.family import Floats
from goodarm.problem import Problem
from goodarm.views.numbers import format_count
from goodarm.wording import phrase

MAX_RUN_WORK: Final = 2e7
"""Largest work of a run that a plan accepts unless the number of runs is given."""

TOO_LONG: Final = "too-long"
"""Reason code of the error for a plan with more work than that."""

MAX_FORECAST_WORK: Final = 2e7
"""Largest work of all runs of one forecast; the smallest number of runs is always made."""

MAX_SEARCH_WORK: Final = 2e6
"""Largest work of the runs at one gap, while the smallest gap is searched."""

_SHORTER: Final = phrase(
    "Give a larger {distance}, a {margin}, an {until} or a {max_pulls}, another {algorithm}, or "
    "the number of {runs} to simulate all the same."
)
_SHORTER_FROM_START: Final = phrase(
    "Give the {budget} of further pulls that you can afford, an {until}, {means} to suppose in "
    "place of those so far, or the number of {runs} to simulate all the same."
)

_ARMS_AT_ONE_COST: Final = 40
_EVEN_STEP_COST: Final = 0.25
_STEPS_TO_START: Final = 15
"""Work of an arm before its first pull, in steps."""


def predict_pulls(
    problem: Problem, algorithm: Algorithm, means: Floats, spreads: Floats | None = None
) -> Floats:
    """Predict about how many pulls label each arm: where the evidence at its mean is enough.

    n d = log(K / delta) + log n / 2 for the rules with evidence, d the divergence from the bar;
    n 2 gap^2 = log(4 K n^2 / delta) for the rules with a bound. Infinite where nothing is proven.
    Rules that bet profit from rewards that are known to spread little. A pool ends with its cases.
    """
    setup = algorithm.setup(problem)
    has_bound = not setup.has_curves and not setup.keeps_wealth
    start = math.log(problem.union_size / problem.delta) + (math.log(4.0) if has_bound else 0.0)
    growth = 2.0 if has_bound else 0.5
    found = {}
    sds = np.full(means.size, -1.0) if spreads is None else np.nan_to_num(spreads, nan=-1.0)
    pairs = list(zip(means.tolist(), sds.tolist(), strict=True))
    for mean, sd in set(pairs):
        unit = problem.to_unit(mean)
        is_good = mean >= problem.threshold
        bar = setup.good_bar if is_good else setup.bad_bar
        exact = not has_bound and problem.rewards == "bernoulli"
        divergence = compute_bernoulli_kl(unit, bar) if exact else 2.0 * (unit - bar) ** 2
        if sd >= 0.0 and setup.keeps_wealth and not exact:
            room = bar if is_good else 1.0 - bar
            divergence = _predict_growth(abs(unit - bar), sd / problem.scale, room)
        pulls = start / divergence if divergence > 0.0 else math.inf
        for _ in range(5):
            pulls = (start + growth * math.log(max(pulls, 1.0))) / max(divergence, 1e-300)
        found[mean, sd] = max(pulls, float(setup.warmup)) if divergence > 0.0 else math.inf
    needed = np.array([found[pair] for pair in pairs])
    return needed if problem.pools is None else np.minimum(needed, problem.pools)


def _predict_growth(gap: float, sd: float, room: float) -> float:
    """Return about how fast the log of the best bet's wealth grows; a bet is at most 1 / room."""
    if gap == 0.0:
        return 0.0
    return min(gap * gap / (2.0 * (sd * sd + gap * gap)), math.log1p(gap / room))


def predict_stop(
    problem: Problem,
    algorithm: Algorithm,
    means: Floats,
    spreads: Floats | None = None,
    *,
    is_even: bool = False,
) -> float:
    """Predict about how many pulls a run makes; with ``is_even``, to labelled arms too."""
    pulls = predict_pulls(problem, algorithm, means, spreads)
    shares = _share_pulls(problem, pulls, means, is_even=is_even)
    return float(shares.max() * shares.size if is_even else shares.sum())


def _share_pulls(problem: Problem, pulls: Floats, means: Floats, *, is_even: bool) -> Floats:
    """Return the pulls of each arm that a run makes before ``until`` or ``max_pulls`` ends it.

    If traffic is split evenly, those up to each arm's label.
    """
    good = np.flatnonzero(means >= problem.threshold)
    has_end = problem.until is not None and problem.until <= good.size
    if is_even:
        end = np.sort(pulls[good])[(problem.until or 1) - 1] if has_end else math.inf
        most = math.inf if problem.max_pulls is None else problem.max_pulls / means.size
        return np.minimum(pulls, max(min(end, most), 1.0))
    if has_end:
        first = good[np.argsort(pulls[good], kind="stable")][: problem.until]
        pulls = np.where(np.isin(np.arange(means.size), first), pulls, 1.0)
    if problem.max_pulls is not None:
        pulls = np.minimum(pulls, float(problem.max_pulls))
        pulls = pulls * min(1.0, problem.max_pulls / pulls.sum())
    return pulls


def compute_work(
    problem: Problem, algorithm: Algorithm, means: Floats, pulls: Floats, *, is_even: bool = False
) -> float:
    """Return the work of a run that makes these ``pulls`` of each arm.

    If traffic is split evenly, no arm is chosen.
    """
    setup = algorithm.setup(problem)
    skips = setup.rewards == BERNOULLI and not setup.keeps_wealth and setup.falls_on_failure
    if is_even:
        skips = setup.rewards == BERNOULLI and not setup.keeps_wealth
        steps = pulls * means if skips else pulls
        return float(steps.sum()) * _EVEN_STEP_COST + _STEPS_TO_START * problem.num_arms
    steps = pulls * means if skips else pulls
    is_asked = isinstance(algorithm.sampling, SamplingRule)
    looks_at_all = is_asked or (setup.has_clock and not setup.is_stepped)
    arms = problem.num_arms / _ARMS_AT_ONE_COST if looks_at_all else 0.0
    each = algorithm.sampling.step_cost * (1.0 + arms)
    return float(steps.sum()) * each + _STEPS_TO_START * problem.num_arms


def predict_work(
    problem: Problem,
    algorithm: Algorithm,
    means: Floats,
    spreads: Floats | None = None,
    *,
    is_even: bool = False,
) -> float:
    """Predict about how much work a run is."""
    pulls = predict_pulls(problem, algorithm, means, spreads)
    pulls = _share_pulls(problem, pulls, means, is_even=is_even)
    return compute_work(problem, algorithm, means, pulls, is_even=is_even)


def check_work(
    problem: Problem,
    algorithm: Algorithm,
    means: Floats,
    spreads: Floats | None = None,
    *,
    is_even: bool = False,
    has_start: bool = False,
) -> None:
    """Raise SpecError if a run would take too long, and say what to change."""
    work = predict_work(problem, algorithm, means, spreads, is_even=is_even)
    if work > MAX_RUN_WORK:
        pulls = predict_stop(problem, algorithm, means, spreads, is_even=is_even)
        long = (
            f"The plan would take too long: {algorithm.name} would make about "
            f"{format_count(pulls)} pulls in a run, {work / MAX_RUN_WORK:.2g} times as "
            "much work as plan takes on by itself."
        )
        raise SpecError(
            long,
            argument="distance",
            owner="plan",
            rule="be large enough for runs of a reasonable length",
            remedy=_SHORTER_FROM_START if has_start else _SHORTER,
            reason=TOO_LONG,
        )
