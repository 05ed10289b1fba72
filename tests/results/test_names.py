"""Names as people see them: printable, short enough, told apart."""

import unicodedata
from html import escape
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.results.names import printable, shorten_names
from goodarm.results.table import columns_of

ALPHABET = st.sampled_from("aab-_ …12\\n\n\x1b\u200d中😀e\u0301")
"""Few letters, so that names look alike; wide, combining, invisible ones, and the ellipsis."""
NAMES = st.lists(st.text(ALPHABET, max_size=30), min_size=1, max_size=12)
WIDTHS = st.integers(4, 30)
MEASURES = st.sampled_from([len, columns_of])


@given(NAMES, WIDTHS, MEASURES)
def test_no_name_is_longer_than_the_width(names, width, measure):
    assert max(map(measure, shorten_names(names, width, measure))) <= width


@given(NAMES, WIDTHS, MEASURES)
def test_different_names_stay_different_and_equal_ones_equal(names, width, measure):
    short = shorten_names(names, width, measure)
    assert len(set(short)) == len(set(names))
    assert len(set(zip(names, short, strict=True))) == len(set(names))


@given(NAMES, WIDTHS, MEASURES)
def test_a_short_name_is_itself(names, width, measure):
    for name, shown in zip(names, shorten_names(names, width, measure), strict=True):
        if measure(name) <= width and name == printable(name):
            assert shown == name


@given(st.text(st.characters()))
def test_printable_is_plain_xml_and_stays_the_same(text):
    shown = printable(text)
    assert printable(shown) == shown
    hidden = {"Cc", "Cs", "Zl", "Zp"}
    assert not any(unicodedata.category(sign) in hidden for sign in shown)
    root = ElementTree.fromstring(f"<p>{escape(shown)}</p>")
    assert (root.text or "") == shown


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\ud800", "\u202e", "\x00", "\r", "\u2028"])
def test_what_is_no_letter_is_written_out(sign):
    assert printable(f"a{sign}") == "a" + sign.encode("unicode_escape", "backslashreplace").decode()


def test_a_thousand_names_that_differ_in_the_middle_stay_apart():
    names = [f"{'x' * 40}{number:04}{'y' * 40}" for number in range(1000)]
    short = shorten_names(names, 20)
    assert len(set(short)) == 1000
    assert max(map(len, short)) <= 20
    assert "0007" in short[7]
