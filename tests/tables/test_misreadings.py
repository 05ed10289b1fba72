"""Tables that were read wrongly in silence, or crashed: each is read right now, or refused."""

import io
from decimal import Decimal

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.dataset as ds
import pytest

import goodarm as ga

ASKED = {"threshold": 0.5, "delta": 0.05}
CSV = "arm,pulls,successes\na,500,300\nb,500,250\n"


def check(table, **options):
    if isinstance(table, str):
        table = io.BytesIO(table.encode())
    return ga.check(table, **ASKED, **options)


def counts(table, **options):
    return {r.arm: (r.pulls, round((r.mean or 0) * r.pulls)) for r in check(table, **options)}


def catch_message(table, **options):
    with pytest.raises(ga.errors.SpecError) as caught:
        check(table, **options)
    return str(caught.value)


def test_a_stray_quote_in_the_header_swallows_no_rows():
    rows = "".join(f"a{k},{k + 5},3,x\n" for k in range(60))
    assert len(check('arm,pulls,successes,size 13"\n' + rows)) == 60
    assert counts('arm,pulls,successes,size 13"\na,5,3,12"\nb,5,3,x\n') == {
        "a": (5, 3),
        "b": (5, 3),
    }
    assert counts(
        '"arm",pulls,"successes\nin all"\na,5,3\n', columns={"successes": "successes in all"}
    )
    assert "must include" in catch_message('"arm,pulls,successes\n' + rows)


def test_returns_end_lines_in_text_streams_too():
    expected = {"a": (5, 3), "b": (5, 4)}
    for text in ("arm,pulls,successes\ra,5,3\nb,5,4\n", "arm,pulls,successes\ra,5,3\rb,5,4"):
        assert counts(io.StringIO(text)) == expected
        assert counts(text) == expected


def test_percentages_are_rates():
    for name in ("Clicks (%)", "Correct %", "% success", "pct passed"):
        found = check(f"Variant,Visits,{name}\nA,20,25\nB,50,40\n")
        assert "as successes" in found.read_as
        assert found.mean.tolist() == [0.25, 0.4]
    assert "must include 'pulls'" in catch_message("arm,Visits (%),successes\na,10,3\n")


def test_parts_of_one_in_a_column_of_percentages_are_refused(tmp_path):
    text = "model,n,Accuracy (%)\nA,400,0.75\nB,800,0.5\n"
    assert (
        "'Accuracy (%)' of standard input, line 2 must be clearly in percent, as its name says"
        in catch_message(text)
    )
    assert counts(text.replace("0.75", "75.00").replace("0.5", "50.00")) == {
        "A": (400, 300),
        "B": (800, 400),
    }
    book = openpyxl.Workbook()
    for row in (["model", "n", "Pass rate %"], ["A", 400, 0.75]):
        book.active.append(row)
    book.save(tmp_path / "t.xlsx")
    with pytest.raises(
        ga.errors.SpecError,
        match="row 2 must be clearly in percent, as its name says, or a fraction",
    ):
        ga.check(tmp_path / "t.xlsx", **ASKED)


def test_rates_mean_the_same_in_files_and_frames():
    text = "model,n,accuracy\na,1000,0.9\n"
    for table in (text, pd.read_csv(io.StringIO(text)), '{"model":"a","n":1000,"accuracy":0.9}'):
        assert "have enough digits for one number of successes" in catch_message(table)
    for rate in (0.6667, 2 / 3, np.float32(2 / 3), Decimal("0.667")):
        assert counts({"model": ["a"], "n": [3], "accuracy": [rate]}) == {"a": (3, 2)}
    assert counts(
        pl.DataFrame({"model": ["a"], "n": [3], "rate": [2 / 3]}).cast({"rate": pl.Float32})
    )
    exact = {"model": ["a", "b"], "n": [1000, 3], "rate": [0.9, 2 / 3]}
    assert counts(exact) == {"a": (1000, 900), "b": (3, 2)}
    assert counts("arm,n,rate\na,10,.5\nb,0,\n") == {"a": (10, 5), "b": (0, 0)}


@pytest.mark.parametrize(
    "table",
    [
        {"arm": {0: "a"}, "pulls": {0: 5}, "successes": {0: 3}},
        {"arm": {"a"}, "pulls": {5}, "successes": {3}},
        {"arm": "ab", "pulls": [5, 6], "successes": [3, 2]},
        {"arm": b"ab", "pulls": [5, 6], "successes": [3, 2]},
        {"arm": "a", "pulls": 500, "successes": 460},
        {"arm": ["a"], "pulls": None, "successes": [3]},
        {"arm": ["a"], "pulls": np.ones((1, 2)), "successes": [3]},
    ],
    ids=str,
)
def test_columns_are_lists(table):
    assert "be lists" in catch_message(table)


