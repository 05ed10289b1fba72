"""Reward distributions of an instance, in the form that the kernels use."""

import math
from typing import Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.simulation.laws import BETA, DISCRETE, LAW, LISTED, PLAIN, POOL, UNIFORM, Laws
from goodarm.problem import Problem
from goodarm.rewards import Beta, Discrete, Distribution, Uniform
from goodarm.simulation.instance import SimulatedArms
from goodarm.simulation.pools import count_cases, count_successes, make_too_many_cases_error

MAX_LISTED_CASES: Final = 2 * 10**7
"""Maximum number of scores in all pools together: each worker keeps a shuffled copy of them."""

Floats = NDArray[np.float64]


def make_laws(problem: Problem, instance: SimulatedArms, owner: str) -> Laws | None:
    """Return the laws of an instance; None if every arm has only a mean."""
    if problem.pools is not None:
        if problem.rewards == "bernoulli":
            return _make_pools(problem.pools, problem, instance, owner)
        return _make_lists(problem.pools, problem, instance, owner)
    if instance.distributions is None:
        return None
    return _join_laws([_make_law(each) for each in instance.distributions])


def _join_laws(parts: list[tuple[int, int, Floats]]) -> Laws:
    """Join the laws of arms, each with its size and its numbers, into one table."""
    arms = np.zeros(len(parts), LAW)
    arms["law"] = [law for law, _, _ in parts]
    arms["size"] = [size for _, size, _ in parts]
    arms["first"] = np.cumsum([0, *(len(numbers) for *_, numbers in parts)])[:-1]
    return Laws(arms, np.concatenate([numbers for *_, numbers in parts]))


def _make_pools(
    pools: tuple[int, ...], problem: Problem, instance: SimulatedArms, owner: str
) -> Laws:
    arms = np.zeros(problem.num_arms, LAW)
    arms["law"], arms["size"] = POOL, pools
    arms["left"] = [
        count_successes(arm, size, mean, owner, "means")
        for arm, size, mean in zip(problem.arms, pools, instance.means.tolist(), strict=True)
    ]
    return Laws(arms, np.zeros(0))


def _make_lists(
    pools: tuple[int, ...], problem: Problem, instance: SimulatedArms, owner: str
) -> Laws:
    """List the score of every case, sorted; each run shuffles them into its own order."""
    if sum(pools) > MAX_LISTED_CASES:
        raise make_too_many_cases_error(sum(pools), MAX_LISTED_CASES)
    parts = []
    for arm, size, each in zip(problem.arms, pools, instance.distributions or (), strict=True):
        if not isinstance(each, Discrete):
            raise AssertionError("the scores of a pool were checked")
        scores = np.repeat(each.values, count_cases(arm, size, each, owner, "means"))
        parts.append((LISTED, size, scores))
    return _join_laws(parts)


def _make_law(given: Distribution | None) -> tuple[int, int, Floats]:
    if given is None:
        return PLAIN, 0, np.zeros(0)
    if isinstance(given, Uniform):
        return UNIFORM, 2, np.array([given.low, given.high])
    if isinstance(given, Beta):
        numbers = compute_beta_numbers(given)
        return BETA, len(numbers), numbers
    if isinstance(given, Discrete):
        totals = np.cumsum(given.weights)
        totals = totals / totals[-1]
        totals[-1] = 1.0
        return DISCRETE, len(totals), np.concatenate([given.values, totals])
    raise AssertionError("a distribution that has no law")


def compute_beta_numbers(given: Beta) -> Floats:
    """Compute the constants of Algorithm BA: see ``kernels.simulation.laws.draw_beta``."""
    a, b = given.a, given.b
    alpha = a + b
    if min(a, b) <= 1.0:
        beta = max(1.0 / a, 1.0 / b)
    else:
        beta = math.sqrt((alpha - 2.0) / (2.0 * a * b - alpha))
    ends = given.low, given.high
    return np.array([a / alpha, b / alpha, alpha, beta, a + 1.0 / beta, *ends])
