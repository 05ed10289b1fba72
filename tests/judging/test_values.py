"""Single rewards in a range: bet on, and the same from rows, counts of values and engines."""

import math

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.algorithm.identification.values import count_values
from goodarm.judging import bets, distinct_values
from goodarm.judging.bets import RuleBets
from goodarm.judging.distinct_values import ValueCounter
from helpers import make_suited_bets

SCALE = {"threshold": 3.2, "delta": 0.05, "rewards": "bounded", "low": 1, "high": 5}
FIELDS = ("labels", "mean", "lower", "upper", "log_good", "log_bad")


def assert_same(found, expected, rel=1e-11):
    assert found.arms == expected.arms
    assert found.pulls.tolist() == expected.pulls.tolist()
    for name in FIELDS:
        np.testing.assert_allclose(
            getattr(found, name), getattr(expected, name), rel, atol=1e-11, err_msg=name
        )


def rewards_of(seed, sizes):
    """Ratings, ratings with halves, and many values, from low to high means."""
    rng = np.random.default_rng(seed)
    found = {}
    for number, size in enumerate(sizes):
        drawn = 1 + 4 * rng.beta(2 + number, 3, size)
        steps = (None, 1, 2)[number % 3]
        found[f"arm {number}"] = drawn if steps is None else np.round(drawn * steps) / steps
    return found


def test_the_default_suits_what_the_table_holds():
    rewards = rewards_of(0, [300, 300])
    sums = {arm: (len(x), float(x.sum())) for arm, x in rewards.items()}
    assert ga.check(sums, **SCALE).rule == "mixture"
    raw = ga.check(rewards, **SCALE, raw=True)
    assert raw.rule == "betting"
    assert_same(ga.check(rewards, **SCALE, raw=True, rule="mixture"), ga.check(sums, **SCALE))
    assert ga.check({"a": [0, 1, 1]}, threshold=0.5, delta=0.05, raw=True).rule == "mixture"
    assert ga.check({"a": (3, 2)}, threshold=0.5, delta=0.05).rule == "mixture"
    wide = ga.check(sums, **SCALE)
    assert all(raw.upper - raw.lower < wide.upper - wide.lower)


def test_the_evidence_is_the_weighted_wealth():
    """By the formula: bets c / bar, one reward after the other."""
    rewards = rewards_of(1, [200, 90])
    table = ga.check(rewards, **SCALE, raw=True)
    parts, shares = make_suited_bets()
    bar = (3.2 - 1) / 4
    for place, drawn in enumerate(rewards.values()):
        unit = (drawn - 1) / 4
        pairs = list(zip(shares, parts, strict=True))
        good = sum(w * math.prod(1 - c + c * x / bar for x in unit) for w, c in pairs)
        bad = sum(w * math.prod(1 - c + c * (1 - x) / (1 - bar) for x in unit) for w, c in pairs)
        assert table.e_good[place] == pytest.approx(good, rel=1e-9)
        assert table.e_bad[place] == pytest.approx(bad, rel=1e-9)


def test_rare_large_rewards_are_bet_on_with_smaller_bets():
    """At a bar of .001 each of ten bets would lose on a mean that lies half of it above."""
    counts = {"a": {0: 998_000, 0.5: 1000, 1: 1000}, "b": {0: 999_400, 0.5: 400, 1: 200}}
    asked = {"rewards": "bounded", "delta": 0.05}
    table = ga.check(counts, threshold=0.001, **asked, values=True)
    assert (table.good, table.bad) == (["a"], ["b"])
    parts, shares = make_suited_bets(18)
    logs = 998_000 * np.log1p(-parts)
    logs += 1000 * (np.log1p(parts * (500 - 1)) + np.log1p(parts * (1000 - 1)))
    good = math.log(np.sum(shares * np.exp(logs - logs.max()))) + logs.max()
    assert table.log_good[0] == pytest.approx(good, rel=1e-9)


