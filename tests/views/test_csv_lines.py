"""Cells of a CSV file that no spreadsheet runs."""

import pytest

from goodarm.views.csv_lines import escape_formula


@pytest.mark.parametrize(
    "cell", ["=1+1", "+cmd|' /C calc'!A0", "-x", "@SUM(A1)", "\t=1", "-", "--5"]
)
def test_a_text_that_looks_like_a_formula_gets_an_apostrophe(cell):
    assert escape_formula(cell) == f"'{cell}"


@pytest.mark.parametrize("cell", ["-5", "+3.25", "-1e-9", "red", "", "a=b", "'=1", "$5 off", "1-2"])
def test_numbers_and_other_texts_stay(cell):
    assert escape_formula(cell) == cell


@pytest.mark.parametrize("cell", [-5, -0.5, None, True])
def test_what_is_no_text_stays(cell):
    assert escape_formula(cell) is cell
