"""Batches: what an arm gets of one, when it ends early, and what it wastes."""

import copy

import numpy as np
import pytest

import goodarm as ga
from goodarm.papers import find_paper
from helpers import NAMED, make_naive_case
from live.identifiers import make_identifier
from naive.identifier import NaiveIdentifier


@pytest.mark.slow
@pytest.mark.parametrize(
    ("sampling", "identification", "rewards"),
    [
        ("kl-moss", "mixture", "bernoulli"),
        ("hdoc", "hoeffding", "bernoulli"),
        ("moss", "kelly", "bernoulli"),
        ("lucb-g", "betting", "bounded"),
        ("kl-ucb", "mixture", "bounded"),
        ("apgai", "betting", "bernoulli"),
    ],
)
def test_shares_of_batches_are_those_of_the_twin(sampling, identification, rewards):
    problem = ga.Problem(16, 0.5, 0.9, rewards=rewards, allow_large_delta=True)
    algorithm = ga.Algorithm(sampling=sampling, identification=identification)
    ident = ga.Identifier(problem, algorithm, seed=0)
    twin = NaiveIdentifier(problem, make_naive_case(problem, algorithm))
    luck, late, changed = np.random.default_rng(2), {}, 0
    for count in (16, 3, 40, 1, 25, 60, 9, 30, 50, 12, 40):
        free = copy.copy(ident)
        free.core.arms.progress["is_capped"] = False
        pulls = ident.ask_many(count)
        assert [(pull.number, pull.arm) for pull in pulls] == twin.ask_many(count)
        changed += pulls != free.ask_many(count)
        known = {pull: float(luck.uniform() < 0.2 + 0.04 * pull.arm) for pull in pulls}
        told, late = late | dict(list(known.items())[2:]), dict(list(known.items())[:2])
        ident.tell_many(list(told), told.values())
        twin.tell_many({pull.number: reward for pull, reward in told.items()})
        assert ident.verdict.good == twin.good
    assert changed > 0, "no cap was met"


@pytest.mark.parametrize("name", NAMED)
def test_one_by_one_nothing_is_capped(name):
    """With nothing out the arm with the largest index is asked, capped or not."""
    asked = []
    for is_capped in (True, False):
        ident = make_identifier(name, max_pulls=400)
        ident.core.arms.progress["is_capped"] = is_capped
        while not ident.is_done:
            pull = ident.ask()
            ident.tell(pull, pull.number * 7 % 10 < 4)
            asked.append(pull)
    half = len(asked) // 2
    assert asked[:half] == asked[half:]


def ones_until_a_label(arm):
    ident = make_identifier("e-hdoc", arms=[arm])
    while not ident.is_done:
        ident.tell(ident.ask(), 1)
    return ident.verdict.pulls


def test_a_batch_ends_where_all_arms_have_what_they_need():
    ident = make_identifier("e-hdoc", arms=["a"])
    pulls = ident.ask_many(6)
    ident.tell_many(pulls, [1] * 6)
    needed = ones_until_a_label("a") - 6
    assert needed > 2
    assert len(ident.ask_many(100)) == (needed + 1) // 2
    assert len(ident.ask_many(100)) == 1, "no batch is empty"
    assert ident.ask().arm == "a"
    assert len(ident.waiting) == (needed + 1) // 2 + 2


def test_what_is_told_of_an_arm_lets_it_have_more():
    ident = make_identifier("e-hdoc", arms=["a"])
    ident.observe("a", [1, 1, 1, 0, 1, 0])
    first = ident.ask_many(1000)
    assert 1 < len(first) < 1000
    ident.tell_many(first, [pull.number % 2 for pull in first])
    assert len(ident.ask_many(1000)) > len(first)


def test_before_anything_is_told_a_batch_is_whole():
    for name in NAMED:
        assert len(make_identifier(name).ask_many(500)) == 500


@pytest.mark.statistical
@pytest.mark.parametrize(
    ("name", "runs"), [pytest.param("four", 60, marks=pytest.mark.large), ("ten", 20)]
)
def test_batches_of_a_hundred_waste_under_a_twentieth(name, runs):
    paper = find_paper("goodarm")
    experiment = next(one for one in paper.experiments if one.instance.name == name)
    means, threshold = list(experiment.instance.means), experiment.instance.threshold
    problem = ga.Problem(len(means), threshold, paper.delta_of(experiment))
    single = ga.simulate(means, problem=problem, runs=runs, seed=3).stop.sum()
    batched = 0
    for run in range(runs):
        ident, tape = (
            ga.Identifier(problem, seed=3),
            ga.simulation.Tape(problem, means, seed=3, run=run),
        )
        while not ident.is_done:
            pulls = ident.ask_many(100)
            ident.tell_many(pulls, [tape.next_reward(pull.arm) for pull in pulls])
        batched += ident.pulls
    assert single <= batched < 1.05 * single
