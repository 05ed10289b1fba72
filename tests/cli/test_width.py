"""Tables on terminals of 60, 80 and 120 columns, and where there is none."""

import re
from functools import cache

import pytest
from rich.cells import cell_len

import goodarm as ga
from cli.shell import AT, BAD, GOOD, HEAD, UNDECIDED, run, run_on_terminal
from goodarm.cli.check_view import format_table
from goodarm.views.text import TableLayout, draw_table, fit_table, fold

ALL = ["e good", "e bad", "lower", "upper", "needed (9 of 10)", "pulls needed"]
"""In the order in which they go."""
LONG = "a_rather_long_name_of_a_test_with_parameters"
ASKED = ["--threshold", ".5", "--delta", ".05", "--runs", "5"]
FIVE = [f"--algorithm={name}" for name in ("hdoc", "lil-hdoc", "apt-g", "lucb-g", "e-hdoc")]
PLAN = ["plan", "--means", f"{LONG}=.7,b=.3", *ASKED, *FIVE]
SIMULATE = ["simulate", "--means", ".9,.1", *ASKED, *FIVE]


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    path = tmp_path_factory.mktemp("tables") / "many.csv"
    rows = [f"{LONG}[{k}],{400 + k},{200 + 4 * k}\n" for k in range(60)]
    path.write_text(HEAD + "".join(rows), encoding="utf-8")
    return path


def header_of(text):
    lines = text.split("\n")
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    start = next(k for k, line in enumerate(lines) if line.strip().startswith("arm "))
    return " ".join(" ".join(line.split()) for line in lines[start:rule])


def rows_of(text):
    lines = text.split("\n")
    rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
    end = lines.index("", rule)
    return [line.split() for line in lines[rule + 1 : end]]


def missing(text):
    told = " ".join(text.split()).partition("Not shown: ")[2]
    match = re.search(r"([^;:]*) \(to see them: a wider terminal, or --csv\)", told)
    return match.group(1).strip().split(", ") if match else []


@cache
def check_cached(path):
    return ga.check(path, threshold=0.8, delta=0.05)


def render_table(path, width, only=(), sort="label", most=None):
    """The table as a terminal of this width would show it, without a process."""
    table = check_cached(path)
    lines, left_out = format_table(table, only, sort, width, most)
    return "\n".join([*lines, "", left_out])


@pytest.mark.parametrize("width", range(44, 131, 2))
def test_no_column_is_cut_at_any_width(many, width):
    text = render_table(many, width)
    table = text.split("\n\n")[0]
    assert max(map(cell_len, table.split("\n"))) <= width
    gone = missing(text)
    assert gone == ALL[: len(gone)]
    assert len(gone) in (0, 2, 4, 5, 6)
    whole = {" ".join(row[1:4]) for row in rows_of(render_table(many, None))}
    assert {" ".join(row[1:4]) for row in rows_of(text)} == whole
    names = [row[0] for row in rows_of(text)]
    assert len(set(names)) == len(names) == 60


def test_columns_go_in_the_order_of_least_use(many):
    seen = [len(missing(render_table(many, width))) for width in range(44, 131)]
    assert seen == sorted(seen, reverse=True)
    assert set(seen) == {0, 2, 4, 5, 6}


@pytest.mark.parametrize("width", range(50, 100, 7))
def test_a_name_that_is_shown_stands_for_no_arm_that_is_not(tmp_path, width):
    """Of two arms whose names differ in the middle, one is among those left out."""
    path = tmp_path / "twins.csv"
    names = [f"tests/ui/test_login_{k:02}_with_password[chrome-android]" for k in range(40)]
    rows = [f"{name},500,{460 - k}\n" for k, name in enumerate(names)]
    path.write_text(HEAD + "".join(rows), encoding="utf-8")
    shown = [row[0] for row in rows_of(render_table(path, width, most=12)) if row[0] != "…"]
    assert len(shown) >= 12
    for short in shown:
        parts = short.split("…")
        fitting = [
            name
            for name in names
            if name.startswith(parts[0]) and name.endswith(parts[-1]) and parts[1] in name
        ]
        assert len(fitting) == 1, short


