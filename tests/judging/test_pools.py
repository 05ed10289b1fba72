"""Counts out of a fixed number of cases."""

import itertools
import math
from fractions import Fraction

import numpy as np
import polars as pl
import pytest

import goodarm as ga
from goodarm.judging.judgment import sum_harmonic
from helpers import make_suited_bets

COUNTS = {"a": (100, 95), "b": (100, 60), "c": (100, 80), "new": (0, 0)}
ASKED = {"threshold": 0.8, "delta": 0.05}
ONE_BY_ONE = {"rewards": "bounded", "raw": True}
SCORES = {"threshold": 0.5, "delta": 0.05, **ONE_BY_ONE}


def test_labels_and_bounds_are_about_the_cases():
    table = ga.check(COUNTS, **ASKED, pool=150)
    assert (table.good, table.bad, table.undecided) == (["a"], ["b"], ["c", "new"])
    whole = np.array([table.lower[:3], table.upper[:3]]) * 150
    np.testing.assert_allclose(whole, np.round(whole), atol=1e-9)
    endless = ga.check(COUNTS, **ASKED)
    assert (table.upper - table.lower < endless.upper - endless.lower)[:3].all()
    assert table.needed[2] <= 50
    assert "out of 150 cases" in table.summary
    assert "success rate of each arm's own cases" in str(table.notes)
    document = table.to_dict()
    assert (document["pool"], document["case_order"]) == (150, "same")
    assert "pool" not in endless.to_dict()


def test_the_last_case_settles_an_arm():
    table = ga.check({"on": (150, 120), "below": (150, 119)}, **ASKED, pool=150)
    assert (table.good, table.bad) == (["on"], ["below"])
    assert table.lower.tolist() == pytest.approx([0.8, 119 / 150])


def test_an_arm_on_the_bar_has_the_bar_for_its_bounds():
    table = ga.check({"on": (150, 120)}, **ASKED, pool=150)
    assert (table.labels[0], table.lower[0], table.upper[0]) == (1, 0.8, 0.8)
    scores = ga.check({"on": [0.5, 1.0, 0.5, 0.0]}, **SCORES, pool=4)
    assert (scores.labels[0], scores.lower[0], scores.upper[0]) == (1, 0.5, 0.5)


BARS_OF_POOLS = list(itertools.product(["0.5", "0.7", "0.8", "0.801", "0.23"], ["0", "0.1"]))
BARS_OF_BETS = [("0.5", "0"), ("0.8", "0.1"), ("0.801", "0")]


@pytest.mark.parametrize(
    ("threshold", "margin", "rule"),
    [
        *((*bars, "mixture") for bars in BARS_OF_POOLS),
        *(
            pytest.param(*bars, "betting", marks=() if bars in BARS_OF_BETS else pytest.mark.large)
            for bars in BARS_OF_POOLS
        ),
    ],
)
def test_all_counts_of_small_pools_have_whole_bounds_that_fit_their_labels(threshold, margin, rule):
    """Exact bars, as fractions: .8 - .1 is .7 here, and a little more among floats."""
    bars = [Fraction(threshold) + sign * Fraction(margin) for sign in (-1, 1)]
    bar, slack = float(threshold), float(margin)
    for size in (1, 3, 10, 16):
        good, bad = (math.ceil(size * share) for share in bars)
        pairs = [(n, s) for n in range(1, size + 1) for s in range(n + 1)]
        table = {str(pair): pair for pair in pairs}
        asked = {"margin": slack, "pool": size, "rule": rule}
        if rule == "betting":
            asked["raw"] = True
            table = {name: [1] * s + [0] * (n - s) for name, (n, s) in table.items()}
        for control, delta in (("per-arm", 0.3), ("fwer", 0.9), ("fdr", 0.5)):
            found = ga.check(
                table,
                threshold=bar,
                delta=delta,
                control=control,
                allow_large_delta=True,
                **asked,
            )
            for (n, s), label, lower, upper in zip(
                pairs, found.labels, found.lower, found.upper, strict=True
            ):
                least, most = round(lower * size), round(upper * size)
                assert (lower, upper) == (least / size, most / size)
                assert 0 <= least <= most <= size
                assert (label == 1) <= (least >= good)
                assert (label == -1) <= (most < bad)
                assert label != 0 or (least < good and most >= bad)
                if n == size:  # with both true, the mean decides
                    assert label == (1 if s >= bad or (s >= good and s / size >= bar) else -1)


