"""Plans for distributions, samples and pools."""

import json
import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.planning import simulate_by_gap
from goodarm.planning.effort import predict_pulls
from goodarm.planning.family import Family
from goodarm.rewards import Beta, Discrete, Uniform

ASKED = {"threshold": 0.5, "delta": 0.05}
BOUNDED = {**ASKED, "rewards": "bounded"}
BETS = ga.Algorithm(sampling="kl-moss", identification="betting")
MEANS = {"a": Beta(mean=0.6, sd=0.1), "b": Uniform(0.1, 0.4), "c": 0.7}


def test_it_is_what_simulate_says():
    found = ga.plan(MEANS, **BOUNDED, algorithm=BETS, runs=30)
    runs = ga.simulate(MEANS, **BOUNDED, algorithm=BETS, runs=30)
    assert found[BETS.name].stop.mean == pytest.approx(runs.stop.mean())
    assert found.distributions == runs.distributions
    assert json.loads(json.dumps(found.to_dict()))["distributions"][2] is None
    assert all(row.lower_bound is None for row in found[BETS.name].taus)


def test_samples_in_place_of_means():
    samples = {"a": [0.5, 0.7, 0.6], "b": [0.1, 0.3]}
    found = ga.plan(samples=samples, **BOUNDED, algorithm=BETS, runs=20)
    runs = ga.simulate(samples=samples, **BOUNDED, algorithm=BETS, runs=20)
    assert found[BETS.name].stop.mean == pytest.approx(runs.stop.mean())
    assert found[BETS.name].means == (0.6, 0.2)


def test_samples_of_0_and_1_have_the_lower_bound_of_their_means():
    samples = {"a": [1, 1, 1, 0], "b": [0, 0, 0, 1]}
    found = ga.plan(samples=samples, **ASKED)
    assert found == ga.plan({"a": 0.75, "b": 0.25}, **ASKED)
    assert found.forecasts[0].stop.lower_bound > 0
    simulate_by_gap(found)


def test_runs_are_made_until_they_are_precise():
    found = ga.plan(MEANS, **BOUNDED, algorithm=BETS)
    assert found[BETS.name].precision <= found.precision


@pytest.mark.parametrize("sd", [0.02, 0.1, 0.3])
def test_the_pulls_predicted_for_bets_are_about_right(sd):
    """Rewards that spread little need few pulls; by the mean alone all would be the same."""
    means = np.array([0.6, 0.4])
    problem = ga.Problem(2, **BOUNDED)
    given = [Beta(mean=mean, sd=sd) for mean in means]
    predicted = predict_pulls(problem, BETS, means, np.array([sd, sd])).sum()
    made = ga.simulate(given, problem=problem, algorithm=BETS, runs=40).stop.mean()
    assert 1 / 3 < predicted / made < 3


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"means": MEANS, "budget": 900}, "The 'budget' of plan must be left out if arms have"),
        (
            {"samples": {"a": [1]}, "num_good": 1},
            "The 'num_good' of plan must be left out if samples are given; got 1.",
        ),
        ({"samples": {"a": [1]}, "means": [1]}, "The 'means' of plan must be left out if samp"),
        (
            {"num_arms": 2, "distance": 0.1, "pool": 20},
            "The 'means' of plan must be a Discrete for each arm, the scores of its pool",
        ),
    ],
)
def test_what_is_refused(arguments, message):
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.plan(**BOUNDED, **arguments)
    assert message in str(caught.value)


def test_distributions_have_no_picture():
    found = ga.plan({"a": Discrete([0.6, 0.9])}, **BOUNDED, algorithm=BETS, runs=3)
    with pytest.raises(
        ga.errors.SpecError, match="The plan has no picture: distributions and samples do"
    ):
        simulate_by_gap(found)


def test_the_means_of_a_pool_are_shares_of_it_on_their_own_side():
    problem = ga.Problem(4, 0.801, 0.05, pool=[200, 1000, 200, 30])
    family = Family(problem, np.array([1.0, 1.0, -1.0, -1.0]))
    for gap in (1e-6, 0.0005, 0.001, 0.01, 0.1):
        means = family.at(gap)
        cases = means * problem.pools
        assert cases == pytest.approx(np.rint(cases))
        assert (np.abs(means - 0.801) >= gap * (1 - 1e-6)).all()
        assert (np.sign(means - 0.801) == [1, 1, -1, -1]).all()


def test_no_arm_needs_more_than_its_cases():
    problem = ga.Problem(3, 0.5, 0.05, pool=60)
    algorithm = ga.algorithms()["e-hdoc"].algorithm
    on, near, far = predict_pulls(problem, algorithm, np.array([0.5, 0.6, 1.0]))
    assert (on, near) == (60, 60)
    assert far < 30
    endless = predict_pulls(ga.Problem(3, 0.5, 0.05), algorithm, np.array([0.5, 0.6, 1.0]))
    assert endless[0] == math.inf
