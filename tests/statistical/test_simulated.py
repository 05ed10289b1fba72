"""Simulated error rates with fixed seeds and exact binomial limits."""

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.simulation.engine import Signals, Task, work
from helpers import IDENTIFICATION, NAMED

KINDS = {
    "bernoulli": ({"threshold": 0.5}, [0.5, 0.52, 0.48, 0.5, 0.499]),
    "rare bernoulli": ({"threshold": 0.05}, [0.05, 0.06, 0.04, 0.05, 0.0499]),
    "bounded": (
        {"threshold": 2.5, "rewards": "bounded", "low": 0, "high": 5},
        [2.5, 2.6, 2.4, 2.5, 2.49],
    ),
    "gaussian": (
        {"threshold": 0, "rewards": "gaussian", "sigma": 2},
        [0, 0.1, -0.1, 0, -0.01],
    ),
}


def most_wrong(runs, delta):
    """A valid rule exceeds this many wrong runs with probability at most one in a million."""
    return int(binom.isf(1e-6, runs, delta))


@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("delta", [0.05, 0.2])
def test_error_rate_of_every_algorithm_and_reward_kind(name, kind, delta):
    keywords, means = KINDS[kind]
    runs = ga.simulate(
        means, delta=delta, algorithm=name, runs=500, seed=0, max_pulls=15_000, **keywords
    )
    assert runs.wrong.sum() <= most_wrong(500, delta)


@pytest.mark.parametrize("name", NAMED)
def test_error_rate_with_a_margin(name):
    runs = ga.simulate([0.5, 0.41, 0.59], 0.5, 0.2, name, runs=500, margin=0.1)
    assert (runs.labels != 0).all()
    assert runs.wrong.sum() <= most_wrong(500, 0.2)


def wrong_runs(setup, problem, means, runs):
    """Runs with a wrong label under a setup that need not be the problem's own."""
    task = Task(setup, np.array(means, float), 0, range(runs), "reference")
    wrong = 0
    for outcome in work(task, Signals()):
        labels = zip(means, outcome.labels, strict=True)
        wrong += any(problem.is_wrong(mean, label) for mean, label in labels)
    return wrong


def half_as_wide(setup):
    """Rewards and bars doubled, the bound left as it is."""
    return setup._replace(
        scale=setup.scale / 2,
        threshold=2 * setup.threshold,
        good_bar=2 * setup.good_bar,
        bad_bar=2 * setup.bad_bar,
    )


@pytest.mark.parametrize("identification", IDENTIFICATION)
def test_a_bound_half_as_wide_is_seen(identification):
    problem = ga.Problem(200, 0.5, 0.05, max_pulls=100_000)
    algorithm = ga.Algorithm(
        sampling="round-robin", identification=identification, warmup=ga.Warmup(1, True)
    )
    setup = algorithm.setup(problem)
    means = [0.5] * 200
    limit = most_wrong(60, problem.delta)
    assert wrong_runs(setup, problem, means, 60) <= limit
    assert wrong_runs(half_as_wide(setup), problem, means, 60) > limit


def test_a_dropped_k_is_seen():
    problem = ga.Problem(300, 0, 0.2, rewards="gaussian", sigma=1, max_pulls=6000)
    algorithm = ga.Algorithm(
        sampling="round-robin", identification="hoeffding", warmup=ga.Warmup(1, True)
    )
    means = [0.0] * 300
    limit = most_wrong(200, problem.delta)
    setup = algorithm.setup(problem)
    assert wrong_runs(setup, problem, means, 200) <= limit
    assert wrong_runs(setup._replace(num_arms=1), problem, means, 200) > limit
