"""Random words equal numpy's, and tapes equal the naive ones."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import goodarm as ga
from goodarm.kernels.codes import NEVER
from goodarm.kernels.numerics.philox import multiply_high, philox, to_uniform
from naive import tape as naive_tape

WORD = st.integers(0, 2**64 - 1)


@given(WORD, WORD)
def test_multiply_high_is_the_upper_half_of_the_product(a, b):
    assert int(multiply_high(np.uint64(a), np.uint64(b))) == (a * b) >> 64


@given(WORD, WORD, WORD, WORD)
def test_philox_equals_numpy(seed, run, block, arm):
    found = philox(*(np.uint64(word) for word in (seed, run, block, arm, 0, 0)))
    assert [int(word) for word in found] == naive_tape.words(seed, run, arm, block)


def test_uniforms_lie_in_the_half_open_interval():
    assert to_uniform(np.uint64(0)) == 2.0**-53
    assert to_uniform(np.uint64(2**64 - 1)) == 1.0


PROBLEMS = {
    "bernoulli": ({}, [0.0, 0.003, 0.5, 0.97, 1.0]),
    "bounded": ({"low": -2.0, "high": 5.0}, [-2.0, -1.9, 1.5, 4.0, 5.0]),
    "gaussian": ({"sigma": 3.0}, [-10.0, 0.0, 1.0, 2.0, 3.0]),
}


@pytest.mark.parametrize("rewards", PROBLEMS)
@pytest.mark.parametrize(("seed", "run"), [(0, 0), (7, 3), (2**64 - 1, 2**63)])
def test_tape_equals_the_naive_tape(rewards, seed, run):
    keywords, means = PROBLEMS[rewards]
    problem = ga.Problem(5, 0.5, 0.1, rewards=rewards, **keywords)
    tape = ga.simulation.Tape(problem, means, seed, run)
    for arm, mean in enumerate(means):
        expected = itertools.islice(naive_tape.tape(problem, seed, run, arm, mean), 1000)
        assert [tape.next_reward(arm) for _ in range(1000)] == list(expected)


def test_arms_with_mean_0_and_1_never_and_always_succeed():
    problem = ga.Problem(2, 0.5, 0.1)
    tape = ga.simulation.Tape(problem, [0.0, 1.0], seed=0)
    assert tape._places["next_success"][0] == NEVER
    assert sum(tape.next_reward(0) for _ in range(1000)) == 0
    assert sum(tape.next_reward(1) for _ in range(1000)) == 1000


def test_a_success_beyond_all_counts_is_never():
    tape = ga.simulation.Tape(ga.Problem(1, 0.5, 0.1), [1e-300], seed=0)
    assert tape._places["next_success"][0] == NEVER


@pytest.mark.parametrize("rewards", PROBLEMS)
def test_rewards_have_the_mean_they_should(rewards):
    keywords, means = PROBLEMS[rewards]
    problem = ga.Problem(5, 0.5, 0.1, rewards=rewards, **keywords)
    tape = ga.simulation.Tape(problem, means, seed=1)
    for arm, mean in enumerate(means):
        sample = [tape.next_reward(arm) for _ in range(20_000)]
        error = np.std(sample) / np.sqrt(len(sample))
        assert abs(np.mean(sample) - mean) <= 4 * error


def test_runs_and_arms_have_tapes_of_their_own():
    problem = ga.Problem(2, 0.5, 0.1)
    tapes = [ga.simulation.Tape(problem, [0.5, 0.5], seed=0, run=run) for run in range(2)]
    sequences = {
        tuple(tape.next_reward(arm) for _ in range(100)) for tape in tapes for arm in range(2)
    }
    assert len(sequences) == 4
