"""On the command line a message speaks of options, never of Python's arguments."""

import re

import pytest

from cli.shell import AT, GOOD, HEAD, run_on_terminal
from goodarm.errors import invalid_argument
from goodarm.wording import COMMAND_LINE, Arg, phrase

SIMULATE = ["simulate", "--means", ".9,.1", "--threshold", ".5", "--delta", ".05"]
PLAN = ["plan", "--threshold", ".5", "--delta", ".05"]
GAP = [*PLAN, "--num-arms", "3", "--distance", ".2"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["check", "-", *AT, "--low", "1"], "--low must be left out for bernoulli rewards"),
        (["check", "-", *AT, "--low", "1"], "For rewards in a range, use --rewards bounded."),
        (["check", "-", "--threshold", "3", "--delta", ".05"], "use --rewards bounded with --low"),
        (["check", "-", "--threshold", "85", "--delta", ".05"], "got 85. Did you mean 0.85?"),
        (["check", "-", "--threshold", "5", "--delta", ".05"], "got 5. Did you mean 0.05?"),
        (["check", "-", "--threshold", ".5", "--delta", ".95"], "95 % confidence is delta 0.05."),
        (["check", "-", "--threshold", ".5", "--delta", "5"], "got 5. Did you mean 0.05?"),
        ([*SIMULATE, "--delta", "95"], "got 95. 95 % confidence is delta 0.05."),
        ([*SIMULATE, "--delta", ".95"], "--delta must be at most 0.5; got 0.95."),
        ([*GAP, "--delta", ".9"], "If you mean it, use --allow-large-delta, too."),
        ([*SIMULATE, "--sigma", "1"], "standard deviation, use --rewards gaussian."),
        ([*SIMULATE, "--rewards", "gaussian"], "--sigma must be given for gaussian rewards."),
        (
            [*SIMULATE, "--rewards", "bounded", "--low", "2"],
            "--high must be above --low, 2.0",
        ),
        ([*SIMULATE, "--rewards", "gaussian", "--sigma", "1", "-a", "apgai"], "--algorithm that"),
        ([*SIMULATE, "--means", ".5,.9"], "Give a --margin, a --max-pulls, or an --until of at"),
        ([*SIMULATE, "--means", ".5"], "Give a --margin or a --max-pulls."),
        ([*SIMULATE, "--means", ".9", "-a", "lil-hdoc"], "Use another --algorithm"),
        ([*SIMULATE, "--max-pulls", "0"], "--max-pulls must be a whole number"),
        ([*SIMULATE, "--runs", "0"], "--runs must be a whole number"),
        ([*SIMULATE, "--engine", "x"], "--engine must be one of"),
        (
            PLAN,
            "--means must be given, or --num-arms and a --distance in their place, or --samp",
        ),
        ([*PLAN, "--num-arms", "3"], "must be given with --num-arms, unless a --budget asks"),
        ([*GAP, "--budget", "9"], "must be left out if a --budget asks for it"),
        ([*GAP, "--means", ".9"], "--num-arms must be left out if --means are given"),
        (
            [*PLAN, "--num-arms", "3", "--budget", "1"],
            "Ask for a larger --budget, a larger --delta",
        ),
        (
            [*GAP, "--distance", "1e-5", "-a", "hdoc"],
            "Give a larger --distance, a --margin, an --until",
        ),
        (["reproduce", "--algorithm", "x"], "--algorithm must be one of"),
        (["reproduce", "--out", "/dev/null/x"], "--out must be a folder"),
    ],
)
def test_options(invoke, arguments, message):
    result = invoke(arguments, HEAD + GOOD)
    assert result.exit_code == 2
    assert message in result.stderr
    assert not re.search(
        r"\b(low|high|max_pulls|num_arms|rewards|identification)\s?=", result.stderr
    )
    assert "None" not in result.stderr


@pytest.mark.parametrize(
    ("value", "end"),
    [
        ("1,500", "must be a number; got '1,500'. Write 1500 or 1.5."),
        ("high", "must be a number; got 'high'."),
        ("x%", "must be a number; got 'x%'."),
    ],
)
def test_a_number_that_is_none(invoke, value, end):
    for arguments in (
        ["check", "-", "--delta", ".05", "--threshold", value],
        ["check", "-", "--threshold", ".8", "--delta", value],
        [*PLAN, "--gap", value],
    ):
        result = invoke(arguments, HEAD + GOOD)
        assert result.exit_code == 2
        assert result.stderr.rstrip().endswith(end)
        assert f"'{arguments[-2]}'" in result.stderr


