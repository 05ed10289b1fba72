"""What a hurried analyst tries first: it works, or the error names the option that does it."""

import csv
import io
import sqlite3
from collections import namedtuple
from datetime import date

import numpy as np
import openpyxl
import pandas as pd
import polars as pl
import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.wording import COMMAND_LINE

COLUMNS = {"arm": ["a", "b"], "pulls": [100, 1200], "successes": [60, 300]}
COUNTS = {"a": (100, 60), "b": (1200, 300)}
ROWS = [("a", 100, 60), ("b", 1200, 300)]
ASKED = {"threshold": 0.5, "delta": 0.05}


def check(table, **options):
    table = io.StringIO(table) if isinstance(table, str) else table
    return ga.check(table, **{**ASKED, **options})


def counts(table, **options):
    return {r.arm: (r.pulls, round((r.mean or 0) * r.pulls, 9)) for r in check(table, **options)}


def catch_error(table, **options):
    with pytest.raises(SpecError) as caught:
        check(table, **options)
    return caught.value


def catch_message(table, **options):
    return str(catch_error(table, **options))


# Thresholds and delta


@pytest.mark.parametrize("threshold", ["60%", " 60 % ", "0.6", ".6", "0,6", "0,60"])
def test_a_threshold_as_text(threshold):
    assert check(COUNTS, threshold=threshold) == check(COUNTS, threshold=0.6)
    own = {"a": threshold, "b": 0.5}
    assert check(COUNTS, threshold=own) == check(COUNTS, threshold={"a": 0.6, "b": 0.5})
    assert ga.Problem(2, threshold=threshold, delta="5%") == ga.Problem(
        2, threshold=0.6, delta=0.05
    )


def test_a_percentage_is_the_number_that_it_writes():
    for tenths in range(1, 1000):
        text = f"{tenths / 10:g}"
        assert ga.Problem(1, threshold=f"{text}%", delta=0.05).threshold == float(f"{text}e-2")


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ({"threshold": "60"}, "Did you mean 0.6?"),
        ({"threshold": 60}, "Did you mean 0.6?"),
        ({"threshold": {"a": 60, "b": 0.5}}, "arm 'a' must be strictly between 0 and 1; got 60."),
        ({"threshold": "high"}, "must be a finite number; got 'high'."),
        ({"threshold": "1,500"}, "got '1,500'. Write 1500 or 1.5."),
        ({"delta": 5}, "Did you mean 0.05?"),
        ({"delta": "5"}, "Did you mean 0.05?"),
        ({"delta": "95%"}, "must be at most 0.5; got '95%'. 95 % confidence is delta 0.05."),
        ({"delta": "95"}, "95 % confidence is delta 0.05."),
    ],
    ids=str,
)
def test_a_number_that_means_another(options, expected):
    assert expected in catch_message(COUNTS, **options)


@pytest.mark.parametrize("name", ["threshold", "margin", "gap"])
def test_a_percentage_of_what(name):
    asked = {"threshold": 50, "rewards": "bounded", "low": 0, "high": 100, name: "10%"}
    expected = f"'{name}' of check must be a number on the scale of the rewards"
    assert expected in catch_message({"a": (10, 600)}, **asked)
    share = {**asked, "threshold": "50%", "high": 1, name: "10%"}
    assert check({"a": (10, 6)}, **share).pulls.tolist() == [10]
    assert "must be strictly between 0 and 100" in catch_message(
        {"a": (10, 600)}, rewards="bounded", low=0, high=100, threshold={"a": "60%"}
    )


def test_a_document_has_numbers_and_no_texts():
    document = ga.Problem(1, threshold=0.6, delta=0.05).to_dict()
    assert ga.Problem.from_dict(document).threshold == 0.6
    for name in ("threshold", "delta", "margin"):
        with pytest.raises(SpecError, match=f"'{name}' of Problem must be a finite number"):
            ga.Problem.from_dict({**document, name: "5%"})


