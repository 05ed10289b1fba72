"""What is asked: accepted, refused, and written down."""

import json
import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError


def make(**changes):
    return ga.Problem(**{"arms": ["a", "b"], "threshold": 0.5, "delta": 0.05, **changes})


@pytest.mark.parametrize("delta", [0, 1, -0.1, 1.3, math.nan, math.inf, "low", None, True, [0.1]])
def test_delta_must_be_strictly_between_0_and_1(delta):
    with pytest.raises(ga.errors.SpecError) as caught:
        make(delta=delta)
    assert str(caught.value) == (
        f"The 'delta' of Problem must be a number strictly between 0 and 1; got {delta!r}."
    )


def test_numbers_too_large_or_too_small_are_refused():
    for changes in (
        {"delta": 1e-300},
        {"delta": 10**400},
        {"threshold": 10**400},
        {"margin": 10**400},
        {"max_pulls": 2**63},
        {"rewards": "gaussian", "sigma": 1.7e308},
        {"rewards": "gaussian", "sigma": 1e-300, "threshold": 1.0},
        {"rewards": "bounded", "low": -1.7e308, "high": 1.7e308},
        {"rewards": np.array(["bernoulli", "x"])},
        {"arms": np.array(3)},
        {"arms": {"a", "b"}},
    ):
        with pytest.raises(ga.errors.SpecError):
            make(**changes)
    gaussian = make(rewards="gaussian", sigma=1, threshold=0)
    for reward in (1.7e308, 10**400):
        with pytest.raises(ga.errors.SpecError, match="finite number"):
            gaussian.check_reward(reward, "test")
    assert repr(make(arms=np.array(["x", "y"])).arms) == "('x', 'y')"


@pytest.mark.parametrize("threshold", [-0.1, 0, 1, 1.5])
def test_threshold_must_lie_inside_what_the_rewards_can_reach(threshold):
    with pytest.raises(
        ga.errors.SpecError, match="'threshold' of Problem must be strictly between 0"
    ):
        make(threshold=threshold)
    with pytest.raises(ga.errors.SpecError, match="between -1 and -0.5"):
        make(threshold=threshold, rewards="bounded", low=-1, high=-0.5)
    make(threshold=threshold, rewards="gaussian", sigma=1)


@pytest.mark.parametrize("threshold", [math.nan, math.inf, "high", "1,500", None, False])
def test_threshold_must_be_a_finite_number(threshold):
    with pytest.raises(ga.errors.SpecError, match="'threshold' of Problem must be a finite number"):
        make(threshold=threshold)


@pytest.mark.parametrize("margin", [-0.1, math.nan, "none", 0.5, 0.7])
def test_margin_must_leave_both_bars_inside(margin):
    with pytest.raises(ga.errors.SpecError, match="'margin' of Problem"):
        make(margin=margin)
    make(margin=0.49)


@pytest.mark.parametrize(
    "arms",
    [[], 0, -1, 2.5, "abc", None, True, ["a", "a"], [1, "1"], [True, "b"], [None], [1.5], [["a"]]],
)
def test_arms_must_be_a_count_or_unique_labels(arms):
    with pytest.raises(ga.errors.SpecError, match="'arms' of Problem must"):
        make(arms=arms)


