"""A table for a single look: its labels, its p-values, and what it does not go with."""

import json

import numpy as np
import pytest
from scipy.stats import binom

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.results import ArmTable

COUNTS = dict(
    zip("ABCDEFGH", [(200, s) for s in (184, 175, 175, 169, 164, 144, 138, 137)], strict=True)
)


def test_three_good_and_three_bad_where_the_anytime_test_says_one_and_two():
    table = ga.check(COUNTS, threshold=0.8, looks="once")
    anytime = ga.check(COUNTS, threshold=0.8)
    assert (table.good, table.bad) == (["A", "B", "C"], ["F", "G", "H"])
    assert (anytime.good, anytime.bad) == (["A"], ["G", "H"])
    assert table.advice.endswith("would say 1 good and 2 bad.")


def test_it_says_what_it_is():
    table = ga.check(COUNTS, threshold=0.8, looks="once")
    text = repr(table)
    assert table.header[-2:] == ("p good", "p bad")
    assert "needed" not in text
    assert "e good" not in text
    assert "This is for one look only" in text
    assert "look as often as you like" not in text
    assert "Test: exact binomial tail, for one look." in text
    assert "p good" in table._repr_html_()
    row = table["A"]
    assert (row.e_good, row.e_bad, row.pulls_needed, row.pulls_needed_90) == (None,) * 4
    assert row.p_good == pytest.approx(binom.sf(183, 200, 0.8), rel=1e-5)
    assert row.p_bad == pytest.approx(binom.cdf(184, 200, 0.8), rel=1e-5)
    assert (table.rule, table.rule_parameters) == ("binomial", None)


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"margin": 0.02},
        {"control": "fdr"},
        {"control": "per-arm"},
        {"pool": 300},
        {"pool": dict.fromkeys("ABCDEFG", 300) | {"H": 200}},
        {"rewards": "gaussian", "sigma": 0.4},
        {"threshold": dict.fromkeys("ABCDEFG", 0.8) | {"H": 0.5}},
    ],
)
def test_bounds_agree_with_labels_and_documents_come_back(options):
    asked = {"threshold": 0.8, **options}
    table = ga.check(
        {**COUNTS, "none": (0, 0)} if len(options) == 0 else COUNTS, looks="once", **asked
    )
    seen = table.pulls > 0
    bars = table.threshold if table.thresholds is None else table.thresholds
    is_good, is_bad = table.lower >= bars - table.margin, table.upper <= bars + table.margin
    if "pool" in options:
        is_bad = table.upper < bars
    both = is_good & is_bad
    assert ((table.labels == 1) == (is_good & ~(both & (table.mean < bars))))[seen].all()
    assert ((table.labels == -1) == (is_bad & ~(both & (table.mean >= bars))))[seen].all()
    assert (table.lower <= table.mean)[seen].all()
    assert (table.mean <= table.upper)[seen].all()
    document = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    assert document["looks"] == "once"
    assert ArmTable.from_dict(document) == table
    assert ArmTable.from_dict(document).header == table.header
    assert "p_good" in table.to_csv().splitlines()[0]
    assert "e_good" not in table.to_csv().splitlines()[0]
    assert (
        list(table.to_pandas()["p_bad"].fillna(-1)) == np.nan_to_num(table.p_bad, nan=-1).tolist()
    )


def test_labels_of_the_anytime_test_are_among_them():
    rng = np.random.default_rng(2)
    n = rng.integers(1, 400, 500)
    counts = np.stack([n, rng.binomial(n, rng.uniform(0.5, 1, 500))], axis=1)
    for options in ({}, {"pool": 400}, {"margin": 0.03}, {"rewards": "gaussian", "sigma": 0.4}):
        anytime = ga.check(counts, threshold=0.8, **options)
        once = ga.check(counts, threshold=0.8, looks="once", **options)
        given = anytime.labels != 0
        assert (once.labels[given] == anytime.labels[given]).all()
        assert (once.labels != 0).sum() > given.sum() > 0


def test_no_rewards_at_all():
    for control in ("fwer", "fdr"):
        table = ga.check({"a": (0, 0)}, threshold=0.8, control=control, looks="once")
        assert table.undecided == ["a"]
        assert (table["a"].p_good, table["a"].lower) == (None, None)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"rule": "mixture"}, "'rule' of check must be left out with looks='once'"),
        ({"gap": 0.1}, "'gap' of check must be left out with looks='once'"),
        ({"previous": {}}, "'previous' of check must be left out .* that look is the only one"),
        ({"rewards": "bounded", "low": 0, "high": 1}, "no exact test for one look"),
        ({"looks": "twice"}, "'looks' of check must be one of 'any', 'once'"),
        ({"looks": None}, "'looks' of check must be one of"),
    ],
)
def test_what_does_not_go_with_it(options, message):
    with pytest.raises(SpecError, match=message):
        ga.check(COUNTS, **{"threshold": 0.8, "looks": "once", **options})