def test_names_of_parquet_files_are_no_patterns(tmp_path):
    for name, pulls in (("q1.parquet", 1), ("q[1].parquet", 2)):
        pl.DataFrame({"arm": ["a"], "pulls": [pulls], "successes": [0]}).write_parquet(
            tmp_path / name
        )
    assert ga.check(tmp_path / "q[1].parquet", **ASKED).pulls.tolist() == [2]


def test_blanks_around_arms():
    found = check("arm,reward\na,1\na ,0\n a,1\n", raw=True)
    assert (found.arms, found.read_as) == (("a",), "removed blanks around arms")
    assert counts('pulls, arm, successes\n5, "a", 3\n') == {"a": (5, 3)}
    assert counts(
        " arm | pulls | successes \n-----+-------+-----------\n a   | 5 | 3 \n(1 row)\n"
    ) == {"a": (5, 3)}


@pytest.mark.parametrize("twin", ["a ", "a\u200b", "\u00a0a", "é|e\u0301"])
def test_arms_that_look_the_same(twin):
    first, _, second = twin.rpartition("|")
    frame = pl.DataFrame({"arm": [first or "a", second], "reward": [1, 1]})
    for table in (frame, frame.lazy()):
        assert "which looks the same" in catch_message(table, raw=True)


def test_json_keys():
    assert "the key 'pulls' comes twice" in catch_message(
        '{"arm":"a","pulls":500,"pulls":900,"successes":300}'
    )
    rows = '{"test":"a","passed":7,"failed":2}\n{"test":"b","passed":7,"failed":2,"errors":1}'
    assert "line 2 must be the same as in the first line" in catch_message(rows)
    rows = '{"arm":"a","n":5,"successes":3}\n{"arm":"b","n":50,"pulls":5,"successes":3}'
    assert "line 2 must be the same as in the first line" in catch_message(rows)
    rows = '{"arm":"a","n":5,"successes":3}\n{"successes":3,"arm":"b","n":5,"note":1}'
    assert counts(rows) == {"a": (5, 3), "b": (5, 3)}
    assert "To read the log of another tool" in catch_message('{\n"arm": 1}\n')


def test_totals_by_their_names():
    for rows in ("Total,1500,800\n", "Average,500,275\nTotal,1000,550\n"):
        assert "got 'Total'" in catch_message(CSV + rows)
    twice = CSV + "total,1000,550\n" + CSV.split("\n", 1)[1] + "total,1000,550\n"
    assert "got 'total'" in catch_message(twice, sum=True)


def test_an_arm_without_rewards_stays_an_arm():
    found = check({"a": [1] * 20, "b": []}, raw=True)
    assert (found.arms, found.pulls.tolist()) == (("a", "b"), [20, 0])
    assert found.arms_planned == 2


def test_masked_cells_are_refused():
    table = np.ma.masked_array([[5, 3], [7, 5]], mask=[[0, 0], [1, 1]])
    assert "have no masked cells" in catch_message(table)


def test_a_column_means_one_thing():
    found = catch_message("arm,Total,Passed\na,5,3\n", columns={"successes": "total"})
    assert "must include 'pulls'" in found


def test_a_rate_that_is_named_counts():
    text = "model,n,correct,acc\na,100,5,0.50\n"
    assert counts(text, columns={"rate": "acc"}) == {"a": (100, 50)}
    assert counts(text.replace("model,n", "arm,pulls"), columns={"rate": "acc"}, strict=True)
    assert "must include 'nope'" in catch_message(text, columns={"rate": "nope"})


def test_quotes_that_swallow_rows():
    rows = 'arm\tpulls\tsuccesses\n"x\t5\t3\nb\t5\t2\ny"\t9\t9\nc\t3\t1\n'
    assert "line 2 must have its quotes in pairs" in catch_message(rows)
    prompt = 'prompt,n,correct\n"Say hello, twice.\nThen stop",5,3\n'
    assert check(prompt).arms == ("Say hello, twice.\nThen stop",)
    assert "be a comment on one line" in catch_message(CSV + '# x,"y\nc,5,3\nd",5,3\n')


def test_errors_and_skips_beside_a_total():
    for name in ("errors", "skipped"):
        text = f"test,total,passed,{name}\na,10,7,1\n"
        assert f"must make clear whether '{name}' counts" in catch_message(text)
        assert counts(text, columns={"pulls": "total"}) == {"a": (10, 7)}
    assert counts("test,passed,failed,skipped\na,7,3,1\n") == {"a": (10, 7)}


