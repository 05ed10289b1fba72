"""Tables with known answers, and properties that hold for all tables."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm import Tally
from goodarm.judging.judgment import find_e_bh_level, run_e_bh

MIXTURE = ga.rules.Mixture()
COUNTS = {"a": (500, 460), "b": (500, 300), "c": (500, 410), "new": (0, 0)}


def test_labels_means_and_evidence():
    table = ga.check(COUNTS, threshold=0.8, delta=0.05)
    assert (table.good, table.bad, table.undecided) == (["a"], ["b"], ["c", "new"])
    assert [report.mean for report in table] == [0.92, 0.6, 0.82, None]
    first = table[0]
    assert first.e_good == pytest.approx(math.exp(MIXTURE.log_good(500, 460, 0.8)))
    assert first.e_bad == pytest.approx(math.exp(MIXTURE.log_bad(500, 460, 0.8)))
    assert first.pulls_needed == first.pulls_needed_90 == 0
    assert table[2].pulls_needed < table[2].pulls_needed_90
    assert (table[3].lower, table[3].e_good, table[3].pulls_needed) == (None, None, None)
    assert table.explain("b") == table[1]


def test_the_labels_are_those_of_the_identifier():
    rng = np.random.default_rng(0)
    n = rng.integers(1, 400, 200)
    s = rng.binomial(n, rng.uniform(0.2, 0.9, 200))
    table = ga.check(np.stack([n, s], axis=1), threshold=0.5, delta=0.1)
    rule = ga.rules.Mixture()
    setup = ga.Algorithm(sampling="hdoc", identification=rule).setup(ga.Problem(200, 0.5, 0.1))
    labels = [rule.decide(setup, Tally(int(a), float(b))) for a, b in zip(n, s, strict=True)]
    assert table.labels.tolist() == labels
    assert set(labels) == {-1, 0, 1}
    for position in range(0, 200, 20):
        lower, upper = rule.interval(
            setup, Tally(int(n[position]), float(s[position])), (setup.level,) * 2
        )
        assert table.lower[position] == pytest.approx(lower, abs=1e-9)
        assert table.upper[position] == pytest.approx(upper, abs=1e-9)


def test_the_first_count_that_is_good():
    """One arm, delta .05: good from the number of successes at which E_good reaches 20."""
    first = next(s for s in range(101) if math.exp(MIXTURE.log_good(100, s, 0.5)) >= 20)
    for s, label in ((first - 1, []), (first, ["x"])):
        assert ga.check({"x": (100, s)}, threshold=0.5, delta=0.05).good == label


def test_more_arms_ask_for_more_evidence():
    one = {"x": (100, 66)}
    assert ga.check(one, threshold=0.5, delta=0.05).good == ["x"]
    assert ga.check(one, threshold=0.5, delta=0.05, arms_planned=100).good == []
    per_arm = ga.check(one, threshold=0.5, delta=0.05, arms_planned=100, control="per-arm")
    assert per_arm.good == ["x"]


def test_fdr_lies_between_per_arm_and_fwer():
    rng = np.random.default_rng(1)
    n = np.full(200, 60)
    s = rng.binomial(n, np.where(np.arange(200) < 80, 0.75, 0.5))
    labels = {
        control: ga.check(np.stack([n, s], 1), threshold=0.5, delta=0.1, control=control).good
        for control in ("fwer", "fdr", "per-arm")
    }
    assert set(labels["fwer"]) < set(labels["fdr"]) < set(labels["per-arm"])


def naive_e_bh(values, delta, planned):
    """The definition: the largest k with k values of at least K / (k delta)."""
    ordered = sorted(values, reverse=True)
    best = 0
    for k in range(1, len(ordered) + 1):
        if ordered[k - 1] >= planned / (k * delta):
            best = k
    return {i for i, value in enumerate(values) if best and value >= ordered[best - 1]}


@settings(max_examples=200, deadline=None)
@given(
    values=st.lists(st.sampled_from([0.1, 1, 5, 9, 11, 19, 21, 41, 500]), min_size=1, max_size=12),
    extra=st.integers(0, 5),
    delta=st.sampled_from([0.05, 0.2, 0.5]),
)
def test_e_bh_is_its_definition(values, extra, delta):
    planned = len(values) + extra
    logs = np.log(values)
    listed = {int(i) for i in np.flatnonzero(logs >= find_e_bh_level(logs, delta, planned))}
    assert listed == naive_e_bh(values, delta, planned)


def test_fdr_shows_the_level_of_its_list():
    """delta |R| / K, for the good and for the bad."""
    table = ga.check(COUNTS, threshold=0.8, delta=0.05, control="fdr", arms_planned=40)
    alone = ga.check({"a": COUNTS["a"]}, threshold=0.8, delta=0.05, arms_planned=40)
    assert table.good == ["a"]
    assert table[0].lower == pytest.approx(alone[0].lower)
    twice = ga.check(
        {"a": (500, 460), "d": (500, 460)},
        threshold=0.8,
        delta=0.05,
        control="fdr",
        arms_planned=40,
    )
    half = ga.check({"a": (500, 460)}, threshold=0.8, delta=0.05, arms_planned=20)
    assert twice[0].lower == pytest.approx(half[0].lower)


def test_where_a_margin_makes_both_true_the_mean_decides():
    counts = {"above": (5000, 2510), "below": (5000, 2490), "on": (5000, 2500)}
    for control in ("fwer", "fdr", "per-arm"):
        table = ga.check(counts, threshold=0.5, delta=0.05, margin=0.1, control=control)
        assert (table.good, table.bad) == (["above", "on"], ["below"])


def test_under_fdr_no_arm_is_in_both_lists_and_each_list_is_consistent():
    rng = np.random.default_rng(5)
    for _ in range(200):
        good, bad = rng.normal(3, 3, (2, 15))
        proof = run_e_bh(good, bad, rng.random(15) < 0.5, 0.2, 15)
        assert not (proof.good & proof.bad).any()
        for listed, logs in ((proof.good, good), (proof.bad, bad)):
            if listed.any():
                assert logs[listed].min() >= math.log(15 / (0.2 * listed.sum())) - 1e-12


def test_bounded_rewards():
    counts = {"arm": ["a", "b"], "pulls": [400, 400], "sum": [1500.5, 900.0]}
    keywords = {"threshold": 3, "delta": 0.05, "rewards": "bounded", "low": 0, "high": 5}
    table = ga.check(counts, **keywords)
    unit = ga.check({"a": (400, 300), "b": (400, 180)}, threshold=0.6, delta=0.05)
    assert (table.good, table.bad) == (["a"], ["b"])
    assert table[1].lower == pytest.approx(5 * unit[1].lower)
    assert table[1].upper == pytest.approx(5 * unit[1].upper)
    assert table[0].mean == pytest.approx(1500.5 / 400)


@settings(max_examples=120, deadline=None)
@given(
    counts=st.lists(st.tuples(st.integers(0, 3000), st.floats(0, 1)), min_size=1, max_size=8),
    threshold=st.sampled_from([0.05, 0.3, 0.5, 0.9]),
    delta=st.sampled_from([0.001, 0.05, 0.5, 0.95]),
    control=st.sampled_from(["fwer", "fdr", "per-arm"]),
    margin=st.sampled_from([0.0, 0.0, 0.01, 0.04]),
    scale=st.sampled_from([None, (0.0, 1.0), (-3.0, 0.7)]),
    extra=st.integers(0, 9),
)
def test_a_label_never_contradicts_the_interval(
    counts, threshold, delta, control, margin, scale, extra
):
    arms = list(range(len(counts)))
    pulls = [n for n, _ in counts]
    sums = [round(n * share) for n, share in counts]
    keywords = {"control": control, "arms_planned": len(arms) + extra}
    if scale is None:
        table = {"arm": arms, "pulls": pulls, "successes": sums}
    else:
        low, high = scale
        sums = [n * low + s * (high - low) for n, s in zip(pulls, sums, strict=True)]
        table = {"arm": arms, "pulls": pulls, "sum": sums}
        threshold, margin = low + (high - low) * threshold, margin * (high - low)
        keywords |= {"rewards": "bounded", "low": low, "high": high}
    keywords["allow_large_delta"] = True
    found = ga.check(table, threshold=threshold, delta=delta, margin=margin, **keywords)
    for report in found:
        if report.pulls == 0:
            assert (report.label, report.lower, report.mean) == ("undecided", None, None)
            continue
        is_good = report.lower >= threshold - margin
        is_bad = report.upper <= threshold + margin
        expected = "undecided"
        if is_good and (report.mean >= threshold or not is_bad):
            expected = "good"
        elif is_bad:
            expected = "bad"
        assert report.label == expected
        slack = 1e-9 * max(abs(report.mean), 1.0)
        if margin == 0:
            assert report.lower <= report.mean + slack
            assert report.mean <= report.upper + slack
            assert not (is_good and is_bad)
        assert (report.pulls_needed == 0) == (report.label != "undecided")


WRONG = [
    ({"delta": 1.3}, "'delta' of check must be a number strictly between 0 and 1; got 1.3"),
    ({"threshold": 1.0}, "'threshold' of check must be strictly between 0 and 1"),
    ({"threshold": 1e-12}, "of the mixture rule must stay at least 1e-09 away from 0 and 1"),
    ({"margin": 0.3}, "'margin' of check must leave threshold"),
    ({"control": "fwr"}, "'control' of check must be one of .* got 'fwr'. Did you mean 'fwer'"),
    ({"rewards": "gaussian"}, "'sigma' of check must be given for gaussian rewards"),
    ({"rewards": "normal"}, "'rewards' of check must be one of 'bernoulli', 'bounded', 'gaus"),
    ({"raw": 1}, "'raw' of check must be True or False"),
    ({"arms_planned": 1}, "'arms_planned' of check must be at least the number of arms .*, 4"),
    ({"arms_planned": 2.5}, "'arms_planned' of check must be a whole number"),
    ({"columns": {"pull": "n"}}, "'columns' of check must be one of 'arm', 'pulls', 'successes'"),
    ({"columns": {"pulls": 2.5}}, "'columns' of check must give each name as text"),
    ({"columns": {"pulls": "arm"}}, "'columns' of check must give each column its own name"),
    ({"columns": ["pulls"]}, "'columns' of check must be a dict"),
    ({"low": 0}, "'low' of check must be left out for bernoulli rewards"),
]


@pytest.mark.parametrize(("keywords", "message"), WRONG)
def test_wrong_arguments(keywords, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.check(COUNTS, **{"threshold": 0.8, "delta": 0.05, **keywords})


@settings(max_examples=120, deadline=None)
@given(
    n=st.one_of(st.integers(1, 50), st.integers(1, 10**12)),
    share=st.one_of(st.sampled_from([0.0, 1e-300, 1e-12, 1.0]), st.floats(0, 1)),
    threshold=st.sampled_from([1.1e-9, 1e-4, 0.5, 0.9999, 1 - 1.1e-9]),
    delta=st.sampled_from([1e-100, 0.05, 0.999999]),
    planned=st.sampled_from([1, 10**18]),
    is_bounded=st.booleans(),
)
def test_no_table_gives_a_number_that_is_none(n, share, threshold, delta, planned, is_bounded):
    total = n * share if is_bounded else round(n * share)
    table = {"arm": ["a"], "pulls": [n], "sum" if is_bounded else "successes": [total]}
    rewards = "bounded" if is_bounded else "bernoulli"
    asked = {"delta": delta, "rewards": rewards, "allow_large_delta": True}
    found = ga.check(table, threshold=threshold, **asked, arms_planned=planned)
    (report,) = found
    assert np.isfinite([found.log_good, found.log_bad, found.lower, found.upper]).all()
    assert report.lower <= report.mean + 1e-9
    assert report.mean <= report.upper + 1e-9
    assert not np.isnan([found.needed, found.needed_90]).any()
    assert found.needed_90 >= found.needed


def test_a_problem_brings_the_arms_it_plans():
    counts = {"a": (500, 425), "b": (500, 300)}
    problem = ga.Problem(["a", "b"], 0.8, 0.05, arms_planned=1000)
    found = ga.check(counts, problem=problem)
    assert found.arms_planned == 1000
    assert found == ga.check(counts, problem=ga.Problem(["a", "b"], 0.8, 0.05), arms_planned=1000)
    assert ga.check(counts, problem=problem, arms_planned=1000) == found
    with pytest.raises(ga.errors.SpecError, match="be left out if the problem has its own, 1000"):
        ga.check(counts, problem=problem, arms_planned=2000)
