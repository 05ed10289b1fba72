"""Simulated error rates with fixed seeds and exact binomial limits."""

import itertools
import math

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.simulation.engine import Signals, SimulationTask, simulate_task
from helpers import NAMED, SAMPLING, can_take_rewards

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


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        (name, kind)
        for name, info in ga.algorithms().items()
        for kind, (keywords, _) in KINDS.items()
        if can_take_rewards(
            info.for_rewards(keywords.get("rewards", "bernoulli")), keywords.get("rewards")
        )
    ],
)
@pytest.mark.parametrize(
    ("delta", "max_pulls"),
    [
        (0.2, 5000),
        pytest.param(0.2, 15_000, marks=pytest.mark.large),
        pytest.param(0.05, 15_000, marks=pytest.mark.large),
    ],
)
def test_error_rate_of_every_algorithm_and_reward_kind(name, kind, delta, max_pulls):
    keywords, means = KINDS[kind]
    runs = ga.simulate(
        means, delta=delta, algorithm=name, runs=500, seed=0, max_pulls=max_pulls, **keywords
    )
    assert runs.wrong.sum() <= most_wrong(500, delta)


@pytest.mark.parametrize("name", NAMED)
def test_error_rate_with_a_margin(name):
    runs = ga.simulate(
        [0.5, 0.41, 0.59], threshold=0.5, delta=0.2, algorithm=name, runs=500, margin=0.1
    )
    assert (runs.labels != 0).all()
    assert runs.wrong.sum() <= most_wrong(500, 0.2)


def has_more_wrong(limit, rule, setup, problem, means, runs, engine):
    """Whether more runs than the limit have a wrong label, and not one is made after that.

    The setup need not be the problem's own; the fast engine then needs one that a rule could have.
    """
    wrong = 0
    for run in range(runs):
        task = SimulationTask(rule, setup, np.array(means, float), 0, range(run, run + 1), engine)
        (outcome,) = simulate_task(task, Signals())
        labels = zip(means, outcome.labels, strict=True)
        wrong += any(problem.is_wrong(mean, label) for mean, label in labels)
        if wrong > limit:
            return True
    return False


def half_as_wide(setup):
    """Rewards and bars doubled, the bound left as it is."""
    return setup._replace(
        scale=setup.scale / 2,
        threshold=2 * setup.threshold,
        good_bar=2 * setup.good_bar,
        bad_bar=2 * setup.bad_bar,
    )


@pytest.mark.parametrize("identification", ["hoeffding", "lil"])
def test_a_bound_half_as_wide_is_seen(identification):
    problem = ga.Problem(200, 0.5, 0.05, max_pulls=100_000)
    algorithm = ga.Algorithm(
        sampling="round-robin", identification=identification, warmup=ga.rules.Warmup(1, True)
    )
    rule, setup = algorithm.identification, algorithm.setup(problem)
    means, runs = [0.5] * 200, 60
    limit = most_wrong(runs, problem.delta)
    assert not has_more_wrong(limit, rule, setup, problem, means, runs, "fast")
    assert has_more_wrong(limit, rule, half_as_wide(setup), problem, means, runs, "reference")


def test_a_dropped_k_is_seen():
    problem = ga.Problem(300, 0, 0.2, rewards="gaussian", sigma=1, max_pulls=6000)
    algorithm = ga.Algorithm(
        sampling="round-robin", identification="hoeffding", warmup=ga.rules.Warmup(1, True)
    )
    rule, setup = algorithm.identification, algorithm.setup(problem)
    means, runs = [0.0] * 300, 200
    limit = most_wrong(runs, problem.delta)
    assert not has_more_wrong(limit, rule, setup, problem, means, runs, "fast")
    without = setup._replace(delta=300 * problem.delta)
    assert has_more_wrong(limit, rule, without, problem, means, runs, "reference")


EVIDENCE = ["mixture", "betting", "kelly"]
NEAR = {
    "coins": ({"threshold": 0.5}, [0.5, 0.515, 0.485]),
    "rare": ({"threshold": 0.05}, [0.05, 0.0515, 0.0485]),
    "bounded": ({"threshold": 0.5, "rewards": "bounded"}, [0.5, 0.6, 0.4]),
}
"""Arms on, just above and just below the threshold; farther off where rewards vary little."""
OFTEN = [("hdoc", rule, "coins") for rule in EVIDENCE] + [
    ("kl-moss", "mixture", "rare"),
    ("moss", "kelly", "rare"),
    ("kl-moss", "betting", "bounded"),
    ("kl-moss", "mixture", "bounded"),
    ("apgai", "mixture", "coins"),
]
"""With 2,000 runs in every run of the tests. All triples are in make test-all, with more runs and
at two deltas, but for APT-G: it stays with the arm on the threshold, and so little is labelled that
nothing would be tested."""
LARGE = [
    pytest.param(*triple, delta, 10_000, marks=pytest.mark.large)
    for triple in itertools.product(SAMPLING, EVIDENCE, NEAR)
    for delta in (0.05, 0.2)
    if triple[0] != "apt-g"
]


@pytest.mark.parametrize(
    ("sampling", "identification", "kind", "delta", "count"),
    [(*triple, 0.2, 2000) for triple in OFTEN] + LARGE,
)
def test_error_rate_of_rules_with_evidence(sampling, identification, kind, delta, count):
    keywords, means = NEAR[kind]
    budget = 500 if kind == "bounded" else 1500
    algorithm = ga.Algorithm(sampling=sampling, identification=identification)
    runs = ga.simulate(
        means, delta=delta, algorithm=algorithm, runs=count, seed=0, max_pulls=budget, **keywords
    )
    assert runs.wrong.sum() <= most_wrong(count, delta)
    assert (runs.labels != 0).any()


@pytest.mark.parametrize(
    ("runs", "max_pulls"),
    [(2000, 5000), pytest.param(10_000, 20_000, marks=pytest.mark.large)],
)
def test_a_delta_that_is_doubled_is_seen(runs, max_pulls):
    problem = ga.Problem(1, 0.5, 0.2, max_pulls=max_pulls)
    rule = ga.rules.Mixture()
    setup = ga.Algorithm(sampling="hdoc", identification=rule).setup(problem)
    limit = most_wrong(runs, problem.delta)
    assert not has_more_wrong(limit, rule, setup, problem, [0.5], runs, "fast")
    doubled = setup._replace(level=math.log(0.5 / setup.delta))
    assert has_more_wrong(limit, rule, doubled, problem, [0.5], runs, "fast")
