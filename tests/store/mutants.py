"""Stores with a fault of their own, which the tests must find."""

from contextlib import contextmanager

import pytest

MUTANTS = {}


@contextmanager
def applied(name):
    """The mutant of this name within the block; none if None."""
    with pytest.MonkeyPatch.context() as patch:
        if name is not None:
            MUTANTS[name](patch)
        yield