@pytest.mark.parametrize(("threshold", "delta"), [("80%", "5%"), ("0,8", "0,05"), ("80 %", ".05")])
def test_numbers_as_people_write_them(invoke, threshold, delta):
    expected = invoke(["check", "-", "--threshold", ".8", "--delta", ".05"], HEAD + GOOD)
    found = invoke(["check", "-", "--threshold", threshold, "--delta", delta], HEAD + GOOD)
    assert found.exit_code == expected.exit_code == 0
    if "%" in threshold:  # which the table shows in percent, too
        assert "at threshold 80 %: 1 good" in found.stdout
        threshold = ".8"
        found = invoke(["check", "-", "--threshold", threshold, "--delta", delta], HEAD + GOOD)
    assert found.stdout == expected.stdout
    margin = ["--margin", "5%", "--gap", "10%"]
    assert invoke(["check", "-", *AT, *margin], HEAD + GOOD).exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--delta", "95%"], "--delta must be at most 0.5; got 95%. 95 % confidence is"),
        (["--rewards", "bounded", "--high", "50%"], "must be a number without a percent sign"),
        (
            ["--rewards", "bounded", "--high", "10", "--threshold", "80%"],
            "--threshold must be a number on the scale of the rewards",
        ),
        (["--wide", "all"], "be 0 or 1"),
        (["--raw"], "must include 'reward'"),
    ],
)
def test_what_a_percent_sign_and_a_wide_table_cannot_be(invoke, arguments, message):
    result = invoke(["check", "-", *AT, *arguments], HEAD + GOOD)
    assert result.exit_code == 2
    assert message in result.stderr


def test_a_large_percentage_can_be_meant(invoke):
    arguments = ["check", "-", *AT, "--delta", "95%", "--allow-large-delta"]
    assert invoke(arguments, HEAD + GOOD).exit_code == 0


def test_a_wide_table(invoke):
    rows = "question,A,B\n" + "".join(f"q{k},pass,{'pass' if k % 9 else ''}\n" for k in range(80))
    refused = invoke(["check", "-", *AT], rows)
    assert refused.exit_code == 2
    assert "If each column is an arm and each row a unit, use --wide all." in refused.stderr
    for columns in ("all", "A, B"):
        found = invoke(["check", "-", *AT, "--wide", columns, "--csv"], rows)
        assert found.exit_code == 0
        assert "read columns A, B as arms; skipped 9 empty cells" in found.stderr
        assert [line.split(",")[0] for line in found.stdout.splitlines()] == ["arm", "A", "B"]


def test_a_refused_plan_shows_no_bar():
    text, code = run_on_terminal([*PLAN, "--num-arms", "3"], 80, stderr=True)
    assert code == 2
    assert "starting" not in text
    assert "\x1b" not in text
    assert text.startswith("goodarm: --distance must be given")


@pytest.mark.parametrize("command", ["algorithms", "datasets"])
def test_without_a_title_a_table_starts_at_once(invoke, command):
    lines = invoke([command]).stdout.split("\n")
    assert lines[0].split()[0] in ("algorithm", "instance")


def test_rules_and_remedies_have_two_wordings():
    rule = phrase("be given with {num_arms}")
    error = invalid_argument("gap", "plan", rule, None, phrase("{Pass} {gap}.", gap=Arg("gap", 1)))
    assert str(error) == "The 'gap' of plan must be given with num_arms; got None. Pass gap=1."
    assert COMMAND_LINE.sentence(error) == "--gap must be given with --num-arms. Use --gap 1."


@pytest.mark.parametrize(
    "arguments",
    [
        ["check", "-", "--threshold", ".5", "--delta", ".95", "--fail-on", "none"],
        ["simulate", "--means", ".9,.1", "--threshold", ".5", "--delta", ".95", "--runs", "2"],
    ],
    ids=["check", "simulate"],
)
def test_a_large_delta_is_taken_where_it_is_meant(invoke, arguments):
    result = invoke([*arguments, "--allow-large-delta"], stdin=f"{HEAD}{GOOD}")
    assert result.exit_code == 0, result.stderr
    assert invoke(arguments, stdin=f"{HEAD}{GOOD}").exit_code == 2