@pytest.mark.parametrize("bars", [["60%", "0.5"], ["60 %", "50%"], ["0.6", ".5"], [0.6, "50%"]])
def test_a_column_of_thresholds(bars):
    found = check({**COLUMNS, "bar": bars}, threshold=None, columns={"threshold": "bar"})
    assert found.thresholds.tolist() == [0.6, 0.5]
    text = "arm;pulls;successes;bar\na;100;60;60 %\nb;1200;300;0,5\n"
    found = check(text, threshold=None, columns={"threshold": "bar"})
    assert found.thresholds.tolist() == [0.6, 0.5]
    assert "read percentages as parts of one" in found.read_as


def test_gates_take_percentages():
    assert ga.prove(lambda: True, threshold="50%", delta="5%").threshold == 0.5


# Text in frames, dicts and lists


@pytest.mark.parametrize("make", [pd.DataFrame, pl.DataFrame, dict], ids=str)
def test_numbers_as_text(make):
    texts = {"arm": ["a", "b"], "pulls": ["100", "1,200"], "successes": ["60", "300"]}
    assert counts(make(texts)) == COUNTS
    assert check(make(texts)).read_as.endswith("read text as numbers")
    assert check(make(COLUMNS)).read_as == ""
    assert "got '100'" in catch_message(make(texts), strict=True)
    raw = make({"arm": ["a", "a", "b"], "reward": ["1", "0.0", "1"]})
    assert counts(raw, raw=True) == {"a": (2, 1), "b": (1, 1)}
    rates = make({"arm": ["a"], "pulls": ["100"], "rate": ["60%"]})
    assert counts(rates) == {"a": (100, 60)}


def test_text_that_may_be_two_numbers():
    raw = {"arm": ["a"], "reward": ["1,500"]}
    asked = {"raw": True, "rewards": "bounded", "low": 0, "high": 9999, "threshold": 5}
    assert "can be read in two ways" in catch_message(raw, **asked)
    assert check(raw, decimal=",", **asked).mean.tolist() == pytest.approx([1.5])


def test_text_in_an_engine():
    table = pl.LazyFrame({"arm": ["a", "a"], "reward": ["1", "0"]})
    assert counts(table, raw=True) == {"a": (2, 1)}
    assert "'reward' is text; got 'String'. Cast it in the query." in catch_message(
        table, raw=True, rewards="bounded"
    )


def test_a_column_of_labels_is_no_reward():
    frame = pd.DataFrame({"arm": ["a", "b"] * 15, "answer": ["cat", "dog"] * 15})
    found = catch_error(frame, raw=True, columns={"reward": "answer"})
    assert str(found) == (
        "More than 20 cells of column 'answer' in the frame are not 0 or 1 (rows 1, 2, 3, 4, 5, "
        "...); got 'cat', 'dog'. Write 1 or 0, yes or no, true or false, pass or fail. If 'answer' "
        "is not the column of rewards, pass columns={'reward': NAME}."
    )
    assert COMMAND_LINE.sentence(found).endswith("use --column reward=NAME.")
    assert (found.argument, found.value, found.place.line) == ("answer", "cat", 1)


@pytest.mark.parametrize(
    "pair", ["y n", "T F", "Yes no", "TRUE False", "correct incorrect", "\u2713 \u2717"]
)
def test_more_words(pair):
    good, bad = pair.split()
    rows = f"arm,reward\na,{good}\na,{bad}\na,{bad}\n"
    assert counts(rows, raw=True) == {"a": (3, 1)}


