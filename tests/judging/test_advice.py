"""Advice for the next experiment: where another rule is clearly better, and never its label."""

import numpy as np
import pytest

import goodarm as ga

COUNTS = {"a": (5000, 4600), "b": (5000, 3000), "c": (5000, 4010)}
STARS = {"low": 1, "high": 5, "rewards": "bounded", "threshold": 3.5, "delta": 0.05}


def make_star_ratings(seed=0):
    rng = np.random.default_rng(seed)
    return {"a": rng.choice([3, 4, 5], 400).tolist(), "b": rng.choice([2, 3], 400).tolist()}


def test_the_suited_rule_gets_none():
    assert ga.check(COUNTS, threshold=0.8, delta=0.05).advice == ""
    assert ga.check(make_star_ratings(), raw=True, **STARS).advice == ""


def test_a_bound_on_0_and_1_is_told_of_the_mixture():
    table = ga.check(COUNTS, threshold=0.8, delta=0.05, rule="hoeffding")
    assert table.advice.startswith("For your next experiment: mixture would have needed about ")
    assert table.advice.endswith(
        "The labels here are those of hoeffding, which was chosen before the data."
    )
    assert table.notes[-1] == table.advice
    assert table.labels.tolist() == [1, -1, 0]


@pytest.mark.parametrize("rule", ["mixture", "hoeffding"])
def test_ratings_are_told_of_bets_and_keep_their_labels(rule):
    table = ga.check(make_star_ratings(), raw=True, rule=rule, **STARS)
    assert "betting (10 gamblers, tilt 0.5, tail 5) would have needed" in table.advice
    sums = {arm: (len(rewards), sum(rewards)) for arm, rewards in make_star_ratings().items()}
    assert ga.check(sums, rule=rule, **STARS).labels.tolist() == table.labels.tolist()


def test_sums_of_ratings_cannot_tell_of_bets():
    sums = {arm: (len(rewards), sum(rewards)) for arm, rewards in make_star_ratings().items()}
    assert ga.check(sums, **STARS).advice == ""


def test_without_a_labelled_arm_there_is_none():
    assert ga.check({"a": (50, 40)}, threshold=0.8, delta=0.05, rule="hoeffding").advice == ""


def test_the_share_is_that_of_straight_paths():
    """Gaussian: the sums at which either rule would just be sure, one arm."""
    asked = {"threshold": 0.0, "delta": 0.05, "rewards": "gaussian", "sigma": 1.0}
    table = ga.check({"a": (1000, 300.0)}, rule="hoeffding", **asked)

    def pulls(rule):
        path = {n: (n, 0.3 * n) for n in range(1, 1001)}
        return ga.check(path, rule=rule, **asked, control="per-arm").good[0]

    saved = 100 * (1 - pulls("half-normal") / pulls("hoeffding"))
    assert f"about {saved:.0f} % fewer" in table.advice


def test_many_arms_with_thresholds_of_their_own():
    counts = {str(k): (2000, 1900) for k in range(300)}
    bars = {str(k): 0.5 + 0.001 * k for k in range(300)}
    table = ga.check(counts, threshold=bars, delta=0.05, rule="hoeffding")
    assert "mixture would have needed" in table.advice


def test_the_test_is_named_where_it_is_not_the_usual_one():
    asked = {"threshold": 0.5, "delta": 0.05}
    bounded = {**asked, "rewards": "bounded"}
    assert "Test:" not in str(ga.check({"a": (20, 12)}, **asked).notes)
    equal, tilted = (
        "Test: betting (16 gamblers).",
        "Test: betting (10 gamblers, tilt 0.5, tail 5).",
    )
    assert equal in ga.check({"a": (20, 12)}, **asked, rule="betting").notes
    assert tilted in ga.check({"a": [0.3, 0.8]}, **bounded, raw=True).notes
    assert equal in ga.check({"a": [0.3, 0.8]}, **bounded, raw=True, rule="betting").notes
    assert "which uses sums only" in ga.check({"a": (20, 12.5)}, **bounded).notes[-1]
    gaussian = ga.check({"a": (20, 12.5)}, **asked, rewards="gaussian", sigma=1)
    assert "Test: half-normal." in gaussian.notes
    weighed = ga.check({"a": (20, 12)}, **asked, rule=ga.rules.Mixture([4]))
    assert "Test: mixture (weight 4)." in weighed.notes
    hinted = ga.check({"a": [0.3, 0.8]}, **bounded, raw=True, gap=0.1)
    assert "Test: betting (4 gamblers, tilt 0.5, tail 5)." in hinted.notes
    hinted = ga.check({"a": (20, 12)}, **asked, gap=0.1)
    assert "Test: mixture (weight 12)." in hinted.notes
    scores = ga.check({"a": [0.3, 0.8]}, **bounded, raw=True, pool=20)
    assert "about the mean of each arm's own cases" in str(scores.notes)


def test_documents_have_the_settings_of_the_test():
    """Two tests are called betting: their tables differ, and say in what."""
    asked = {"threshold": 0.5, "delta": 0.05, "rewards": "bounded", "raw": True}
    tilted, equal = (ga.check({"a": [0.3, 0.8]}, rule=rule, **asked) for rule in (None, "betting"))
    assert tilted != equal
    assert tilted.to_dict()["rule"] == equal.to_dict()["rule"] == "betting"
    usual = {"most": 0.95, "tilt": 0.5, "tail": 5}
    assert tilted.to_dict()["rule_parameters"] == {"gamblers": 10, **usual}
    assert equal.to_dict()["rule_parameters"] == {"gamblers": 16, "most": 0.95}
    bound = ga.check({"a": (20, 12)}, threshold=0.5, delta=0.05, rule="hoeffding").to_dict()
    assert bound["rule_parameters"] == {}
    own = {"a": 0.5, "b": 0.5}, {"a": 0.1, "b": 0.5}
    same, differ = (
        ga.check(
            {"a": [0.3], "b": [1]}, threshold=bars, delta=0.05, rewards="bounded", raw=True, gap=0.1
        )
        for bars in own
    )
    assert same.rule_parameters["gamblers"] == 4
    assert differ.rule_parameters == usual
    assert "Test: betting (tilt 0.5, tail 5)." in differ.notes
