"""Gaussian rewards: from pulls and sums, or raw; sums may be negative and have no range."""

import numpy as np
import polars as pl
import pytest

import goodarm as ga

ASKED = {"threshold": -0.5, "delta": 0.05, "rewards": "gaussian", "sigma": 2.0}


def test_labels_and_evidence():
    counts = {"up": (400, 100.0), "down": (400, -900.0), "near": (400, -190.0), "new": (0, 0)}
    table = ga.check(counts, **ASKED)
    assert (table.good, table.bad, table.undecided) == (["up"], ["down"], ["near", "new"])
    assert table.rule == "half-normal"
    assert table.sigma == table.to_dict()["sigma"] == 2.0
    assert table.columns()["sum"].tolist() == [100.0, -900.0, -190.0, 0.0]
    assert any("Sigma must be known" in note for note in table.notes)
    rule = ga.rules.HalfNormal()
    assert table.log_good[0] == pytest.approx(float(rule.log_good(400, 25.0, -0.125)))
    assert ga.check(table.columns(), **ASKED) == table


def test_raw_rows_and_engines():
    rng = np.random.default_rng(0)
    rows = {"arm": ["a"] * 300 + ["b"] * 200, "reward": rng.normal(-0.5, 2, 500).round(3)}
    sums = {arm: rows["reward"][np.array(rows["arm"]) == arm] for arm in "ab"}
    expected = ga.check({arm: (len(x), x.sum()) for arm, x in sums.items()}, **ASKED)
    for table in (rows, pl.LazyFrame(rows), pl.DataFrame(rows)):
        found = ga.check(table, **ASKED, raw=True)
        np.testing.assert_allclose(found.log_good, expected.log_good, rtol=1e-9)
        np.testing.assert_allclose(found.lower, expected.lower, rtol=1e-9)


def test_it_is_the_identifiers_test():
    rng = np.random.default_rng(1)
    problem = ga.Problem(3, **ASKED)
    rewards = {arm: rng.normal(-1 + arm / 2, 2, 150).tolist() for arm in range(3)}
    table = ga.check(rewards, problem=problem, raw=True)
    ident = ga.Identifier(problem)
    for arm, drawn in rewards.items():
        ident.observe(arm, drawn)
    for mine, theirs in zip(table, ident.table(), strict=True):
        assert mine.label == theirs.label
        assert mine.lower == pytest.approx(theirs.lower)
        assert mine.e_good == pytest.approx(theirs.e_good)


@pytest.mark.parametrize(
    ("table", "keywords", "message"),
    [
        ({"a": (3, 1.0)}, {"sigma": None}, "'sigma' of check must be given for gaussian rewards"),
        ({"a": (3, 1.0)}, {"sigma": 0}, "'sigma' of check must be above 0"),
        ({"a": (3, float("inf"))}, {}, "'sum' of the dict, arm 'a' must be a finite number"),
        ({"a": (0, 1.0)}, {}, "'sum' of the dict, arm 'a' must be 0, as there are no pulls"),
        ({"a": [1.0, float("nan")]}, {"raw": True}, "arm 'a', reward 2 must be a finite number"),
        ({"a": (3, 1.0)}, {"rule": "mixture"}, "mixture rule needs rewards in a known range"),
        ({"a": (3, 1.0)}, {"pool": 10}, "'pool' of check must be left out for gaussian rewards"),
        ({"a": (3, 1.0)}, {"low": 0}, "'low' of check must be left out for gaussian rewards"),
    ],
)
def test_what_is_refused(table, keywords, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.check(table, **{**ASKED, **keywords})
