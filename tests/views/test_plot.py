"""ArmTable.plot: matplotlib's Axes, the same looks as the saved picture."""

import itertools

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
    assert right.get_title(loc="left") == "4 arms at threshold 0.8"
    assert legend_of(right) == ["good (1)", "undecided (1)", "bad (1)", "no pulls (1)"]
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
    assert legend_of(table.plot(axes)) == ["no pulls (1)"]


def legend_of(axes):
    """Return the entries of the legend of axes, or of their figure."""
    legend = axes.get_legend() or axes.figure.legends[0]
    return [text.get_text() for text in legend.get_texts()]


def test_arms_without_pulls_and_the_margin_stand_in_the_legend(table):
    """Whatever is drawn, or cannot be, is explained."""
    assert legend_of(table.plot())[-1] == "no pulls (1)"
    _, axes = plt.subplots()
    more = ga.check({"a": (5, 1), "b": (0, 0), "c": (0, 0)}, threshold=0.5, margin=0.02)
    assert sorted(legend_of(more.plot(axes))) == [
        "margin of 0.02",
        "no pulls (2)",
        "undecided (1)",
    ]
    none = ga.check({"a": (5, 1)}, threshold=0.5, delta=0.05)
    assert legend_of(none.plot()) == ["undecided (1)"]


@pytest.mark.parametrize("size", [(2.9, 2.6), (3.4, 2.5), (4.4, 3.0), (7.0, 4.0)])
def test_nothing_collides_in_small_axes(size):
    """Title, legend, drawing and numbers stand apart, and no text is wider than the figure."""
    counts = {"a rather long name of a page": (300, 200), "red": (300, 280), "new": (0, 0)}
    table = ga.check(counts, threshold=0.8, margin=0.03)
    figure, axes = plt.subplots(figsize=size, layout="constrained")
    table.plot(axes)
    for _ in range(3):  # the layout settles
        figure.canvas.draw()
    title, legend = axes.title, axes.get_legend()
    title = next(each for each in (axes._left_title, title) if each.get_text())
    boxes = [part.get_window_extent() for part in (title, legend, axes)]
    for above, below in itertools.pairwise(boxes):
        assert above.y0 >= below.y1 - 1.0
    numbers = [each.get_window_extent() for each in axes.get_xticklabels()]
    drawn = [
        each for each in numbers if axes.bbox.x0 - 1 <= (each.x0 + each.x1) / 2 <= axes.bbox.x1 + 1
    ]
    assert len(drawn) >= 2
    assert all(one.x1 < other.x0 for one, other in itertools.pairwise(drawn))
    for part in (title, legend, axes.xaxis.label):
        box = part.get_window_extent()
        assert box.x0 >= -1.0
        assert box.x1 <= figure.bbox.x1 + 1.0


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
