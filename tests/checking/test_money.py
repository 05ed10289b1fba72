"""Money in tables: what pulls cost, spent and expected, exactly; tables without costs as before."""

import io
import json
import random
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.errors import SpecError
from goodarm.problem import add_money
from goodarm.results import ArmTable

COUNTS = {"a": (500, 460), "b": (500, 300), "c": (50, 41)}
ROWS = [("a", 1, 0.1)] * 10 + [("b", 0, 0.25)] * 3
RAW = {
    "arm": [row[0] for row in ROWS],
    "reward": [row[1] for row in ROWS],
    "usd": [row[2] for row in ROWS],
}

amounts = st.integers(0, 10**9).map(lambda units: units / 10**6)


def test_a_cost_changes_no_label_and_adds_columns() -> None:
    plain = ga.check(COUNTS, threshold=0.8)
    priced = ga.check(COUNTS, threshold=0.8, cost=0.02)
    assert priced.spent is not None
    assert priced.spent.tolist() == [10.0, 10.0, 1.0]
    assert priced.expected.tolist() == [0.0, 0.0, round(priced.needed[2]) * 2 / 100]
    assert priced.total_spent == 21.0
    assert plain.labels.tolist() == priced.labels.tolist()
    assert priced.header == (*plain.header, "spent", "expected", "expected (9 of 10)")
    assert "Spent: 21.00." in repr(priced)


def test_a_table_without_costs_says_nothing_of_money() -> None:
    plain = ga.check(COUNTS, threshold=0.8)
    text = repr(plain) + json.dumps(plain.to_dict()) + str(plain.to_csv())
    assert plain.spent is None
    assert not any(word in text for word in ("cost", "spent", "Spent", "expected"))


def test_each_arm_has_its_own_cost() -> None:
    table = ga.check(COUNTS, threshold=0.8, cost={"a": 0.1, "b": 0, "c": 2})
    assert [row.spent for row in table] == [50.0, 0.0, 100.0]
    assert [row.cost for row in table] == [0.1, 0.0, 2.0]
    problem = ga.Problem(["c", "a"], 0.8, cost=[2, 0.1])
    judged = ga.check({"a": (500, 460)}, problem=problem)
    assert [row.spent for row in judged] == [0.0, 50.0]


@pytest.mark.parametrize("kind", ["dict", "csv", "polars", "lazy", "duckdb"])
def test_costs_of_single_pulls_are_added_exactly(kind: str) -> None:
    frame = pytest.importorskip("polars").DataFrame(RAW)
    table: object = RAW
    if kind == "csv":
        table = io.StringIO("arm,reward,usd\n" + "".join(f"{a},{r},{c}\n" for a, r, c in ROWS))
    elif kind == "polars":
        table = frame
    elif kind == "lazy":
        table = frame.lazy()
    elif kind == "duckdb":
        table = pytest.importorskip("duckdb").sql("select * from frame")
    found = ga.check(table, threshold=0.5, raw=True, columns={"cost": "usd"})
    assert [(row.arm, row.cost, row.spent) for row in found] == [("a", 0.1, 1.0), ("b", 0.25, 0.75)]


@pytest.mark.parametrize("is_lazy", [False, True])
def test_all_repeats_of_a_unit_are_paid(is_lazy: bool) -> None:
    raw = {
        "arm": ["a"] * 4,
        "reward": [1, 0, 1, 1],
        "question": ["x", "x", "y", "y"],
        "usd": [0.1, 0.2, 0.3, 0.1],
    }
    table = pytest.importorskip("polars").DataFrame(raw).lazy() if is_lazy else raw
    options = {"raw": True, "unit": "question", "rewards": "bounded", "columns": {"cost": "usd"}}
    (row,) = ga.check(table, threshold=0.5, **options)
    assert (row.pulls, row.spent, row.cost) == (2, 0.7, 0.35)


def test_columns_of_counts_and_of_values() -> None:
    rows = [
        {"arm": "a", "pulls": 10, "successes": 9, "price": 0.1, "bill": 0.9},
        {"arm": "b", "pulls": 0, "successes": 0, "price": 0.2, "bill": 0.0},
    ]
    each = ga.check(rows, threshold=0.5, columns={"cost": "price"})
    whole = ga.check(rows, threshold=0.5, columns={"spent": "bill"})
    assert [row.spent for row in each] == [1.0, 0.0]
    assert [(row.cost, row.spent) for row in whole] == [(0.09, 0.9), (None, 0.0)]
    values = [
        {"arm": "a", "value": 1, "count": 3, "price": 0.1},
        {"arm": "a", "value": 0, "count": 2, "price": 0.3},
    ]
    found = ga.check(values, threshold=0.5, values=True, columns={"cost": "price"})
    assert found["a"].spent == 0.9


