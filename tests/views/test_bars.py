"""Intervals on one axis, as letters and as SVG."""

import math

import numpy as np
import pytest

import goodarm as ga
from goodarm.views.axis import Axis, find_reward_range, make_axis
from goodarm.views.bars import draw_interval_bar, format_letter_bar


def test_an_interval_in_letters():
    axis = Axis(0, 1, 0.5, 0.0)
    assert format_letter_bar(axis, 21, 0.7, 0.2, 0.8) == "    ├─────┃───●─┤    "
    assert format_letter_bar(axis, 5, math.nan, math.nan, math.nan) == "  ┃  "


def test_an_arm_without_an_interval_has_no_bar():
    axis = Axis(0, 1, 0.5, 0.0)
    assert draw_interval_bar(axis, "undecided", math.nan, math.nan, math.nan) == ""
    assert 'aria-label="good: 0.6 to 0.8"' in draw_interval_bar(axis, "good", 0.7, 0.6, 0.8)


@pytest.mark.parametrize(
    ("counts", "options"),
    [
        ({"a": (500, 460), "b": (500, 300)}, {}),
        ({"a": (500, 460), "b": (500, 300)}, {"margin": 0.1}),
        ({"a": (0, 0)}, {}),
        ({"a": (50, 46000.0)}, {"rewards": "gaussian", "sigma": 300}),
        ({"a": (50, 100.0)}, {"rewards": "bounded", "low": -1, "high": 7}),
    ],
)
def test_an_axis_shows_thresholds_and_means(counts, options):
    table = ga.check(counts, threshold=0.8, delta=0.05, **options)
    axis = make_axis(table, range(len(table)))
    least, most = find_reward_range(table.rewards, table.low, table.high)
    assert axis.low < axis.high
    for value in (0.8, *table.mean[~np.isnan(table.mean)]):
        assert axis.low <= value <= axis.high
    if not table.margin:
        assert least <= axis.low
        assert axis.high <= most


def test_an_axis_shows_the_thresholds_of_all_arms():
    table = ga.check(
        {"a": (9000, 8900), "b": (9000, 100)}, threshold={"a": 0.2, "b": 0.7}, delta=0.05
    )
    axis = make_axis(table, [0, 1])
    assert axis.low <= 0.2
    assert axis.high >= 0.7