def test_bars_of_each_arm_have_their_own_gamblers():
    """Each arm is judged as it would be alone."""
    counts = {"a": {0: 9_000, 0.5: 600, 1: 400}, "b": {0: 9_950, 1: 50}, "c": {0.5: 4_000, 1: 9}}
    bars = {"a": 0.06, "b": 0.003, "c": 0.49}
    asked = {"rewards": "bounded", "delta": 0.05, "values": True, "arms_planned": 3}
    together = ga.check(counts, threshold=bars, **asked)
    for place, arm in enumerate(counts):
        alone = ga.check({arm: counts[arm]}, threshold=bars[arm], **asked)
        for name in FIELDS:
            assert getattr(together, name)[place] == getattr(alone, name)[0], (arm, name)
    streamed = {arm: rows_of(values) for arm, values in counts.items()}
    assert_same(
        ga.check(streamed, threshold=bars, **{**asked, "values": False}, raw=True), together
    )


def rows_of(values):
    return np.repeat(list(values), list(values.values()))


def test_check_and_identifier_say_the_same():
    rewards = rewards_of(2, [400, 200, 300])
    problem = ga.Problem(list(rewards), **SCALE)
    table = ga.check(rewards, problem=problem, raw=True)
    ident = ga.Identifier(problem)
    for arm, drawn in rewards.items():
        ident.observe(arm, drawn.tolist())
    for mine, theirs in zip(table, ident.table(), strict=True):
        assert mine.label == theirs.label
        assert mine.e_good == pytest.approx(theirs.e_good, rel=1e-9)
        assert mine.e_bad == pytest.approx(theirs.e_bad, rel=1e-9)


def make_forms(rewards, tmp_path):
    """The same rewards in every form that a table may have: the options, and the table."""
    import dask.dataframe as dd  # takes a second, of each process that collects tests

    raw = {
        "arm": [arm for arm, drawn in rewards.items() for _ in drawn],
        "reward": np.concatenate([np.zeros(0), *rewards.values()]),
    }
    pairs = {arm: np.unique(drawn, return_counts=True) for arm, drawn in rewards.items()}
    counted = {
        "arm": [arm for arm, (found, _) in pairs.items() for _ in found],
        "value": np.concatenate([np.zeros(0), *(found for found, _ in pairs.values())]),
        "count": np.concatenate([np.zeros(0, int), *(times for _, times in pairs.values())]),
    }
    yield "dict of columns", {"raw": True}, raw
    for name, columns, option in (("raw", raw, "raw"), ("values", counted, "values")):
        frame = pl.DataFrame(columns)
        frame.write_csv(tmp_path / f"{name}.csv")
        frame.write_parquet(tmp_path / f"{name}.parquet")
        frame.write_ndjson(tmp_path / f"{name}.jsonl")
        for ending in ("csv", "parquet", "jsonl"):
            yield f"{name}.{ending}", {option: True}, tmp_path / f"{name}.{ending}"
        yield f"{name} lazy", {option: True}, frame.lazy()
        yield f"{name} duckdb", {option: True}, duckdb.from_arrow(frame.to_arrow())
        yield f"{name} dask", {option: True}, dd.from_pandas(frame.to_pandas(), npartitions=3)
        yield f"{name} stream", {option: True}, frame.to_arrow().to_reader(max_chunksize=7)
        yield f"{name} pandas", {option: True}, pd.DataFrame(columns)
    listed = {
        arm: dict(zip(found.tolist(), times.tolist(), strict=True))
        for arm, (found, times) in pairs.items()
    }
    yield "dict of dicts", {"values": True}, listed
    array = np.empty(len(counted["arm"]), [("arm", "U10"), ("value", float), ("count", int)])
    for name in ("arm", "value", "count"):
        array[name] = counted[name]
    yield "array", {"values": True}, array


