"""Remedies of errors that trial users met: each works, and is given only where it can help."""

import io

import numpy as np
import openpyxl
import pytest

import goodarm as ga
from goodarm.errors import SpecError

HEAD = "arm,pulls,successes\n"


def check(table, **options):
    table = io.StringIO(table) if isinstance(table, str) else table
    return ga.check(table, **{"threshold": 0.5, **options})


def catch_message(table, **options):
    with pytest.raises(SpecError) as caught:
        check(table, **options)
    return str(caught.value)


def write_workbook(path, *rows):
    book = openpyxl.Workbook()
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_wide_is_suggested_only_where_a_column_names_units():
    assert "wide" not in catch_message("Seite;Besucher;Kaeufe\nA;5;3\n")
    assert "pass wide='all'" in catch_message("user_id,page 1,page 2\nu,1,0\n")
    assert "pass wide='all'" in catch_message("page 1,page 2\n1,0\n", raw=True)


def test_a_column_that_is_probably_no_arm_is_noted():
    text = "user_id,is_mobile,page A,page B\n0,1,0,0\n1,1,0,1\n"
    doubt = "; is_mobile may be no arm (if so, name the columns that are)"
    assert check(text, wide="all").read_as.endswith(doubt)
    assert "may be" not in check(text, wide=["page A", "is_mobile"]).read_as


def test_a_title_above_the_header(tmp_path):
    rows = ([], ["Test of May"], ["arm", "pulls", "successes"], ["a", 5, 3])
    remedy = "If the first row is a title, remove the rows above the names of the columns."
    assert remedy in catch_message(write_workbook(tmp_path / "t.xlsx", *rows))
    assert remedy in catch_message("Test of May\n" + HEAD + "a,5,3\n")
    assert remedy in catch_message("Test of May,,\n" + HEAD + "a,5,3\n")


def test_a_threshold_column_that_is_not_used_is_noted():
    text = "arm,pulls,successes,threshold\na,100,50,0.3\n"
    assert check(text).read_as == "ignored threshold"
    assert check(text, threshold=None, columns={"threshold": "threshold"}).read_as == ""


def test_an_empty_count():
    for row in ("a,,3", "a,5,", "a,-,3"):
        assert "If there were none, write 0." in catch_message(f"{HEAD}{row}\n")
    assert "If there were none" not in catch_message("arm,reward\na,\n", raw=True)


def test_a_formula_without_its_value(tmp_path):
    rows = (["arm", "pulls", "successes"], ["a", 5, "=1+2"])
    message = catch_message(write_workbook(tmp_path / "t.xlsx", *rows))
    assert "If a formula is in its cell, open the workbook in a spreadsheet program" in message
    assert "formula" not in catch_message(HEAD + "a,5,\n")


@pytest.mark.parametrize("name", ["Rate in %", "CTR in percent", "pass rate"])
def test_a_rate_in_percent(name):
    found = check(f"arm,n,{name}\na,200,74.5%\n")
    assert (found["a"].pulls, found["a"].mean) == (200, 0.745)


@pytest.mark.parametrize("name", ["Konversionsrate", "Quote", "CR %", "share bought"])
def test_an_unknown_rate_is_suggested_as_a_rate(name):
    text = f"arm,n,{name}\na,200,74.5%\n"
    assert f"If it is a rate, pass columns={{'rate': '{name}'}}." in catch_message(text)
    assert check(text, columns={"rate": name})["a"].mean == 0.745


def test_zeros_that_were_lost():
    text = "prompt,pass_rate,n\na,0.745,200\nb,{},200\n"
    assert "If zeros at its end were lost, write them: 0.880." in catch_message(text.format("0.88"))
    assert check(text.format("0.880"))["b"].mean == 0.88
    assert "zeros" not in catch_message("arm,n,rate\na,1500,0.533\n")


def test_people_are_preferred_to_their_visits():
    text = "variant,sessions,users,clicks\nA,6000,5000,800\n"
    message = catch_message(text)
    assert "Choose one: columns={'pulls': 'users'}. Visits of one person" in message
    assert "Visits" not in catch_message("variant,trials,views,clicks\nA,6000,5000,800\n")


@pytest.mark.parametrize("name", ["kundennummer", "Nutzer-ID", "client_id", "member no"])
def test_ids_of_people_in_other_words(name):
    rows = np.random.default_rng(0).integers(0, 2, (40, 1))
    lines = "".join(f"u{k // 2},a,{reward[0]}\n" for k, reward in enumerate(rows))
    text = f"{name},arm,converted\n{lines}"
    assert f"The '{name}' of standard input must name a different case" in catch_message(
        text, raw=True
    )
