"""``goodarm check``, called as a user calls it."""

import csv
import io
import json

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app

HEAD = "arm,pulls,successes\n"
GOOD, BAD, UNDECIDED = "a,500,460\n", "b,500,300\n", "c,500,410\n"


def call(*arguments, stdin=None):
    return CliRunner().invoke(app, ["check", *arguments], input=stdin)


def check_text(text, *more):
    return call("-", "--threshold", ".8", "--delta", ".05", *more, stdin=text)


@pytest.mark.parametrize(
    ("rows", "code"),
    [
        (GOOD, 0),
        (GOOD + BAD, 1),
        (GOOD + BAD + UNDECIDED, 1),
        (UNDECIDED, 3),
        (GOOD + UNDECIDED, 3),
        ("a,0,0\n", 3),
        ("a,500,501\n", 2),
        ("", 2),
    ],
)
@pytest.mark.parametrize("output", [[], ["--json"], ["--csv"]])
def test_exit_codes(rows, code, output):
    assert check_text(HEAD + rows, *output).exit_code == code


def test_the_table_and_the_three_lines(tmp_path):
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + GOOD + BAD + UNDECIDED, encoding="utf-8")
    result = call(str(path), "--threshold", ".8", "--delta", ".05")
    lines = [line.split() for line in result.stdout.splitlines() if line.strip()]
    table = ga.check(path, threshold=0.8, delta=0.05)
    assert result.stdout.splitlines()[0] == table.summary
    assert [line[:2] for line in lines[3:6]] == [["b", "bad"], ["c", "undecided"], ["a", "good"]]
    notes = "\n".join(table.notes).replace("arms_planned", "--arms-planned")
    assert result.stdout.rstrip().endswith(notes)
    assert "If you may add options later, set --arms-planned to the final number." in result.stdout
    assert result.stderr == ""


def test_json_and_csv_are_that_and_nothing_else():
    text = HEAD + GOOD + BAD + UNDECIDED + "d,0,0\n"
    table = ga.check(io.StringIO(text), threshold=0.8, delta=0.05)
    document = json.loads(check_text(text, "--json").stdout)
    assert document.pop("exit_code") == 1
    assert document.pop("exit_reason") == "1 of 4 arms is bad"
    assert document.pop("read_as") == ""
    assert document == table.to_dict()
    rows = list(csv.DictReader(io.StringIO(check_text(text, "--csv").stdout)))
    assert [row["arm"] for row in rows] == ["a", "b", "c", "d"]
    assert [row["label"] for row in rows] == [report.label for report in table]
    assert [float(row["lower"] or "nan") for row in rows[:3]] == table.lower[:3].tolist()
    assert rows[3]["mean"] == rows[3]["pulls_needed"] == ""
    both = check_text(text, "--csv", "--json")
    assert both.exit_code == 2
    assert "Leave out --json" in both.stderr


COLUMNS = (
    *("arm", "label", "pulls", "successes", "mean", "lower", "upper", "e_good", "e_bad"),
    *("pulls_needed", "pulls_needed_90"),
)


def test_what_csv_prints_can_be_checked_again():
    text = HEAD + GOOD + BAD + UNDECIDED + "d,0,0\ne,3,1\nf,999999937,333333311\n"
    printed = check_text(text, "--csv").stdout
    assert tuple(printed.splitlines()[0].split(",")) == COLUMNS
    table, again = (ga.check(io.StringIO(t), threshold=0.8, delta=0.05) for t in (text, printed))
    assert again == table
    assert check_text(printed, "--csv").stdout == printed


def test_every_form_has_the_columns_in_one_order():
    table = ga.check(io.StringIO(HEAD + GOOD + "d,0,0\n"), threshold=0.8, delta=0.05)
    assert tuple(table.columns()) == COLUMNS
    assert tuple(table.to_pandas().columns) == COLUMNS
    assert tuple(table.to_polars().columns) == COLUMNS
    entries = table.to_dict()["arms"]
    assert tuple(entries[0]) == (*COLUMNS, "labelled_at")
    assert [entry["successes"] for entry in entries] == [460, 0]
    for entry, report in zip(entries, table, strict=True):
        assert {name: entry[name] for name in report.to_dict()} == report.to_dict()
    assert ga.check(table.to_pandas(), threshold=0.8, delta=0.05) == table