def test_titles_are_unfolded_again_once_columns_are_gone(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text(HEAD + GOOD + BAD + UNDECIDED, encoding="utf-8")
    for width in range(30, 110):
        lines = render_table(path, width).split("\n")
        rule = next(k for k, line in enumerate(lines) if line.strip().startswith("──"))
        if rule > 1:
            folded = [("pulls needed", "needed"), ("needed (9 of 10)", "(9 of 10)")]
            unfolded = len(lines[rule]) + sum(
                len(whole) - len(part) for whole, part in folded if part in lines[rule - 1]
            )
            assert unfolded > width
        if "9 of 10" in header_of("\n".join(lines)):
            assert any("(9 of 10)" in line for line in lines[:rule])
    assert rule == 1


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, 80, 120])
def test_a_terminal_shows_what_fits(many, width):
    text, code = run_on_terminal(["check", many, *AT], width)
    assert code == 1
    assert max(map(cell_len, text.split("\n"))) <= width
    table, left_out = render_table(many, width, most=12).split("\n\n")
    assert f"\n\n{table}\n\n" in text
    assert " ".join(left_out.split()) in " ".join(text.split())
    for note in ga.check(many, threshold=0.8, delta=0.05, arms_planned=60).notes[1:]:
        assert note in " ".join(text.split())


@pytest.mark.slow
def test_a_small_table_at_84_80_and_62(tmp_path):
    path = tmp_path / "three.csv"
    path.write_text(HEAD + GOOD + BAD + UNDECIDED, encoding="utf-8")
    at_84, _ = run_on_terminal(["check", path, *AT], 84)
    assert (
        header_of(at_84)
        == "arm label pulls mean lower upper e good e bad pulls needed needed (9 of 10)"
    )
    at_80, _ = run_on_terminal(["check", path, *AT], 80)
    assert header_of(at_80) == "arm label pulls mean lower upper pulls needed needed (9 of 10)"
    for width, text in ((84, at_84), (80, at_80)):
        assert max(map(cell_len, text.split("\n"))) <= width
    at_62, _ = run_on_terminal(["check", path, *AT], 62)
    assert header_of(at_62) == "arm label pulls mean lower upper pulls needed needed (9 of 10)"
    assert missing(at_62) == ["e good", "e bad"]
    assert "Not shown: e good, e bad" in at_62
    report = ga.check(path, threshold=0.8, delta=0.05).explain("c")
    row = next(row for row in rows_of(at_62) if row[0] == "c")
    assert row[3:6] == [f"{value:.4g}" for value in (report.mean, report.lower, report.upper)]


def test_without_a_terminal_there_is_every_row_and_no_limit(tmp_path):
    path = tmp_path / "wide.csv"
    names = ["x" * 300 + str(k) for k in range(50)]
    path.write_text(HEAD + "".join(f"{n},500,460\n" for n in names), encoding="utf-8")
    text = run(["check", path, *AT], COLUMNS="40").stdout
    assert [row[0] for row in rows_of(text)] == names
    assert "…" not in text
    assert "Left out" not in text


@pytest.mark.slow
def test_twelve_of_each_label_and_all(many):
    text, _ = run_on_terminal(["check", many, *AT], 120)
    labels = [row[1] for row in rows_of(text) if row[0] != "…"]
    assert labels == ["bad"] * 12 + ["undecided"] * 12 + ["good"] * 11
    assert "… 15 more" in text
    assert "… 10 more" in text
    assert "25 rows (to see them: --all)" in text
    whole, _ = run_on_terminal(["check", many, *AT, "--all"], 120)
    assert len(rows_of(whole)) == 60
    assert "… " not in whole
    assert "--all" not in whole


