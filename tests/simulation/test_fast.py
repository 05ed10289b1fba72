"""The fast engine makes the runs of the plain one, to the pull."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm import datasets
from helpers import IDENTIFICATION, NAMED, SAMPLING, can_take_rewards, choose_suited_rewards
from simulation.first_difference import find_first_difference, run_both

RICH = st.sampled_from(
    [
        0.3,
        0.55,
        ga.rewards.Beta(mean=0.6, sd=0.1),
        ga.rewards.Beta(mean=0.45, sd=0.4),
        ga.rewards.Beta(a=0.2, b=3),
        ga.rewards.Uniform(0.4, 0.7),
        ga.rewards.Discrete([0, 0.5, 1], [2, 1, 2]),
        ga.rewards.Discrete([0.2, 0.9]),
        ga.rewards.Discrete([0.75]),
    ]
)
"""Means and distributions, some of which take many words for a reward."""

AWKWARD = st.sampled_from([0.0, 1.0, 0.001, 0.01, 0.05, 0.2, 0.5, 0.5, 0.97])
"""Means that never or always succeed, that succeed rarely, and that are equal."""


@pytest.mark.slow
@settings(max_examples=250)
@given(
    means=st.lists(st.one_of(AWKWARD, st.floats(0, 1)), min_size=1, max_size=30),
    threshold=st.sampled_from([0.004, 0.03, 0.2, 0.5]),
    sampling=st.sampled_from(["hdoc", "hdoc", "hdoc", *SAMPLING]),
    identification=st.sampled_from(["hoeffding", ga.rules.Lil(0.01), ga.rules.Lil(0.6), "mixture"]),
    warmup=st.sampled_from([1, 1, 2, 7, 300]),
    identify=st.booleans(),
    margin=st.sampled_from([0.0, 0.0, 0.5]),
    until=st.sampled_from([None, None, 1, 3]),
    max_pulls=st.sampled_from([1, 17, 3000, 20_000]),
    delta=st.sampled_from([0.01, 0.3, 0.9]),
    seed=st.integers(0, 2**32),
)
def test_any_problem(
    means,
    threshold,
    sampling,
    identification,
    warmup,
    identify,
    margin,
    until,
    max_pulls,
    delta,
    seed,
):
    run_both(
        means,
        threshold,
        delta,
        ga.Algorithm(
            sampling=sampling,
            identification=identification,
            warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
        ),
        margin=margin * threshold,
        until=until if until is None else min(until, len(means)),
        max_pulls=max_pulls,
        seed=seed,
        runs=2,
    )


@settings(max_examples=150)
@given(
    means=st.lists(st.floats(0, 1), min_size=2, max_size=7),
    threshold=st.sampled_from([0.2, 0.5]),
    sampling=st.sampled_from(["hdoc", "moss", *SAMPLING]),
    identification=st.sampled_from(["hoeffding", "mixture"]),
    max_pulls=st.sampled_from([60, 400]),
    seed=st.integers(0, 2**32),
)
def test_any_problem_step_by_step(means, threshold, sampling, identification, max_pulls, seed):
    """A run that was wrong for a while may end right: the engines are compared at each step."""
    algorithm = ga.Algorithm(sampling=sampling, identification=identification, warmup=1)
    problem = ga.Problem(len(means), threshold, 0.05, max_pulls=max_pulls)
    found = find_first_difference(problem, algorithm, means, seed)
    assert found is None, str(found)


@pytest.mark.slow
@settings(max_examples=60)
@given(
    base=st.sampled_from([0.002, 0.004, 0.01, 0.1]),
    shape=st.lists(
        st.sampled_from([0.25, 0.5, 0.75, 1.0, 1.25, 1.5, 1.75]), min_size=2, max_size=12
    ),
    algorithm=st.sampled_from(["hdoc", "lil-hdoc"]),
    seed=st.integers(0, 2**64 - 1),
)
def test_long_runs_with_rare_successes(base, shape, algorithm, seed):
    """Long jumps, equal arms, and thresholds between the means."""
    means = [base * factor for factor in shape]
    run_both(means, base * 1.1, 0.05, algorithm, seed=seed, runs=2, max_pulls=400_000)


@pytest.mark.slow
@settings(max_examples=30)
@given(
    num_arms=st.sampled_from([9, 64, 65, 100, 600]),
    spread=st.sampled_from([0.0, 1e-9, 0.01, 0.3]),
    center=st.sampled_from([0.02, 0.3]),
    sampling=st.sampled_from(SAMPLING),
    identification=st.sampled_from(IDENTIFICATION),
    seed=st.integers(0, 2**32),
)
def test_many_arms(num_arms, spread, center, sampling, identification, seed):
    """Many equal arms, nearly equal ones, and arms that leave."""
    means = center * (1 + spread * np.linspace(-1, 1, num_arms))
    algorithm = ga.Algorithm(sampling=sampling, identification=identification, warmup=3)
    rewards = choose_suited_rewards(algorithm, sigma=0.2)
    run_both(
        means, center * 1.05, 0.1, algorithm, seed=seed, runs=1, max_pulls=60 * num_arms, **rewards
    )


@settings(max_examples=60)
@given(
    means=st.lists(st.sampled_from([0.1, 0.45, 0.5, 0.5, 0.55, 0.9]), min_size=1, max_size=9),
    sampling=st.sampled_from(SAMPLING),
    pair=st.sampled_from(
        [
            ("bounded", "hoeffding"),
            ("bounded", "mixture"),
            ("bounded", "betting"),
            ("bounded", "kelly"),
            ("bernoulli", "kelly"),
            ("bounded", ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True)),
            ("gaussian", ga.rules.Lil(0.01)),
            ("gaussian", "half-normal"),
        ]
    ),
    warmup=st.sampled_from([1, 2, 30]),
    identify=st.booleans(),
    max_pulls=st.sampled_from([50, 3000]),
    seed=st.integers(0, 2**32),
)
def test_any_problem_with_an_event_at_every_pull(
    means, sampling, pair, warmup, identify, max_pulls, seed
):
    """Tape and wealth must be taken back after a jump that failed."""
    rewards, identification = pair
    algorithm = ga.Algorithm(
        sampling=sampling,
        identification=identification,
        warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
    )
    sigma = {"sigma": 0.4} if rewards == "gaussian" else {}
    keywords = dict(seed=seed, runs=2, max_pulls=max_pulls, rewards=rewards, **sigma)
    run_both(means, 0.51, 0.1, algorithm, **keywords)


@settings(max_examples=60)
@given(
    means=st.lists(RICH, min_size=1, max_size=24),
    sampling=st.sampled_from(SAMPLING),
    pair=st.sampled_from(
        [
            ("bounded", "hoeffding"),
            ("bounded", "mixture"),
            ("bounded", "betting"),
            ("bounded", "kelly"),
            ("bounded", ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True)),
            ("gaussian", "hoeffding"),
            ("gaussian", ga.rules.Lil(0.01)),
            ("gaussian", "half-normal"),
        ]
    ),
    warmup=st.sampled_from([1, 2, 30]),
    identify=st.booleans(),
    max_pulls=st.sampled_from([50, 2000]),
    seed=st.integers(0, 2**32),
)
def test_any_problem_with_distributions(means, sampling, pair, warmup, identify, max_pulls, seed):
    """Rewards that take several words must be given back too."""
    rewards, identification = pair
    algorithm = ga.Algorithm(
        sampling=sampling,
        identification=identification,
        warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
    )
    sigma = {"sigma": 0.4} if rewards == "gaussian" else {}
    keywords = dict(seed=seed, runs=2, max_pulls=max_pulls, rewards=rewards, **sigma)
    run_both(means, 0.51, 0.1, algorithm, **keywords)


OTHER_REWARDS = ({"rewards": "bounded"}, {"rewards": "gaussian", "sigma": 0.4})


@pytest.mark.parametrize(
    ("name", "rewards"),
    [
        (name, rewards)
        for name, info in ga.algorithms().items()
        for rewards in OTHER_REWARDS
        if can_take_rewards(info.for_rewards(rewards["rewards"]), rewards["rewards"])
    ],
)
def test_other_rewards(name, rewards):
    means = np.linspace(0.1, 0.9, 40)
    run_both(means, 0.505, 0.1, name, runs=2, max_pulls=30_000, **rewards)


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMED)
@pytest.mark.parametrize(
    ("instance", "pulls"),
    [
        ("synthetic", 3_000_000),
        ("covertype", 3_000_000),
        ("jester", 700_000),
        ("movielens", 60_000),
    ],
)
def test_the_real_instances_shortened(name, instance, pulls):
    found = datasets.load(instance)
    extra = 3500 * found.num_arms if name == "lil-hdoc" else 0
    run_both(found.means, found.threshold, 0.01, name, runs=1, max_pulls=pulls + extra)


@pytest.mark.parametrize("warmup", [1, 3])
def test_many_short_runs_of_equal_arms(warmup):
    """Ties at every turn: an engine that breaks them otherwise differs here in some runs."""
    algorithm = ga.Algorithm(sampling="hdoc", identification="hoeffding", warmup=warmup)
    means = [0.05] * 4 + [0.02] * 4
    run_both(means, 0.03, 0.1, algorithm, runs=1500, seed=1, max_pulls=6000)


@pytest.mark.slow
@pytest.mark.parametrize(
    "name", ["hdoc", *(pytest.param(name, marks=pytest.mark.large) for name in ("lucb-g", "apt-g"))]
)
def test_a_hundred_thousand_arms(name):
    means = np.linspace(0.01, 0.09, 100_000)
    run_both(means, 0.05, 0.01, name, runs=1, max_pulls=101_500)


def test_one_arm():
    run_both([0.3], 0.5, 0.1, "hdoc", runs=20)


def test_auto_takes_the_fast_engine():
    def engine(algorithm, num_arms, **keywords):
        means = [0.9] * num_arms
        return ga.simulate(
            means, threshold=0.5, delta=0.1, algorithm=algorithm, runs=1, max_pulls=50, **keywords
        ).engine

    assert engine("hdoc", 2) == "fast"
    assert engine("lil-hdoc", 2) == "fast"
    assert engine("lucb-g", 2) == "fast"
    assert engine("lucb-g", 40) == "fast"
    assert engine("hdoc", 2, rewards="gaussian", sigma=1) == "fast"
    assert engine("cho2025", 2) == "fast"
    assert engine("hdoc", 40, rewards="gaussian", sigma=1) == "fast"
