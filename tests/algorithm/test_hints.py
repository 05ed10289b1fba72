"""A hint of the gap: what it makes of each rule, that it never costs validity, what is refused."""

import math

import pytest

import goodarm as ga


def test_the_prior_has_the_gap_for_its_standard_deviation():
    for bar, gap in ((0.5, 0.05), (0.04, 0.01), (0.9, 0.02)):
        (weight,) = ga.rules.Mixture().for_problem(ga.Problem(1, bar, 0.05, gap=gap)).weights
        q = weight / min(bar, 1 - bar)
        assert math.sqrt(bar * (1 - bar) / (q + 1)) == pytest.approx(gap)


def test_explicit_settings_stay():
    problem = ga.Problem(1, 0.5, 0.05, gap=0.1)
    assert ga.rules.Mixture(weights=[4]).for_problem(problem) == ga.rules.Mixture(weights=[4])
    assert ga.rules.Hoeffding().for_problem(problem) == ga.rules.Hoeffding()


def test_bets_end_with_the_one_that_suits_0_and_1():
    def gamblers(gap):
        return (
            ga.rules.Betting(gamblers=10)
            .for_problem(ga.Problem(1, 0.5, 0.05, rewards="bounded", gap=gap))
            .rule.gamblers
        )

    assert [gamblers(gap) for gap in (0.4, 0.1, 0.01, 1e-6)] == [2, 4, 7, 10]


@pytest.mark.parametrize(
    ("gap", "keywords", "rule"),
    [
        (0.0, {}, "finite number above 0"),
        (-1, {}, "finite number above 0"),
        (float("nan"), {}, "finite number"),
        (0.5, {}, r"be below 0\.5"),
        (3.0, {"rewards": "bounded", "low": 0, "high": 5, "threshold": 4.0}, "be below 2"),
        ("wide", {}, "finite number"),
    ],
)
def test_what_is_no_gap_is_refused(gap, keywords, rule):
    with pytest.raises(ga.errors.SpecError, match=f"'gap' of Problem must .*{rule}"):
        ga.Problem(1, **{"threshold": 0.5, "delta": 0.05, **keywords}, gap=gap)


def test_a_document_keeps_the_hint_and_older_ones_have_none():
    problem = ga.Problem(2, 0.5, 0.05, gap=0.1)
    document = problem.to_dict()
    assert ga.Problem.from_dict(document) == problem
    for name in ("gap", "pool", "case_order"):
        del document[name]
    assert ga.Problem.from_dict(document) == ga.Problem(2, 0.5, 0.05)
    with pytest.raises(
        ga.errors.SpecError, match="'key' of the problem document must be one of .* got 'hint'"
    ):
        ga.Problem.from_dict({**document, "hint": 1})


@pytest.mark.parametrize("gap", [0.002, 0.02, 0.3])
def test_whatever_the_hint_the_expected_evidence_stays_1(gap):
    """On the bar itself, over all counts of n pulls."""
    rule = ga.rules.Mixture().for_problem(ga.Problem(1, 0.5, 0.05, gap=gap))
    for n in (1, 10, 300):
        chances = [math.comb(n, s) * 0.5**n for s in range(n + 1)]
        logs = rule.log_good([n] * (n + 1), list(range(n + 1)), 0.5)
        expected = math.fsum(p * math.exp(log) for p, log in zip(chances, logs, strict=True))
        assert expected == pytest.approx(1, rel=1e-7)


def test_a_right_hint_saves_pulls_and_a_wrong_one_costs_some():
    def pulls(gap):
        return ga.simulate([0.52], threshold=0.5, delta=0.05, gap=gap, runs=300).stop.mean()

    assert pulls(0.02) < 0.93 * pulls(None) < pulls(0.002)


def test_a_plan_recommends_the_hint_that_saves_most():
    found = ga.plan([0.52, 0.48], threshold=0.5, delta=0.05, runs=20)
    assert found.hint.gap == 0.02
    assert 0.05 < found.hint.saving < 0.3
    assert "a gap hint of 0.02, set before the first reward, " in repr(found)
    assert found.to_dict()["hint"] == {"gap": 0.02, "saving": found.hint.saving}
    hinted = ga.plan([0.52, 0.48], threshold=0.5, delta=0.05, gap=0.02, runs=20)
    assert hinted.problem.gap == 0.02
    assert hinted.hint is None
    assert hinted["e-hdoc"].stop.mean < found["e-hdoc"].stop.mean
    assert ga.plan([0.9], threshold=0.5, delta=0.05, algorithm="hdoc", runs=5).hint is None
    gaussian = ga.plan([0.1], threshold=0, delta=0.05, rewards="gaussian", sigma=1, runs=5)
    assert gaussian.hint is not None
