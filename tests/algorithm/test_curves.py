"""Curves, direct evaluation, e-values, intervals and labels say the same."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm.mixture import log_evidence_bad, log_evidence_good

RULE = ga.Mixture()


def setup_of(bar, delta=0.05, num_arms=3, **keywords):
    algorithm = ga.Algorithm(sampling="hdoc", identification=RULE)
    return algorithm.setup(ga.Problem(num_arms, bar, delta, **keywords))


@pytest.mark.parametrize("bar", [0.004, 0.3, 0.5, 0.95])
def test_curves_are_the_direct_evaluation(bar):
    setup = setup_of(bar)
    level = math.log(setup.num_arms / setup.delta)
    rows = RULE.curves(setup).reach(300)
    for s in (0, 1, 2, 7, 40, 123, 299):
        good, bad = int(rows[s]["good_until"]), int(rows[s]["bad_from"])
        assert log_evidence_bad(bad, s, bar) >= level
        assert bad == max(s, 1) or log_evidence_bad(bad - 1, s, bar) < level
        assert log_evidence_good(max(good + 1, s, 1), s, bar) < level
        assert good == max(s, 1) - 1 or log_evidence_good(good, s, bar) >= level


def test_curves_that_grow_are_those_made_at_once():
    setup = setup_of(0.3, delta=0.0123)
    grown = RULE.curves(setup)
    for rows in (1, 300, 301, 1000):
        grown.reach(rows)
    at_once = ga.Mixture(weights=(1, 4, 16, 64)).curves(setup_of(0.3, delta=0.0123))
    fresh = type(grown)(at_once._is_good, at_once._is_bad)
    assert (fresh.reach(1000) == grown.reach(1000)[:1000]).all()


@settings(max_examples=150)
@given(
    n=st.integers(1, 3000),
    share=st.floats(0, 1),
    bar=st.sampled_from([0.01, 0.3, 0.5, 0.9]),
    lost=st.integers(0, 3),
)
def test_label_evidence_and_interval_never_disagree(n, share, bar, lost):
    setup = setup_of(bar)
    lost = min(lost, n)
    total = float(round(share * (n - lost)))
    label = RULE.decide(setup, n, total, float(lost))
    good, bad = RULE.evidence(setup, n, total, float(lost))
    lower, upper = RULE.interval(setup, n, total, float(lost))
    level = math.log(setup.num_arms / setup.delta)
    assert (label == 1) == (good >= level)
    assert (label == -1) == (bad >= level)
    assert 0 <= lower <= total / n <= (total + lost) / n <= upper <= 1
    if abs(lower - bar) > 1e-9:
        assert (label == 1) == (lower > bar)
    if abs(upper - bar) > 1e-9:
        assert (label == -1) == (upper < bar)


def test_a_report_shows_what_decided():
    problem = ga.Problem(["a", "b"], 0.5, 0.05)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification="mixture"), seed=1)
    tape = ga.Tape(problem, [0.8, 0.2], seed=1)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
        for report in ident.reports():
            if report.pulls:
                assert (report.label == "good") == (report.lower >= 0.5) == (report.e_good >= 40)
                assert (report.label == "bad") == (report.upper <= 0.5) == (report.e_bad >= 40)
    assert ident.verdict.good == ["a"]
    again = ga.Identifier.from_dict(ident.to_dict())
    assert again.reports() == ident.reports()


def test_bounded_rewards_live():
    problem = ga.Problem(["a", "b"], 2.5, 0.1, rewards="bounded", low=0, high=5)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification="mixture"), seed=1)
    tape = ga.Tape(problem, [4.0, 1.0], seed=1)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
    assert ident.verdict.good == ["a"]
    assert ident.verdict.bad == ["b"]


def test_what_the_rule_does_not_take_is_said():
    algorithm = ga.Algorithm(sampling="hdoc", identification="mixture")
    with pytest.raises(ga.SpecError, match="needs rewards in a known range"):
        ga.Identifier(ga.Problem(2, 0.5, 0.1, rewards="gaussian", sigma=1), algorithm)
    with pytest.raises(ga.SpecError, match="for rewards='bernoulli' alone so far"):
        ga.simulate([0.4, 0.6], 0.5, 0.1, algorithm, rewards="bounded")
    for weights in ([], [0], [1, -4], ["a"], [math.nan], 3):
        with pytest.raises(ga.SpecError, match="weights"):
            ga.Mixture(weights=weights)


def test_the_rule_comes_back_from_its_document():
    algorithm = ga.Algorithm(sampling="hdoc", identification=ga.Mixture(weights=[2, 8]))
    assert ga.Algorithm.from_dict(algorithm.to_dict()) == algorithm
    assert np.isfinite(algorithm.identification.weights).all()
