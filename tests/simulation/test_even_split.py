"""An even split makes the runs of a plain loop over rounds, to the pull."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm import Warmup
from goodarm.simulation import EvenTraffic, make_runs
from goodarm.simulation.instance import fit_instance
from helpers import can_take_rewards, make_naive_case
from naive import even_split
from naive import tape as naive_tape

RULES = ["hoeffding", ga.rules.Lil(0.6), "mixture", "betting", "kelly", "half-normal"]


def even_runs(problem, algorithm, means, seed=0, runs=1):
    instance = fit_instance(problem, len(means), list(means), "test")
    return make_runs(
        problem, algorithm, instance, seed, runs, executor=None, progress=None, folder=None,
        is_even=True,
    )  # fmt: skip


def compare(problem, algorithm, means, seed):
    """Raise unless both make the same run; the twin's tape is the naive one."""
    tapes = [naive_tape.tape(problem, seed, 0, k, mean) for k, mean in enumerate(means)]
    own, labels, tau, pulls = even_split.run(
        make_naive_case(problem, algorithm),
        lambda arm: (next(tapes[arm]) - problem.offset) / problem.scale,
    )
    found = even_runs(problem, algorithm, means, seed)
    times = found.tau[0][~np.isnan(found.tau[0])]
    assert found.labels[0].tolist() == labels
    assert found.pulls[0].tolist() == own
    assert times.tolist() == tau
    assert found.stop[0] == pulls


@settings(max_examples=60)
@given(
    means=st.lists(st.sampled_from([0.0, 0.02, 0.2, 0.5, 0.6, 0.8, 1.0]), min_size=1, max_size=5),
    threshold=st.sampled_from([0.2, 0.5]),
    rule=st.sampled_from(RULES),
    rewards=st.sampled_from(["bernoulli", "bernoulli", "bounded", "gaussian"]),
    warmup=st.sampled_from([1, 1, 2, 7, 40]),
    identify=st.booleans(),
    margin=st.sampled_from([0.0, 0.1]),
    until=st.sampled_from([None, None, 1, 2]),
    max_pulls=st.sampled_from([1, 17, 300, 900]),
    delta=st.sampled_from([0.05, 0.3, 0.9]),
    seed=st.integers(0, 2**32),
)
def test_any_problem(
    means, threshold, rule, rewards, warmup, identify, margin, until, max_pulls, delta, seed
):
    algorithm = ga.Algorithm(
        sampling="kl-moss",
        identification=rule,
        warmup=Warmup(warmup, identify_during_warmup=identify),
    )
    if not can_take_rewards(algorithm, rewards):
        return
    problem = ga.Problem(
        len(means), threshold, delta, margin=margin, rewards=rewards, max_pulls=max_pulls,
        until=until if until is None else min(until, len(means)),
        sigma=0.5 if rewards == "gaussian" else None, allow_large_delta=True,
    )  # fmt: skip
    compare(problem, algorithm, means, seed)


@settings(max_examples=25)
@given(
    hits=st.lists(st.integers(0, 20), min_size=1, max_size=4),
    sizes=st.lists(st.sampled_from([20, 25, 60]), min_size=4, max_size=4),
    until=st.sampled_from([None, 1]),
    max_pulls=st.sampled_from([None, 33]),
    seed=st.integers(0, 2**32),
)
def test_a_pool_is_pulled_to_its_last_case_at_most(hits, sizes, until, max_pulls, seed):
    sizes = sizes[: len(hits)]
    problem = ga.Problem(
        len(hits), 0.5, 0.3, pool=sizes, until=until, max_pulls=max_pulls, case_order="own"
    )
    means = [hit / size for hit, size in zip(hits, sizes, strict=True)]
    compare(problem, ga.algorithms()["e-hdoc"].algorithm, means, seed)


@pytest.mark.parametrize("name", ["e-hdoc", "hdoc", "apgai"])
def test_it_goes_on_until_the_last_label_and_no_choice_matters(name):
    """Each arm's test is that of an adaptive run; only the traffic beyond its label is more."""
    problem, means = ga.Problem(4, 0.5, 0.1), np.array([0.9, 0.7, 0.62, 0.2])
    algorithm = ga.algorithms()[name].algorithm
    found = even_runs(problem, algorithm, means, runs=30)
    adaptive = ga.simulate(means, problem=problem, algorithm=algorithm, runs=30)
    assert (found.pulls == adaptive.pulls).all()
    assert (found.labels == adaptive.labels).all()
    assert (found.stop == 4 * adaptive.pulls.max(axis=1)).all()
    assert (adaptive.stop == adaptive.pulls.sum(axis=1)).all()  # the wrong variant: 75,077
    assert (found.stop > adaptive.stop).all()


def test_an_arm_on_the_threshold_ends_with_the_pulls_or_with_enough_good_arms():
    problem = ga.Problem(3, 0.5, 0.05, until=1)
    algorithm = ga.algorithms()["e-hdoc"].algorithm
    found = even_runs(problem, algorithm, [0.5, 0.8, 0.5], runs=10)
    assert (found.labels[:, 1] == 1).all()
    assert (found.stop == 3 * found.pulls[:, 1]).all()
    capped = ga.Problem(3, 0.5, 0.05, max_pulls=1000)
    found = even_runs(capped, algorithm, [0.5, 0.8, 0.5], runs=10)
    assert (found.stop[(found.labels == 0).any(axis=1)] == 1000).all()
    assert (found.labels == 0).any()


def test_rounds_and_the_pulls_that_they_make():
    traffic = EvenTraffic(np.array([3, 1, 8]))
    pulls = [sum(min(rounds, left) for left in (3, 1, 8)) for rounds in range(12)]
    assert traffic.pulls(np.arange(12)).tolist() == pulls
    for given_pulls in range(13):
        whole = traffic.rounds(given_pulls)
        assert traffic.pulls_after(whole) <= given_pulls
        assert whole == 8 or traffic.pulls_after(whole + 1) > given_pulls
    assert EvenTraffic.endless(5).pulls_after(10**9) == 5 * 10**9
