"""A Hypothesis test that is proven: each run has a seed of its own."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga

SMALL = settings(max_examples=2, deadline=None)


def test_each_run_tries_examples_of_its_own():
    """The profile of this suite is derandomised, as Hypothesis makes it where CI is set."""
    assert settings.default.derandomize
    tried = []

    @SMALL
    @given(st.binary(min_size=16, max_size=16))
    def run_once(drawn):
        if any(drawn):
            tried.append(drawn)

    run_once()
    run_once()
    assert tried[0] == tried[1]
    ga.prove(run_once, threshold=0.5)
    assert len(tried) == len(set(tried[1:])) + 1 == 11
    run_once()
    assert tried[-1] == tried[0]


def test_runs_side_by_side_are_refused():
    @SMALL
    @given(st.booleans())
    def run_once(drawn):
        raise NotImplementedError

    with pytest.raises(ga.SpecError, match="'jobs' of prove must be 1 for a Hypothesis test"):
        ga.prove(run_once, threshold=0.5, jobs=2)
