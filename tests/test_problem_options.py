"""A Problem in place of its keywords: the same answers, and clear words where both are given."""

import inspect
from dataclasses import fields
from typing import get_type_hints

import numpy as np
import pytest

import goodarm as ga
from goodarm.checking.check import CountOptions
from goodarm.problem import ProblemOptions

MEANS = {"a": 0.9, "b": 0.4, "c": 0.1}
COUNTS = {"a": (300, 280), "b": (200, 90), "c": (100, 3)}
KEYWORDS = {"threshold": 0.5, "delta": 0.05, "margin": 0.02}
LIMITS = {"until": 1, "max_pulls": 500}
BOUNDED = {"threshold": 0.5, "delta": 0.05, "rewards": "bounded", "low": -1, "high": 3}


def simulate(means=MEANS, **more):
    return ga.simulate(means, algorithm="hdoc", runs=3, **more)


def plan(means=MEANS, **more):
    return ga.plan(means, algorithm="hdoc", runs=3, **more)


def check(counts=COUNTS, **more):
    return ga.check(counts, **more)


CALLS = [simulate, plan, check]


@pytest.mark.parametrize("keywords", [KEYWORDS, BOUNDED, KEYWORDS | LIMITS])
@pytest.mark.parametrize("call", CALLS)
def test_a_problem_is_its_keywords(call, keywords):
    problem = ga.Problem(list(MEANS), **keywords)
    if call is check:
        keywords = {key: value for key, value in keywords.items() if key not in LIMITS}
    assert call(problem=problem) == call(**keywords)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("keyword", [*KEYWORDS, "rewards", "low", "high"])
def test_a_problem_and_its_keywords_are_never_both_given(call, keyword):
    value = "bounded" if keyword == "rewards" else 0.5
    with pytest.raises(ga.errors.SpecError) as caught:
        call(problem=ga.Problem(list(MEANS), **KEYWORDS), **{keyword: value})
    assert str(caught.value) == (
        f"The '{keyword}' of {call.__name__} must be left out if a problem is given; got "
        f"{value!r}. Pass it to the problem: Problem(..., {keyword}={value!r})."
    )


@pytest.mark.parametrize("call", CALLS)
def test_a_keyword_that_says_nothing_is_no_second_word(call):
    problem = ga.Problem(list(MEANS), **KEYWORDS)
    assert call(problem=problem, threshold=None, low=None) == call(problem=problem)


@pytest.mark.parametrize("call", CALLS)
@pytest.mark.parametrize("wrong", [{"threshold": 0.5}, 3, ga.Problem])
def test_other_things_are_no_problem(call, wrong):
    with pytest.raises(
        ga.errors.SpecError, match=f"'problem' of {call.__name__} must be a Problem; got"
    ):
        call(problem=wrong)


@pytest.mark.parametrize("call", CALLS)
def test_a_threshold_or_a_problem_must_be_given(call):
    rest = {name: value for name, value in KEYWORDS.items() if name != "threshold"}
    rule = f"The 'threshold' of {call.__name__} must be given, or a problem in place of it; got"
    with pytest.raises(ga.errors.SpecError, match=rule):
        call(**rest)


@pytest.mark.parametrize("call", CALLS)
def test_delta_is_five_percent_unless_given(call):
    rest = {name: value for name, value in KEYWORDS.items() if name != "delta"}
    assert call(**rest) == call(**rest, delta=None) == call(**rest, delta=0.05)
    assert call(**rest) != call(**rest, delta=0.06)


@pytest.mark.parametrize("call", CALLS)
def test_an_unknown_keyword_is_refused_as_python_does(call):
    unknown = rf"{call.__name__}\(\) got an unexpected keyword argument"
    with pytest.raises(TypeError, match=rf"{unknown} 'margn'. Did you mean 'margin'\?"):
        call(**KEYWORDS, margn=0.1)
    with pytest.raises(TypeError, match=rf"{unknown} 'zzz'$"):
        call(problem=ga.Problem(list(MEANS), **KEYWORDS), zzz=1)


@pytest.mark.parametrize("name", ["until", "max_pulls"])
def test_keywords_without_a_meaning_for_counts_are_unknown_to_check(name):
    with pytest.raises(TypeError, match=f"unexpected keyword argument '{name}'"):
        check(**KEYWORDS, **{name: 1})


def test_the_list_of_keywords_is_that_of_a_problem():
    own = inspect.signature(ga.Problem).parameters
    types = get_type_hints(ga.Problem.__init__)
    names = [name for name, parameter in own.items() if parameter.kind is parameter.KEYWORD_ONLY]
    assert get_type_hints(ProblemOptions) == {name: types[name] for name in names}
    assert list(own) == [field.name for field in fields(ga.Problem)]


