"""Labels that stay between looks, and what is refused: ``check(previous=)`` and ``save``."""

import json
import os

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.results import ArmTable

MONDAY = {"A": (500, 430), "B": (500, 410), "C": (500, 300)}
TUESDAY = {"A": (900, 750), "B": (900, 735), "C": (900, 500)}


@pytest.fixture(scope="module")
def monday():
    return ga.check(MONDAY, threshold=0.8, arms_planned=5)


def test_good_on_monday_is_good_on_tuesday(monday):
    """Without memory it is undecided again, although the first label stands."""
    alone = ga.check(TUESDAY, threshold=0.8, arms_planned=5)
    assert (monday["A"].label, alone["A"].label) == ("good", "undecided")
    table = ga.check(TUESDAY, threshold=0.8, previous=monday)
    row = table["A"]
    assert (row.label, row.pulls, row.labelled_pulls, row.memory) == ("good", 900, 500, "kept")
    assert (row.mean, row.e_good) == (alone["A"].mean, alone["A"].e_good)
    assert (row.lower, row.upper) == (monday["A"].lower, alone["A"].upper)
    assert (row.pulls_needed, row.pulls_needed_90) == (0, 0)
    assert "stay, though today's counts alone do not prove them: A (good at 500 pulls)." in repr(
        table
    )
    # All else is today's, and K is that of the first look.
    assert table["B"] == alone["B"]
    assert table["C"].lower == alone["C"].lower
    assert (table["C"].labelled_pulls, table["C"].memory) == (500, None)
    assert table.arms_planned == 5


def test_the_previous_look_is_a_table_a_document_or_a_file(monday, tmp_path):
    whole = ga.check(TUESDAY, threshold=0.8, previous=monday)
    path = tmp_path / "look.json"
    monday.save(path)
    for previous in (monday.to_dict(), path, str(path)):
        assert ga.check(TUESDAY, threshold=0.8, previous=previous) == whole
    again = ArmTable.from_dict(json.loads(json.dumps(whole.to_dict(), allow_nan=False)))
    assert again == whole
    assert repr(again) == repr(whole)
    assert whole[1:]["C"].labelled_pulls == 500
    assert whole.take([2, 0]).memory == {1: "kept"}
    wednesday = {"A": (1000, 830), "B": (901, 736), "C": (900, 500)}
    third = ga.check(wednesday, threshold=0.8, previous=again)
    assert (third["A"].label, third["A"].labelled_pulls) == ("good", 500)


def test_the_first_label_stays_against_todays_counts(monday):
    table = ga.check({**TUESDAY, "A": (3000, 1900)}, threshold=0.8, previous=monday)
    row = table["A"]
    assert (row.label, row.memory) == ("good", "opposed")
    assert 0.8 <= monday["A"].lower == row.lower <= row.upper
    assert "prove the opposite: A (good at 500 pulls). Has the rate changed?" in repr(table)


def test_arms_come_and_go(monday):
    table = ga.check({"A": (900, 750), "D": (10, 9)}, threshold=0.8, previous=monday)
    assert list(table.arms) == ["A", "D", "B", "C"]
    assert table.memory == {0: "kept", 1: "new", 2: "absent", 3: "absent"}
    assert [row.pulls for row in table] == [900, 10, 500, 500]
    for arm in "BC":
        old, new = monday[arm].to_dict(), table[arm].to_dict()
        assert {k: v for k, v in new.items() if k not in ("labelled_pulls", "memory")} == old
    assert "New since the previous look: D." in repr(table)
    assert "shown as at the previous look: B, C (bad at 500 pulls)." in repr(table)
    back = ga.check({**TUESDAY, "D": (10, 9)}, threshold=0.8, previous=table)
    assert back.bad == ["C"]
    assert back["C"].labelled_pulls == 500
    full = {**TUESDAY, "D": (10, 9), "E": (1, 1)}
    assert len(ga.check(full, threshold=0.8, previous=back)) == 5
    with pytest.raises(SpecError, match=r"5 arms share delta .* there are 6 now. New: E, F\."):
        ga.check({**full, "F": (1, 1)}, threshold=0.8, previous=back)


def test_arms_that_were_not_planned_are_refused():
    first = ga.check(MONDAY, threshold=0.8)
    with pytest.raises(SpecError, match=r"New: D. Leave out the new arms, or begin anew .*=4"):
        ga.check({**TUESDAY, "D": (10, 9)}, threshold=0.8, previous=first)
    with pytest.raises(SpecError, match="New: D"):  # though as many arms are in the table
        ga.check({"A": (900, 750), "B": (900, 735), "D": (1, 1)}, threshold=0.8, previous=first)
    each = ga.check(MONDAY, threshold=0.8, control="per-arm")  # no arm shares delta with another
    more = ga.check(
        {**TUESDAY, "D": (10, 9)}, threshold=0.8, control="per-arm", previous=each.to_dict()
    )
    assert len(more) == 4