def test_pools_of_their_own(tmp_path):
    sizes = {"a": 150, "b": 120, "c": 100, "new": 400}
    table = ga.check(COUNTS, **ASKED, pool=sizes)
    assert table.pools.tolist() == list(sizes.values())
    for place, (arm, size) in enumerate(sizes.items()):
        alone = ga.check({arm: COUNTS[arm]}, **ASKED, pool=size, arms_planned=4)
        assert table[place] == alone[0]
    assert ga.check(COUNTS, problem=ga.Problem(list(COUNTS), **ASKED, pool=sizes)) == table
    path = tmp_path / "t.csv"
    rows = [f"{arm},{n},{s},{sizes[arm]}\n" for arm, (n, s) in COUNTS.items()]
    path.write_text("arm,pulls,successes,cases\n" + "".join(rows), encoding="utf-8")
    assert ga.check(path, **ASKED, columns={"pool": "cases"}) == table
    assert ga.check(pl.scan_csv(path), **ASKED, columns={"pool": "cases"}) == table
    assert "150" in repr(table)
    assert [entry["pool"] for entry in table.to_dict()["arms"]] == list(sizes.values())


def test_a_problem_with_pools_may_have_arms_that_the_table_lacks():
    problem = ga.Problem(["x", "a"], **ASKED, pool={"x": 90, "a": 150})
    table = ga.check({"a": (100, 95)}, problem=problem)
    assert (table.good, table.undecided) == (["a"], ["x"])
    assert table.pools.tolist() == [90, 150]
    with pytest.raises(
        ga.errors.SpecError, match="'arm' of the table must be one of 'x', 'a'; got 'b'"
    ):
        ga.check({"b": (100, 95)}, problem=problem)
    scores = ga.Problem(["x", "a"], 0.5, 0.05, rewards="bounded", pool=20)
    assert ga.check({"a": [1.0] * 19}, problem=scores, raw=True).good == ["a"]


def test_thresholds_and_pools_of_their_own():
    sizes = {"a": 150, "b": 120, "c": 150}
    bars = {"a": 0.7, "b": 0.7, "c": 0.9}
    counts = {arm: COUNTS[arm] for arm in sizes}
    table = ga.check(counts, threshold=bars, delta=0.05, pool=sizes, margin=0.02)
    for place, arm in enumerate(counts):
        alone = ga.check(
            {arm: counts[arm]},
            threshold=bars[arm],
            delta=0.05,
            pool=sizes[arm],
            margin=0.02,
            arms_planned=3,
        )
        assert table[place] == alone[0]
    raw = {arm: [1] * s + [0] * (n - s) for arm, (n, s) in counts.items()}
    assert ga.check(raw, threshold=bars, delta=0.05, pool=sizes, margin=0.02, raw=True) == table


