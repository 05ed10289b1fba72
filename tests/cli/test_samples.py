"""``--samples``: rewards that were seen, in place of means."""

import json

import pytest

import goodarm as ga

SEEN = {"a": [4.5, 5.0, 3.0], "b": [2.0, 1.0, 2.5, 1.0]}
RANGE = ["--rewards", "bounded", "--low", "1", "--high", "5"]
ASKED = ["--threshold", "3", "--delta", ".05", *RANGE]
BOUNDED = {"threshold": 3, "delta": 0.05, "rewards": "bounded", "low": 1, "high": 5}


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "seen.csv"
    rows = [f"{arm},{reward}" for arm, rewards in SEEN.items() for reward in rewards]
    path.write_text("\n".join(["arm,reward", *rows, ""]))
    return path


def test_simulate(invoke, path):
    result = invoke(["simulate", "--samples", path, *ASKED, "--runs", "4", "--json"])
    assert result.exit_code == 0, result.stderr
    assert result.stderr == ""
    (found,) = json.loads(result.stdout)["runs"]
    expected = ga.simulate(samples=SEEN, **BOUNDED, runs=4).to_dict()
    assert found == json.loads(json.dumps(expected))


def test_plan(invoke, path):
    result = invoke(["plan", "--samples", path, *ASKED, "--runs", "4", "--json"])
    assert result.exit_code == 0, result.stderr
    expected = ga.plan(samples=SEEN, **BOUNDED, runs=4).to_dict()
    assert json.loads(result.stdout) == json.loads(json.dumps(expected))


def test_standard_input_in_another_dialect(invoke):
    text = "variant;reward\na;4,5\nb;1,0\nb;2,0\n"
    result = invoke(["simulate", "--samples", "-", *ASKED, "--runs", "2", "--json"], text)
    assert result.exit_code == 0, result.stderr
    assert "read variant as arm" in result.stderr
    assert json.loads(result.stdout)["runs"][0]["means"] == [4.5, 1.5]


def test_until_may_be_more_than_one(invoke, path):
    result = invoke(["simulate", "--samples", path, *ASKED, "--runs", "2", "--until", "2"])
    assert result.exit_code == 0, result.stderr


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["simulate"], "--means must be given, or --samples in its place."),
        (
            ["plan"],
            "--means must be given, or --num-arms and a --distance in their place, or",
        ),
        (["simulate", "--samples", "seen.csv", "--means", ".5"], "--means must be left out"),
        (["plan", "--samples", "seen.csv", "--gap", "9"], "--gap must be below "),
        (
            ["plan", "--samples", "seen.csv", "--num-arms", "2"],
            "--num-arms must be left out if --samples are given",
        ),
        (["simulate", "--samples", "none.csv"], "none.csv"),
    ],
)
def test_what_is_refused(invoke, path, monkeypatch, arguments, message):
    monkeypatch.chdir(path.parent)
    result = invoke([*arguments, *ASKED])
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_reward_outside_the_range_names_its_line(invoke, path):
    path.write_text(path.read_text() + "b,7\n")
    result = invoke(["simulate", "--samples", path, *ASKED])
    assert result.exit_code == 2
    assert "seen.csv, line 9 must be a number from 1.0 to 5.0 for arm 'b'; got '7'" in result.stderr
