"""Names are text: no markup, no emoji codes, nothing that steers a terminal or a spreadsheet."""

import csv
import io
import json
import os
import pty
import subprocess

import pytest

from cli.shell import AT, GOODARM, HEAD, make_environment, run, run_on_terminal

ODD = ["test_login[chrome]", "test_login[firefox]", "test_path[/a]", "[red]x[/red]", ":smile:"]
STEERING = {"up\x1b[31mred": "up\\x1b[31mred", "two\nlines": "two\\nlines", "bell\x07": "bell\\x07"}


def table(tmp_path, names, name="counts.csv"):
    path = tmp_path / name
    with path.open("w", encoding="utf-8", newline="") as file:
        csv.writer(file).writerows([HEAD.strip().split(","), *([n, 500, 460] for n in names)])
    return path


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120, None])
def test_names_of_arms_are_printed_in_full_and_as_they_are(tmp_path, width):
    path = table(tmp_path, [*ODD, *STEERING])
    command = ["check", path, *AT]
    text = run(command).stdout if width is None else run_on_terminal(command, width)[0]
    for name in [*ODD, *STEERING.values()]:
        assert any(line.strip().startswith(f"{name} ") for line in text.split("\n")), name
    for sign in "\x1b\x07\r":
        assert sign not in text


@pytest.mark.slow
def test_names_in_errors(tmp_path):
    path = table(tmp_path, ["x"], "[red]odd[a]:smile:\x1b[31m.csv")
    path.write_text(HEAD + "[/b]\x1b[1m,5,6\n", encoding="utf-8")
    result = run(["check", path, *AT])
    assert result.returncode == 2
    assert "[red]odd[a]:smile:\\x1b[31m.csv, line 2" in result.stderr
    assert "\x1b" not in result.stderr
    missing = run(["check", tmp_path / "no[b]\x1b.csv", *AT])
    assert "no[b]\\x1b.csv" in missing.stderr
    assert "\x1b" not in missing.stderr


@pytest.mark.parametrize("value", ["[/a]", "[red]x[/red]", ":smile:", "\x1b[31m"])
def test_values_of_options_in_usage_errors(invoke, value):
    for arguments in (
        ["check", "x.csv", "--threshold", value, "--delta", ".05"],
        ["check", "x.csv", *AT, f"--{value}"],
        [value],
        [f"--{value}"],
    ):
        result = invoke(arguments)
        assert result.exit_code == 2
        assert "Error: " in result.stderr
        assert "\x1b" not in result.output
    assert "must be one table" in invoke(["check", "x.csv", *AT, value]).stderr
    shown = value.replace("\x1b", "\\x1b")
    assert shown in run_on_terminal([value], 80, stderr=True)[0]
    assert f"got {value!r}" in invoke(["check", "-", *AT, "--control", value], HEAD).stderr


@pytest.mark.slow
def test_names_in_progress_and_titles():
    """Standard error is a terminal, so there are bars with descriptions."""
    means = "test_path[/a]=.9,[red]x[/red]=.1,:smile:=.1"
    asked = ["--means", means, "--threshold", ".5", "--delta", ".1", "--runs", "3"]
    for command in (["simulate", *asked], ["plan", *asked]):
        text, code = run_on_terminal(command, 120, stderr=True)
        assert code == 0, text
    for name in means.split(","):
        assert f"arm {name.split('=')[0]} " in text
    text, code = run_on_terminal(["simulate", *asked, "-a", "[/b]"], 120, stderr=True)
    assert code == 2
    assert "got '[/b]'" in " ".join(text.split())


def test_a_description_is_no_markup(monkeypatch, capsys):
    from goodarm.cli.progress import show_run_progress, show_stage_progress

    ours, theirs = pty.openpty()
    with os.fdopen(theirs, "w", encoding="utf-8") as terminal:
        monkeypatch.setattr("sys.stderr", terminal)
        monkeypatch.setenv("TERM", "xterm")
        with show_run_progress("[/a]:smile:\x1b]0;x", 3) as update:
            update(1, 3, 10)
        with show_stage_progress() as show:
            show("[red]stage[/b]", 0.5, 10)
        terminal.write("the end")
        terminal.flush()
        seen = ""
        while "the end" not in seen:
            seen += os.read(ours, 1 << 16).decode(errors="replace")
    os.close(ours)
    assert "[/a]:smile:\\x1b]0;x" in seen
    assert "[red]stage[/b]" in seen


@pytest.mark.slow
def test_a_picture_s_name(tmp_path):
    path = tmp_path / "[red]p[a]:smile:.svg"
    text, code = run_on_terminal(["check", table(tmp_path, ["a"]), *AT, "--plot", path], 200)
    assert code == 0
    assert f"Picture: {path}\n" in text


@pytest.mark.slow
def test_letters_without_a_font_are_one_line(tmp_path):
    path = table(tmp_path, ["a\U000f0000"])
    done = run(["check", path, *AT, "--plot", tmp_path / "p.png"])
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("goodarm: No installed font has the characters")
    assert "Warning" not in line


DANGEROUS = ["=1+1", "+cmd|x", "-2+3", "@SUM(A1)", "\tx", "\rx", "-nan", "-inf", "+1_0"]
HARMLESS = ["-5", "+3.5e2", "a=b", "x", "'=1", "-0.25"]


def test_cells_of_csv_are_no_formulas(tmp_path):
    from goodarm.views.csv_lines import escape_formula

    assert [escape_formula(name) for name in DANGEROUS] == [f"'{name}" for name in DANGEROUS]
    assert [escape_formula(name) for name in HARMLESS] == HARMLESS
    assert escape_formula(-0.5) == -0.5
    names = [*DANGEROUS[:4], *HARMLESS]
    printed = run(["check", table(tmp_path, names), *AT, "--csv"]).stdout
    rows = list(csv.DictReader(io.StringIO(printed)))
    assert [row["arm"] for row in rows] == [*(f"'{name}" for name in DANGEROUS[:4]), *HARMLESS]
    assert {row["mean"] for row in rows} == {"0.92"}


@pytest.mark.slow
def test_csv_and_json_keep_names_as_they_are(tmp_path):
    names = [*ODD, *STEERING]
    path = table(tmp_path, names)
    rows = csv.DictReader(io.StringIO(run(["check", path, *AT, "--csv"]).stdout))
    assert [row["arm"] for row in rows] == names
    text = run(["check", path, *AT, "--json"]).stdout
    assert [entry["arm"] for entry in json.loads(text)["arms"]] == names
    assert "\x1b" not in text
    assert "\x1b" not in run_on_terminal(["check", path, *AT, "--csv"], 80)[0]


def test_force_color_does_not_cut_a_pipe(tmp_path):
    path = table(tmp_path, ["x" * 150])
    done = subprocess.run(
        [*GOODARM, "check", path, *AT],
        env=make_environment(FORCE_COLOR="1", COLUMNS="60"),
        capture_output=True,
        text=True,
        check=False,
    )
    assert "x" * 150 in done.stdout
