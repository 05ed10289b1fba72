"""Distributions: what they are, what they refuse, and their documents."""

import json
import math
import pickle

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

import goodarm as ga
from goodarm.rewards import Beta, Discrete, Distribution, Uniform, from_dict

ALL = [
    Uniform(2, 5),
    Beta(mean=0.65, sd=0.1),
    Beta(a=2, b=5, low=1, high=8),
    Discrete([3, 1, 2], [0.5, 0.25, 0.25]),
    Discrete([4.0]),
]


def test_the_room_is_reached_by_the_package():
    assert ga.rewards.Beta is Beta
    assert "rewards" in dir(ga)


@pytest.mark.parametrize("one", ALL, ids=repr)
def test_a_document_is_the_distribution_again(one):
    document = json.loads(json.dumps(one.to_dict()))
    assert document["kind"] == type(one).__name__.lower()
    assert document["format"] == 1
    assert from_dict(document) == one
    assert type(one).from_dict(document) == one
    assert pickle.loads(pickle.dumps(one)) == one
    assert len({one, from_dict(document)}) == 1


@pytest.mark.parametrize("one", ALL, ids=repr)
def test_they_are_frozen(one):
    with pytest.raises(AttributeError):
        one.low = 3
    with pytest.raises(AttributeError):
        one.values = ()


@pytest.mark.parametrize(
    ("one", "text"),
    [
        (Uniform(2, 5), "Uniform(2.0, 5.0)"),
        (Beta(a=2, b=5), "Beta(a=2, b=5)"),
        (Beta(a=2, b=5, low=1, high=8), "Beta(a=2, b=5, low=1.0, high=8.0)"),
        (Discrete([2, 1]), "Discrete([1.0, 2.0])"),
        (Discrete([2, 1], [3, 4]), "Discrete([1.0, 2.0], weights=[4.0, 3.0])"),
        (Discrete(range(100)), "Discrete(<100 values from 0.0 to 99.0>)"),
    ],
)
def test_they_say_what_they_are(one, text):
    assert repr(one) == text


@given(a=st.floats(0.01, 1e4), b=st.floats(0.01, 1e4))
def test_a_beta_by_its_moments_is_the_one_by_its_parameters(a, b):
    one = Beta(a=a, b=b, low=-1, high=3)
    mean, variance = stats.beta(a, b, loc=-1, scale=4).stats()
    assert one.mean == pytest.approx(float(mean), abs=1e-12)
    assert one.sd == pytest.approx(math.sqrt(variance), rel=1e-9)
    if 1e-6 < (one.mean + 1) / 4 < 1 - 1e-6:
        again = Beta(mean=one.mean, sd=one.sd, low=-1, high=3)
        assert again.a == pytest.approx(a, rel=1e-6)
        assert again.b == pytest.approx(b, rel=1e-6)


def test_values_are_sorted_and_each_is_there_once():
    one = Discrete([3, 1, 3, 2], [1, 2, 4, 0])
    assert (one.values, one.weights) == ((1.0, 3.0), (2.0, 5.0))
    assert one == Discrete({1: 2, 3: 5})
    assert one.mean == pytest.approx(17 / 7)
    assert one.shares.tolist() == [2 / 7, 5 / 7]
    assert Discrete(np.array([1, 0, 1])).mean == 2 / 3
    assert one.support == (1.0, 3.0)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: Uniform(2, 1), "The 'high' of Uniform must be at least low = 2.0"),
        (lambda: Uniform("a", 1), "The 'low' of Uniform must be a finite number; got 'a'."),
        (lambda: Uniform(-1.5e308, 1.5e308), "above it by a finite number; got 1.5e+308"),
        (lambda: Beta(), "The 'parameters' of Beta must be mean and sd, or a and b; got []."),
        (lambda: Beta(mean=0.5, a=2), "be mean and sd, or a and b; got ['a', 'mean']."),
        (lambda: Beta(mean=1, sd=0.1), "The 'mean' of Beta must be strictly between 0 and 1;"),
        (lambda: Beta(mean=0.5, sd=0.5), "must be strictly between 0 and 0.5, the most with"),
        (lambda: Beta(mean=0.5, sd=0), "The 'sd' of Beta must be strictly between 0 and 0.5"),
        (lambda: Beta(a=0, b=1), "The 'a' of Beta must be from 0.001 to 1e+09; got 0.0."),
        (lambda: Beta(mean=0.5, sd=1e-9), "That is what mean=0.5, sd=1e-09 make it."),
        (lambda: Beta(a=1, b=1, low=1), "The 'high' of Beta must be above low, 1.0,"),
        (lambda: Discrete([]), "The 'values' of Discrete must hold one with a weight above 0;"),
        (lambda: Discrete(3), "The 'values' of Discrete must be a list of numbers; got 3."),
        (lambda: Discrete([1, math.nan]), "The 'values' of Discrete must be a finite number"),
        (lambda: Discrete(np.array([1, np.inf])), "must be finite numbers of at most 1e+100; got"),
        (lambda: Discrete([1, 2], [1]), "The 'weights' of Discrete must have one number for each"),
        (lambda: Discrete([1, 2], [1, -1]), "The 'weights' of Discrete must be at least 0; got -1"),
        (lambda: Discrete([1, 2], [0, 0]), "hold one with a weight above 0"),
        (lambda: Discrete({1: 2}, [1]), "The 'weights' of Discrete must be left out if values"),
        (lambda: from_dict(3), "The 'document' of distribution must be a JSON object; got 3."),
        (lambda: from_dict({"kind": "betta"}), "Did you mean 'beta'?"),
        (lambda: from_dict({"kind": "uniform", "format": 2}), "must be 1; got 2"),
        (lambda: from_dict({"kind": "uniform", "format": 1, "low": 0}), "lacks 'high'"),
        (
            lambda: from_dict({"kind": "uniform", "format": 1, "low": 0, "high": 1, "x": 1}),
            "The uniform document has keys that it must not have: ['x'].",
        ),
    ],
)
def test_what_they_refuse(make, message):
    with pytest.raises(ga.errors.SpecError) as caught:
        make()
    assert message in str(caught.value)


@pytest.mark.parametrize("name", ["mean", "sd", "support"])
def test_the_base_is_no_distribution_itself(name):
    with pytest.raises(NotImplementedError):
        getattr(Distribution(), name)