def test_percentages_as_rewards():
    text = "arm,score\na,60%\na,30 %\n"
    found = check(text, raw=True, rewards="bounded")
    assert found.mean.tolist() == pytest.approx([0.45])
    assert found.read_as == "read score as reward; read percentages as parts of one"
    assert "are not numbers" in catch_message(
        text + "a,7%\na,8%\n", raw=True, rewards="bounded", high=100, threshold=50
    )
    numbers = "arm,score\n" + "a,60\n" * 4
    assert "For scores up to 100 pass high=100" in catch_message(
        numbers, raw=True, rewards="bounded"
    )
    assert "If it is a rate, pass columns={'rate': 'successes'}." in catch_message(
        "arm,pulls,successes\na,100,60%\n"
    )


# Equal errors


def test_equal_errors_are_folded():
    rows = "".join(f"a,{'n/a' if k % 2 else 1}\n" for k in range(24))
    assert catch_message("arm,score\n" + rows, raw=True) == (
        "12 cells of column 'score' in standard input are empty (lines 3, 5, 7, 9, 11, ...); got "
        "'n/a'. Give the reward. Leave a row out only if there was no test."
    )
    assert catch_message({"a": [1, 2, 3, 4, 5]}, raw=True).startswith(
        "4 cells of column 'reward' in the dict must be 0 or 1 (arm 'a', reward 2; arm 'a', "
        "reward 3; arm 'a', reward 4; arm 'a', reward 5); got 2, 3, 4, .... For other rewards"
    )


def test_errors_of_several_kinds():
    rows = "".join(f"a{k},x,y\n" for k in range(4)) + "b,5,9\nc,3\n"
    lines = catch_message("arm,pulls,successes\n" + rows).splitlines()
    assert lines[0] == "The table of standard input has 10 errors:"
    assert lines[1].startswith("4 cells of column 'pulls' in standard input are not numbers (lines")
    assert lines[2].startswith("4 cells of column 'successes'")
    assert "line 6 must be a whole number from 0 to the arm's pulls, 5; got '9'" in lines[3]
    assert "line 7 must" in lines[4]
    short = "arm,pulls,successes\n" + "a,1\n" * 5
    assert catch_message(short).startswith("5 rows in standard input must ")


def test_raw_rows_that_are_taken_for_counts():
    rows = "arm,n,passed\n" + "a,1,1\n" * 30
    found = catch_message(rows)
    assert "\n" not in found
    assert "sum=True" in found
    assert "raw=True" in found


# Frames: names of columns, index, Series


def test_columns_that_are_numbers():
    frame = pd.DataFrame(ROWS)
    by_place = {"arm": 0, "pulls": 1, "successes": 2}
    assert counts(frame, columns=by_place) == COUNTS
    assert counts(frame, columns={name: str(k) for name, k in by_place.items()}) == COUNTS
    assert (
        "The columns have no names. Say which they are, such as columns={'arm': '0', 'pulls': "
        "'1', 'successes': '2'}."
    ) in catch_message(frame)
    assert list(frame.columns) == [0, 1, 2]


def test_arms_in_the_index():
    rows = pd.DataFrame({"variant": list("aabb"), "converted": [0, 1, 0, 0]})
    expected = {"a": (2, 1), "b": (2, 0)}
    grouped = rows.groupby("variant")["converted"].agg(["count", "sum"])
    assert counts(grouped) == expected
    assert check(grouped).read_as == "read variant as arm, count as pulls, sum as successes"
    assert counts(rows.set_index("variant"), raw=True) == expected
    crossed = pd.crosstab(rows["variant"], rows["converted"])
    option = "If they are numbers of failures and successes, pass columns={'failed': '0', "
    assert catch_message(crossed).count(option) == 1
    assert counts(crossed, columns={"failed": 0, "successes": 1}) == expected
    assert "columns={'arm': 'campaign'}" in catch_message(grouped.rename_axis("campaign"))


def test_an_index_does_not_replace_a_column():
    frame = pd.DataFrame(COLUMNS).set_index(pd.Index([7, 8], name="variant"))
    assert counts(frame) == COUNTS


