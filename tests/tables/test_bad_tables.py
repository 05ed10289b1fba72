"""Every kind of bad table gets an error that names table, row, column, rule and value."""

import io

import numpy as np
import pandas as pd
import polars as pl
import pytest

import goodarm as ga

HEAD = "arm,pulls,successes\n"


def check(table, **keywords):
    return ga.check(table, threshold=0.5, delta=0.05, **keywords)


BAD_CSV = {
    "": "The table of counts.csv must have at least one row; got none.",
    HEAD: "The table of counts.csv must have at least one row; got none.",
    "arm,pulls\na,3\n": "The 'columns' of counts.csv must include 'successes'; got "
    "['arm', 'pulls']. Name the column: columns={'successes': ...}.",
    "arm:pulls:successes\na:3:1\n": "The 'columns' of counts.csv must include arm, pulls, "
    "successes; got ['arm:pulls:successes']. Name the character between columns: sep=';'.",
    "arm;pulls,successes\na;3,1\n": "Name the column: columns={'pulls': ...}.",
    "arm,reward\na,1\n": "must include 'pulls'; got ['arm', 'reward']. If each row is one reward, "
    "pass raw=True.",
    "arm,arm,pulls,successes\na,a,3,1\n": "must have 'arm' only once",
    HEAD
    + "a,3,1\nb,many,1\n": "The 'pulls' of counts.csv, line 3 must be a whole number from 0 to "
    "1000000000000; got 'many'.",
    HEAD + "a,1_0,1\n": "line 2 must be a whole number from 0 to 1000000000000; got '1_0'",
    HEAD + 'a,"1,00,0",1\n': "got '1,00,0'",
    HEAD + "a,,1\n": "got ''",
    HEAD + "a,-3,1\n": "got '-3'",
    HEAD + "a,3.5,1\n": "got '3.5'",
    HEAD + "a,nan,1\n": "got 'nan'",
    HEAD + "a,inf,1\n": "got 'inf'",
    HEAD + "a,1e13,1\n": "got '1e13'",
    HEAD + "a,3,4\n": "The 'successes' of counts.csv, line 2 must be a whole number from 0 to the "
    "arm's pulls, 3; got '4'. For rewards other than 0 and 1, pass rewards='bounded'",
    HEAD + "a,3,-1\n": "'successes' of counts.csv, line 2 must be a whole number from 0 to the arm",
    HEAD + "a,3,1.5\n": "got '1.5'",
    HEAD + "a,3,nan\n": "got 'nan'",
    HEAD + "a,3,1\nb,3,1\n\na,4,1\n": "The arm 'a' of counts.csv appears in several rows "
    "(lines 2, 5). Add them up with sum=True",
    HEAD + ",3,1\n": "The 'arm' of counts.csv, line 2 must not be blank; got ''.",
    HEAD + "a,3,1\n  ,3,1\n": "The 'arm' of counts.csv, line 3 must not be blank",
    HEAD + "a,3\n": "The 'row' of counts.csv, line 2 must have 3 cells, as the header has; "
    "got ['a', '3'].",
    HEAD + '"two\nlines",3,1\nb,3,x\n': "The 'successes' of counts.csv, line 4 must",
    HEAD + 'a,"3,1\n': "The text of counts.csv, line 2 must be CSV; unexpected end of data.",
}


@pytest.mark.parametrize("text", BAD_CSV)
def test_bad_csv(text, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "counts.csv").write_bytes(text.encode())
    with pytest.raises(ga.errors.SpecError) as caught:
        check("counts.csv")
    assert BAD_CSV[text] in str(caught.value)


@pytest.mark.parametrize(
    ("encoding", "message"),
    [
        ("latin-1", "line 3 must be UTF-8; got b'.*Name its encoding, such as encoding='cp1252'"),
        ("utf-16-le", "line 1 must be text; got b'.*If it is UTF-16, pass encoding='utf-16-le'"),
    ],
)
def test_wrong_encoding(encoding, message, tmp_path):
    path = tmp_path / "t.csv"
    path.write_bytes((HEAD + "a,3,1\nbär,3,1\n").encode(encoding))
    with pytest.raises(ga.errors.SpecError, match=f"'text' of .*t.csv, {message}"):
        check(path)


def test_streams_are_named():
    with pytest.raises(ga.errors.SpecError, match="'pulls' of standard input, line 2 must"):
        check(io.BytesIO(HEAD.encode() + b"a,x,1\n"))


COLUMNS = {"arm": ["a", "b", "c"], "pulls": [5, 6, 7], "successes": [1, 2, 3]}
BAD_CELLS = [
    ("pulls", [5, "six", 7], "'pulls' of {}, row 2 must be a whole number from 0"),
    ("pulls", [5, None, 7], "row 2 must be a whole number .*; got (None|nan)"),
    ("pulls", [5.0, 6.5, 7.0], "row 2 must be a whole number .*; got 6.5"),
    ("pulls", [5.0, 6.0, float("inf")], "row 3 must be a whole number .*; got inf"),
    ("pulls", [True, False, True], "row 1 must be a whole number .*; got True"),
    ("successes", [1, 2, -3], "'successes' of {}, row 3 must be a whole number .* 7; got -3"),
    ("successes", [1, 7, 3], "row 2 must be .* the arm's pulls, 6; got 7"),
    ("arm", ["a", None, "c"], "'arm' of {}, row 2 must be text or a whole number"),
    ("arm", ["a", "", "c"], "row 2 must not be blank"),
    ("arm", ["a", "b", "a"], r"arm 'a' of .* appears in several rows \(1, 3\)."),
    ("arm", [1.5, 2.0, 3.0], "row 1 must be text or a whole number; got 1.5"),
]