def test_only_shows_rows_and_changes_no_verdict(many, invoke):
    for label, count in (("good", 11), ("bad", 27), ("undecided", 22)):
        result = invoke(["check", many, *AT, "--only", label])
        assert {row[1] for row in rows_of(result.stdout)} == {label}
        assert len(rows_of(result.stdout)) == count
        assert result.exit_code == 1
        assert result.stdout.startswith("60 arms at threshold 0.8: 11 good, 27 bad, 22 undecided.")
        printed = invoke(["check", many, *AT, "--only", label, "--csv"])
        assert len(printed.stdout.splitlines()) == count + 1
        assert printed.exit_code == 1


def test_only_a_label_that_no_arm_has(invoke):
    result = invoke(["check", "-", *AT, "--only", "bad"], HEAD + GOOD)
    assert result.exit_code == 0
    assert "No arm has such a label." in result.stdout


TEXT = HEAD + "b10,600,300\nb9,500,460\na,500,410\nB8,0,0\nc,700,570\n"


@pytest.mark.parametrize(
    ("sort", "names"),
    [
        ("table", ["b10", "b9", "a", "B8", "c"]),
        ("arm", ["a", "B8", "b9", "b10", "c"]),
        ("pulls", ["c", "b10", "b9", "a", "B8"]),
        ("mean", ["b9", "a", "c", "b10", "B8"]),
        ("needed", ["b10", "b9", "a", "c", "B8"]),
        ("label", ["b10", "a", "c", "B8", "b9"]),
    ],
)
def test_sort(invoke, sort, names):
    result = invoke(["check", "-", *AT, "--sort", sort], TEXT)
    assert [row[0] for row in rows_of(result.stdout)] == names
    assert result.exit_code == 1


@pytest.mark.slow
def test_the_first_of_each_label_are_those_of_the_order(many):
    text, _ = run_on_terminal(["check", many, *AT, "--sort", "mean"], 120)
    means = [float(row[3]) for row in rows_of(text)]
    assert means == sorted(means, reverse=True)
    assert len(means) == 35
    assert "25 rows (to see them: --all)" in text


@pytest.mark.slow
@pytest.mark.parametrize("width", [60, pytest.param(80, marks=pytest.mark.large)])
@pytest.mark.parametrize(
    "command",
    [
        ["algorithms"],
        ["datasets"],
        PLAN,
        SIMULATE,
        ["reproduce", "four", "--paper", "cho2025", "--runs", "5", "--out", "o"],
    ],
    ids=lambda command: command[0],
)
def test_other_commands_fit_and_cut_no_number(tmp_path, monkeypatch, invoke, width, command):
    monkeypatch.chdir(tmp_path)
    text, code = run_on_terminal(command, width)
    assert code == 0
    assert max(map(cell_len, text.split("\n"))) <= width
    numbers = re.compile(r"\d[\d.,e+]*\d")
    whole = invoke(command).stdout.split("\n\n")[0:2]
    assert set(numbers.findall("".join(whole))) <= set(numbers.findall(text))


def test_prose_breaks_at_words(invoke):
    text, _ = run_on_terminal(["datasets"], 60)
    whole = invoke(["datasets"]).stdout
    assert " ".join(text.split()[60:]) in " ".join(whole.split())
    assert fold("one two three", 7) == ["one two", "three"]
    assert fold("a/long/path/that/does/not/fit", 7) == ["a/long/path/that/does/not/fit"]


def test_a_column_stays_with_its_share():
    lines = fit_table(
        ["k", "first", "9 of 10 runs", "second", "92.5 % of runs"],
        [["r", *["1,234,567"] * 4]],
        TableLayout(),
        36,
    )
    assert [line.split() for line in lines if line.startswith("k")] == [
        ["k", "first", "9", "of", "10"],
        ["k", "second", "92.5", "%", "of", "runs"],
    ]


def test_wide_characters_are_measured_as_a_terminal_does():
    lines = draw_table(["arm", "n"], [["日本", "1"], ["abc", "2"]], left=1)
    assert [cell_len(line) for line in lines[2:]] == [7, 7]
    assert fit_table(["arm", "n"], [["a", "1"]], TableLayout(), 9)[0] == " arm   n"
    assert fit_table(["arm", "n"], [["a", "1"]], TableLayout(), 6)[0] == "arm  n"
