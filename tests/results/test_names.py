"""Names as people see them: printable, short enough, told apart."""

import time
import unicodedata
from html import escape
from xml.etree import ElementTree

import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.views.names import printable, shorten_names, visible
from goodarm.views.text import measure_text

ALPHABET = st.sampled_from("aab-_ …12\\n\n\x1b\u200d中😀e\u0301")
"""Few letters, so that names look alike; wide, combining, invisible ones, and the ellipsis."""
NAMES = st.lists(st.text(ALPHABET, max_size=30), min_size=1, max_size=12)
WIDTHS = st.integers(4, 30)
MEASURES = st.sampled_from([len, measure_text])


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
    assert visible(shown) == shown
    hidden = {"Cc", "Cs", "Zl", "Zp"}
    assert not any(unicodedata.category(sign) in hidden for sign in shown)
    root = ElementTree.fromstring(f"<p>{escape(shown)}</p>")
    assert (root.text or "") == shown


LOOKS = st.text(st.sampled_from("\\\\\\\\nrtxuU0019abfe\n\t\x1b\x1f\u202e\U000e0001"), max_size=12)
"""Characters that are written out, and what they are written as."""


@given(st.lists(LOOKS, unique=True, min_size=2, max_size=30))
def test_different_names_are_printed_differently(names):
    assert len(set(map(printable, names))) == len(names)


@given(st.text(), st.text())
def test_two_names_are_printed_differently(one, other):
    assert (printable(one) == printable(other)) == (one == other)
    spelt = one.encode("unicode_escape", "backslashreplace").decode()
    assert (printable(one) == printable(spelt)) == (one == spelt)


def test_a_backslash_is_doubled_where_it_could_mislead():
    assert printable(r"a\green \ b") == r"a\green \ b"
    assert printable(r"C:\new") == r"C:\\new"
    assert printable("a\nb") == r"a\nb"
    assert printable("a\\nb") == r"a\\nb"
    assert printable("\\g\n") == r"\\g\n"


@pytest.mark.parametrize("sign", ["\ufffe", "\uffff", "\ud800", "\u202e", "\x00", "\r", "\u2028"])
def test_what_is_no_letter_is_written_out(sign):
    assert printable(f"a{sign}") == "a" + sign.encode("unicode_escape", "backslashreplace").decode()


def test_a_thousand_names_that_differ_in_the_middle_stay_apart():
    names = [f"{'x' * 40}{number:04}{'y' * 40}" for number in range(1000)]
    short = shorten_names(names, 20)
    assert len(set(short)) == 1000
    assert max(map(len, short)) <= 20
    assert "0007" in short[7]


@given(NAMES, NAMES, WIDTHS, MEASURES)
def test_a_short_name_stands_for_no_name_that_is_not_shown(shown, hidden, width, measure):
    """Whatever is hidden would look different in the same column."""
    short = shorten_names(shown, width, measure, hidden)
    assert max(map(measure, short)) <= width
    assert len(set(short)) == len(set(shown))
    plain = {printable(name) for name in hidden if name not in shown}
    assert plain.isdisjoint(short)


def test_a_hidden_twin_moves_the_cut():
    shown, hidden = "test_login_x[chrome]", "test_login_y[chrome]"
    assert shorten_names([shown], 13) == ["test_l…hrome]"]
    (short,) = shorten_names([shown], 13, among=[shown, hidden])
    assert short == "t…n_x[chrome]"


MATRIX = [
    f"test_login_with_{how}[{browser}-{system}]"
    for how in ("code", "password", "mode")
    for browser in ("chrome", "edge", "firefox")
    for system in ("android", "linux", "windows")
]


@pytest.mark.parametrize("width", [22, 24, 27, 30])
def test_a_column_is_cut_at_one_place(width):
    """The ellipsis stands at the same place in all names."""
    short = shorten_names(MATRIX, width)
    assert len(set(short)) == len(MATRIX)
    assert len({name.index("…") for name in short}) == 1


@pytest.mark.speed
def test_a_hundred_thousand_names_take_no_time():
    """Those that differ in the middle alone take the longest."""
    names = [f"{'x' * 40}{number:06}{'y' * 40}" for number in range(100_000)]
    start = time.process_time()
    short = shorten_names(names[:36], 24, measure_text, names)
    assert time.process_time() - start < 5
    assert len(set(short)) == 36
