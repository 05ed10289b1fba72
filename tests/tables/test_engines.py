"""Lazy and remote tables: the same counts from every engine as from the plain reader."""

import re
import sys
from decimal import Decimal

import duckdb
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.installation import install_command

ASKED = {"threshold": 0.5, "delta": 0.05}
COUNTS = {"arm": ["a", "b", "c"], "pulls": [500, 500, 40], "successes": [460, 300, 30]}


@pytest.fixture(scope="module")
def connection():
    with duckdb.connect() as found:
        yield found


@pytest.fixture(scope="module")
def session(connection):
    from sqlframe.duckdb import DuckDBSession

    return DuckDBSession(connection)


def tables(columns, connection, session):
    """The same rows in each engine."""
    import dask.dataframe as dd  # takes a second, of each process that collects tests

    frame = pd.DataFrame(columns)
    arrow = pa.Table.from_pydict(columns)
    connection.register("rows", arrow)
    yield "polars lazy", pl.LazyFrame(columns)
    yield "duckdb", connection.sql("select * from rows")
    yield "arrow table", arrow
    yield "arrow dataset", ds.dataset(arrow)
    yield "arrow stream", arrow.to_reader(max_chunksize=3)
    yield "dask", dd.from_pandas(frame, npartitions=2)
    yield "sqlframe", session.sql("select * from rows")


def test_tables_of_counts(connection, session):
    expected = ga.check(COUNTS, **ASKED)
    for name, table in tables(COUNTS, connection, session):
        found = ga.check(table, **ASKED)
        assert sorted(found.arms) == ["a", "b", "c"], name
        assert {r.arm: r for r in found} == {r.arm: r for r in expected}, name


ROWS = st.lists(
    st.tuples(st.sampled_from(["a", "b", "x y", "ü", "'; drop"]), st.integers(0, 1)),
    min_size=1,
    max_size=60,
)


@pytest.mark.slow
@settings(max_examples=8)
@given(ROWS)
def test_the_same_counts_from_each_engine(connection, session, rows):
    check_counts(connection, session, rows)


@pytest.mark.large
@settings(max_examples=25)
@given(ROWS)
def test_the_same_counts_of_many_rows(connection, session, rows):
    check_counts(connection, session, rows)


def check_counts(connection, session, rows):
    """Every engine gives the reports of the plain reader."""
    columns = {"arm": [arm for arm, _ in rows], "reward": [reward for _, reward in rows]}
    expected = {report.arm: report for report in ga.check(columns, **ASKED, raw=True)}
    for name, table in tables(columns, connection, session):
        found = ga.check(table, **ASKED, raw=True)
        assert {report.arm: report for report in found} == expected, name


EIGHTHS = st.lists(st.tuples(st.integers(0, 3), st.integers(0, 40)), min_size=1, max_size=40)


@pytest.mark.slow
@settings(max_examples=5)
@given(EIGHTHS)
def test_rewards_in_a_range(connection, session, rows):
    check_range(connection, session, rows)


@pytest.mark.large
@settings(max_examples=15)
@given(EIGHTHS)
def test_many_rewards_in_a_range(connection, session, rows):
    check_range(connection, session, rows)


def check_range(connection, session, rows):
    """Eighths add up exactly in any order."""
    columns = {"arm": [arm for arm, _ in rows], "reward": [value / 8 for _, value in rows]}
    options = {"raw": True, "rewards": "bounded", "low": 0, "high": 5}
    expected = {
        report.arm: report for report in ga.check(columns, threshold=2.5, delta=0.05, **options)
    }
    for name, table in tables(columns, connection, session):
        found = ga.check(table, threshold=2.5, delta=0.05, **options)
        assert {report.arm: report for report in found} == expected, name


def test_arms_come_in_the_order_of_their_labels(connection, session):
    columns = {"arm": [10, 9, 2, 9], "reward": [1, 0, 1, 1]}
    assert ga.check(pl.LazyFrame(columns), **ASKED, raw=True).arms == (2, 9, 10)


@pytest.mark.parametrize(
    "rewards", [[True, False, True], ["pass", " FAIL", "Yes"], [1.0, 0.0, 1.0]], ids=str
)
def test_truth_values_and_words(rewards, connection, session):
    columns = {"test": ["a", "a", "b"], "outcome": rewards}
    for name, table in tables(columns, connection, session):
        found = ga.check(table, **ASKED, raw=True)
        assert {r.arm: (r.pulls, r.mean) for r in found} == {"a": (2, 0.5), "b": (1, 1.0)}, name
        assert found.read_as.startswith("read test as arm, outcome as reward")


