"""``--means`` of simulate and plan: numbers as people write them."""

import json

import pytest

import goodarm as ga
from goodarm.cli.means_input import parse_means

ASKED = ["--threshold", ".5", "--runs", "2", "--json"]


@pytest.mark.parametrize(
    ("text", "means"),
    [
        ("0.7,60%", [0.7, 0.6]),
        ("70 %, 60 %", [0.7, 0.6]),
        ("0,7 0,6", [0.7, 0.6]),
        ("0,7; 0,6;", [0.7, 0.6]),
        ("0.7 0.6", [0.7, 0.6]),
        ("1,0", [1, 0]),
        ("0,1 1,0", [0.1, 1]),
        ("a=70%,b=0.6", {"a": 0.7, "b": 0.6}),
        ("a=0,7 b=0,6", {"a": 0.7, "b": 0.6}),
        ("new button=70%,old button=.6", {"new button": 0.7, "old button": 0.6}),
        ("a;b=.7,c d=.6", {"a;b": 0.7, "c d": 0.6}),
    ],
)
def test_means_are_read_as_people_write_them(text, means):
    assert parse_means(text) == means


@pytest.mark.parametrize("command", ["simulate", "plan"])
@pytest.mark.parametrize("text", ["0,7", "0,7,0,6", "70,60", "a=0,7,b=0,6", "0,7,x"])
def test_what_may_be_decimal_commas_is_asked_back(invoke, command, text):
    result = invoke([command, "--means", text, *ASKED])
    assert result.exit_code == 2
    said = " ".join(result.stderr.split())
    assert "Write 0.7 or 70%. With decimal commas, put spaces or semicolons" in said


def test_whole_means_of_other_rewards_stay_what_they_are():
    assert parse_means("70,60", "plan", "gaussian") == [70, 60]


@pytest.mark.parametrize("command", ["simulate", "plan"])
def test_percentages_give_what_fractions_give(invoke, command):
    percent, fraction = (
        invoke([command, "--means", means, *ASKED]) for means in ("70%,60%", "0.7,0.6")
    )
    assert percent.exit_code == fraction.exit_code == 0, percent.output
    assert json.loads(percent.stdout) == json.loads(fraction.stdout)


def test_a_percentage_needs_rewards_from_0_to_1(invoke):
    gaussian = ["--rewards", "gaussian", "--sigma", "1"]
    result = invoke(["simulate", "--means", "70%,60%", *ASKED, *gaussian])
    assert (result.exit_code, "without a percent sign" in result.stderr) == (2, True)


def test_python_takes_them_too():
    percent = ga.simulate(["70%", "0,6"], threshold="50%", runs=2)
    assert percent == ga.simulate([0.7, 0.6], threshold=0.5, runs=2)