@given(st.lists(st.tuples(st.sampled_from("abc"), amounts), min_size=1, max_size=60), st.booleans())
def test_money_adds_up_exactly_in_any_order(
    rows: list[tuple[str, float]], is_shuffled: bool
) -> None:
    random.Random(1 if is_shuffled else 2).shuffle(rows)
    table = ga.check(
        {"arm": [arm for arm, _ in rows], "reward": [1] * len(rows), "c": [c for _, c in rows]},
        threshold=0.5,
        raw=True,
        columns={"cost": "c"},
    )
    for report in table:
        exact = sum(round(Fraction(c) * 10**9) for arm, c in rows if arm == report.arm)
        assert report.spent == exact / 10**9
    exact = sum(round(Fraction(c) * 10**9) for _, c in rows)
    assert table.total_spent == exact / 10**9
    assert table.spent is not None
    assert add_money(table.spent.tolist()) == table.total_spent


def test_a_document_is_read_again_and_refused_by_those_who_do_not_know_costs() -> None:
    for cost in (0.02, {"a": 0.1, "b": 0, "c": 2}):
        table = ga.check(COUNTS, threshold=0.8, cost=cost)
        document = json.loads(json.dumps(table.to_dict()))
        assert ArmTable.from_dict(document) == table
        assert table != ga.check(COUNTS, threshold=0.8)
        entry = document["arms"][0]
        assert list(entry)[-5:-1] == ["cost", "spent", "expected", "expected_90"]
        entry["price"] = entry.pop("cost")  # a key that this version does not know either
        with pytest.raises(SpecError, match="price"):
            ArmTable.from_dict(document)


def test_memory_keeps_the_money_of_arms_that_are_gone() -> None:
    first = ga.check({"a": (500, 460), "b": (500, 300)}, threshold=0.8, cost=0.02)
    second = ga.check({"a": (600, 550)}, threshold=0.8, cost=0.05, previous=first)
    assert [row.spent for row in second] == [30.0, 10.0]
    free = ga.check({"a": (600, 550)}, threshold=0.8, previous=first)
    assert free.spent is None


def test_one_look_shows_what_was_spent_only() -> None:
    table = ga.check(COUNTS, threshold=0.8, cost=0.02, looks="once")
    assert table.header[-3:] == ("p good", "p bad", "spent")
    assert ArmTable.from_dict(table.to_dict()) == table


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"cost": -1}, "amount of money from 0"),
        ({"cost": "x"}, "amount of money from 0"),
        ({"cost": 1e-11}, "at least 0.000000001"),
        ({"cost": {"a": 1}}, "name every arm"),
        ({"cost": {"a": 1, "b": 1, "c": 1, "d": 1}}, "not 'd'"),
        ({"cost": 1, "columns": {"cost": "usd"}}, "has the money"),
        ({"columns": {"cost": "usd", "spent": "bill"}}, "not both"),
        ({"columns": {"cost": "usd"}}, "the column 'usd'"),
        ({"cost": 1, "problem": ga.Problem(["a", "b", "c"], 0.5)}, "if a problem is given"),
    ],
)
def test_what_cannot_be_is_refused(options: dict[str, object], words: str) -> None:
    if "problem" not in options:
        options = {"threshold": 0.8, **options}
    with pytest.raises(SpecError, match=words):
        ga.check(COUNTS, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("cell", ["", "-1", "nan", "1e9", "free"])
@pytest.mark.parametrize("is_lazy", [False, True])
def test_a_wrong_cost_in_a_row_is_refused(cell: str, is_lazy: bool) -> None:
    polars = pytest.importorskip("polars")
    if is_lazy and cell == "free":
        return
    number = None if cell == "" else cell if cell == "free" else float(cell)
    raw = {"arm": ["a", "a"], "reward": [1, 0], "usd": [0.1, number]}
    table = polars.DataFrame(raw, strict=False).lazy() if is_lazy else raw
    with pytest.raises(SpecError, match="usd"):
        ga.check(table, threshold=0.5, raw=True, columns={"cost": "usd"})


def test_a_decimal_sign_that_only_the_money_leaves_open_is_refused() -> None:
    text = "arm;pulls;successes;usd\na;10;9;1,500\n"
    with pytest.raises(SpecError, match="two ways"):
        ga.check(io.StringIO(text), threshold=0.5, columns={"cost": "usd"})


def test_the_command_line_takes_an_amount_or_a_column(tmp_path: object) -> None:
    path = f"{tmp_path}/counts.csv"
    with open(path, "w", encoding="utf-8") as file:
        file.write("arm,pulls,successes,usd\na,500,460,0.1\nb,500,300,0.3\n")
    run = CliRunner()
    told = run.invoke(app, ["check", path, "--threshold", ".8", "--cost", "0.02", "--json"])
    column = run.invoke(app, ["check", path, "--threshold", ".8", "--cost", "usd", "--json"])
    assert [row["spent"] for row in json.loads(told.stdout)["arms"]] == [10.0, 10.0]
    assert [row["spent"] for row in json.loads(column.stdout)["arms"]] == [50.0, 150.0]
    wrong = run.invoke(app, ["check", path, "--threshold", ".8", "--cost", "euros"])
    assert wrong.exit_code == 2
