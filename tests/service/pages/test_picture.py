"""Intervals as places on an axis."""

from itertools import pairwise

import numpy as np
import pytest

import goodarm as ga
from goodarm.service.pages.arms import draw_curve
from goodarm.service.pages.picture import MAX_DRAWN_ARMS, make_picture, place_interval
from goodarm.views.axis import Axis, make_axis, round_numbers
from goodarm.views.choice import choose_rows
from service.pages.site import run


def table(count, pulls, **options):
    problem = ga.Problem(count, threshold=0.5, delta=0.05, **options)
    exp = run(ga.open_store("memory:").experiment("x", problem, seed=1), pulls)
    return exp.table()


def test_arms_stand_as_in_the_plot_of_check():
    """The order of `figures.arms.draw_arms`, from top to bottom."""
    arms = table(12, 300)
    order = np.lexsort((arms.lower, arms.mean))[::-1]
    seen = [int(k) for k in order if arms[k].pulls]
    assert [row.position for row in make_picture(arms).rows] == seen


def test_of_many_arms_those_that_matter_are_drawn():
    arms = table(200, 2000)
    picture = make_picture(arms)
    drawn = {row.position for row in picture.rows}
    shown = choose_rows(arms)
    assert drawn == {k for k in shown.positions if arms[k].pulls}
    assert picture.left_out == shown.left_out
    assert len(drawn) <= MAX_DRAWN_ARMS


def test_places_are_proportions():
    arms = table(5, 200)
    axis = make_picture(arms).axis
    for report in arms:
        bar = place_interval(axis, report)
        width = axis.high - axis.low
        assert bar.mean == pytest.approx((report.mean - axis.low) / width)
        if not bar.is_cut_left:
            assert bar.left == pytest.approx((report.lower - axis.low) / width)
        if not bar.is_cut_left and not bar.is_cut_right:
            assert bar.width == pytest.approx((report.upper - report.lower) / width)


def test_arms_with_few_pulls_do_not_set_the_scale():
    problem = ga.Problem(["many", "few"], threshold=0.02, delta=0.05)
    exp = ga.open_store("memory:").experiment("x", problem, seed=1)
    exp.observe("many", [1.0] + [0.0] * 49 + [1.0] * 0)
    exp.observe("many", ([0.0] * 49 + [1.0]) * 400)
    exp.observe("few", [0.0, 0.0])
    arms = exp.table()
    axis = make_axis(arms, [0, 1])
    assert axis.high < 0.1
    assert axis.low == 0.0
    few = place_interval(axis, arms[1])
    assert few.is_cut_right
    assert not few.is_cut_left


def test_the_axis_stays_within_what_rewards_can_be():
    arms = table(3, 9)
    axis = make_picture(arms).axis
    assert 0 <= axis.low < axis.high <= 1


def test_nothing_to_draw():
    arms = table(3, 0)
    picture = make_picture(arms)
    assert (picture.rows, picture.without_pulls) == ([], 3)
    assert picture.axis.low <= 0.5 <= picture.axis.high
    assert picture.axis.low < picture.axis.high


@pytest.mark.parametrize("room", [1e-9, 0.003, 1, 7, 12345])
def test_numbers_along_an_axis_are_round_and_few(room):
    found = round_numbers(3.0, 3.0 + room)
    assert 2 <= len(found) <= 9
    assert all(3.0 - 1e-9 <= value <= 3.0 + room * (1 + 1e-9) for value, _ in found)
    assert len({text for _, text in found}) == len(found)


def reach(tick, width):
    """Where a number begins and ends, with the digits of a wide font."""
    size = sum(4.0 if sign in ",." else 7.7 for sign in tick.text)
    return [width * tick.place - size * part for part in REACHES[tick.anchor]]


REACHES = {"start": (0, -1), "middle": (0.5, -0.5), "end": (1, 0)}


@pytest.mark.parametrize("low", [0.0, -3.0, 936_000.0])
@pytest.mark.parametrize("room", [0.003, 1, 4.6, 12345, 90_000])
@pytest.mark.parametrize(("width", "is_narrow"), [(380, False), (165, True)])
def test_numbers_along_an_axis_do_not_touch(low, room, width, is_narrow):
    ticks = Axis(low, low + room, low, 0.0).ticks
    shown = [reach(tick, width) for tick in ticks if not (is_narrow and tick.is_spare)]
    assert shown
    assert all(one[1] < other[0] for one, other in pairwise(shown))


def test_fewer_numbers_where_there_is_little_room():
    ticks = Axis(940_000.0, 1_040_000.0, 1e6, 0.0).ticks
    assert [tick.text for tick in ticks] == ["960,000", "980,000", "1,000,000", "1,020,000"]
    assert [tick.text for tick in ticks if not tick.is_spare] == ["960,000", "1,000,000"]


def test_short_numbers_are_all_shown():
    ticks = Axis(0.0, 1.0, 0.5, 0.0).ticks
    assert [tick.text for tick in ticks] == ["0", "0.2", "0.4", "0.6", "0.8", "1"]
    assert [tick.anchor for tick in ticks] == ["start", *["middle"] * 4, "end"]
    assert not any(tick.is_spare for tick in ticks)


@pytest.mark.parametrize(("bar", "anchor"), [(0.1, "start"), (0.5, "middle"), (0.9, "end")])
def test_the_threshold_is_named(bar, anchor):
    axis = Axis(0.0, 1e6, bar * 1e6, 0.0)
    assert (axis.bar_text, axis.bar_anchor) == (f"threshold {bar * 1e6:,.0f}", anchor)


def test_a_history_ends_at_its_mark():
    problem = ga.Problem(2, threshold=0.5, delta=0.05)
    exp = run(ga.open_store("memory:").experiment("x", problem, seed=1), 300)
    for history in exp.history():
        curve = draw_curve(history.moments, 0.5, 0.0)
        assert curve.end[0] == 1.0
        assert 0 <= curve.end[1] <= 1
        assert 0 <= curve.threshold <= 1
        assert curve.mean.count("L") == len(history.moments) - 1
    assert draw_curve(history.moments[:1], 0.5, 0.0) is None
