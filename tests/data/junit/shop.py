"""Tests that fail on a schedule: the n-th attempt of each is counted in a file of its own."""

from pathlib import Path

import pytest


def attempt(name):
    file = Path("counts") / name
    file.parent.mkdir(exist_ok=True)
    number = int(file.read_text()) + 1 if file.exists() else 1
    file.write_text(str(number))
    return number


def test_login():
    pass


def test_pay():
    assert attempt("pay") > 2


@pytest.mark.parametrize("browser", ["chrome", "firefox"])
def test_search(browser):
    assert attempt(f"search-{browser}") > 1 or browser == "chrome"


def test_mail():
    assert attempt("mail") > 100


@pytest.fixture
def leaking():
    yield
    raise RuntimeError("leak")


@pytest.fixture
def broken():
    raise RuntimeError("no database")


def test_leak(leaking):
    assert attempt("leak") > 100


def test_database(broken):
    pass


@pytest.mark.skip(reason="not here")
def test_printer():
    pass


@pytest.mark.xfail
def test_known_bug():
    raise AssertionError