@pytest.mark.parametrize(
    ("sizes", "control"),
    [
        ([400, 60, 250], "fdr"),
        ([1, 1, 1], "fwer"),
        ([64, 65, 66, 500], "fwer"),
        pytest.param([400, 60, 250], "fwer", marks=pytest.mark.large),
        pytest.param([30, 30], "fwer", marks=pytest.mark.large),
        pytest.param([30, 30], "fdr", marks=pytest.mark.large),
        pytest.param([1, 1, 1], "fdr", marks=pytest.mark.large),
        pytest.param([64, 65, 66, 500], "fdr", marks=pytest.mark.large),
    ],
    ids=str,
)
def test_every_form_gives_the_same(sizes, control, tmp_path):
    rewards = rewards_of(len(sizes), sizes)
    expected = ga.check(rewards, **SCALE, raw=True, control=control)
    for name, option, table in make_forms(rewards, tmp_path):
        found = ga.check(table, **SCALE, **option, control=control)
        assert found.rule == "betting", name
        assert_same(found, expected)


@pytest.mark.parametrize("kind", ["bernoulli", "gaussian"])
def test_values_of_other_rewards_are_counts(kind, tmp_path):
    rng = np.random.default_rng(4)
    rewards = {"a": (rng.random(60) < 0.8).astype(float), "b": (rng.random(50) < 0.3).astype(float)}
    keywords = {}
    if kind == "gaussian":
        rewards = {arm: x - 0.25 for arm, x in rewards.items()}
        keywords = {"rewards": "gaussian", "sigma": 0.5}
    sums = {arm: (len(x), float(x.sum())) for arm, x in rewards.items()}
    expected = ga.check(sums, threshold=0.5, delta=0.05, **keywords)
    assert expected.rule == {"bernoulli": "mixture", "gaussian": "half-normal"}[kind]
    for _, option, table in make_forms(rewards, tmp_path):
        assert_same(ga.check(table, threshold=0.5, delta=0.05, **option, **keywords), expected)


@settings(max_examples=60, deadline=None)
@given(
    seed=st.integers(0, 2**32),
    waiting=st.sampled_from([1, 10, 1000]),
    dense=st.sampled_from([0, 1 << 22]),
    num_arms=st.integers(1, 6),
    pieces=st.integers(1, 20),
)
def test_a_stream_in_pieces_is_counted_as_if_at_once(seed, waiting, dense, num_arms, pieces):
    rng = np.random.default_rng(seed)
    size = int(rng.integers(1, 600))
    arms = rng.integers(0, num_arms, size)
    units = np.where(rng.random(size) < 0.5, rng.random(size), rng.integers(0, 257, size) / 256)
    times = np.where(rng.random(size) < 0.7, 1.0, rng.integers(1, 9, size))
    few = arms == 0
    units[few] = np.round(units[few] * 10) / 10
    problem = ga.Problem(1, 0.5, 0.05, rewards="bounded")
    bars = rng.uniform(0.2, 0.8, num_arms)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(distinct_values, "MAX_WAITING_ROWS", waiting)
        patch.setattr(distinct_values, "_MAX_DENSE_PAIRS", dense)
        patch.setattr(bets, "_REWARDS_PER_BLOCK", 50)
        book = ValueCounter(RuleBets(problem, ga.rules.Betting()))
        for part in np.array_split(np.arange(size), pieces):
            book.add(arms[part], units[part], times[part], bars)
        found, wealth = book.counts(bars, None)
    expected = count_values(arms, units, times, num_arms)
    for mine, theirs in zip(found, expected, strict=True):
        np.testing.assert_array_equal(mine, theirs)
    parts = 0.95 * 0.5 ** np.arange(16)
    for arm in range(num_arms):
        of = arms == arm
        x, often, bar = units[of, None], times[of, None], bars[arm]
        good = (often * np.log1p(parts * (x / bar - 1))).sum(axis=0)
        bad = (often * np.log1p(parts * ((1 - x) / (1 - bar) - 1))).sum(axis=0)
        np.testing.assert_allclose(wealth[arm], [*good, *bad], rtol=1e-11, atol=1e-11)


