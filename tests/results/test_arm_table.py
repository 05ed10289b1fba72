"""ArmTable: what people expect of a table, and documents that are read again."""

import json
import math
from dataclasses import replace

import numpy as np
import pytest

import goodarm as ga
from goodarm.results import ArmTable, Waiting

COUNTS = {"red": (500, 480), 7: (500, 300), "new": (0, 0), "blue": (40, 30)}


@pytest.fixture
def table():
    return ga.check(COUNTS, threshold=0.8, delta=0.05)


def make_live(arms=("a", 2, "c")):
    ident = ga.Identifier(ga.Problem(list(arms), 0.5, 0.1), seed=1)
    ident.observe(arms[0], [1] * 50)
    ident.observe(arms[1], [0, 1] * 10)
    ident.take_out(arms[2])
    return ident.table()


def test_it_is_a_sequence_of_rows(table):
    rows = list(table)
    assert len(table) == len(rows) == 4
    assert [row.arm for row in rows] == list(COUNTS)
    assert all(isinstance(row, ga.results.ArmReport) for row in rows)
    assert [table[k] for k in range(-4, 4)] == rows + rows
    assert list(reversed(table)) == rows[::-1]
    assert table.index(rows[2]) == 2
    assert table.count(rows[2]) == 1
    with pytest.raises(IndexError):
        table[4]


def test_reports_come_in_the_order_of_their_positions(table):
    assert list(table.reports([2, 0])) == [table[2], table[0]]
    assert list(table.reports([])) == []


def test_a_text_is_a_label_and_an_int_a_position(table):
    assert table["red"] == table[0]
    assert table["7"] == table[1] == table.explain(7) == table.explain("7")
    with pytest.raises(IndexError, match="7: the table has 4 arms"):
        table[7]
    with pytest.raises(KeyError, match="green: the table has no such arm"):
        table["green"]
    numbers = ga.check({2: (9, 4), 1: (9, 5), 0: (9, 6)}, threshold=0.5, delta=0.05)
    assert [numbers[k].arm for k in range(3)] == [2, 1, 0]
    assert [numbers[str(k)].arm for k in range(3)] == [0, 1, 2]


def test_in_asks_for_labels_and_for_rows(table):
    assert "red" in table
    assert 7 in table
    assert "7" in table
    assert 0 not in table
    assert "green" not in table
    assert True not in table
    assert None not in table
    assert table[0] in table
    assert replace(table[0], pulls=1) not in table


def test_a_slice_is_a_table(table):
    part = table[1:3]
    assert isinstance(part, ArmTable)
    assert part.arms == (7, "new")
    assert list(part) == list(table)[1:3]
    assert table[:] == table
    assert table[::-1].take([3, 2, 1, 0]) == table
    assert part.arms_planned == table.arms_planned
    assert np.array_equal(table[::2].e_good, table.e_good[::2], equal_nan=True)


def test_a_slice_keeps_what_single_arms_have():
    table = make_live()
    part = table[1:]
    assert part.reasons == {1: "taken out"}
    assert part[1].reason == table[2].reason == "taken out"
    waits = replace(table, waits={1: Waiting(3, 4)})
    assert waits[1:].waits == {0: Waiting(3, 4)}
    own = ga.check(
        {"a": (9, 4), "b": (9, 4)},
        threshold={"a": 0.5, "b": 0.6},
        delta=0.05,
        pool={"a": 20, "b": 30},
    )
    assert own[1:].thresholds.tolist() == [0.6]
    assert own[1:].pools.tolist() == [30]
    assert "0.6" in repr(own[1:])


def test_labels_are_counted(table):
    counts = {"good": len(table.good), "bad": len(table.bad), "undecided": len(table.undecided)}
    assert table.num_by_label == counts
    assert table.summary == "4 arms at threshold 0.8: 1 good, 1 bad, 2 undecided."


TABLES = [
    lambda: ga.check(COUNTS, threshold=0.8, delta=0.05),
    lambda: ga.check(COUNTS, threshold=0.8, delta=0.05, control="fdr", margin=0.02, arms_planned=9),
    lambda: ga.check(COUNTS, threshold=0.8, delta=0.05, pool=600),
    lambda: ga.check(
        COUNTS, threshold=0.8, delta=0.05, pool={"red": 600, 7: 700, "new": 10, "blue": 50}
    ),
    lambda: ga.check(COUNTS, threshold={"red": 0.8, 7: 0.7, "new": 0.5, "blue": 0.6}, delta=0.05),
    lambda: ga.check(COUNTS, threshold=3, delta=0.05, rewards="gaussian", sigma=2),
    lambda: ga.check(
        COUNTS, threshold=0.8, delta=0.05, rewards="bounded", rule="hoeffding", gap=0.1
    ),
    lambda: ga.check({"sure": (100_000, 100_000)}, threshold=0.2, delta=0.05),
    make_live,
    lambda: make_live().take([]),
    lambda: replace(make_live(), waits={1: Waiting(3, 4, "ann", 1000.5)}),
]


@pytest.mark.parametrize("make", TABLES)
def test_a_document_is_read_again(make):
    table = make()
    document = json.loads(json.dumps(table.to_dict(), allow_nan=False))
    again = ArmTable.from_dict(document)
    if len(table):
        assert again == table
        assert again.to_csv() == table.to_csv()
    assert again.to_dict() == table.to_dict()
    assert [row.to_dict() for row in again] == [row.to_dict() for row in table]
    assert again.summary == table.summary


