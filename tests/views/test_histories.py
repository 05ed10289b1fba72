"""The picture of how intervals narrowed."""

import warnings

import pytest
from matplotlib.image import imread

import goodarm as ga
from goodarm.live import ArmHistory, Moment
from goodarm.views.figures.histories import draw_histories
from goodarm.views.figures.pictures import save_picture

PROBLEM = ga.Problem(["a", "b"], threshold=0.5, delta=0.05)


def arm(name, label="undecided", pulls=(1, 10, 100), width=0.4, mean=0.5):
    labels = ["undecided"] * (len(pulls) - 1) + [label]
    moments = [
        Moment(n, float(n), n, count, mean, mean - width / n, mean + width / n, labels[n - 1])
        for n, count in enumerate(pulls, start=1)
    ]
    return ArmHistory(name, tuple(moments))


def panels_of(figure):
    return [axes for axes in figure.axes if axes.axison]


def read_lines(axes):
    """The lines of a panel, as (x, y) lists, by what they are."""
    threshold, lower, upper, mean, mark = axes.lines
    return {
        "threshold": threshold.get_ydata(),
        "lower": [*zip(*lower.get_data(), strict=True)],
        "upper": [*zip(*upper.get_data(), strict=True)],
        "mean": [*zip(*mean.get_data(), strict=True)],
        "mark": [*zip(*mark.get_data(), strict=True)],
    }


def test_a_panel_shows_interval_mean_threshold_and_label():
    figure = draw_histories([arm("a", "good", mean=0.6), arm("b")], PROBLEM, "banners")
    first, second = panels_of(figure)
    lines = read_lines(first)
    assert set(lines["threshold"]) == {0.5}
    assert lines["lower"] == [
        (1, pytest.approx(0.2)),
        (10, pytest.approx(0.4)),
        (100, pytest.approx(0.6 - 0.4 / 3)),
    ]
    assert lines["mean"] == [(1, 0.6), (10, 0.6), (100, 0.6)]
    assert lines["mark"] == [(100, 0.6)]
    assert first.get_title(loc="left") == "a\ngood at 100 pulls"
    assert second.get_title(loc="left") == "b\nundecided after 100 pulls"
    assert first.get_xscale() == "log"
    assert figure.get_suptitle() == "banners"
    (legend,) = figure.legends
    texts = [text.get_text() for text in legend.get_texts()]
    assert texts == ["good (1)", "undecided (1)", "threshold 0.5"]


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5, 12])
def test_every_arm_has_its_panel_with_pulls_below(count):
    figure = draw_histories([arm(number) for number in range(count)], PROBLEM, "numbers")
    panels = panels_of(figure)
    assert [axes.get_title(loc="left").split("\n")[0] for axes in panels] == [
        str(number) for number in range(count)
    ]
    labelled = [axes for axes in panels if axes.get_xlabel()]
    assert labelled == panels[-min(count, 3) :]
    assert all(axes.xaxis.get_tick_params()["labelbottom"] for axes in labelled)


def test_what_is_shown_is_where_it_ended():
    """The first intervals of a rare reward reach far beyond: they do not set the scale."""
    problem = ga.Problem(2, threshold=0.01, delta=0.05)
    wide = Moment(1, 0.0, 20, 20, 0.0, 0.0, 0.9, "undecided")
    late = Moment(2, 1.0, 9000, 9000, 0.013, 0.0101, 0.017, "good")
    few = ArmHistory(1, (wide,))
    figure = draw_histories([ArmHistory(0, (wide, late)), few], problem, "rare")
    low, high = panels_of(figure)[0].get_ylim()
    assert low < 0.0
    assert 0.017 < high < 0.06


def test_arms_with_little_or_nothing(tmp_path):
    lost = Moment(1, 0.0, 1, 1, None, 0.0, 1.0, "undecided")
    odd = [ArmHistory("none", ()), arm("once", pulls=(1,)), ArmHistory("lost", (lost,))]
    figure = draw_histories(odd, PROBLEM, "few")
    titles = [axes.get_title(loc="left") for axes in panels_of(figure)]
    assert titles[0] == "none\nno pulls"
    assert titles[1] == "once\nundecided after 1 pull"
    assert panels_of(figure)[0].get_xscale() == "linear"
    save_picture(figure, tmp_path / "few.png")
    save_picture(draw_histories(odd[:1], PROBLEM, "none"), tmp_path / "none.png")


def test_an_arm_without_an_interval(tmp_path):
    """Rules of a user's own need not have one."""
    moments = tuple(Moment(n, 0.0, n, n, 0.5, None, None, "undecided") for n in (1, 2, 30))
    save_picture(draw_histories([ArmHistory("a", moments)], PROBLEM, "bare"), tmp_path / "a.png")


@pytest.mark.parametrize("ending", ["png", "svg", "pdf"])
def test_formats_and_names_that_are_text(tmp_path, ending):
    names = ["$x^2$", "_hidden", "a_rather_long_name_of_a_test_with_parameters[0]", "<b>&"]
    histories = [arm(name, "bad" if k % 2 else "good") for k, name in enumerate(names)]
    problem = ga.Problem(names, 0.5, 0.05, margin=0.02)
    path = tmp_path / f"odd.{ending}"
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        save_picture(draw_histories(histories, problem, "$title$"), path)
    if ending == "svg":
        text = path.read_text(encoding="utf-8")
        for shown in (
            "$x^2$",
            "_hidden",
            "&lt;b&gt;&amp;",
            "$title$",
            "a_rather_long_",
        ):
            assert shown in text
        again = tmp_path / "again.svg"
        save_picture(draw_histories(histories, problem, "$title$"), again)
        assert again.read_bytes() == path.read_bytes()
    if ending == "png":
        assert imread(path).shape[1] > 1000
