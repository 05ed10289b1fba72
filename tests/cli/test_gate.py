"""The exit code of a check: its policy, its reason, and that a picture is told of."""

import json

import pytest

from cli.shell import AT, BAD, GOOD, HEAD, UNDECIDED, run, run_on_terminal
from goodarm.cli.gate import choose_exit, parse_fail_on

ROWS = {
    "good": GOOD,
    "bad": GOOD + BAD,
    "undecided": GOOD + UNDECIDED,
    "both": GOOD + BAD + UNDECIDED,
}
CODES = {
    None: {"good": 0, "bad": 1, "undecided": 3, "both": 1},
    "bad,undecided": {"good": 0, "bad": 1, "undecided": 3, "both": 1},
    "undecided, bad": {"good": 0, "bad": 1, "undecided": 3, "both": 1},
    "bad": {"good": 0, "bad": 1, "undecided": 0, "both": 1},
    "undecided": {"good": 0, "bad": 0, "undecided": 3, "both": 3},
    "none": {"good": 0, "bad": 0, "undecided": 0, "both": 0},
}
REASONS = {
    (None, "good"): "the arm is good",
    (None, "bad"): "1 of 2 arms is bad",
    (None, "undecided"): "1 of 2 arms is undecided",
    (None, "both"): "1 of 3 arms is bad",
    ("bad", "undecided"): "none of 2 arms is bad",
    ("undecided", "both"): "1 of 3 arms is undecided",
    ("undecided", "bad"): "none of 2 arms is undecided",
    ("none", "both"): "--fail-on is none",
}


@pytest.mark.parametrize("rows", ROWS)
@pytest.mark.parametrize("policy", CODES)
def test_the_policy_sets_the_code(invoke, policy, rows):
    chosen = [] if policy is None else ["--fail-on", policy]
    for output in ([], ["--json"], ["--csv"]):
        result = invoke(["check", "-", *AT, *chosen, *output], HEAD + ROWS[rows])
        assert result.exit_code == CODES[policy][rows]
    document = json.loads(invoke(["check", "-", *AT, *chosen, "--json"], HEAD + ROWS[rows]).stdout)
    assert document["exit_code"] == CODES[policy][rows]
    assert isinstance(document["exit_reason"], str)
    assert document["exit_reason"] == REASONS.get((policy, rows), document["exit_reason"])


def test_reasons_of_many():
    everything = parse_fail_on("bad,undecided")
    assert choose_exit({"good": 1000, "bad": 0, "undecided": 0}, everything).reason == (
        "all 1,000 arms are good"
    )
    assert choose_exit({"good": 0, "bad": 2, "undecided": 1}, everything) == (
        1,
        "2 of 3 arms are bad",
    )


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--fail-on", "worse"], "--fail-on must be one of 'bad', 'undecided', 'none'"),
        (["--fail-on", "bda"], "Did you mean 'bad'?"),
        (["--fail-on", ""], "--fail-on must be one of"),
        (["--fail-on", "bad,"], "--fail-on must be one of"),
        (["--fail-on", "none,bad"], "--fail-on must be 'none' alone"),
        (["--fail-on", "good"], "--fail-on must be one of"),
        (["--only", "worse"], "--only must be one of 'good', 'bad', 'undecided'"),
        (["--sort", "menas"], "Did you mean 'mean'?"),
    ],
)
def test_unknown_words_are_wrong_use(invoke, arguments, message):
    result = invoke(["check", "-", *AT, *arguments], HEAD + BAD)
    assert result.exit_code == 2
    assert message in result.stderr
    assert result.stdout == ""


@pytest.mark.parametrize("output", [[], ["--json"], ["--csv"]])
def test_a_picture_is_told_of(invoke, tmp_path, output):
    path = tmp_path / "arms.svg"
    result = invoke(["check", "-", *AT, "--plot", str(path), *output], HEAD + GOOD)
    line = f"Picture: {path}\n"
    assert path.exists()
    assert result.exit_code == 0
    if output:
        assert result.stderr == line
        assert "Picture" not in result.stdout
    else:
        assert result.stdout.endswith(line)
    if output == ["--json"]:
        json.loads(result.stdout)


@pytest.mark.parametrize("output", [[], ["--json"]])
def test_a_plan_s_picture_is_told_of(invoke, tmp_path, output):
    path = tmp_path / "plan.svg"
    asked = ["plan", "--num-arms", "2", "--distance", ".3", "--threshold", ".5", "--delta", ".1"]
    result = invoke([*asked, "--runs", "3", "--plot", str(path), *output])
    assert result.exit_code == 0, result.stderr
    assert f"Picture: {path}\n" == (
        result.stderr if output else result.stdout[-len(str(path)) - 10 :]
    )
    if output:
        json.loads(result.stdout)


@pytest.mark.slow
def test_the_code_is_the_same_on_a_terminal(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + UNDECIDED, encoding="utf-8")
    assert run_on_terminal(["check", path, *AT], 80)[1] == run(["check", path, *AT]).returncode == 3
