"""A Hypothesis test that is proven: each run has a seed of its own."""

import sys

import hypothesis
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.gate.hypothesis_seeds import HypothesisSeeds

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


def never_the_same(tried, runs=5):
    return len(tried) == len(set(tried)) >= runs


TRIED = []


@SMALL
@given(st.binary(min_size=16, max_size=16))
def noted(drawn):
    if any(drawn):
        TRIED.append(drawn)


def call_noted():
    noted()


this = sys.modules[__name__]


def call_by_module():
    this.noted()


def hide(test):
    def wrapper():  # without functools.wraps
        test()

    return wrapper


@pytest.mark.parametrize(
    "run_once",
    [call_noted, lambda: call_noted(), call_by_module, hide(noted), hide(hide(noted))],
    ids=["called", "called by another", "by module", "decorated", "decorated twice"],
)  # fmt: skip
def test_a_hypothesis_test_that_is_hidden_tries_examples_of_its_own(run_once):
    TRIED.clear()
    before = dict(vars(noted))
    ga.prove(run_once, threshold=0.5)
    assert never_the_same(TRIED)
    assert vars(noted) == before


def define_one():
    """Hypothesis takes the profile's settings as a test is defined."""

    @given(st.binary(min_size=16, max_size=16))
    @settings(max_examples=2, deadline=None)
    def inner(drawn):
        if any(drawn):
            TRIED.append(drawn)

    inner()


def test_a_hypothesis_test_that_is_defined_in_a_run_tries_examples_of_its_own():
    before = settings.get_current_profile_name(), settings.default
    define_one()
    TRIED.clear()
    ga.prove(define_one, threshold=0.5)
    assert never_the_same(TRIED)
    assert (settings.get_current_profile_name(), settings.default) == before
    with pytest.raises(
        ga.errors.SpecError, match="'jobs' of prove must be 1 for a Hypothesis test"
    ):
        ga.prove(define_one, threshold=0.5, jobs=2)


def test_what_is_async_is_no_exception():
    async def run_once():
        define_one()
        noted()

    TRIED.clear()
    ga.prove(run_once, threshold=0.5)
    assert never_the_same(TRIED)


def test_a_gate_within_a_gate_leaves_the_profile():
    before = settings.get_current_profile_name()
    inside = []

    def run_once():
        ga.prove(define_one, threshold=0.5)
        inside.append(settings.default.derandomize)

    ga.prove(run_once, threshold=0.5)
    assert set(inside) == {False}
    assert settings.get_current_profile_name() == before


def test_settings_that_repeat_examples_are_refused_in_a_run():
    def run_once():
        @SMALL  # made under the profile of this suite
        @given(st.booleans())
        def inner(drawn):
            raise NotImplementedError

        inner()

    with pytest.raises(
        ga.errors.SpecError, match="'settings' of prove must have derandomize=False and"
    ):
        ga.prove(run_once, threshold=0.5)


def test_hypothesis_as_a_whole_is_no_definition_of_a_test():
    @SMALL
    @given(st.booleans())
    def run_once(drawn):
        hypothesis.assume(SMALL is not None)

    HypothesisSeeds(run_once).check("prove", fixed="7")
    with pytest.raises(
        ga.errors.SpecError, match="'--hypothesis-seed' of prove must be left out for a H"
    ):
        HypothesisSeeds(lambda: hypothesis.given(st.none())).check("prove", fixed="7")


def test_runs_side_by_side_are_refused():
    @SMALL
    @given(st.booleans())
    def run_once(drawn):
        raise NotImplementedError

    with pytest.raises(
        ga.errors.SpecError, match="'jobs' of prove must be 1 for a Hypothesis test"
    ):
        ga.prove(run_once, threshold=0.5, jobs=2)