@pytest.mark.parametrize(("column", "cells", "message"), BAD_CELLS)
@pytest.mark.parametrize("kind", ["dict", "pandas", "polars"])
def test_bad_cells(kind, column, cells, message):
    table = {**COLUMNS, column: cells}
    if kind == "polars":
        table = pl.DataFrame(table, strict=False)
    elif kind == "pandas":
        table = pd.DataFrame(table)
    place = "the dict" if kind == "dict" else "the frame"
    with pytest.raises(ga.errors.SpecError, match=message.format(place)):
        check(table)


def test_one_and_its_text_are_the_same_label():
    with pytest.raises(
        ga.errors.SpecError, match="row 2 must differ visibly from the arm 1, which looks the same"
    ):
        check({"arm": [1, "1"], "pulls": [3, 4], "successes": [1, 1]})


def test_a_number_that_no_float_holds():
    with pytest.raises(
        ga.errors.SpecError, match=r"'pulls' of the dict, arm 'b' must be a whole number"
    ):
        ga.check({"a": (5, 2), "b": (10**400, 1)}, threshold=0.5, delta=0.05)


def test_columns_of_different_lengths():
    with pytest.raises(
        ga.errors.SpecError, match="'columns' of the dict must have the same length"
    ):
        check({"arm": ["a"], "pulls": [3, 4], "successes": [1]})


@pytest.mark.parametrize(
    ("table", "message"),
    [
        ({"a": 3}, r"'counts' of the dict, arm 'a' must be \(pulls, successes\); got 3"),
        ({"a": (3, 1, 1)}, "A dict of columns has the keys 'arm', 'pulls', 'successes'"),
        ({"a": "31"}, "got '31'"),
        ({"a": (3, 9)}, "'successes' of the dict, arm 'a' must .*; got 9"),
        ({1.5: (3, 1)}, "'arm' of the dict, arm 1.5 must be text or a whole number"),
        ({}, "must have at least one row"),
        (np.zeros(3), r"'shape' of the array must have two columns, pulls and successes"),
        (np.zeros((0, 2)), "The table of the array must have at least one row"),
        (pl.DataFrame(COLUMNS).head(0), "The table of the frame must have at least one row"),
        (object(), "'counts' of check must be a path, an open file, a dict, a list of rows"),
        (pl.LazyFrame({"arm": ["a"]}), "'columns' of the polars table must include 'pulls'"),
        (pl.DataFrame({"arm": ["a"]}), "'columns' of the frame must include 'pulls'"),
        (None, "'counts' of check must be"),
    ],
)
def test_what_is_no_table(table, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        check(table)


def test_bad_raw_rewards():
    for reward, remedy in (
        ("2", "For other rewards"),
        ("maybe", "Write 1 or 0, yes or no, true or false, pass or fail. If 'reward' is not"),
        ("", "Give the reward. Leave a row out only if there was no test."),
        ("nan", "Give the reward."),
        ("n/a", "Give the reward."),
    ):
        text = io.StringIO(f"arm,reward\na,1\na,{reward}\n")
        message = f"line 3 must be 0 or 1 for arm 'a'; got {reward!r}. {remedy}"
        with pytest.raises(ga.errors.SpecError, match=message):
            check(text, raw=True)
    with pytest.raises(ga.errors.SpecError, match="row 2 must be 0 or 1 for arm 'b'; got 3"):
        check({"arm": ["a", "b"], "reward": [1, 3]}, raw=True)
    with pytest.raises(ga.errors.SpecError, match="arm 'b', reward 2 must be 0 or 1; got 3"):
        check({"a": [1], "b": [0, 3]}, raw=True)
    with pytest.raises(
        ga.errors.SpecError, match="arm 'a', reward 2 must be a number from -1.0 to 4.0"
    ):
        check({"a": [0, 4.5]}, raw=True, rewards="bounded", low=-1, high=4)


def test_bad_sums():
    table = {"arm": ["a"], "pulls": [10], "sum": [21.0]}
    with pytest.raises(ga.errors.SpecError, match="'sum' of the dict, row 1 must lie from 0 to 20"):
        check(table, rewards="bounded", low=0, high=2)


def test_files_that_are_not_there_or_not_parquet(tmp_path):
    for name in ("t.csv", "t.parquet"):
        with pytest.raises(FileNotFoundError):
            check(tmp_path / name)
    (tmp_path / "t.parquet").write_text("arm,pulls\n", encoding="utf-8")
    with pytest.raises(ga.errors.SpecError, match=r"t.parquet' must be Parquet"):
        check(tmp_path / "t.parquet")
    pl.DataFrame(COLUMNS).head(0).write_parquet(tmp_path / "v.parquet")
    with pytest.raises(ga.errors.SpecError, match=r"v.parquet must have at least one row"):
        check(tmp_path / "v.parquet")
    pl.DataFrame({"arm": ["a"]}).write_parquet(tmp_path / "u.parquet")
    with pytest.raises(ga.errors.SpecError, match=r"u.parquet must include 'pulls'; got \['arm'\]"):
        check(tmp_path / "u.parquet")
