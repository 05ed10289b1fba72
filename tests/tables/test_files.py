"""Workbooks and JSON lines: the same tables, and clear errors."""

import io
import sys

import openpyxl
import pytest

import goodarm as ga

ASKED = {"threshold": 0.8, "delta": 0.05}


@pytest.fixture(scope="module")
def expected():
    return ga.check({"a": (1500, 1460), "b": (500, 300), "c": (40, 30)}, **ASKED)


def save_sheets(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)


ROWS = [
    ["Variant", "Visits", "Conversions"],
    ["a", 1500, 1460],
    [],
    ["b", "500", 300],
    ["c", 40, 30],
]


def test_workbooks(tmp_path, expected):
    path = tmp_path / "t.xlsx"
    save_sheets(path, counts=ROWS)
    found = ga.check(path, **ASKED)
    assert found == expected
    assert found.read_as == "read Variant as arm, Visits as pulls, Conversions as successes"
    save_sheets(path, empty=[], counts=ROWS)
    assert ga.check(path, **ASKED).read_as.startswith("sheet 'counts'; ")
    save_sheets(path, notes=[["hello"]], counts=ROWS)
    with pytest.raises(
        ga.errors.SpecError, match=r"have one sheet that is not empty; got \['notes', 'coun"
    ):
        ga.check(path, **ASKED)
    assert ga.check(path, **ASKED, sheet="counts") == expected
    with pytest.raises(
        ga.errors.SpecError, match="'sheet' of check must be one of 'notes', 'counts'"
    ):
        ga.check(path, **ASKED, sheet="count")


def test_bad_workbooks(tmp_path):
    path = tmp_path / "t.xlsx"
    path.write_bytes(b"PK\x03\x04 no workbook")
    with pytest.raises(ga.errors.SpecError, match=r"t.xlsx' must be a workbook"):
        ga.check(path, **ASKED)
    save_sheets(path, counts=[*ROWS, ["d", 3, 4], [None, 3, 1]])
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.check(path, **ASKED)
    assert "row 6 must be a whole number from 0 to the arm's pulls, 3" in str(caught.value)
    assert "row 7 must not be blank; got ''" in str(caught.value)
    for rows in ([], [["arm", "pulls", "successes"]]):
        save_sheets(path, counts=rows)
        with pytest.raises(ga.errors.SpecError, match="must have at least one row"):
            ga.check(path, **ASKED)
    with pytest.raises(FileNotFoundError):
        ga.check(tmp_path / "no.xlsx", **ASKED)


def test_a_workbook_needs_the_extra(tmp_path, monkeypatch):
    monkeypatch.setitem(sys.modules, "python_calamine", None)
    with pytest.raises(
        ga.errors.MissingExtra, match=r"goodarm check of x.xlsx needs the 'excel' extra"
    ):
        ga.check(tmp_path / "x.xlsx", **ASKED)


def test_numbered_arms_of_a_workbook_are_whole(tmp_path):
    save_sheets(tmp_path / "t.xlsx", counts=[["arm", "reward"], [1, True], [2, False], [1, 0]])
    table = ga.check(tmp_path / "t.xlsx", **ASKED, raw=True)
    assert (table.arms, table.mean.tolist()) == ((1, 2), [0.5, 0.0])


BAD_JSON = {
    '{"arm": "a", "pulls": 5}\n': "must include 'successes'; got ['arm', 'pulls']",
    '{"arm": "a", "pulls": 5, "successes": 3}\n[1]\n{': "line 2 must be a JSON object",
    '{"arm": "a", "pulls": 5, "successes": 3}\n{"arm": "b"}\n': "must include 'pulls', 'successes'",
    '{"arm": "a", "pulls": true, "successes": 3}\n': "got True",
    '{"arm": "a", "pulls": null, "successes": 3}\n': "got None",
    '{"arm": "a", "pulls": 1' + "0" * 400 + ', "successes": 3}\n': "be a whole number from 0",
    '{"arm": ["a"], "pulls": 5, "successes": 3}\n': "must be text or a whole number",
    '[{"arm": "a"}]': "'pulls'; got ['arm']",
    '[{"arm": "a"}': "must be a list of JSON objects, or JSON lines, one object per line",
    '[{"arm": "a", "arm": "b"}]': "must be a list of JSON objects",
    "[1, 2]": "The 'rows' of standard input must be objects, or lists such as [arm, "
    "pulls, successes]",
    '{"arm":' + "[" * 100_000 + "\n": "must be a JSON object",
}


@pytest.mark.parametrize("text", BAD_JSON, ids=range(len(BAD_JSON)))
def test_bad_json_lines(text):
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.check(io.StringIO(text), **ASKED)
    assert BAD_JSON[text] in str(caught.value)
