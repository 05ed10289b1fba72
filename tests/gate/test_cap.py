"""A cap that can never prove good is an error before the first run, with the least number."""

import re

import pytest

import goodarm as ga
from goodarm.gate import Gate

NAMED = re.compile(r"must be at least (\d+): with fewer runs, a pass rate of")


def never():
    raise NotImplementedError


def least_of(threshold, delta=0.05, margin=0.0, cap=1, so_far=None):
    with pytest.raises(ga.errors.SpecError, match="'max_runs' of prove") as refused:
        ga.prove(
            never, threshold=threshold, delta=delta, max_runs=cap, margin=margin, so_far=so_far
        )
    return int(NAMED.search(str(refused.value))[1])


@pytest.mark.parametrize(
    ("threshold", "delta", "margin"),
    [(0.9, 0.05, 0.0), (0.5, 0.05, 0.0), (0.99, 0.05, 0.0), (0.9, 1e-6, 0.0), (0.9, 0.05, 0.05)],
)
def test_the_least_number_is_that_of_the_rule_itself(threshold, delta, margin):
    """It is the number of runs after which a gate that always passes is good."""
    least = least_of(threshold, delta, margin)
    found = ga.prove(lambda: True, threshold=threshold, delta=delta, max_runs=least, margin=margin)
    assert (found.label, found.pulls) == ("good", least)
    assert least_of(threshold, delta, margin, cap=least - 1) == least


def test_what_is_there_counts():
    so_far = ga.prove(
        iter([True] * 30 + [False] + [True] * 22).__next__, threshold=0.9, max_runs=53
    )
    assert so_far.label == "undecided"
    least = least_of(0.9, cap=60, so_far=so_far)
    assert least > 60
    found = ga.prove(lambda: True, threshold=0.9, max_runs=least, so_far=so_far)
    assert (found.label, found.pulls) == ("good", least)
    # What has its label, or all its runs, makes no further one.
    assert ga.prove(never, threshold=0.9, max_runs=53, so_far=so_far).pulls == 53
    assert ga.prove(never, threshold=0.9, max_runs=60, so_far=found).label == "good"


def test_no_cap_and_a_pool_are_never_too_few():
    Gate(ga.Problem(["a"], 0.99, 0.05)).check_cap("prove", "max_runs")
    Gate(ga.Problem(["a"], 0.99, 0.05, pool=3, max_pulls=2)).check_cap("prove", "max_runs")


def test_epochs_of_inspect_are_a_cap():
    from goodarm.plugins.inspect import GoodArm
    from plugins.inspect_calls import start

    with pytest.raises(
        ga.errors.SpecError, match="'epochs' of GoodArm must be at least 14: with fewer"
    ):
        start(GoodArm(threshold=0.5, delta=0.05), range(20), epochs=13)
    start(GoodArm(threshold=0.5, delta=0.05), range(20), epochs=14)


@pytest.mark.parametrize(("given", "meant"), [(85, 0.85), (5, 0.05)])
def test_a_percentage_is_asked_back(given, meant):
    with pytest.raises(ga.errors.SpecError, match=f"got {given}.*Did you mean {meant}"):
        ga.prove(never, threshold=given)
    with pytest.raises(ga.errors.SpecError, match=f"got {given}.*Did you mean {meant}"):
        ga.Problem(2, given, 0.05)


@pytest.mark.parametrize(("given", "says"), [(5, "Did you mean 0.05"), (95, "is delta 0.05")])
def test_a_percentage_for_delta_is_asked_back(given, says):
    with pytest.raises(
        ga.errors.SpecError, match=f"'delta' of prove must .*; got {given}. .*{says}"
    ):
        ga.prove(never, threshold=0.9, delta=given)
    with pytest.raises(
        ga.errors.SpecError, match=f"'delta' of Problem must .*; got {given}. .*{says}"
    ):
        ga.Problem(2, 0.5, given)


def test_a_confidence_in_place_of_delta_is_refused_unless_it_is_meant():
    with pytest.raises(ga.errors.SpecError) as refused:
        ga.prove(never, threshold=0.5, delta=0.95)
    assert str(refused.value) == (
        "The 'delta' of prove must be at most 0.5; got 0.95. 95 % confidence is delta 0.05. If you "
        "mean it, pass allow_large_delta=True, too."
    )
    found = ga.prove(lambda: True, threshold=0.5, delta=0.95, allow_large_delta=True)
    assert (found.label, found.delta) == ("good", 0.95)
    with pytest.raises(
        ga.errors.SpecError, match="'allow_large_delta' of prove must be True or False"
    ):
        ga.prove(never, threshold=0.5, allow_large_delta=1)
    assert ga.prove(lambda: True, threshold=0.5, delta=0.5).label == "good"