BAD_ROWS = [
    (
        "arm,reward\na,3\na,7\n",
        {"raw": True},
        "'reward' of .*line 3 must be a number from 1.0 to 5.0 for arm '.'; got '7'",
    ),
    (
        "arm,reward\na,nan\n",
        {"raw": True},
        "line 2 must be a number from 1.0 to 5.0 for arm 'a'; got 'nan'",
    ),
    ("arm,value,count\na,0,7\n", {"values": True}, "'value' of .*line 2 must be a number from 1.0"),
    ("arm,value,count\na,2,7.5\n", {"values": True}, "'count' of .*line 2 must be a whole number"),
    ("arm,value,count\na,2,-1\n", {"values": True}, "'count' of .*line 2 must be a whole number"),
    (
        "arm,value,count\na,2,7\na,2,1\n",
        {"values": True},
        "line 3 must come only once for arm 'a'.*sum=True",
    ),
    ("arm,value\na,2\n", {"values": True}, "must include 'count'"),
    (
        "arm,value,count\na,2,7\n",
        {},
        "If each row says how often a value came, pass values=True",
    ),
    (
        "arm,value,count\na,2,7\n",
        {"raw": True},
        "make clear whether 'count' is the number of times that 'value' came.*values=T",
    ),
    ("arm,value,count\na,2,7\n", {"raw": True, "values": True}, "be left out if raw is given"),
    ("arm,pulls,sum\na,2,7\n", {"rule": "betting"}, "betting rule needs single rewards"),
    (
        "arm,reward\na,2\n",
        {"raw": True, "rule": "kelly"},
        "kelly rule depends on the order of rewards",
    ),
]


@pytest.mark.parametrize(
    ("text", "options", "message"), BAD_ROWS, ids=lambda value: str(value)[:50]
)
def test_bad_tables(text, options, message, tmp_path):
    path = tmp_path / "t.csv"
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.check(path, **SCALE, **options)


def test_values_that_come_twice_are_added_up_if_asked(tmp_path):
    path = tmp_path / "t.csv"
    path.write_text("arm,value,count\na,2,7\na,2,1\na,5,0\n", encoding="utf-8")
    found = ga.check(path, **SCALE, values=True, sum=True)
    assert_same(found, ga.check({"a": [2] * 8}, **SCALE, raw=True))
    path.write_text("arm,value,count\na,2,7\n", encoding="utf-8")
    one = ga.check(path, **SCALE, raw=True, columns={"reward": "value"})
    assert one.pulls.tolist() == [1]
    assert "ignored count" in one.read_as


def test_a_value_outside_the_range_names_the_arm_in_an_engine():
    rows = pl.LazyFrame({"arm": ["a", "b"], "reward": [3.0, 9.0]})
    with pytest.raises(
        ga.errors.SpecError, match="arm 'b' must all be a number from 1.0 to 5.0; got '1 out"
    ):
        ga.check(rows, **SCALE, raw=True)


def test_a_problems_arms_without_rows_have_no_values():
    problem = ga.Problem(["z", "a", "y"], **SCALE)
    found = ga.check({"y": [5.0] * 40, "a": [1.0] * 40}, problem=problem, raw=True)
    assert (found.good, found.bad, found.undecided) == (["y"], ["a"], ["z"])
    alone = ga.check({"y": [5.0] * 40}, **SCALE, raw=True, arms_planned=3)
    assert found.lower[2] == alone.lower[0]


def test_arrow_and_numpy_numbers():
    table = pa.table({"arm": ["a"] * 3, "reward": pa.array([1.5, 2.5, 4.5], pa.float32())})
    assert_same(
        ga.check(table, **SCALE, raw=True),
        ga.check({"a": np.array([1.5, 2.5, 4.5], np.float32)}, **SCALE, raw=True),
    )