def test_bounded_rewards_have_their_sum():
    counts = {"x": (400, 1500.5), "y": (0, 0)}
    table = ga.check(counts, threshold=3, delta=0.05, rewards="bounded", low=0, high=5)
    assert list(table.columns())[3] == "sum"
    sums = [entry["sum"] for entry in table.to_dict()["arms"]]
    assert sums == [pytest.approx(1500.5, rel=1e-15), 0.0]
    again = ga.check(table.to_polars(), threshold=3, delta=0.05, rewards="bounded", low=0, high=5)
    assert again.pulls.tolist() == [400, 0]
    assert again.mean[0] == pytest.approx(table.mean[0], rel=1e-15)


def test_every_option():
    text = "variant,n,total\nx,400,1500.5\ny,400,900\n"
    result = call(
        *("-", "--threshold", "3", "--delta", ".05", "--rewards", "bounded", "--low", "0"),
        *("--high", "5", "--column", "arm=variant", "--column", "pulls=n", "--column", "sum=total"),
        *("--arms-planned", "10", "--margin", ".1", "--control", "fdr", "--json"),
        stdin=text,
    )
    counts = {"arm": ["x", "y"], "pulls": [400, 400], "sum": [1500.5, 900]}
    keywords = {"rewards": "bounded", "low": 0, "high": 5, "arms_planned": 10, "margin": 0.1}
    expected = ga.check(counts, threshold=3, delta=0.05, control="fdr", **keywords)
    document = json.loads(result.stdout)
    assert document.pop("exit_code") == result.exit_code == 1
    assert document.pop("exit_reason") == "1 of 2 arms is bad"
    assert document.pop("read_as").startswith("read ")
    assert document == expected.to_dict()


def test_raw():
    text = "arm,reward\n" + "a,1\n" * 60 + "b,0\n" * 60
    result = call("-", "--threshold", ".5", "--delta", ".05", "--raw", "--json", stdin=text)
    document = json.loads(result.stdout)
    assert [entry["label"] for entry in document["arms"]] == ["good", "bad"]
    assert document["arms"][0]["pulls"] == 60


@pytest.mark.parametrize("name", ["p.png", "p.svg", "p.pdf"])
def test_plot(name, tmp_path):
    result = check_text(HEAD + GOOD, "--plot", str(tmp_path / name))
    assert result.exit_code == 0
    starts = {"png": b"\x89PNG", "svg": b"<?xml", "pdf": b"%PDF"}
    assert (tmp_path / name).read_bytes().startswith(starts[name[2:]])


def test_the_same_picture_comes_out_again(tmp_path):
    for name in ("p.svg", "q.svg"):
        check_text(HEAD + GOOD, "--plot", str(tmp_path / name))
    assert (tmp_path / "p.svg").read_bytes() == (tmp_path / "q.svg").read_bytes()


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--plot", "p.gif"], "--plot must end in .png, .svg or .pdf; got 'p.gif'"),
        (["--plot", "nowhere/p.png"], "be a file in a folder that exists"),
        (["--control", "fwr"], "Did you mean 'fwer'?"),
        (["--column", "pulls"], "--column must be written as pulls=NAME; got 'pulls'"),
        (["--column", "pull=n"], "--column must be one of"),
        (["--delta", "2"], "--delta must"),
        (["--arms-planned", "0"], "--arms-planned must be a whole number from 1 to"),
    ],
)
def test_wrong_use(arguments, message):
    result = check_text(HEAD + GOOD, *arguments)
    assert result.exit_code == 2
    assert message in result.stderr.replace("\n", " ")
    assert result.stdout == ""


def test_a_file_that_is_not_there(tmp_path):
    result = call(str(tmp_path / "no.csv"), "--threshold", ".8", "--delta", ".05")
    assert result.exit_code == 2
    assert result.stderr == f"goodarm: There is no file '{tmp_path / 'no.csv'}'.\n"


def test_a_folder_is_no_table(tmp_path):
    result = call(str(tmp_path), "--threshold", ".8", "--delta", ".05")
    assert result.exit_code == 2
    assert "must be a file; got" in result.stderr
    assert f"--from junit '{tmp_path}/**/*.xml'" in result.stderr


@pytest.mark.parametrize(
    "more", [["--only", "good"], ["--sort", "arm"], ["--sort", "table", "--only", "bad"]]
)
def test_json_is_the_whole_table(more):
    result = check_text(HEAD + GOOD, "--json", *more)
    assert result.exit_code == 2
    assert f"whole table in its own order. Leave out {more[-2]}" in result.stderr
    assert result.stdout == ""
    assert check_text(HEAD + GOOD, "--json", "--sort", "label").exit_code == 0
