"""Percent where percent was given: in every view for people, and in no file."""

import pytest
from matplotlib.figure import Figure
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.views.axis import make_axis
from goodarm.views.figures.arms import draw_arms

COUNTS = {"a": (500, 460), "b": (500, 300), "c": (40, 30), "d": (0, 0)}


@pytest.fixture(scope="module")
def tables():
    return ga.check(COUNTS, threshold="80%", margin="3%"), ga.check(
        COUNTS, threshold=0.8, margin=0.03
    )


def test_text_and_html(tables):
    shown, plain = tables
    assert shown.summary == plain.summary.replace("0.8", "80 %").replace("0.03", "3 %")
    assert shown["a"] == plain["a"]
    cells, interval = shown.cells(0), [f"{100 * x:.4g} %" for x in (shown.lower[0], shown.upper[0])]
    assert cells[3:6] == ("92 %", *interval)
    assert shown.cells(3)[3] == "-"
    assert cells[6:] == plain.cells(0)[6:]
    html = shown._repr_html_()
    assert "threshold 80 % with margin 3 %" in html
    assert ">92 %<" in html
    assert " to ".join(interval) in html
    assert "%" not in plain.summary + "".join(plain.cells(0))


def test_it_is_no_part_of_the_table(tables):
    shown, plain = tables
    assert shown == plain
    assert shown.to_dict() == plain.to_dict()
    assert shown.to_csv() == plain.to_csv()
    assert not ga.ArmTable.from_dict(shown.to_dict()).is_percent
    assert shown[:2].is_percent


def test_the_figure_and_the_axis(tables):
    shown, plain = tables
    for table, sign in ((shown, " %"), (plain, "")):
        figure = draw_arms(table)
        axes = figure.axes[0]
        figure.canvas.draw()
        ticks = [text.get_text() for text in axes.get_xticklabels()]
        assert all(text.endswith(sign) and ("%" in text) == bool(sign) for text in ticks)
        assert ("threshold 80 % dashed" in axes.get_xlabel()) == bool(sign)
        names = axes.get_legend_handles_labels()[1]
        assert f"margin of {'3 %' if sign else '0.03'}" in names
    axes = shown.plot(Figure().add_subplot())
    assert axes.xaxis.get_major_formatter()(0.8) == "80 %"
    axis = make_axis(shown, [0, 1])
    assert axis.bar_text == "threshold 80 %"
    assert [tick.text for tick in axis.ticks][:2] == ["50 %", "60 %"]
    assert [t.place for t in axis.ticks] == pytest.approx(
        [t.place for t in make_axis(plain, [0, 1]).ticks]
    )


@pytest.mark.parametrize(
    "asked",
    [
        {"threshold": {"a": "90%", "b": 0.5, "c": 0.5, "d": 0.5}},
        {"threshold": 0.8, "margin": "3%"},
    ],
    ids=str,
)
def test_one_percentage_is_enough(asked):
    table = ga.check(COUNTS, **asked)
    assert "%" in table.summary
    assert "92 %" in table.cells(0)
    if isinstance(asked["threshold"], dict):
        assert table.cells(0)[4] == "90 %"


def test_bounds_keep_their_side_of_the_threshold():
    for tenths in range(1, 1000):
        table = ga.check({"a": (10, 5)}, threshold=f"{tenths / 10:g}%")
        assert f"threshold {tenths / 10:g} %:" in table.summary


def test_on_the_command_line():
    text = "arm,pulls,successes\na,500,460\n"
    for threshold, shown in (("80%", "92 %"), (".8", "0.92")):
        result = CliRunner().invoke(app, ["check", "-", "--threshold", threshold], input=text)
        assert shown in result.stdout
        assert f"threshold {'80 %' if '%' in threshold else 0.8}:" in result.stdout
    percent = [
        CliRunner().invoke(app, ["check", "-", "--threshold", each, "--json"], input=text).stdout
        for each in ("80%", ".8")
    ]
    assert percent[0] == percent[1]


def test_failures_in_percent():
    table = ga.check({"arm": ["a"], "n": [500], "failed": [20]}, threshold="90%")
    assert "at least 90 % succeeds, so that at most 10 % fail." in repr(table)
