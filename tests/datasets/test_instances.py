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
    with pytest.raises(ga.SpecError, match="one of 'synthetic'.*mean 'jester'"):
        datasets.load("jest")
