"""Goodarm's own rules pass the kit, and the report says what that means."""

import pytest

import goodarm as ga
from goodarm.algorithm import IDENTIFICATION_RULES
from goodarm.testing import check_identification_rule
from helpers import can_take_rewards

RULES = {
    **{name: rule() for name, rule in IDENTIFICATION_RULES.items()},
    "lil with epsilon 0.01": ga.rules.Lil(0.01),
    "one prior": ga.rules.Mixture(weights=[8]),
    "a prior of next to no weight": ga.rules.Mixture(weights=[0.01]),
    "two gamblers": ga.rules.Betting(gamblers=2, most=0.5),
    "gamblers with other shares": ga.rules.Betting(gamblers=10, tilt=0.5, tail=5, widen=True),
    "a scale": ga.rules.HalfNormal(scales=[0.1]),
}


MORE = {"lil with epsilon 0.01", "one prior", "two gamblers"}
"""More of the same, in make test-all; so are all counts up to 300 pulls."""


def rewards_of(rule):
    """The widest kind of reward that a rule takes, in the words of the report."""
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    if can_take_rewards(algorithm, "bounded"):
        return "any rewards in a known range"
    return (
        "0/1 rewards only"
        if can_take_rewards(algorithm, "bernoulli")
        else "Gaussian rewards with known sigma"
    )


@pytest.mark.parametrize(
    ("name", "most_pulls"),
    [
        *((name, 50) for name in RULES if name not in MORE),
        *(pytest.param(name, 300, marks=pytest.mark.large) for name in RULES),
    ],
)
def test_it_passes(name, most_pulls):
    rule = RULES[name]
    report = check_identification_rule(rule, most_pulls=most_pulls)
    assert report.rule == rule.name
    kind = "e-values: they may be used for FDR" if rule.has_e_values else "no e-values, no FDR"
    assert kind in str(report)
    assert rewards_of(rule) in report.follows
    assert "both engines, and ask and tell, make the same runs" in report.checked
    if name == "kelly":
        assert "Passing is no proof beyond 10 rewards" in str(report)


def test_the_report_says_how_far_it_went():
    report = check_identification_rule(ga.rules.Mixture(weights=[8]), most_pulls=20)
    assert report.most_pulls == 20
    assert str(report).startswith("The mixture rule passes.\n  checked: its name is its own")
    assert "all counts up to 20 pulls: evidence is monotone in s, n and the bar" in str(report)
    assert "Passing is no proof beyond 20 pulls" in str(report)


@pytest.mark.parametrize("given", [ga.rules.Mixture, "mixture", None])
def test_it_wants_an_object(given):
    with pytest.raises(ga.errors.SpecError, match="must be an identification rule, an object"):
        check_identification_rule(given)


@pytest.mark.parametrize("most_pulls", [0, 2.5, 10**6])
def test_most_pulls_is_checked(most_pulls):
    with pytest.raises(
        ga.errors.SpecError, match="'most_pulls' of check_identification_rule must be"
    ):
        check_identification_rule(ga.rules.Mixture(), most_pulls=most_pulls)