@pytest.mark.parametrize(
    ("keywords", "message"),
    [
        (
            {"pool": 99},
            "'pulls' of the dict, arm 'a' must be at most the 99 cases of arm 'a'; got 1",
        ),
        ({"pool": {**dict.fromkeys(COUNTS, 200), "b": 9}}, "arm 'b' must be at most the 9 cases"),
        ({"pool": {"a": 200}}, "'pool' of check must name every arm of the table; 'b' is missing"),
        (
            {"pool": {**dict.fromkeys(COUNTS, 200), "z": 9}},
            "name arms of the table only, and not 'z",
        ),
        (
            {"pool": {**dict.fromkeys(COUNTS, 200), "b": 9.5}},
            "'pool' of check, arm 'b' must be a wh",
        ),
        ({"pool": 0}, "'pool' of check must be a whole number from 1"),
        ({"pool": [200] * 4}, "'pool' of check must be a number of cases, or a dict"),
        (
            {"pool": 200, "case_order": "any"},
            "'case_order' of check must be one of 'same', 'own'",
        ),
        ({"case_order": "own"}, "'case_order' of check must be left out without a pool.*pool=N"),
        ({"pool": 200, "rule": "hoeffding"}, "hoeffding rule does not support pools"),
        ({"pool": 200, "rule": "betting"}, "betting rule needs single rewards"),
    ],
    ids=lambda value: str(value)[:50],
)
def test_what_is_refused(keywords, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.check(COUNTS, **ASKED, **keywords)


def test_rows_that_are_too_many_name_the_row():
    columns = {"arm": ["a", "b"], "pulls": [10, 30], "successes": [9, 9], "cases": [20, 20]}
    with pytest.raises(
        ga.errors.SpecError, match="'pulls' of the dict, row 2 must be at most the 20 cases"
    ):
        ga.check(columns, **ASKED, columns={"pool": "cases"})
    with pytest.raises(
        ga.errors.SpecError, match="row 2 must be a whole number from 0 to .* 10; got 19"
    ):
        ga.check({**columns, "pulls": [10, 10], "successes": [9, 19]}, **ASKED, pool=20)
    with pytest.raises(
        ga.errors.SpecError, match=r"row 3 must be at most the 2 cases of arm 'a'; got 3\."
    ):
        ga.check({"arm": ["a"] * 4, "reward": [1, 1, 0, 1]}, **ASKED, pool=2, raw=True)


def test_fdr_where_one_arm_may_tell_about_another():
    """The full delta where each arm has its own order or all stand at one case; else less."""
    ahead = {"a": (100, 95), "b": (90, 60), "c": (100, 80), "new": (0, 0)}
    level = {**ahead, "b": (100, 66)}
    asked = {**ASKED, "control": "fdr", "pool": 150}
    less = 0.05 / (1 + 1 / 2 + 1 / 3 + 1 / 4)
    same = ga.check(ahead, **asked)
    assert same.delta_listed == pytest.approx(less)
    assert f"= {less:.4g}." in str(same.notes)
    assert same.to_dict()["delta_listed"] == same.delta_listed
    shown = ga.check(ahead, threshold=0.8, delta=less, control="fdr", pool=150, case_order="own")
    np.testing.assert_array_equal(same.lower, shown.lower)
    np.testing.assert_array_equal(same.labels, shown.labels)
    planned = ga.check(ahead, **asked, arms_planned=20)
    assert planned.delta_listed == pytest.approx(0.05 / sum(1 / k for k in range(1, 21)))
    for table in (
        ga.check(ahead, **asked, case_order="own"),
        ga.check(level, **asked),
        ga.check(ahead, **ASKED, pool=150),
        ga.check(ahead, **ASKED, control="per-arm", pool=150),
        ga.check(ahead, **ASKED, control="fdr"),
    ):
        assert table.delta_listed is None
        assert "one order" not in str(table.notes)
    sizes = {"a": 150, "b": 120, "c": 150, "new": 150}
    assert ga.check(level, **{**asked, "pool": sizes}).delta_listed == pytest.approx(less)


def test_the_sum_of_parts():
    assert sum_harmonic(1) == 1.0
    assert sum_harmonic(20_000) == pytest.approx(
        math.fsum(1 / k for k in range(1, 20_001)), rel=1e-15
    )


def test_scores_are_bet_on_in_their_order():
    rng = np.random.default_rng(0)
    scores = {"a": rng.choice([0.5, 0.75, 1.0], 80), "b": rng.choice([0, 0.25, 0.5, 1.0], 60)}
    table = ga.check(scores, **SCORES, pool=100)
    assert table.rule == "betting"
    asked = {name: value for name, value in SCORES.items() if name != "raw"}
    ident = ga.Identifier(ga.Problem(list(scores), **asked, pool=100), seed=0)
    while any(len(drawn) for drawn in scores.values()) and not ident.is_done:
        pull = ident.ask()
        if not len(scores[pull.arm]):
            break
        ident.tell(pull, float(scores[pull.arm][0]))
        scores[pull.arm] = scores[pull.arm][1:]
    frozen = {report.arm: report for report in ident.table()}
    assert frozen["a"].label == table.explain("a").label == "good"
    full = ga.check({"a": [0.5] * 10}, **SCORES, pool=10)
    assert full.good == ["a"]


def test_the_wealth_in_a_pool_is_that_of_the_moving_bar():
    scores, size, bar = [0.75, 0.5, 1.0, 0.25, 0.75], 12, 0.5
    table = ga.check({"a": scores}, **SCORES, pool=size)
    parts, wealth = make_suited_bets()
    for n, score in enumerate(scores):
        moving = (size * bar - sum(scores[:n])) / (size - n)
        wealth = wealth * (1 - parts + parts * score / moving)
    assert table.e_good[0] == pytest.approx(wealth.sum(), rel=1e-9)


def test_what_is_certain_of_a_pool_is_labelled_at_once():
    """Whatever the cases left are: every table of three values in pools of up to four cases."""
    for size in (1, 2, 3, 4):
        for count in range(1, size + 1):
            for scores in itertools.product((0.0, 0.5, 1.0), repeat=count):
                table = ga.check(
                    {"a": list(scores)}, threshold=0.375, delta=1e-6, **ONE_BY_ONE, pool=size
                )
                least, most = sum(scores), sum(scores) + size - count
                certain = 1 if least >= 0.375 * size else -1 if most < 0.375 * size else 0
                assert table.labels[0] == certain, (size, scores)
                assert table.lower[0] <= 0.375 <= table.upper[0] or certain


def test_pulls_needed_of_scores_are_those_of_a_bar_that_stays():
    """At most: the bar moves their way. And never above what is left."""
    scores = {"a": [0.5, 0.75, 0.25, 1.0, 0.5] * 4}
    endless = ga.check(scores, **SCORES)
    table = ga.check(scores, **SCORES, pool=5000)
    assert table.undecided == ["a"]
    assert table.needed[0] == pytest.approx(endless.needed[0], rel=0.1)
    assert table.needed[0] < 200 < table.needed_90[0]
    few = ga.check(scores, **SCORES, pool=30)
    assert few.needed[0] <= few.needed_90[0] <= 10


def test_after_the_last_score_the_bounds_are_the_mean():
    rng = np.random.default_rng(1)
    scores = {arm: rng.random(7) for arm in range(200)}
    table = ga.check(scores, **SCORES, pool=7)
    assert (table.lower <= table.upper).all()
    means = [values.mean() for values in scores.values()]
    np.testing.assert_allclose([table.lower, table.upper], [means, means], rtol=1e-9)


@pytest.mark.parametrize(
    ("table", "options"),
    [
        ({"a": (10, 7.5)}, {"raw": False}),
        ({"a": {0.5: 5}}, {"raw": False, "values": True}),
        ({"a": [0.5] * 5}, {"rule": "mixture"}),
    ],
)
def test_sums_of_scores_say_nothing_of_their_order(table, options):
    with pytest.raises(
        ga.errors.SpecError, match="only one by one, in the order of the cases.*raw=True"
    ):
        ga.check(table, **{**SCORES, **options}, pool=100)


def test_engines_keep_no_order():
    rows = pl.LazyFrame({"arm": ["a"], "reward": [0.5]})
    with pytest.raises(
        ga.errors.SpecError, match="order of their cases, which an engine does not keep"
    ):
        ga.check(rows, **SCORES, pool=100)