def test_a_series_of_rewards():
    expected = {"a": (2, 2), "b": (2, 0)}
    for index in (list("abab"), pd.Index(list("abab"), name="variant")):
        series = pd.Series([1, 0, 1, 0], index=index)
        assert counts(series, raw=True) == expected
        assert "If each value is a reward, pass raw=True. Counts are two" in catch_message(series)
    levels = pd.MultiIndex.from_product([["a", "b"], [1, 2]], names=["variant", "user"])
    assert counts(pd.Series([1, 1, 0, 0], index=levels), raw=True) == expected


def test_a_series_that_may_mean_something_else():
    for series in (pd.Series([1, 0, 1]), pl.Series([1, 0, 1])):
        assert "For the rewards of one arm pass {'NAME': series} with raw=True." in catch_message(
            series, raw=True
        )
        assert counts({"a": series}, raw=True) == {"a": (3, 2)}
    users = pd.Series([1, 0], index=pd.Index([5, 6], name="user_id"))
    assert "got ['user_id', 'reward']" in catch_message(users, raw=True)


def test_a_series_of_counted_values():
    frame = pd.DataFrame({"variant": list("aab"), "score": [1, 1, 0]})
    assert counts(frame.value_counts(), values=True) == {"a": (2, 2), "b": (1, 0)}
    assert "value_counts()" in catch_message(frame["score"].value_counts(), values=True)


# Lists


Row = namedtuple("Row", ["arm", "pulls", "successes"])


@pytest.mark.parametrize(
    "make",
    [
        lambda: ROWS,
        lambda: [list(row) for row in ROWS],
        lambda: tuple(ROWS),
        lambda: iter(ROWS),
        lambda: zip(*COLUMNS.values(), strict=True),
        lambda: [("Variant", "Visits", "Conversions"), *ROWS],
        lambda: [Row(*row) for row in ROWS],
        lambda: [dict(zip(COLUMNS, row, strict=True)) for row in ROWS],
        lambda: {arm: {"pulls": n, "successes": s} for arm, n, s in ROWS},
        lambda: csv.reader(["arm,pulls,successes", "a,100,60", 'b,"1,200",300']),
        lambda: csv.DictReader(["arm,pulls,successes", "a,100,60", 'b,"1,200",300']),
    ],
    ids=range(11),
)
def test_rows_in_a_list(make):
    assert counts(make()) == COUNTS


def test_rows_of_a_database():
    connection = sqlite3.connect(":memory:")
    connection.row_factory = sqlite3.Row
    query = "select 'a' as arm, 100 as pulls, 60 as successes union select 'b', 1200, 300"
    assert counts(connection.execute(query).fetchall()) == COUNTS
    assert counts(connection.execute(query)) == COUNTS
    connection.close()


def test_the_order_of_cells_is_said():
    assert check(ROWS).read_as == "read each row as (arm, pulls, successes)"
    pairs = check([(100, 60), (1200, 300)])
    assert pairs.arms == (0, 1)
    assert pairs.read_as == "read each row as (pulls, successes), arms numbered from 0"
    found = check([("a", 1), ("b", 0), ("a", 0)], raw=True)
    assert (found.arms, found.pulls.tolist()) == (("a", "b"), [2, 1])
    assert found.read_as == "read each row as (arm, reward)"
    assert counts([("a", "x", 100, 60)], columns={"arm": 0, "pulls": 2, "successes": 3})
    assert check(np.array([[0, 1], [1, 0]]), raw=True).read_as == "read each row as (arm, reward)"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        ([], "must have at least one row"),
        ([("arm", "pulls", "successes")], "must have at least one row"),
        ([1, 0, 1], "Rewards of one arm are a dict, {'NAME': [...]}, with raw=True."),
        (["a", "b"], "must have rows: dicts, or tuples such as (arm, pulls, successes)"),
        ([("a", 1, 2), ("b", 1)], "must have rows of the same length; got [2, 3]"),
        ([("a", 1, 2, 3)], "or say which they are: columns={'arm': '0', ...}."),
        ([{"arm": "a", "pulls": 5}], "'successes'; got ['arm', 'pulls']"),
        ([{"x": 5}], "got ['x']. Name the columns: columns={'arm': ..., ...}."),
        ([{"arm": "a", "pulls": 5, "successes": 3}, {"arm": "b"}], "row 2 must be a whole number"),
        ([{"arm": "a", "pulls": 60, "successes": 100}], "from 0 to the arm's pulls, 60; got 100"),
        ("arm,pulls\n", None),
    ],
    ids=str,
)
def test_lists_that_are_refused(table, expected):
    if expected is None:
        with pytest.raises(SpecError, match=r"not the text itself.*io.StringIO\(text\)"):
            ga.check(table, **ASKED)
        return
    assert expected in catch_message(table)


