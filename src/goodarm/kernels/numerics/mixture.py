"""Mixture test of many arms: evidence, and the bars it proves.

A prior's mass above its bar is a smooth function of the bar; ``priors`` holds it as polynomials in
4 min(bar, rest) - 1 with an even number of terms, one row for each weight and side: [w, 0] for bars
up to a half, [w, 1] above.
"""

import math
from typing import Final

import numpy as np

from goodarm.kernels.compilation.jit import interpreted_first, kernel, merged
from goodarm.kernels.numerics.beta import deviance, log_mass

_EVIDENCE_TOLERANCE: Final = 4e-10
"""Largest excess of a bound's evidence over the level at which the search ends."""
_MAX_STEPS: Final = 200
_LEAST: Final = 1e-30
_LARGEST: Final = 300.0
_LEAST_SLOPE: Final = 0.02


@merged
def log_prior(bar: float, rest: float, priors: np.ndarray) -> float:
    """Return the log of one prior's mass above the bar, from its two polynomials."""
    place = 4.0 * min(bar, rest) - 1.0
    row = priors[0] if bar <= rest else priors[1]
    square, even, odd = place * place, 0.0, 0.0
    for k in range(len(row) - 2, -1, -2):
        even = even * square + row[k]
        odd = odd * square + row[k + 1]
    return even + place * odd


@kernel
def log_evidence(
    hits: float, misses: float, bar: float, rest: float, weights: np.ndarray, priors: np.ndarray
) -> float:
    """Return the log of the evidence that the rate of hits is above the bar."""
    rarer = min(bar, rest)
    largest, total = -math.inf, 0.0
    for k in range(len(weights)):
        a, b = weights[k] * (bar / rarer), weights[k] * (rest / rarer)
        log = log_mass(hits + a, misses + b, bar, rest) - log_prior(bar, rest, priors[k])
        if log > largest:
            total = total * math.exp(largest - log) + 1.0
            largest = log
        else:
            total += math.exp(log - largest)
    return largest + math.log(total / len(weights))


@interpreted_first(lambda hits, *_: len(hits))
def fill_evidence(
    hits: np.ndarray,
    misses: np.ndarray,
    bars: np.ndarray,
    rests: np.ndarray,
    weights: np.ndarray,
    priors: np.ndarray,
    found: np.ndarray,
) -> None:
    """Fill ``found`` with ``log_evidence`` of each arm."""
    for k in range(len(hits)):
        found[k] = log_evidence(hits[k], misses[k], bars[k], rests[k], weights, priors)


@kernel
def _make_newton_step(
    hits: float, n: float, sine: float, cosine: float, depth: float, goal: float, angle: float
) -> float:
    """Make a Newton step towards the angle, below that of the mean, where the deviance is the goal.

    A bar is the square of the sine of its angle. The root of the deviance is nearly linear in the
    angle. The result is 0 where the step would leave the range.
    """
    slope = 2.0 * (n * sine * sine - hits) / (sine * cosine)
    if slope >= 0.0:
        return 0.0
    root = math.sqrt(depth)
    moved = angle + 2.0 * root * (math.sqrt(goal) - root) / slope
    return moved if moved > 1e-6 * angle else 0.0


@merged
def _find_near_angle(hits: float, misses: float, goal: float, angle: float) -> float:
    """Return an angle at which the deviance is about the goal, by a step from another angle."""
    n = hits + misses
    sine, cosine = math.sin(angle), math.cos(angle)
    depth = deviance(hits, n * sine * sine) + deviance(misses, n * cosine * cosine)
    return _make_newton_step(hits, n, sine, cosine, depth, goal, angle)


@kernel
def _predict_depth(
    n: float, bar: float, level: float, depth: float, weights: np.ndarray
) -> tuple[float, float]:
    """Return the deviance at which evidence reaches the level in the normal case, and its slope.

    If all is normal, the evidence of a prior worth q pulls is
    2 sqrt(q / (n + q)) exp(depth n / (n + q)).
    """
    rarer = max(min(bar, 1.0 - bar), _LEAST)
    slope = 1.0
    for _ in range(3):
        total = moved = 0.0
        for k in range(len(weights)):
            share = n / (n + weights[k] / rarer)
            part = math.sqrt(1.0 - share) * math.exp(min(share * depth - level, _LARGEST))
            total += part
            moved += share * part
        slope = max(moved / total, _LEAST_SLOPE)
        depth = max(depth + math.log(0.5 * len(weights) / total) / slope, 0.1)
    return depth, slope


@merged
def find_proven_bar(
    hits: float, misses: float, level: float, weights: np.ndarray, priors: np.ndarray
) -> tuple[float, float]:
    """Return the largest bar whose evidence reaches the level, and one minus it.

    The log of the evidence is the deviance of the counts from the bar plus a term that hardly
    changes, so secant steps over the deviance converge fast; a bracket contains them. The result
    is on the proven side.
    """
    if hits <= 0.0:
        return 0.0, 1.0
    n = hits + misses
    top = math.atan2(math.sqrt(hits), math.sqrt(misses))
    proven, is_open = 0.0, top
    goal, slope = level + 2.0, 1.0
    angle = max(top - math.sqrt(0.5 * goal / n), 0.5 * top)
    for _ in range(2):
        sine = math.sin(angle)
        goal, slope = _predict_depth(n, sine * sine, level, goal, weights)
        angle = _find_near_angle(hits, misses, goal, angle)
        if angle <= 0.0:
            break
    old_depth = old_value = 0.0
    for step in range(_MAX_STEPS):
        if not proven < angle < is_open:
            angle = 0.5 * (proven + is_open)
            if not proven < angle < is_open or is_open < 1e-9 * top:
                break
        sine, cosine = math.sin(angle), math.cos(angle)
        bar, rest = sine * sine, cosine * cosine
        value = log_evidence(hits, misses, bar, rest, weights, priors)
        if value >= level:
            proven = angle
            if value <= level + _EVIDENCE_TOLERANCE:
                break
        else:
            is_open = angle
        depth = deviance(hits, n * bar) + deviance(misses, n * rest)
        if step > 0 and depth != old_depth:
            slope = (value - old_value) / (depth - old_depth)
        old_depth, old_value = depth, value
        goal = 0.0
        if 0.05 < slope < 20.0 and step % 8 < 7:
            goal = depth + (level + 0.5 * _EVIDENCE_TOLERANCE - value) / slope
        # An angle outside the bracket is replaced by its middle.
        angle = _make_newton_step(hits, n, sine, cosine, depth, goal, angle) if goal > 0.0 else 0.0
    sine, cosine = math.sin(proven), math.cos(proven)
    return sine * sine, cosine * cosine


@interpreted_first(lambda hits, *_: len(hits))
def fill_bars(
    hits: np.ndarray,
    misses: np.ndarray,
    level: float,
    weights: np.ndarray,
    priors: np.ndarray,
    bars: np.ndarray,
    rests: np.ndarray,
) -> None:
    """Fill ``bars`` and ``rests`` with ``find_proven_bar`` of each arm."""
    for k in range(len(hits)):
        bars[k], rests[k] = find_proven_bar(hits[k], misses[k], level, weights, priors)