def test_what_is_left_alone_or_rounded_is_said():
    assert check("arm,n,wins\na,1.23E+05,3\n").read_as.endswith("numbers such as 1e3")
    assert "ignored n" in check("arm,reward,n\na,1,460\na,0,40\n", raw=True).read_as


def test_names_of_columns_that_are_no_texts():
    frame = (
        pd.DataFrame({"arm": ["a"], "reward": [1]}).groupby("arm").agg({"reward": ["count", "sum"]})
    )
    for table in (frame, frame.reset_index()):
        assert "got ['arm', 'reward count', 'reward sum']" in catch_message(table)
    indexed = pd.DataFrame({"pulls": [5], "successes": [3]}, index=["a"])
    assert "call reset_index()" in catch_message(indexed)
    twice = pd.DataFrame([["a", 5, 3, 1, 2]], columns=["arm", "pulls", "successes", "x", "x"])
    assert catch_message(twice) or counts(twice)


def test_odd_cells_and_tables_are_refused(tmp_path):
    assert "must be text or a whole number" in catch_message(
        pl.LazyFrame({"arm": [1, 2, None], "reward": [1, 0, 1]}), raw=True
    )
    spans = np.array([5], "timedelta64[s]")
    assert "be a whole number" in catch_message({"arm": ["a"], "pulls": spans, "successes": [1]})
    for series in (pd.Series([1, 2]), pl.Series([1, 2])):
        assert catch_message(series)
    rows = "arm,reward\n" + "a,1\n" * 500_000 + "b,1,2,3\n"
    (tmp_path / "t.csv").write_text(rows, encoding="utf-8")
    assert "could not be read" in catch_message(
        ds.dataset(tmp_path / "t.csv", format="csv"), raw=True
    )
    assert "be a path without null characters" in message_of_path("a\0b")
    assert catch_message(pa.table({"arm": ["a"], "pulls": [[1]], "successes": [0]}))


def message_of_path(path):
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.check(path, **ASKED)
    return str(caught.value)


def test_an_empty_sheet_and_rows_far_down(tmp_path):
    path = tmp_path / "t.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "counts"
    for column, cells in enumerate((["arm", "a"], ["pulls", 5], ["successes", 9]), start=3):
        for row, cell in enumerate(cells, start=5):
            sheet.cell(row, column, cell)
    book.create_sheet("empty")
    book.save(path)
    with pytest.raises(
        ga.errors.SpecError, match="row 6 must be a whole number from 0 to the arm's pulls"
    ):
        ga.check(path, **ASKED)
    with pytest.raises(ga.errors.SpecError, match="must have at least one row"):
        ga.check(path, **ASKED, sheet="empty")


def test_marks_and_their_absence():
    text = CSV.encode("utf-16-le")
    with pytest.raises(ga.errors.SpecError, match="encoding='utf-16-le' or 'utf-16-be'"):
        ga.check(io.BytesIO(text), **ASKED, encoding="utf-16")
    assert len(ga.check(io.BytesIO(b"\xef\xbb\xbf" + CSV.encode()), **ASKED, encoding="utf-8")) == 2
    assert len(ga.check(io.StringIO("\ufeff" + CSV), **ASKED)) == 2


def test_a_header_that_looks_like_a_remark_or_like_data():
    assert "If the header is the line that begins with '#', pass comment=''" in catch_message(
        "#" + CSV
    )
    assert len(check("#" + CSV, comment="")) == 2
    found = catch_message("red,500,460\nblue,500,400\n")
    assert "looks like data. Add a line above it: arm, pulls, successes" in found
    assert "\n" not in found


@pytest.mark.parametrize(
    ("head", "what"),
    [
        (b"PK\x03\x04", "workbook"),
        (b"\x1f\x8b\x08\x00", "gzip"),
        (b"PAR1", "Parquet"),
        (b"\x89PNG", "pic"),
    ],
)
def test_files_that_are_no_text(head, what):
    with pytest.raises(ga.errors.SpecError, match=f"must be text; it is .*{what}"):
        ga.check(io.BytesIO(head + b"rest"), **ASKED)


def test_rows_without_anything_are_left_out():
    assert counts("arm;pulls;successes\na;5;3\n;;\n;;\n") == {"a": (5, 3)}


def test_remedies_fit_what_is_wrong():
    assert "bounded" not in catch_message("arm,pulls,successes\na,5,x\n")
    assert "bounded" in catch_message("arm,pulls,successes\na,5,9\n")
    assert "raw=True" in catch_message("test,passed\na,1\n")


def test_categories_in_an_engine():
    frame = pl.DataFrame({"arm": ["a", "a"], "reward": ["pass", "fail"]}).cast(
        {"reward": pl.Categorical}
    )
    assert counts(frame.lazy(), raw=True) == counts(frame, raw=True) == {"a": (2, 1)}