@pytest.mark.parametrize("function", [ga.simulate, ga.plan, ga.check])
def test_help_shows_the_keywords_with_their_defaults(function):
    shown = inspect.signature(function).parameters
    known = CountOptions if function is ga.check else ProblemOptions
    own = inspect.signature(ga.Problem).parameters
    for name, kind in get_type_hints(known).items():
        assert shown[name].default == own[name].default
        assert shown[name].annotation == kind
    assert not any(parameter.kind is parameter.VAR_KEYWORD for parameter in shown.values())
    assert "\n        problem: a Problem in place of" in function.__doc__


@pytest.mark.parametrize("call", [simulate, plan])
def test_means_go_to_the_arms_that_they_name(call):
    problem = ga.Problem(["c", "a", "b"], **KEYWORDS)
    assert call(problem=problem) == call([0.1, 0.9, 0.4], problem=problem)
    assert call(problem=ga.Problem([1, 0], **KEYWORDS), means={"0": 0.9, 1: 0.1}) == call(
        problem=ga.Problem([1, 0], **KEYWORDS), means=[0.1, 0.9]
    )


@pytest.mark.parametrize("call", [simulate, plan])
@pytest.mark.parametrize(
    ("means", "message"),
    [
        ([0.9, 0.1], "must have one mean for each of 3 arms; got [0.9, 0.1]."),
        ({"a": 0.9}, "must have one mean for each of 3 arms; got [0.9]."),
        (
            {"a": 0.9, "b": 0.1, "d": 0.2},
            "must name the arms of the problem; got ['a', 'b', 'd']. Arm 'c' has no mean.",
        ),
    ],
)
def test_means_must_fit_the_arms(call, means, message):
    with pytest.raises(ga.errors.SpecError) as caught:
        call(means, problem=ga.Problem(list(MEANS), **KEYWORDS))
    assert str(caught.value) == f"The 'means' of {call.__name__} {message}"


def test_a_problem_brings_its_arms_to_a_plan():
    problem = ga.Problem(4, **KEYWORDS)
    found = plan(None, problem=problem, distance=0.3, num_good=1)
    assert found == plan(None, num_arms=4, distance=0.3, num_good=1, **KEYWORDS)
    with pytest.raises(
        ga.errors.SpecError, match="'num_arms' of plan must be left out if a problem"
    ):
        plan(None, problem=problem, num_arms=4, distance=0.3)
    with pytest.raises(
        ga.errors.SpecError, match="'distance' of plan must be given with a problem that has"
    ):
        plan(None, problem=problem)
    limited = ga.Problem(4, 0.5, 0.05, max_pulls=9)
    with pytest.raises(
        ga.errors.SpecError, match="'max_pulls' of plan must be left out if a budget"
    ):
        plan(None, problem=limited, budget=1000)


def test_check_judges_the_arms_of_the_problem_in_their_order():
    problem = ga.Problem(["new", "c", "b", "a"], **KEYWORDS)
    table = check(problem=problem)
    assert table.arms == ("new", "c", "b", "a")
    assert table.arms_planned == 4
    assert table == check({"new": (0, 0), **dict(reversed(COUNTS.items()))}, **KEYWORDS)
    new = table.explain("new")
    assert (new.pulls, new.mean, new.label) == (0, None, "undecided")
    assert check({"b": COUNTS["b"]}, problem=problem).pulls.tolist() == [0, 0, 200, 0]


def test_check_takes_labels_that_a_file_can_only_write_as_text(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text("arm,pulls,successes\n1,90,80\n0,90,10\n", encoding="utf-8")
    table = check(path, problem=ga.Problem(3, **KEYWORDS))
    assert table.arms == (0, 1, 2)
    assert table.pulls.tolist() == [90, 90, 0]
    assert np.isnan(table.mean[2])


def test_check_refuses_an_arm_that_is_not_in_the_problem():
    with pytest.raises(ga.errors.SpecError) as caught:
        check({"a": (9, 8), "bb": (9, 8)}, problem=ga.Problem(list(MEANS), **KEYWORDS))
    assert str(caught.value) == (
        "The 'arm' of the table must be one of 'a', 'b', 'c'; got 'bb'. Did you mean 'b'?"
    )
    with pytest.raises(
        ga.errors.SpecError, match="must be one of the 50 arms of the problem; got 'a'"
    ):
        check(problem=ga.Problem(50, **KEYWORDS))


def test_check_counts_the_arms_of_the_problem_or_more():
    problem = ga.Problem(list(MEANS), **KEYWORDS)
    counts = {"a": COUNTS["a"]}
    assert check(counts, problem=problem).arms_planned == 3
    assert check(counts, problem=problem, arms_planned=30).arms_planned == 30
    rule = "'arms_planned' of check must be at least the number of arms in the problem, 3; got 2"
    with pytest.raises(ga.errors.SpecError, match=rule):
        check(counts, problem=problem, arms_planned=2)


def test_check_takes_gaussian_problems():
    problem = ga.Problem(list(MEANS), 0.5, 0.05, rewards="gaussian", sigma=1.0)
    assert check(problem=problem).rule == "half-normal"
