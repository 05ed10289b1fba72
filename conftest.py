"""Collecting of tests and of the examples in docstrings."""

import pytest
from _pytest.doctest import DoctestModule


@pytest.hookimpl(wrapper=True)
def pytest_collect_file(file_path):
    """Leave out files without examples: to load each of them for its docstrings takes seconds."""
    collectors = yield
    if ">>>" in file_path.read_text(encoding="utf-8", errors="ignore"):
        return collectors
    return [each for each in collectors if not isinstance(each, DoctestModule)]