def test_a_problem_keeps_its_order(monday):
    problem = ga.Problem(["Z", "C", "A", "B"], threshold=0.8, arms_planned=5)
    table = ga.check({"A": (900, 750)}, problem=problem, previous=monday)
    assert table.arms == ("Z", "C", "A", "B")
    assert table.memory == {1: "absent", 2: "kept", 3: "absent"}
    assert (table.good, table.bad) == (["A"], ["C"])


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"threshold": 0.85}, "threshold was 0.8 and is 0.85"),
        ({"threshold": {"A": 0.8, "B": 0.8, "C": 0.7}}, "threshold of C was 0.8 and is 0.7"),
        ({"delta": 0.1, "margin": 0.01}, "delta was 0.05 and is 0.1; margin was 0.0 and is 0.01"),
        ({"control": "fdr"}, "control was 'fwer' and is 'fdr'"),
        ({"rule": "hoeffding"}, "rule was 'mixture' and is 'hoeffding'"),
        ({"rule": ga.rules.Mixture(weights=(4,))}, "rule's weights was"),
        ({"gap": 0.05}, r"gap was None and is 0.05\."),
        ({"arms_planned": 9}, "arms_planned was 5 and is 9"),
        ({"pool": 1000}, r"pool was None and is 1000\."),
        ({"rewards": "gaussian", "sigma": 0.4}, "rewards was 'bernoulli' and is 'gaussian'"),
        ({"rewards": "bounded", "low": 0, "high": 1}, "rewards was 'bernoulli' and is 'bounded'"),
    ],
)
def test_another_question_is_refused(monday, change, message):
    with pytest.raises(SpecError, match=f"not that of the previous look: .*{message}"):
        ga.check(TUESDAY, **{"threshold": 0.8, **change}, previous=monday)


def test_pools_and_ranges_are_part_of_the_question():
    asked = {"threshold": 3.0, "rewards": "bounded", "low": 1, "high": 5}
    first = ga.check({"a": (10, 30.5)}, **asked)
    with pytest.raises(SpecError, match="high was 5.0 and is 6"):
        ga.check({"a": (20, 61.0)}, **{**asked, "high": 6}, previous=first)
    pool = ga.check({"a": (10, 8)}, threshold=0.5, pool=40)
    with pytest.raises(SpecError, match="pool was 40 and is 50"):
        ga.check({"a": (20, 16)}, threshold=0.5, pool=50, previous=pool)
    gaussian = ga.check({"a": (10, 8)}, threshold=0.5, rewards="gaussian", sigma=1)
    with pytest.raises(SpecError, match=r"sigma was 1.0 and is 2"):
        ga.check({"a": (10, 8)}, threshold=0.5, rewards="gaussian", sigma=2, previous=gaussian)


@pytest.mark.parametrize(
    ("counts", "message"),
    [
        ((400, 380), "A had 500 pulls and has 400"),
        ((900, 420), "A had 430 successes and has 420"),
        ((510, 460), "A had 70 failures and has 50"),
    ],
)
def test_counts_that_fell_are_refused(monday, counts, message):
    with pytest.raises(SpecError, match=message):
        ga.check({**TUESDAY, "A": counts}, threshold=0.8, previous=monday)


def test_several_counts_that_fell_are_one_error(monday):
    worse = {"A": (1, 1), "B": (2, 1), "C": (500, 300)}
    with pytest.raises(SpecError, match="A had 500 pulls and has 1, B had 500 pulls and has 2"):
        ga.check(worse, threshold=0.8, previous=monday)


def test_sums_must_be_possible():
    asked = {"threshold": 3.0, "rewards": "bounded", "low": 1, "high": 5}
    first = ga.check({"a": (3, 0.1 + 0.2 + 4.0)}, **asked)
    ga.check({"a": (3, 4.3)}, **asked, previous=first.to_dict())
    with pytest.raises(SpecError, match="a went from a sum of 4.3 to 15 with 2 more pulls"):
        ga.check({"a": (5, 15.0)}, **asked, previous=first)
    normal = {"threshold": 0.0, "rewards": "gaussian", "sigma": 1.0}
    drifts = ga.check({"a": (3, 5.0)}, **normal)
    ga.check({"a": (4, -5.0)}, **normal, previous=drifts)
    with pytest.raises(SpecError, match="from a sum of 5 to 6 with 0 more pulls"):
        ga.check({"a": (3, 6.0)}, **normal, previous=drifts)


