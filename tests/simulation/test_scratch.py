"""Scratch makes a run fast and never changes it: cleared at every step, the run stays."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.kernels.simulation.loop_choice import advance_fast
from goodarm.kernels.simulation.plain_loop import advance
from goodarm.kernels.simulation.state import Scratch, clear, make_scratch
from goodarm.simulation.engine import FAST, REFERENCE
from helpers import IDENTIFICATION, SAMPLING, can_take_rewards, run_under_way
from simulation.first_difference import find_first_difference

REWARDS = [{}, {"rewards": "bounded"}, {"rewards": "gaussian", "sigma": 0.4}]
RICH = {
    0.5: ga.rewards.Beta(mean=0.5, sd=0.2),
    0.9: ga.rewards.Discrete([0.7, 1], [1, 2]),
    0.35: ga.rewards.Uniform(0.2, 0.5),
}
"""What stands for some means where rewards are drawn from distributions."""

CASES = [
    (sampling, identification, rewards)
    for sampling in SAMPLING
    for identification in IDENTIFICATION
    for rewards in REWARDS
    if can_take_rewards(
        ga.Algorithm(sampling=sampling, identification=identification), rewards.get("rewards")
    )
]


def problem_of(means, rewards, max_pulls, delta=0.3):
    return ga.Problem(
        len(means), 0.5, delta, max_pulls=max_pulls, allow_large_delta=True, **rewards
    )


def end_of(run):
    """What a run came to."""
    state = run.state
    return (
        run.pulls,
        state.arms.tolist(),
        state.labels.tolist(),
        state.tau[~np.isnan(state.tau)].tolist(),
    )


def finish(run, most=None, after_step=lambda: None):
    while not run.is_over:
        run.step(most)
        after_step()
    return end_of(run)


def check_clearing(problem, algorithm, means, seed, most):
    """Both engines end alike: in long steps, in short ones, and with Scratch cleared after each."""
    if seed & 1 and problem.rewards != "bernoulli":
        means = [RICH.get(mean, mean) for mean in means]
    expected = finish(run_under_way(problem, algorithm, means, seed, REFERENCE))
    case, setup = (problem, algorithm, means, seed), algorithm.setup(problem)
    for engine in (FAST, REFERENCE):
        kept = finish(run_under_way(*case, engine), most)
        assert kept == expected, find_first_difference(*case, engine=engine)
        run = run_under_way(*case, engine)
        cleared = finish(run, most, lambda: clear(setup, run.state, run.scratch))  # noqa: B023
        assert cleared == expected, find_first_difference(
            *case, cleared=Scratch._fields, engine=engine
        )


@pytest.mark.parametrize(("sampling", "identification", "rewards"), CASES)
def test_every_pair_of_rules(sampling, identification, rewards):
    means = [0.9, 0.5, 0.5, 0.1, 0.35]
    algorithm = ga.Algorithm(sampling=sampling, identification=identification, warmup=2)
    check_clearing(problem_of(means, rewards, 400), algorithm, means, seed=3, most=1)


PROBLEMS = {
    "means": st.lists(
        st.sampled_from([0.0, 0.02, 0.45, 0.5, 0.5, 0.9, 1.0]), min_size=1, max_size=20
    ),
    "case": st.sampled_from(CASES),
    "warmup": st.sampled_from([1, 3, 40]),
    "identify": st.booleans(),
    "most": st.sampled_from([1, 40, 400]),
    "delta": st.sampled_from([0.01, 0.3, 0.9]),
    "seed": st.integers(0, 2**32),
}


@settings(max_examples=20)
@given(**PROBLEMS)
def test_any_problem(**drawn):
    check_problem(**drawn, max_pulls=500 if drawn["most"] == 1 else 1500)


@pytest.mark.large
@settings(max_examples=60)
@given(**PROBLEMS)
def test_many_problems(**drawn):
    check_problem(**drawn)


def check_problem(means, case, warmup, identify, most, delta, seed, max_pulls=1500):
    """Clearing changes nothing on a problem of any kind."""
    sampling, identification, rewards = case
    algorithm = ga.Algorithm(
        sampling=sampling,
        identification=ga.rules.Lil(0.1) if identification == "lil" else identification,
        warmup=ga.rules.Warmup(warmup, identify_during_warmup=identify),
    )
    check_clearing(problem_of(means, rewards, max_pulls, delta), algorithm, means, seed, most)


@settings(max_examples=60)
@given(
    case=st.sampled_from(CASES),
    choices=st.lists(st.tuples(st.booleans(), st.integers(1, 60)), min_size=1, max_size=8),
    seed=st.integers(0, 2**32),
)
def test_the_loops_may_take_turns(case, choices, seed):
    """Both leave a Scratch that the other can go on with: they make the same pull."""
    sampling, identification, rewards = case
    means = [0.9, 0.5, 0.5, 0.1, 0.35]
    algorithm = ga.Algorithm(sampling=sampling, identification=identification, warmup=2)
    problem = problem_of(means, rewards, 600)
    expected = finish(run_under_way(problem, algorithm, means, seed, REFERENCE))
    run = run_under_way(problem, algorithm, means, seed, FAST)
    for is_fast, most in choices:
        run._go_on = advance_fast if is_fast else advance
        run.step(most)
    assert finish(run) == expected


@pytest.mark.parametrize("sampling", SAMPLING)
@pytest.mark.parametrize("engine", [FAST, REFERENCE])
def test_the_parts_of_indices_follow_from_the_state(sampling, engine):
    """To the last bit, at every step."""
    means = [0.9, 0.5, 0.5, 0.1, 0.35]
    algorithm = ga.Algorithm(sampling=sampling, identification="hoeffding", warmup=2)
    problem = problem_of(means, {}, 800)
    run, setup = run_under_way(problem, algorithm, means, 1, engine), algorithm.setup(problem)

    def check():
        alive = run.state.alive[: run.state.progress["alive"][0]]
        fresh = make_scratch(setup, run.state)
        assert (fresh.level[alive] == run.scratch.level[alive]).all()
        assert (fresh.width[alive] == run.scratch.width[alive]).all()

    finish(run, 1, check)