@pytest.mark.parametrize(
    "rewards", [[1, 2, 0], [1, None, 0], [0.5, 1.0, 0.0], ["pass", "skipped", "fail"]], ids=str
)
def test_impossible_rewards(rewards, connection, session):
    for name, table in tables({"arm": ["a", "a", "b"], "reward": rewards}, connection, session):
        with pytest.raises(ga.errors.SpecError) as caught:
            ga.check(table, **ASKED, raw=True)
        assert "be 0 or 1" in str(caught.value), name
        assert "arm 'a'" in str(caught.value), name
        assert "'reward' of the " in str(caught.value), name


def test_nan_is_no_reward(connection):
    for table in (
        connection.sql("select 'a' as arm, 'nan'::double as reward"),
        pl.LazyFrame({"arm": ["a"], "reward": [float("nan")]}),
    ):
        for options in ({}, {"rewards": "bounded", "low": 0, "high": 2}):
            with pytest.raises(ga.errors.SpecError, match="arm 'a' must all be"):
                ga.check(table, **ASKED, raw=True, **options)


def test_missing_arms_and_columns_and_rows(connection, session):
    for name, table in tables({"arm": ["a", None], "reward": [1, 1]}, connection, session):
        with pytest.raises(ga.errors.SpecError, match="must be text or a whole number"):
            ga.check(table, **ASKED, raw=True)
        with pytest.raises(ga.errors.SpecError, match="must include 'pulls'"):
            ga.check(table, **ASKED)
        assert name
    with pytest.raises(ga.errors.SpecError, match="at least one row"):
        ga.check(pl.LazyFrame({"arm": [], "reward": []}), **ASKED, raw=True)
    with pytest.raises(ga.errors.SpecError, match="at least one row"):
        ga.check(ds.dataset(pa.table({"arm": [], "reward": []})), **ASKED, raw=True)


def test_sums_of_a_warehouse(connection):
    """DuckDB's sums are 128-bit integers, which become decimals on their way here."""
    rows = connection.sql(
        "select 'arm ' || (i % 3) as arm, count(*) as pulls, sum((i % 5 > 0)::int) as successes "
        "from range(3000) t(i) group by 1 order by 1"
    )
    found = ga.check(rows, **ASKED)
    assert found.pulls.tolist() == [1000] * 3
    assert found.explain("arm 1").mean == 0.8
    assert ga.check(rows.arrow(), **ASKED) == found


@pytest.mark.parametrize(
    "table",
    [
        {"arm": ["a"], "pulls": [Decimal(10)], "successes": [Decimal("3.0")]},
        pa.table({"arm": ["a"], "pulls": pa.array([Decimal(10)]), "successes": [3]}),
        pl.DataFrame({"arm": ["a"], "pulls": [10], "successes": [3]}).cast({"pulls": pl.Int128}),
        pl.DataFrame({"arm": ["a"], "pulls": [Decimal(10)], "successes": [3]}),
    ],
)
def test_decimals_and_128_bits(table):
    assert ga.check(table, **ASKED).mean.tolist() == [0.3]


def test_a_decimal_that_is_not_whole():
    with pytest.raises(ga.errors.SpecError, match="be a whole number"):
        ga.check({"arm": ["a"], "pulls": [Decimal("10.5")], "successes": [3]}, **ASKED)


def test_datasets_of_files(tmp_path):
    for part in range(3):
        pq.write_table(
            pa.table({"arm": ["a", "b"], "reward": [1, part % 2]}), tmp_path / f"{part}.pq"
        )
    found = ga.check(ds.dataset(tmp_path, format="parquet"), **ASKED, raw=True)
    assert {r.arm: (r.pulls, r.mean) for r in found} == {"a": (3, 1.0), "b": (3, 1 / 3)}


def test_what_an_engine_says_is_passed_on(connection, tmp_path):
    pl.DataFrame({"arm": ["a"], "reward": [1]}).write_parquet(tmp_path / "t.parquet")
    table = pl.scan_parquet(tmp_path / "t.parquet").with_columns(pl.col("reward") / pl.lit("x"))
    with pytest.raises(ga.errors.SpecError, match="The polars table could not be read"):
        ga.check(table, **ASKED, raw=True)


def test_arrow_is_an_extra(monkeypatch):
    stream = pa.table({"arm": ["a"], "reward": [1]}).to_reader()
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    with pytest.raises(ga.errors.MissingExtra, match=re.escape(install_command("arrow"))):
        ga.check(stream, **ASKED, raw=True)


def test_wrong_words_and_missing_rewards_have_no_range():
    rows = pl.LazyFrame({"arm": ["a", "b"], "reward": ["x", None]})
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.check(rows, threshold=0.5, delta=0.05, raw=True)
    assert "arm 'a' must all be 0 or 1; got '1 outside, 0 missing'." in str(caught.value)
    assert "arm 'b' must all be 0 or 1; got '0 outside, 1 missing'." in str(caught.value)