OLD = {
    "kind": "check",
    "format": 1,
    "threshold": 0.8,
    "delta": 0.05,
    "control": "fwer",
    "margin": 0.0,
    "rewards": "bernoulli",
    "low": None,
    "high": None,
    "arms_planned": 2,
    "rule": "mixture",
    "rule_parameters": {"weights": [1.0, 4.0, 16.0, 64.0]},
    "num_good": 1,
    "num_bad": 0,
    "num_undecided": 1,
    "read_as": "columns separated by ';'",
    "exit_code": 3,
    "exit_reason": "1 of 2 arms is undecided",
    "arms": [
        {
            "arm": "a", "label": "good", "pulls": 500, "successes": 460, "mean": 0.92,
            "lower": 0.8739, "upper": 0.9544, "e_good": 75390000000.0, "e_bad": 0.045,
            "pulls_needed": 0, "pulls_needed_90": 0, "labelled_at": None,
        },
        {
            "arm": 7, "label": "undecided", "pulls": 0, "successes": 0, "mean": None,
            "lower": None, "upper": None, "e_good": None, "e_bad": None,
            "pulls_needed": None, "pulls_needed_90": None, "labelled_at": None,
        },
    ],
}  # fmt: skip
"""As ``goodarm check --json`` of version 0.1.0 wrote it."""


def test_what_the_command_line_wrote_is_read():
    table = ArmTable.from_dict(OLD)
    assert table.good == ["a"]
    assert table["a"].e_good == 75390000000.0
    assert table["7"] == ga.results.ArmReport(
        7, 0, None, None, None, None, None, "undecided", None, None, None
    )
    assert table.read_as == "columns separated by ';'"
    assert {k: v for k, v in OLD.items() if k in table.to_dict()} == table.to_dict()
    assert "500" in repr(table)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"kind": "plan"}, "'kind' of the check document must be 'check'"),
        ({"format": 2}, "'format' of the check document must be 1"),
        ({"arms": 3}, "'arms' of the check document must be a list of objects"),
        ({"arms": [{}]}, "lacks 'arm'"),
        ({"arms": [OLD["arms"][0]] * 2}, "have every label only once"),
        ({"arms": [{**OLD["arms"][0], "label": "fine"}]}, "'label' of the check document"),
        ({"arms": [{**OLD["arms"][0], "mean": "x"}]}, "'mean' of the check document"),
        ({"arms": [{**OLD["arms"][0], "pulls": -1}]}, "'pulls' of the check document"),
        ({"arms": [{**OLD["arms"][0], "memory": "lost"}]}, "'memory' of the check document"),
        ({"cost": 3}, r"check document has keys unknown to goodarm [0-9.]+: 'cost'\. .* upgrade"),
        ({"arms": [{**OLD["arms"][0], "baseline": "b"}]}, "An arm of .* unknown .*: 'baseline'"),
    ],
)
def test_other_documents_are_refused(change, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ArmTable.from_dict({**OLD, **change})
    with pytest.raises(ga.errors.SpecError, match="lacks 'delta'"):
        ArmTable.from_dict({k: v for k, v in OLD.items() if k != "delta"})


def test_logs_stay_logs():
    table = ga.check({"sure": (100_000, 100_000)}, threshold=0.2, delta=0.05)
    assert table.log_good[0] > 100_000
    assert table.e_good[0] == math.exp(709)
    assert table[0].e_good == math.exp(709)
    assert "> 1e+300" in repr(table)


def test_csv_is_written_and_read_again(table, tmp_path):
    path = tmp_path / "arms.csv"
    assert table.to_csv(path) is None
    assert path.read_text(encoding="utf-8") == table.to_csv()
    assert ga.check(path, threshold=0.8, delta=0.05) == ga.check(
        {str(k): v for k, v in COUNTS.items()}, threshold=0.8, delta=0.05
    )
    header = table.to_csv().splitlines()[0]
    assert header == (
        "arm,label,pulls,successes,mean,lower,upper,e_good,e_bad,pulls_needed,pulls_needed_90"
    )
    assert list(table.csv_lines([1])) == [header + "\n", table.to_csv().splitlines()[2] + "\n"]


def test_csv_of_an_experiment_has_what_it_knows():
    lines = make_live().to_csv().splitlines()
    assert lines[0].split(",") == [
        *("arm", "pulls", "successes", "lost", "mean", "lower", "upper", "e_good", "e_bad"),
        *("label", "labelled_at", "pulls_needed", "pulls_needed_90"),
        *("reason", "waits", "waits_behind"),
    ]
    assert lines[3].endswith("undecided,,,,taken out,0,")


def test_a_gate_holds_the_table_of_its_arm():
    result = ga.prove(lambda: True, threshold=0.9, delta=0.05)
    table = result.table()
    assert list(table) == [result.report]
    assert result == ga.results.GateResult.from_dict(result.to_dict())
    counts = ga.check({table.arms[0]: (result.pulls, result.passes)}, threshold=0.9, delta=0.05)
    for name in ("mean", "lower", "upper", "log_good", "log_bad", "labels", "needed"):
        assert np.array_equal(getattr(table, name), getattr(counts, name))
    assert table.summary == counts.summary


def test_evidence_is_computed_once(monkeypatch):
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, 0.05), seed=1)
    ident.observe("a", [1, 0, 1])
    rule, calls = type(ident.core.arms.rule), []
    really = rule.logs
    monkeypatch.setattr(rule, "logs", lambda *given: calls.append(1) or really(*given))
    ident.table()
    assert len(calls) == 1
