"""Rows and tables that are added up: how many, which may count twice, and which arms differ."""

import io

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.errors import SpecError

HEAD = "arm,pulls,successes\n"
WEEKS = (HEAD + "a,5000,120\nb,5100,240\n", HEAD + "a,5000,160\nb,5100,160\nc,3000,130\n")
ADDED = {"a": (10_000, 280), "b": (10_200, 400), "c": (3000, 130)}


def check(text, **options):
    return ga.check(io.StringIO(text), **{"threshold": 0.03, "sum": True, **options})


@pytest.fixture
def weeks(tmp_path):
    paths = [tmp_path / f"week {k}.csv" for k in range(len(WEEKS))]
    for path, text in zip(paths, WEEKS, strict=True):
        path.write_text(text)
    return list(map(str, paths))


def test_added_rows_are_counted():
    rows = "".join(f"a,{100 + k},{k}\nb,{200 + k},{k}\n" for k in range(22))
    assert check(HEAD + rows).read_as == "added up 44 rows to 2 arms"
    assert check(HEAD + "a,100,3\nb,200,5\n").read_as == ""


def test_identical_rows_are_noted():
    one = "a,100,3\nb,100,3\na,101,3\n"
    assert "repeat" not in check(HEAD + one).read_as
    assert (
        "1 row repeats the arm and the numbers of another (line 5)"
        in check(HEAD + one + "b,100,3\n").read_as
    )
    assert (
        "7 rows repeat the arm and the numbers of another (line 3, 4, 5, ...)"
        in check(HEAD + "a,100,3\n" * 8).read_as
    )


def test_arms_that_differ_in_case_only_are_noted():
    assert "arms 'a' and 'A' differ in case only" in check(HEAD + "a,100,3\nA,50,2\n").read_as
    raw = ga.check({"x": [1, 0], "X": [1, 1]}, threshold=0.5, raw=True)
    assert raw.read_as == "arms 'x' and 'X' differ in case only"


def test_several_tables_are_added_up(weeks):
    table = ga.check(weeks, threshold=0.03, sum=True)
    assert table == ga.check(ADDED, threshold=0.03)
    assert table.read_as == "added up 5 rows to 3 arms"


def test_several_tables_of_single_rewards(tmp_path):
    for name, reward in (("x", 1), ("y", 0)):
        (tmp_path / name).write_text("arm,reward\n" + f"a,{reward}\n" * 5)
    table = ga.check([tmp_path / "x", tmp_path / "y"], threshold=0.5, raw=True)
    assert (table["a"].pulls, table["a"].mean) == (10, 0.5)


def test_several_tables_are_refused_unless_rows_are_added_up(weeks):
    with pytest.raises(SpecError, match="must be one table.*add up several tables, pass sum=True"):
        ga.check(weeks, threshold=0.03)
    with pytest.raises(SpecError, match="must name each table once"):
        ga.check([weeks[0], weeks[0]], threshold=0.03, sum=True)


def test_several_tables_on_the_command_line(weeks):
    def call(*more):
        return CliRunner().invoke(app, ["check", *weeks, "--threshold", ".03", *more])

    assert "To add up several files, use --sum." in call().stderr
    result = call("--sum", "--csv")
    assert "added up 5 rows to 3 arms" in result.stderr
    assert "a,undecided,10000,280" in result.stdout


def test_a_wrong_cell_of_the_second_table_is_named(weeks):
    with open(weeks[1], "a") as file:
        file.write("d,5,many\n")
    with pytest.raises(SpecError, match=r"week 1\.csv, line 5"):
        ga.check(weeks, threshold=0.03, sum=True)


# The range of rewards


def catch_message(text, **options):
    with pytest.raises(SpecError) as caught:
        check(text, **options)
    return str(caught.value)


def test_a_range_is_not_taken_from_the_data():
    raw = {"raw": True, "sum": False, "rewards": "bounded", "threshold": 2}
    rows = "arm,reward\na,3\na,327.37\n"
    remedy = "Do not take the range from the data: set it beforehand, and cap amounts"
    assert remedy in catch_message(rows, **raw, high=300)
    sums = {"sum": False, "rewards": "bounded"}
    message = catch_message("arm,pulls,sum\na,3,400\n", **sums)
    assert "For rewards in another range, pass low and high." in message
    assert remedy in message


def test_a_threshold_that_may_be_a_rating():
    for threshold, remedy in ((3.5, "low=1 and high=5"), (7, "low=0 and high=10")):
        message = catch_message(HEAD + "a,5,3\n", threshold=threshold)
        assert f"Did you mean {threshold / 100:g}? For ratings from" in message
        assert remedy in message
    assert "ratings" not in catch_message(HEAD + "a,5,3\n", threshold=85)


def test_a_cell_that_is_a_list_is_still_a_wrong_cell():
    rows = '{"arm":"a","pulls":[5],"successes":3}\n{"arm":"a","pulls":5,"successes":3}\n'
    assert "'pulls' of standard input, line 1 must be a whole number" in catch_message(rows)
