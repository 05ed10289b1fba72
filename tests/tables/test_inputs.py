"""The same table from every source gives the same answer."""

import io
import sys

import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodarm as ga

COLUMNS = {"arm": ["a", "b", "c"], "pulls": [500, 500, 40], "successes": [460, 300, 30]}
CSV = "arm,pulls,successes\na,500,460\nb,500,300\nc,40,30\n"
ASKED = {"threshold": 0.8, "delta": 0.05}


@pytest.fixture
def expected():
    return ga.check({"a": (500, 460), "b": (500, 300), "c": (40, 30)}, **ASKED)


def structured():
    rows = list(zip(*COLUMNS.values(), strict=True))
    return np.array(rows, [("arm", "U5"), ("pulls", np.int32), ("successes", np.float64)])


TABLES = {
    "dict of columns": COLUMNS,
    "dict of arrays": {name: np.array(column) for name, column in COLUMNS.items()},
    "pandas": pd.DataFrame(COLUMNS),
    "pandas with nullable numbers": pd.DataFrame(COLUMNS).convert_dtypes(),
    "polars": pl.DataFrame(COLUMNS),
    "polars with further columns": pl.DataFrame({"note": ["", "x", "y"], **COLUMNS}),
    "fields": structured(),
    "text file": io.StringIO(CSV),
    "binary file": io.BytesIO(CSV.encode()),
    "spaces, quotes, a byte order mark, empty lines and Windows lines": io.BytesIO(
        b'\xef\xbb\xbfarm, pulls, successes\r\n"a", 500, 460.0\r\n\r\nb,5e2,300\r\nc,40,30\r\n\r\n'
    ),
}


@pytest.mark.parametrize("name", TABLES)
def test_every_source(name, expected):
    found = ga.check(TABLES[name], **ASKED)
    assert found.to_dict() == expected.to_dict()


def test_files(tmp_path, expected):
    (tmp_path / "t.csv").write_text(CSV, encoding="utf-8")
    pl.DataFrame(COLUMNS).write_parquet(tmp_path / "t.parquet")
    for path in (tmp_path / "t.csv", str(tmp_path / "t.csv"), tmp_path / "t.parquet"):
        assert ga.check(path, **ASKED).to_dict() == expected.to_dict()
    with (tmp_path / "t.csv").open("rb") as file:
        assert ga.check(file, **ASKED).to_dict() == expected.to_dict()


def test_an_array_numbers_its_arms(expected):
    found = ga.check(np.array([[500, 460], [500, 300], [40, 30]]), **ASKED)
    assert found.arms == (0, 1, 2)
    assert found.labels.tolist() == expected.labels.tolist()


def test_other_names(expected):
    table = pd.DataFrame(COLUMNS).rename(columns={"arm": "variant", "pulls": "n"})
    found = ga.check(table, **ASKED, columns={"arm": "variant", "pulls": "n"})
    assert found.to_dict() == expected.to_dict()


def raw_columns():
    rng = np.random.default_rng(0)
    arms, rewards = [], []
    for arm, pulls, successes in zip(*COLUMNS.values(), strict=True):
        arms += [arm] * pulls
        rewards += [1] * successes + [0] * (pulls - successes)
    rest = 1 + rng.permutation(len(arms) - 1)
    order = [0, *rest[rest < 500], *rest[rest >= 500]]  # a is seen first, then b
    return {"arm": [arms[k] for k in order], "reward": [rewards[k] for k in order]}


RAW = raw_columns()
RAW_TABLES = {
    "dict of columns": RAW,
    "pandas": pd.DataFrame(RAW),
    "polars": pl.DataFrame(RAW),
    "truth values": pl.DataFrame(RAW).with_columns(pl.col("reward").cast(pl.Boolean)),
    "csv": io.StringIO(pl.DataFrame(RAW).write_csv()),
    "dict of arms": {
        arm: [1] * s + [0] * (n - s) for arm, n, s in zip(*COLUMNS.values(), strict=True)
    },
}


@pytest.mark.parametrize("name", RAW_TABLES)
def test_raw_tables(name, expected):
    found = ga.check(RAW_TABLES[name], **ASKED, raw=True)
    assert {r.arm: r for r in found} == {r.arm: r for r in expected}


def test_raw_parquet_and_array(tmp_path, expected):
    pl.DataFrame(RAW).write_parquet(tmp_path / "r.pq", row_group_size=100)
    found = ga.check(tmp_path / "r.pq", **ASKED, raw=True)
    assert found.labels.tolist() == expected.labels.tolist()
    codes = np.array(["abc".index(arm) for arm in RAW["arm"]])
    numbered = ga.check(np.stack([codes, RAW["reward"]], axis=1), **ASKED, raw=True)
    assert sorted(numbered.arms) == [0, 1, 2]
    assert [numbered.explain(k).label for k in (0, 1, 2)] == [r.label for r in expected]


def test_bounded_raw_rewards():
    table = {"arm": ["x", "y", "x"], "reward": [2.5, -1, 4]}
    found = ga.check(table, 1, 0.05, raw=True, rewards="bounded", low=-1, high=4)
    assert found.arms == ("x", "y")
    assert found.mean.tolist() == [3.25, -1]
    assert found.pulls.tolist() == [2, 1]


def test_sums_may_carry_a_rounding_error():
    table = {"arm": ["x", "y"], "pulls": [3, 10], "sum": [0.1 + 0.1 + 0.1, 3.0000000000000004]}
    found = ga.check(table, 0.2, 0.05, rewards="bounded", low=0.1, high=0.3)
    assert found.mean.tolist() == pytest.approx([0.1, 0.3])


def test_chunks_add_up(monkeypatch):
    lines = [f"arm {k % 7},{k % 3 == 0:d}" for k in range(50_000)]
    whole = ga.check(io.StringIO("\n".join(["arm,reward", *lines])), 0.5, 0.05, raw=True)
    monkeypatch.setattr("goodarm.tables.csv_reader.CHUNK_ROWS", 100)
    parts = ga.check(io.StringIO("\n".join(["arm,reward", *lines])), 0.5, 0.05, raw=True)
    assert parts.to_dict() == whole.to_dict()
    assert whole.pulls.sum() == 50_000
    monkeypatch.setattr("goodarm.tables.engines.FRAME_ROWS", 999)
    frame = pl.DataFrame(
        {
            "arm": [line.split(",")[0] for line in lines],
            "reward": [k % 3 == 0 for k in range(50_000)],
        }
    )
    assert ga.check(frame, 0.5, 0.05, raw=True).to_dict() == whole.to_dict()


def test_parquet_needs_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "polars", None)
    with pytest.raises(
        ga.MissingExtra, match=r"goodarm check of x.parquet needs the 'frames' extra"
    ):
        ga.check(tmp_path / "x.parquet", **ASKED)