def test_a_json_list():
    frame = pd.DataFrame(COLUMNS)
    assert counts(frame.to_json(orient="records")) == COUNTS
    assert counts(frame.to_json(orient="records", indent=2)) == COUNTS
    assert "must be JSON lines" in catch_message(frame.to_json(orient="records"), strict=True)


# Wide tables


WIDE = pd.DataFrame(
    {
        "question": ["q1", "q2", "q3"],
        "A": [1, 0, 1],
        "B": [0, 0, np.nan],
        "C": ["pass", "fail", "pass"],
    }
)
WIDE_COUNTS = {"A": (3, 2), "B": (2, 0), "C": (3, 2)}


@pytest.mark.parametrize("kind", ["csv", "semicolon", "jsonl", "json", "xlsx", "parquet"])
def test_wide_files(kind, tmp_path):
    path = tmp_path / f"t.{kind}"
    if kind == "csv":
        WIDE.to_csv(path)
    elif kind == "semicolon":
        WIDE.to_csv(path, sep=";", index=False)
    elif kind == "xlsx":
        WIDE.to_excel(path)
    elif kind == "parquet":
        WIDE.to_parquet(path)
    else:
        WIDE.to_json(path, orient="records", lines=kind == "jsonl")
    found = ga.check(path, **ASKED, wide="all")
    assert {r.arm: (r.pulls, r.mean * r.pulls) for r in found} == WIDE_COUNTS
    assert "read columns A, B, C as arms; skipped 1 empty cell" in found.read_as


@pytest.mark.parametrize(
    "make",
    [
        lambda: WIDE,
        lambda: pl.from_pandas(WIDE),
        lambda: WIDE.to_dict("list"),
        lambda: WIDE.to_dict("records"),
        lambda: [list(WIDE.columns), *WIDE.values.tolist()],
        lambda: pl.from_pandas(WIDE).to_arrow().to_reader(),
    ],
    ids=range(6),
)
def test_wide_tables_in_memory(make):
    assert counts(make(), wide="all") == WIDE_COUNTS
    assert counts(make(), wide=["A", "c"]) == {"A": (3, 2), "C": (3, 2)}


def test_a_wide_array():
    table = np.array([[1, 0, 1], [0, 0, 1]])
    assert counts(table, wide="all") == {"0": (2, 1), "1": (2, 0), "2": (2, 2)}
    assert "If each column is an arm and each row a unit, pass wide='all'." in catch_message(
        table, raw=True
    )


@pytest.mark.parametrize("options", [{}, {"raw": True}], ids=str)
def test_a_wide_table_is_not_guessed(options):
    for table in (WIDE, WIDE.to_csv(index=False)):
        found = catch_error(table, **options)
        assert str(found).endswith("each row a unit, pass wide='all'.")
        assert COMMAND_LINE.sentence(found).endswith("each row a unit, use --wide all.")


def test_a_wide_table_keeps_its_arms_and_their_order():
    table = pd.DataFrame({"B": [None, None], "A": [1, 0]})
    found = check(table, wide="all")
    assert (found.arms, found.pulls.tolist()) == (("B", "A"), [0, 2])
    long = check({"arm": ["B", "A"] * 2, "reward": [1, 0, 1, 1]}, raw=True)
    assert check({"B": [1, 1], "A": [0, 1]}, wide="all") == long