def test_arms_may_be_a_number_labels_or_numpy_integers():
    assert make(arms=3).arms == (0, 1, 2)
    assert make(arms=["x", 7]).arms == ("x", 7)
    assert make(arms=np.array([4, 5])).arms == (4, 5)
    assert make(arms=np.int64(2)).num_arms == 2


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"rewards": "beronulli"}, "'rewards' of Problem must be one of.*mean 'bernoulli'"),
        ({"low": 0}, "'low' of Problem must be left out for bernoulli"),
        ({"sigma": 1}, "'sigma' of Problem must be left out for bernoulli"),
        ({"rewards": "gaussian"}, "'sigma' of Problem must be given"),
        ({"rewards": "gaussian", "sigma": 0}, "'sigma' of Problem must be above 0"),
        ({"rewards": "gaussian", "sigma": 1, "high": 2}, "'high' of Problem must be left out"),
        ({"rewards": "bounded", "low": 2, "high": 1}, "'high' of Problem must be above low"),
        ({"until": 0}, "'until' of Problem must be a whole number from 1 to 2"),
        ({"until": 3}, "'until' of Problem must be a whole number from 1 to 2"),
        ({"until": 1.0}, "'until' of Problem must be a whole number"),
        ({"max_pulls": 0}, "'max_pulls' of Problem must be a whole number from 1 to"),
        ({"max_pulls": "9"}, "'max_pulls' of Problem"),
        ({"case_order": "own"}, "'case_order' of Problem must be left out without a pool; got 'ow"),
    ],
)
def test_the_message_names_argument_rule_and_value(changes, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        make(**changes)


@pytest.mark.parametrize(
    "problem",
    [
        make(),
        make(arms=["x", 3], margin=0.1, until=1, max_pulls=10),
        make(threshold=2, rewards="bounded", low=0, high=5, margin=1),
        make(threshold=-3, rewards="gaussian", sigma=0.1),
    ],
)
def test_a_problem_comes_back_from_json(problem):
    assert ga.Problem.from_dict(json.loads(json.dumps(problem.to_dict()))) == problem


def test_a_document_is_validated_like_arguments():
    document = make().to_dict()
    with pytest.raises(ga.errors.SpecError, match="'delta'"):
        ga.Problem.from_dict({**document, "delta": 2})
    with pytest.raises(ga.errors.SpecError, match="'key' of the problem document .* got 'colour'"):
        ga.Problem.from_dict({**document, "colour": 2})
    with pytest.raises(ga.errors.SpecError, match="'format' of the problem document must be 1"):
        ga.Problem.from_dict({**document, "format": 2})


def test_a_problem_is_frozen():
    with pytest.raises(AttributeError):
        make().delta = 0.5


@pytest.mark.parametrize(
    "reward", [0, 1, True, False, np.bool_(True), 1.0, np.float32(0), np.int8(1)]
)
def test_bernoulli_rewards(reward):
    assert make().check_reward(reward, "test") == float(reward)


@pytest.mark.parametrize("reward", [0.5, 2, -1, math.nan, math.inf, "1", None, [1], b"1"])
def test_what_is_no_bernoulli_reward(reward):
    with pytest.raises(ga.errors.SpecError, match="'reward' of test must be 0 or 1; got"):
        make().check_reward(reward, "test")


def test_bounded_and_gaussian_rewards():
    bounded = make(threshold=2, rewards="bounded", low=0, high=5)
    assert bounded.check_reward(5, "test") == 5.0
    for reward in (5.1, -0.1, math.nan, True, "1"):
        with pytest.raises(ga.errors.SpecError, match="must be a number from 0.0 to 5.0"):
            bounded.check_reward(reward, "test")
    gaussian = make(threshold=2, rewards="gaussian", sigma=1)
    assert gaussian.check_reward(-1e9, "test") == -1e9
    for reward in (math.inf, math.nan, None):
        with pytest.raises(ga.errors.SpecError, match="must be a finite number"):
            gaussian.check_reward(reward, "test")


def test_wrong_is_judged_by_what_the_labels_promise():
    exact = make()
    assert not exact.is_wrong(0.5, 1)
    assert exact.is_wrong(0.5, -1)
    assert exact.is_wrong(0.49, 1)
    assert not exact.is_wrong(0.49, -1)
    slack = make(margin=0.1)
    assert not slack.is_wrong(0.45, 1)
    assert not slack.is_wrong(0.55, -1)
    assert slack.is_wrong(0.7, -1)
    assert not slack.is_wrong(0.2, 0)


def test_an_unknown_arm_is_named_with_the_nearest():
    with pytest.raises(
        ga.errors.SpecError, match="must be one of 'alpha', 'beta'; got 'alpa'.*'alpha'"
    ):
        make(arms=["alpha", "beta"]).position("alpa", "test")
    with pytest.raises(ga.errors.SpecError, match="one of the 100 arms"):
        make(arms=100).position(100)


def test_repr_is_short():
    assert repr(make(arms=100_000, margin=0.1)) == (
        "Problem(arms=<100000 arms>, threshold=0.5, delta=0.05, margin=0.1)"
    )


@pytest.mark.parametrize(
    ("changes", "offset", "scale"),
    [
        ({}, 0.0, 1.0),
        ({"rewards": "bounded", "low": -0.7, "high": 1.3}, -0.7, 2.0),
        ({"rewards": "gaussian", "sigma": 0.37}, 0.0, 0.74),
    ],
)
def test_rewards_and_units_are_one_expression_for_numbers_and_arrays(changes, offset, scale):
    problem = make(**changes)
    rewards, pulls = np.random.default_rng(0).random(1000), np.arange(1.0, 1001.0)
    units = problem.to_unit(rewards)
    assert units.tolist() == [(reward - offset) / scale for reward in rewards.tolist()]
    assert units.tolist() == [problem.to_unit(reward) for reward in rewards.tolist()]
    assert problem.to_unit(rewards, pulls).tolist() == [
        (total - n * offset) / scale for total, n in zip(rewards.tolist(), pulls, strict=True)
    ]
    back = problem.from_unit(units)
    assert back.tolist() == [offset + scale * unit for unit in units.tolist()]
    assert back.tolist() == [problem.from_unit(unit) for unit in units.tolist()]
    assert type(problem.to_unit(0.5)) is type(problem.from_unit(0.5)) is float


@pytest.mark.parametrize("planned", [1, 0, 2.5, "9", True, 10**19])
def test_arms_planned_must_be_a_whole_number_of_at_least_the_arms(planned):
    with pytest.raises(ga.errors.SpecError, match="'arms_planned' of Problem must be"):
        make(arms_planned=planned)
    with pytest.raises(
        ga.errors.SpecError, match="at least the number of arms, 2; got 1. It counts"
    ):
        make(arms_planned=1)


def test_arms_planned_share_delta():
    assert make().union_size == 2
    problem = make(arms_planned=50, until=40)
    assert (problem.num_arms, problem.union_size) == (2, 50)
    assert repr(problem).endswith("until=40, arms_planned=50)")
    document = json.loads(json.dumps(problem.to_dict()))
    assert ga.Problem.from_dict(document) == problem
    del document["arms_planned"], document["until"]
    assert ga.Problem.from_dict(document) == make()
    with pytest.raises(ga.errors.SpecError, match="'until' of Problem"):
        make(until=3)


def test_a_problem_with_one_more_arm_is_the_one_made_with_it():
    for keywords in ({}, {"pool": 30}, {"pool": [30, 20, 10]}):
        whole = make(arms=["a", "b", 3], arms_planned=7, **keywords)
        few = {
            name: sizes[:2] if name == "pool" and keywords["pool"] != 30 else sizes
            for name, sizes in keywords.items()
        }
        problem = make(arms_planned=7, **few)
        size = None if whole.pools is None else whole.pools[-1]
        grown = problem.with_arm(3, size)
        assert grown == whole
        assert hash(grown) == hash(whole)
        assert grown.position("3") == 2
        assert grown.pools == whole.pools
        assert problem.num_arms == 2
        with pytest.raises(ga.errors.SpecError, match="must be one of"):
            problem.position(3)


@pytest.mark.parametrize("arms", [10**7 + 1, 10**20])
def test_a_number_of_arms_has_a_limit(arms):
    with pytest.raises(ga.errors.SpecError, match="'arms' of Problem must be .* to 10000000"):
        ga.Problem(arms, 0.5, 0.05)


def test_a_range_that_was_not_given_is_named():
    with pytest.raises(SpecError, match="Give low and high: the range is 0 to 1 unless given."):
        ga.Problem(2, threshold=3.2, rewards="bounded")


def test_a_confidence_in_place_of_delta_is_refused_everywhere():
    says = "95 % confidence is delta 0.05. If you mean it, pass allow_large_delta=True, too."
    counts = {"a": (10, 9)}
    for call in (
        lambda **more: ga.Problem(2, threshold=0.5, delta=0.95, **more),
        lambda **more: ga.check(counts, threshold=0.5, delta=0.95, **more),
        lambda **more: ga.simulate([0.9], threshold=0.5, delta=0.95, runs=1, **more),
    ):
        with pytest.raises(SpecError, match=says):
            call()
        call(allow_large_delta=True)
    large = ga.Problem(2, threshold=0.5, delta=0.95, allow_large_delta=True)
    assert ga.Problem.from_dict(large.to_dict()) == large  # what was stored was meant
    assert "allow_large_delta" not in large.to_dict()
    assert eval(repr(large), vars(ga)) == large
    assert "allow_large_delta" not in repr(ga.Problem(2, threshold=0.5, allow_large_delta=True))
