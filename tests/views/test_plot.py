"""ArmTable.plot: matplotlib's Axes, the same looks as the saved picture."""

import numpy as np
import pytest
from matplotlib import pyplot as plt
from matplotlib.axes import Axes
from matplotlib.colors import to_rgb

import goodarm as ga
from goodarm.views.figures.arms import draw_arms


@pytest.fixture(autouse=True)
def _no_figure_stays_open():
    yield
    plt.close("all")


@pytest.fixture(scope="module")
def table():
    counts = {"red": (500, 480), "green": (500, 300), "blue": (500, 410), "new": (0, 0)}
    return ga.check(counts, threshold=0.8, delta=0.05)


def names_of(axes):
    return [text.get_text() for text in axes.get_yticklabels()]


def pixels(figure):
    figure.canvas.draw()
    return np.asarray(figure.canvas.buffer_rgba())


def test_without_axes_pyplot_gets_a_figure_that_looks_as_the_saved_one(table):
    axes = table.plot()
    assert isinstance(axes, Axes)
    assert plt.get_fignums() == [axes.figure.number]
    assert names_of(axes) == ["green", "blue", "red"]
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    saved = draw_arms(table)
    FigureCanvasAgg(saved)
    saved.set_dpi(axes.figure.dpi)
    assert np.array_equal(pixels(axes.figure), pixels(saved))


def test_with_axes_it_draws_into_them_and_returns_them(table):
    figure, (left, right) = plt.subplots(1, 2)
    assert table.plot(ax=right) is right
    assert not left.lines
    assert names_of(right) == ["green", "blue", "red"]
    assert right.get_title(loc="left") == table.summary
    labels = [text.get_text() for text in right.get_legend().get_texts()]
    assert labels == ["good (1)", "undecided (1)", "bad (1)"]
    assert plt.get_fignums() == [figure.number]


def test_axes_too_low_for_all_names_show_none():
    table = ga.check({f"arm {k}": (50, k) for k in range(40)}, threshold=0.5, delta=0.05)
    _, low = plt.subplots(figsize=(5, 2))
    assert names_of(table.plot(low)) == []
    _, high = plt.subplots(figsize=(5, 9))
    assert len(names_of(table.plot(high))) == 40


def test_an_arm_without_rewards_alone_is_an_empty_picture():
    table = ga.check({"new": (0, 0)}, threshold=0.5, delta=0.05)
    assert names_of(table.plot()) == []
    _, axes = plt.subplots()
    assert table.plot(axes).get_legend() is None


def test_arms_without_pulls_are_counted_in_the_picture(table):
    assert table.plot().get_xlabel().endswith("dashed\n1 arm without pulls not shown")
    _, axes = plt.subplots()
    more = ga.check({"a": (5, 1), "b": (0, 0), "c": (0, 0)}, threshold=0.5, delta=0.05)
    assert more.plot(axes).get_xlabel().endswith("2 arms without pulls not shown")
    none = ga.check({"a": (5, 1)}, threshold=0.5, delta=0.05)
    assert none.plot().get_xlabel().endswith("dashed")


@pytest.mark.parametrize("count", [60, 61, 120, 121, 300, 2500])
def test_every_mean_is_drawn(count):
    table = ga.check({k: (50, k % 51) for k in range(count)}, threshold=0.5, delta=0.05)
    axes = table.plot()
    marked = [line for line in axes.lines if line.get_marker() not in ("", "None", None)]
    assert sum(len(line.get_xdata()) for line in marked) == count
    assert all(line.get_markevery() in (None, 1) for line in marked)
    assert any(line.get_rasterized() for line in marked) == (count > 2000)


def test_the_legend_of_many_arms_shows_what_is_drawn():
    axes = ga.check({k: (50, k % 51) for k in range(200)}, threshold=0.5, delta=0.05).plot()
    (legend,) = axes.figure.legends
    drawn = {line.get_markerfacecolor() for line in axes.lines if len(line.get_xdata()) > 2}
    lines = {str(c) for collection in axes.collections for c in collection.get_color()[:, :3]}
    for handle in legend.legend_handles:
        assert handle.get_markerfacecolor() in drawn
        assert str(np.array(to_rgb(handle.get_color()))) in lines


@pytest.mark.parametrize("wrong", ["axes", 3, plt])
def test_other_things_are_no_axes(table, wrong):
    with pytest.raises(
        ga.errors.SpecError, match="'ax' of ArmTable.plot must be an Axes of matplotlib"
    ):
        table.plot(wrong)


def test_the_users_settings_stay(table):
    before = dict(plt.rcParams)
    table.plot()
    assert dict(plt.rcParams) == before
