"""The shipped instances are those of the paper."""

import pytest

import goodarm as ga
from goodarm import datasets


@pytest.mark.parametrize(
    ("name", "num_arms", "num_good", "on_threshold", "until"),
    [
        ("synthetic", 6, 3, 0, None),
        ("covertype", 7, 3, 0, None),
        ("jester", 100, 25, 0, None),
        ("movielens", 1682, 176, 44, 25),
    ],
)
def test_shapes(name, num_arms, num_good, on_threshold, until):
    instance = datasets.load(name)
    assert instance.num_arms == num_arms
    assert instance.num_good == num_good
    assert instance.num_on_threshold == on_threshold
    assert instance.until == until
    assert instance.citation
    assert instance.terms
    assert instance.to_dict()["hardness"] == pytest.approx(
        sum(1 / (m - instance.threshold) ** 2 for m in instance.means if m != instance.threshold)
    )


def test_thresholds_lie_midway_between_two_ranks():
    covertype = datasets.load("covertype")
    ranked = sorted(covertype.means, reverse=True)
    assert ranked[2] > covertype.threshold > ranked[3]
    assert covertype.threshold - ranked[3] == pytest.approx(ranked[2] - covertype.threshold)
    assert sum(covertype.means) == pytest.approx(0.1)
    assert datasets.load("movielens").threshold == 0.04
    assert datasets.load("synthetic").smallest_gap == pytest.approx(0.001)


def test_an_unknown_instance_names_the_nearest():
    with pytest.raises(ga.errors.SpecError, match="one of 'synthetic'.*mean 'jester'"):
        datasets.load("jest")


@pytest.mark.parametrize(
    ("changed", "message"),
    [
        (
            {"means": [1.7]},
            r"'means' of Instance must lie in \[0, 1\], the rewards' range; got 1.7",
        ),
        ({"means": [0.5, -0.1]}, r"'means' of Instance must lie in \[0, 1\].*got -0.1"),
        ({"means": []}, "'means' of Instance must have at least one arm"),
        ({"means": 0.5}, "'means' of Instance must be a list of numbers; got 0.5"),
        ({"means": ["x"]}, "'means' of Instance must be a finite number; got 'x'"),
        ({"threshold": 1.5}, "'threshold' of Problem must be strictly between 0 and 1"),
        ({"until": 3}, "'until' of Problem must be a whole number from 1 to 1; got 3"),
        ({"rewards": "gauss"}, "'rewards' of Problem must be one of .*mean 'gaussian'"),
        (
            {"rewards": "bounded", "low": 1, "high": 5, "threshold": 3, "means": [0.5]},
            r"'means' of Instance must lie in \[1, 5\], the rewards' range; got 0.5",
        ),
    ],
)
def test_an_instance_that_cannot_be_is_refused(changed, message):
    parts = {"name": "one", "means": [0.7], "threshold": 0.5} | changed
    with pytest.raises(ga.errors.SpecError, match=message):
        datasets.Instance(**parts, about="", citation="", terms="")


def test_means_may_be_a_list():
    one = datasets.Instance("one", [1, 0.5], 0.5, about="", citation="", terms="")
    assert one.means == (1.0, 0.5)
    assert hash(one) == hash(one)