def test_repeats_in_a_wide_table():
    twice = pd.concat([WIDE, WIDE])
    assert "'question' of the frame must name a different case" in catch_message(twice, wide="all")
    assert counts(twice, wide="all", repeats="attempts")["A"] == (6, 4)


def test_what_is_wrong_with_a_wide_table():
    assert "must include 'Z'" in catch_message(WIDE, wide=["A", "Z"])
    assert "have a column for each of several arms" in catch_message(WIDE[["A"]], wide="all")
    assert "wide is given; got {'arm': 'A'}" in catch_message(
        WIDE, wide="all", columns={"arm": "A"}
    )
    assert "be 'all', or a list of columns; got 'A'" in catch_message(WIDE, wide="A")
    assert "be 'all', or a list of columns; got 3" in catch_message(WIDE, wide=3)
    assert "'values' of check must be left out if wide is" in catch_message(
        WIDE, wide="all", values=True
    )
    assert "Collect it first." in catch_message(pl.from_pandas(WIDE).lazy(), wide="all")
    assert "If 'place' is not an arm, name the columns that are: wide=COLUMNS." in catch_message(
        WIDE.assign(place=["x", "z", "x"]), wide="all"
    )
    assert "'row' of standard input, line 3 must" in catch_message("A,B\n1,0\n1\n0,1\n", wide="all")
    assert "'B' of standard input, line 2 must be 0 or 1" in catch_message("A,B\n1,7\n", wide="all")


# Workbooks and labels


def test_sheets_without_regard_to_case(tmp_path):
    book = openpyxl.Workbook()
    book.active.title = "Notes"
    book.active.append(["hello"])
    sheet = book.create_sheet("Counts 2026")
    for row in (list(COLUMNS), *ROWS):
        sheet.append(row)
    book.create_sheet("COUNTS").append(["x"])
    book.create_sheet("counts ").append(["x"])
    path = tmp_path / "t.xlsx"
    book.save(path)
    for name in ("Counts 2026", "counts 2026", " COUNTS 2026 "):
        assert len(ga.check(path, **ASKED, sheet=name)) == 2
    for name, nearest in (("counts 2025", "Counts 2026"), ("Counts", "")):
        with pytest.raises(SpecError, match=f"'sheet' of check must be one of.*{nearest}"):
            ga.check(path, **ASKED, sheet=name)


@pytest.mark.parametrize(
    ("arms", "labels", "note"),
    [
        ([1.0, 2.0], (1, 2), ""),
        ([True, False], ("True", "False"), "read True and False as text"),
        ([date(2026, 1, 2), date(2026, 1, 3)], ("2026-01-02", "2026-01-03"), "read dates as text"),
    ],
    ids=str,
)
def test_labels_of_other_types(arms, labels, note):
    columns = {"arm": arms, "pulls": [5, 6], "successes": [1, 2]}
    for table in (columns, pd.DataFrame(columns), pl.DataFrame(columns)):
        found = check(table)
        assert (found.arms, found.read_as) == (labels, note)


def test_times_and_missing_labels():
    arms = pd.to_datetime(["2026-01-02 00:00", "2026-01-03 10:30"])
    frame = pd.DataFrame({"arm": arms, "pulls": [5, 6], "successes": [1, 2]})
    assert check(frame).arms == ("2026-01-02", "2026-01-03 10:30:00")
    frame.loc[1, "arm"] = pd.NaT
    assert "must be text or a whole number" in catch_message(frame)


def test_the_only_other_column_is_named():
    rows = "date,pulls,successes\n2026-01-01,100,60\n"
    assert ": columns={'arm': 'date'}." in catch_message(rows)
    assert check(rows, columns={"arm": "date"}).arms == ("2026-01-01",)