def test_single_rewards_have_memory_too():
    rng = np.random.default_rng(0)
    stars = {arm: rng.integers(1, 6, 900).tolist() for arm in "ab"}
    stars["a"] = [5, 4] * 30 + [1, 2, 5] * 280
    asked = {"threshold": 3.0, "rewards": "bounded", "low": 1, "high": 5, "raw": True}
    before = ga.check({arm: each[:60] for arm, each in stars.items()}, **asked)
    now = ga.check({"a": stars["a"]}, **asked, previous=before.to_dict())
    assert before.good == ["a"]
    assert now["a"].memory in ("kept", "opposed")
    assert now["b"].to_dict() == {**before["b"].to_dict(), "memory": "absent"}


def test_lists_under_fdr_stop_an_arm_when_it_is_listed():
    asked = {"threshold": 0.8, "control": "fdr", "arms_planned": 5}
    first = ga.check(MONDAY, **asked)
    second = ga.check(TUESDAY, **asked, previous=first)
    assert (second.good, second.bad) == (first.good, first.bad) == (["A"], ["C"])
    for name in ("lower", "upper", "log_good", "log_bad"):
        assert (getattr(second, name)[[0, 2]] == getattr(first, name)[[0, 2]]).all()
    assert second["A"].pulls == 900
    text = repr(second)
    assert "Listed at an earlier look: A (good at 500 pulls), C (bad at 500 pulls)." in text
    assert "with all counts since the start, and stop when you like: the labels stay valid" in text
    assert "for the list of one look" in repr(first)
    # An arm that left the table is on its list still, and makes the next one easier to join.
    third = ga.check({"B": (900, 735), "D": (300, 262)}, **asked, previous=second)
    alone = ga.check({"B": (900, 735), "D": (300, 262)}, **asked)
    assert (third["D"].label, alone["D"].label) == ("good", "undecided")


def test_lists_of_a_shared_pool_order_cannot_be_mixed():
    asked = {"threshold": 0.5, "control": "fdr", "pool": 100}
    level = ga.check({"a": (50, 45), "b": (50, 20)}, **asked)
    with pytest.raises(SpecError, match="delta of the lists was None and is 0.03"):
        ga.check({"a": (60, 55), "b": (50, 20)}, **asked, previous=level)


def test_what_is_no_earlier_look(monday, tmp_path):
    def refused(previous, message):
        with pytest.raises(SpecError, match=message):
            ga.check(TUESDAY, threshold=0.8, previous=previous)

    refused(3, "must be the result of an earlier check")
    refused(tmp_path / "none.json", "must be a file that exists.*For a first look leave out")
    refused(tmp_path, "must be a file that can be read")
    for text in ("{", '{"kind": "check", "kind": "check"}', "[" * 100_000):
        (tmp_path / "broken.json").write_text(text, encoding="utf-8")
        refused(tmp_path / "broken.json", "not a JSON document")
    (tmp_path / "broken.json").write_bytes(b"\xff")
    refused(tmp_path / "broken.json", "must be a JSON document")
    refused({**monday.to_dict(), "kind": "gate"}, "must be 'check'")
    refused(ga.check(MONDAY, threshold=0.8, looks="once"), "may be looked at again")
    live = ga.Identifier(ga.Problem(["A", "B", "C"], threshold=0.8)).table()
    refused(live, "experiments keep their labels by themselves")


def test_a_file_is_written_whole_or_not_at_all(monday, tmp_path, monkeypatch):
    path = tmp_path / "look.json"
    monday.save(path)
    before = path.read_bytes()
    tuesday = ga.check(TUESDAY, threshold=0.8, previous=path)

    def broken(*_):
        raise OSError(28, "No space left on device")

    for step in ("fsync", "replace"):
        with monkeypatch.context() as patch:
            patch.setattr(os, step, broken)
            with pytest.raises(SpecError, match="No space left"):
                tuesday.save(path)
        assert path.read_bytes() == before
        assert os.listdir(tmp_path) == ["look.json"]
    link = tmp_path / "link.json"
    link.symlink_to(path)
    tuesday.save(link)  # the daily use: onto the file that was read
    assert link.is_symlink()
    assert ga.check(TUESDAY, threshold=0.8, previous=path)["A"].label == "good"
    with pytest.raises(SpecError, match="must be a file, not a folder"):
        monday.save(tmp_path)
