"""Three ways to make a run, equal to the pull: the naive twin, the compiled loop, ask and tell."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.rewards import Discrete
from helpers import (
    IDENTIFICATION,
    SAMPLING,
    can_take_rewards,
    check_same_run,
    choose_suited_rewards,
    run_by_asking,
    run_compiled,
    run_naively,
)
from naive import algorithms as naive

INSTANCES = {
    "easy": ({"threshold": 0.5, "delta": 0.05}, [0.9, 0.7, 0.2, 0.1]),
    "rare successes": ({"threshold": 0.2, "delta": 0.1}, [0.35, 0.02, 0.0, 1.0]),
    "bounded": (
        {"threshold": 2.0, "delta": 0.05, "rewards": "bounded", "low": 0.0, "high": 5.0},
        [3.5, 0.5, 3.0, 1.0],
    ),
    "gaussian": (
        {"threshold": -1.0, "delta": 0.05, "rewards": "gaussian", "sigma": 2.0},
        [0.5, -2.5, 1.0, -4.0],
    ),
    "distributions": (
        {"threshold": 2.0, "delta": 0.05, "rewards": "bounded", "low": 0.0, "high": 5.0},
        [
            ga.rewards.Beta(mean=3.5, sd=0.5, low=0, high=5),
            ga.rewards.Uniform(0, 1.5),
            ga.rewards.Discrete([0, 2, 5], [1, 2, 4]),
            1.0,
        ],
    ),
    "spread": (
        {"threshold": -1.0, "delta": 0.05, "rewards": "gaussian", "sigma": 2.0},
        [ga.rewards.Uniform(-2, 3), -2.5, ga.rewards.Discrete([-3, 5]), -4.0],
    ),
    "margin": ({"threshold": 0.5, "delta": 0.1, "margin": 0.2}, [0.5, 0.45, 0.8, 0.1]),
    "until": ({"threshold": 0.5, "delta": 0.1, "until": 1}, [0.45, 0.9, 0.8, 0.1]),
    "budget": ({"threshold": 0.5, "delta": 0.1, "max_pulls": 777}, [0.5, 0.6, 0.4, 0.5]),
    "planned": (
        {"threshold": 0.5, "delta": 0.05, "arms_planned": 300, "max_pulls": 9000},
        [0.9, 0.7, 0.2, 0.1],
    ),
    "gap": ({"threshold": 0.5, "delta": 0.05, "gap": 0.2}, [0.8, 0.7, 0.2, 0.1]),
    "pool": (
        {"threshold": 0.6, "delta": 0.05, "margin": 0.02, "pool": [40, 20, 30, 40]},
        [0.75, 0.6, 0.1, 0.0],
    ),
    "pool of scores": (
        {"threshold": 0.6, "delta": 0.05, "rewards": "bounded", "pool": 24},
        [
            Discrete({0.5: 8, 1: 16}),
            Discrete({0.6: 24}),
            Discrete({0: 12, 1: 12}),
            Discrete({0.2: 6, 0.7: 18}),
        ],
    ),
}


def test_every_rule_has_a_naive_twin():
    assert set(naive.SAMPLING) == set(SAMPLING)
    assert set(naive.PROVEN) == set(IDENTIFICATION)


def knows_pools(info, keywords):
    """The mixture, and bets on scores."""
    rule = info.for_rewards(keywords.get("rewards", "bernoulli")).identification.name
    return rule == ("betting" if "rewards" in keywords else "mixture")


def check_equal(problem, algorithm, means, seed):
    expected = run_naively(problem, algorithm, means, seed)
    check_same_run(run_compiled(problem, algorithm, means, seed), expected, "the plain engine")
    check_same_run(run_by_asking(problem, algorithm, means, seed), expected, "ask and tell")


@pytest.mark.parametrize(
    ("name", "instance"),
    [
        (name, instance)
        for name, info in ga.algorithms().items()
        for instance, (keywords, _) in INSTANCES.items()
        if can_take_rewards(
            info.for_rewards(keywords.get("rewards", "bernoulli")), keywords.get("rewards")
        )
        if "pool" not in keywords or knows_pools(info, keywords)
    ],
)
def test_named_algorithms(name, instance):
    keywords, means = INSTANCES[instance]
    problem = ga.Problem(arms=["a", "b", "c", "d"], **keywords)
    check_equal(problem, ga.algorithms()[name].for_rewards(problem.rewards), means, seed=11)


SOME = st.sampled_from([0.0, 0.02, 0.3, 0.5, 1.0])
MEANS = st.lists(st.one_of(SOME, st.floats(1e-9, 1)), min_size=1, max_size=7)
"""Nearer to 0 the index of an arm is that of 0 but for the last digit, which twins round apart."""


ANY_COMBINATION = {
    "means": MEANS,
    "sampling": st.sampled_from(SAMPLING),
    "identification": st.sampled_from(
        ["hoeffding", ga.rules.Lil(0.01), ga.rules.Lil(0.6), "half-normal"]
    ),
    "warmup": st.integers(1, 40),
    "identify": st.booleans(),
    "threshold": st.floats(0.25, 0.75),
    "margin": st.sampled_from([0.0, 0.0, 0.1, 0.24]),
    "until": st.sampled_from([None, None, 1, 2]),
    "delta": st.sampled_from([0.01, 0.3, 0.9]),
    "rewards": st.sampled_from([{}, {"rewards": "bounded"}, {"rewards": "gaussian", "sigma": 0.3}]),
    "seed": st.integers(0, 2**64 - 1),
}


@pytest.mark.slow
@settings(max_examples=60)
@given(**ANY_COMBINATION)
def test_any_combination(**drawn):
    check_combination(**drawn)


@pytest.mark.large
@settings(max_examples=150)
@given(**ANY_COMBINATION)
def test_many_combinations(**drawn):
    check_combination(**drawn)


def check_combination(
    means,
    sampling,
    identification,
    warmup,
    identify,
    threshold,
    margin,
    until,
    delta,
    rewards,
    seed,
):
    if identification == "half-normal":
        rewards = {"rewards": "gaussian", "sigma": 0.3}
    problem = ga.Problem(
        len(means),
        threshold,
        delta,
        allow_large_delta=True,
        margin=margin,
        until=until if until is None else min(until, len(means)),
        max_pulls=600,
        **rewards,
    )
    algorithm = ga.Algorithm(
        sampling=sampling,
        identification=identification,
        warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
    )
    check_equal(problem, algorithm, means, seed)


RULES_WITH_EVIDENCE = {
    "means": MEANS,
    "sampling": st.sampled_from(SAMPLING),
    "identification": st.sampled_from(
        ["mixture", "betting", "kelly", ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True)]
    ),
    "gap": st.sampled_from([None, None, 0.02, 0.1]),
    "rewards": st.sampled_from(["bernoulli", "bounded"]),
    "warmup": st.integers(1, 40),
    "identify": st.booleans(),
    "threshold": st.sampled_from([0.05, 0.3, 0.5, 0.62, 0.95]),
    "margin": st.sampled_from([0.0, 0.0, 0.04]),
    "until": st.sampled_from([None, None, 1]),
    "delta": st.sampled_from([0.01, 0.3, 0.9]),
    "seed": st.integers(0, 2**64 - 1),
}


@pytest.mark.slow
@settings(max_examples=50)
@given(**RULES_WITH_EVIDENCE)
def test_rules_with_evidence(**drawn):
    check_evidence(**drawn)


@pytest.mark.large
@settings(max_examples=120)
@given(**RULES_WITH_EVIDENCE)
def test_many_rules_with_evidence(**drawn):
    check_evidence(**drawn)


def check_evidence(
    means,
    sampling,
    identification,
    gap,
    rewards,
    warmup,
    identify,
    threshold,
    margin,
    until,
    delta,
    seed,
):
    problem = ga.Problem(
        len(means),
        threshold,
        delta,
        allow_large_delta=True,
        margin=margin,
        until=until,
        max_pulls=250,
        rewards=rewards,
        gap=gap,
    )
    algorithm = ga.Algorithm(
        sampling=sampling,
        identification=identification,
        warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
    )
    check_equal(problem, algorithm, means, seed)


@pytest.mark.parametrize("identification", IDENTIFICATION)
@pytest.mark.parametrize("identify", [False, True])
def test_the_sampling_rule_moves_neither_tau_stop_nor_the_pulls_of_an_arm(identification, identify):
    warmup = ga.rules.Warmup(25, identify_during_warmup=identify)
    algorithms = {
        sampling: ga.Algorithm(sampling=sampling, identification=identification, warmup=warmup)
        for sampling in SAMPLING
    }
    rewards = choose_suited_rewards(algorithms[SAMPLING[0]], sigma=0.5)
    runs = {
        sampling: ga.simulate(
            [0.7, 0.62, 0.41, 0.3, 0.05],
            threshold=0.5,
            delta=0.1,
            algorithm=algorithm,
            runs=50,
            **rewards,
        )
        for sampling, algorithm in algorithms.items()
    }
    first = runs[SAMPLING[0]]
    for other in runs.values():
        assert (other.stop == first.stop).all()
        assert (other.pulls == first.pulls).all()
        assert (other.labels == first.labels).all()


@pytest.mark.parametrize("warmup", [1, 10, 100])
def test_with_identification_during_it_the_warm_up_moves_neither(warmup):
    def stops(pulls):
        algorithm = ga.Algorithm(
            sampling="hdoc",
            identification="hoeffding",
            warmup=ga.rules.Warmup(pulls, identify_during_warmup=True),
        )
        return ga.simulate(
            [0.7, 0.4, 0.1], threshold=0.5, delta=0.1, algorithm=algorithm, runs=20
        ).pulls

    assert (stops(warmup) == stops(5)).all()
