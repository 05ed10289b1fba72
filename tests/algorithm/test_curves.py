"""Curves, direct evaluation, e-values, intervals and labels say the same."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm import Tally
from goodarm.algorithm.identification.curves import CurvesByPulls, CurvesBySuccesses

RULE = ga.rules.Mixture()
ON_COUNTS = {
    "mixture": RULE,
    "one prior": ga.rules.Mixture(weights=[8]),
    "betting": ga.rules.Betting(),
}


def setup_of(bar, delta=0.05, num_arms=3, rule=RULE, **keywords):
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    return algorithm.setup(ga.Problem(num_arms, bar, delta, **keywords))


def find_level(setup):
    return math.log(setup.num_arms / setup.delta)


@pytest.mark.parametrize("rule", ON_COUNTS.values(), ids=ON_COUNTS)
@pytest.mark.parametrize("bar", [0.004, 0.3, 0.5, 0.95])
def test_curves_are_the_direct_evaluation(rule, bar):
    setup = setup_of(bar, rule=rule)
    level = find_level(setup)
    curves = rule.curves(setup)
    assert isinstance(curves, CurvesBySuccesses)
    rows = curves.reach(300, 300.0)
    for s in (0, 1, 2, 7, 40, 123, 299):
        good, bad = int(rows[s]["good_until"]), int(rows[s]["bad_from"])
        assert rule.log_bad(bad, s, bar) >= level
        assert bad == max(s, 1) or rule.log_bad(bad - 1, s, bar) < level
        assert rule.log_good(max(good + 1, s, 1), s, bar) < level
        assert good == max(s, 1) - 1 or rule.log_good(good, s, bar) >= level


@pytest.mark.parametrize("bar", [0.004, 0.3, 0.5, 0.95])
def test_curves_of_sums_are_the_direct_evaluation(bar):
    setup = setup_of(bar, rewards="bounded")
    level = find_level(setup)
    curves = RULE.curves(setup)
    assert isinstance(curves, CurvesByPulls)
    rows = curves.reach(3000, 0.0)
    some = 0
    for n in (1, 2, 7, 40, 123, 2999):
        good, bad = float(rows[n]["good_sum"]), float(rows[n]["bad_sum"])
        hair = 1e-12 * n
        if good < math.inf:
            assert RULE.log_good(n, good + hair, bar) >= level
            assert RULE.log_good(n, good - hair, bar) < level
        else:
            assert RULE.log_good(n, n, bar) < level
        if bad > -math.inf:
            assert RULE.log_bad(n, bad - hair, bar) >= level
            assert RULE.log_bad(n, bad + hair, bar) < level
        else:
            assert RULE.log_bad(n, 0, bar) < level
        some += good < math.inf
    assert some >= 1


@pytest.mark.parametrize("rewards", ["bernoulli", "bounded"])
def test_curves_that_grow_are_those_made_at_once(rewards):
    grown = RULE.curves(setup_of(0.3, delta=0.0123, rewards=rewards))
    for need in (1, 300, 301, 1000):
        grown.reach(need, float(need))
    fresh = type(grown)(grown._good, grown._bad)
    assert (fresh.reach(1000, 1000.0) == grown.rows[: len(fresh.rows)]).all()


@settings(max_examples=100)
@given(
    n=st.integers(1, 3000),
    share=st.floats(0, 1),
    bar=st.sampled_from([0.01, 0.3, 0.5, 0.9]),
    lost=st.integers(0, 3),
    rewards=st.sampled_from(["bernoulli", "bounded"]),
)
def test_label_evidence_and_interval_never_disagree(n, share, bar, lost, rewards):
    setup = setup_of(bar, rewards=rewards)
    lost = min(lost, n)
    total = share * (n - lost)
    total = float(round(total)) if rewards == "bernoulli" else total
    tally = Tally(n, total, float(lost))
    label = RULE.decide(setup, tally)
    good, bad = RULE.evidence(setup, tally)
    lower, upper = RULE.interval(setup, tally, (setup.level,) * 2)
    level = find_level(setup)
    assert (label == 1) == (good >= level)
    assert (label == -1) == (bad >= level)
    assert 0 <= lower <= total / n <= (total + lost) / n <= upper <= 1
    if abs(lower - bar) > 1e-9:
        assert (label == 1) == (lower > bar)
    if abs(upper - bar) > 1e-9:
        assert (label == -1) == (upper < bar)


@pytest.mark.parametrize("rewards", [{}, {"rewards": "bounded", "low": -1, "high": 3}])
def test_a_report_shows_what_decided(rewards):
    bar, gap = (1.0, 1.6) if rewards else (0.5, 0.4)
    problem = ga.Problem(["a", "b"], bar, 0.05, **rewards)
    ident = ga.Identifier(problem, ga.Algorithm(sampling="hdoc", identification="mixture"), seed=1)
    tape = ga.simulation.Tape(problem, [bar + gap, bar - gap], seed=1)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, tape.next_reward(pull.arm))
        for report in ident.table():
            if report.pulls:
                assert (report.label == "good") == (report.lower >= bar) == (report.e_good >= 40)
                assert (report.label == "bad") == (report.upper <= bar) == (report.e_bad >= 40)
    assert ident.verdict.good == ["a"]
    again = ga.Identifier.from_dict(ident.to_dict())
    assert again.table() == ident.table()


@pytest.mark.parametrize("rule", ["mixture", "betting", "kelly"])
def test_what_the_rule_does_not_take_is_said(rule):
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    with pytest.raises(
        ga.errors.SpecError, match=f"The {rule} rule needs rewards in a known range"
    ):
        ga.Identifier(ga.Problem(2, 0.5, 0.1, rewards="gaussian", sigma=1), algorithm)


@pytest.mark.parametrize("rule", ["mixture", "betting", "kelly"])
@pytest.mark.parametrize("threshold", [1e-17, 1e-10, 1 - 1e-10, 1 - 2**-53])
def test_a_bar_at_the_very_end_is_refused(rule, threshold):
    """One minus it has no digits left, and what looks like evidence is noise."""
    algorithm = ga.Algorithm(sampling="hdoc", identification=rule)
    with pytest.raises(ga.errors.SpecError, match="must stay at least 1e-09 away from 0 and 1"):
        ga.simulate(
            [0.5, 1.0], threshold=threshold, delta=0.05, algorithm=algorithm, runs=1, max_pulls=100
        )
    with pytest.raises(ga.errors.SpecError, match="margin included"):
        ga.Identifier(ga.Problem(1, 5.0, 0.1, margin=5.0 - 1e-10, rewards="bounded", high=10.0))
    ga.simulate([0.5, 1.0], threshold=1e-8, delta=0.05, algorithm=algorithm, runs=1, max_pulls=100)


@pytest.mark.parametrize(("n", "s", "sign"), [(5, 5, 1), (5, 4, 1), (17, 11, 1), (5, 0, -1)])
def test_a_label_at_a_tie_is_what_the_interval_shows(n, s, sign):
    """Delta is chosen so that the evidence is K / delta, up to the last places."""
    log = RULE.log_good(n, s, 0.5) if sign > 0 else RULE.log_bad(n, s, 0.5)
    for nudge in (1 - 1e-12, 1.0, 1 + 1e-12):
        delta = math.exp(-float(log)) * nudge
        problem = ga.Problem(1, 0.5, delta, allow_large_delta=True)
        ident = ga.Identifier(problem, seed=0)
        ident.observe(0, [1] * s + [0] * (n - s))
        report = ident.explain(0)
        assert (report.label == "good") == (report.lower >= 0.5)
        assert (report.label == "bad") == (report.upper <= 0.5)


def test_weights_that_make_no_sense_are_refused():
    for weights in ([], [0], [1, -4], ["a"], [math.nan], 3):
        with pytest.raises(ga.errors.SpecError, match="weights"):
            ga.rules.Mixture(weights=weights)


def test_the_rule_comes_back_from_its_document():
    algorithm = ga.Algorithm(sampling="hdoc", identification=ga.rules.Mixture(weights=[2, 8]))
    assert ga.Algorithm.from_dict(algorithm.to_dict()) == algorithm
    assert np.isfinite(algorithm.identification.weights).all()
