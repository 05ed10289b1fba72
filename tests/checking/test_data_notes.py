"""Notes on what numbers do not say: which way is good, where the threshold is from, the unit."""

import io

import pytest

import goodarm as ga

SECONDS = {"small": [2.0, 3.0] * 100, "large": [9.0, 11.0] * 100}
AS_RANGE = {"rewards": "bounded", "high": 60}


def make_frame(name, times=1.0):
    rows = [(arm, times * each) for arm, values in SECONDS.items() for each in values]
    return io.StringIO(f"arm,{name}\n" + "".join(f"{arm},{value}\n" for arm, value in rows))


@pytest.mark.parametrize("name", ["seconds", "latency_ms", "cost per call", "errors", "Price"])
def test_where_lower_may_be_better_good_is_said_to_be_high(name):
    asked = {"raw": True, "columns": {"reward": name}}
    table = ga.check(make_frame(name), threshold=5, **asked, **AS_RANGE)
    assert table.good == ["large"]
    assert f"Good means a mean of {name} of at least 5. If lower is better" in repr(table)
    assert "give threshold -5, low -60, high 0." in table.to_dict()["rewards_note"]
    # The remedy answers the question: which arms take at most five seconds?
    negated = ga.check(
        make_frame(name, -1.0), threshold=-5, low=-60, high=0, rewards="bounded", **asked
    )
    assert negated.good == ["small"]
    assert negated.log_good.tolist() == pytest.approx(table.log_bad.tolist(), rel=1e-9)


def test_sums_and_gaussian_rewards_that_may_be_costs():
    text = "arm,n,cost\na,500,900\n"
    table = ga.check(
        io.StringIO(text), threshold=2, rewards="gaussian", sigma=3, columns={"sum": "cost"}
    )
    assert "minus sign before each sum of that column, and give threshold -2." in repr(table)


def test_no_note_on_rewards_that_should_be_high():
    table = ga.check(make_frame("score"), threshold=5, raw=True, **AS_RANGE)
    assert table.rewards_note == ""
    assert ga.check(SECONDS, threshold=5, raw=True, **AS_RANGE).rewards_note == ""


def test_a_threshold_that_an_arm_gave():
    counts = {"control": (6000, 180), "B": (6000, 240)}
    note = "The threshold equals the observed mean of control, which is itself uncertain"
    assert note in repr(ga.check(counts, threshold=0.03))
    assert note not in repr(ga.check(counts, threshold=0.031))
    assert note not in repr(ga.check({"control": (0, 0), "B": (6000, 240)}, threshold=0.03))
    # A control's mean is rounded when it becomes the threshold.
    assert note in repr(ga.check({**counts, "control": (6011, 181)}, threshold=0.0301))
    renamed = {"A": (6011, 181), "B": (6000, 240)}
    assert "observed mean" not in repr(ga.check(renamed, threshold=0.0301))
    assert "observed mean of B" in repr(ga.check(renamed, threshold=0.04))


def test_few_pulls_meet_a_round_threshold_by_chance():
    assert "observed mean" not in repr(ga.check({"a": (10, 8)}, threshold=0.8))
    assert "observed mean" not in repr(ga.check({"baseline": (900, 702)}, threshold=0.8))


def test_a_finished_pool_is_no_proof_about_others():
    done, half = (200, 170), (100, 85)
    note = "All cases were run: this compares a known number with the threshold."
    table = ga.check({"a": done, "b": done}, threshold=0.8, pool=200)
    assert note in table.notes
    assert "asked once: not about other cases, nor about asking again." in repr(table)
    table = ga.check({"a": done, "b": half}, threshold=0.8, pool=200)
    assert note.replace("cases", "cases of a") in table.notes
    assert "All cases" not in repr(ga.check({"a": half}, threshold=0.8, pool=200))
    own = ga.check({"a": half, "b": half}, threshold=0.8, pool={"a": 200, "b": 100})
    assert "All cases of b were run" in repr(own)


def test_sums_cannot_test_sigma():
    asked = {"threshold": 2, "rewards": "gaussian", "sigma": 1}
    note = "Sums only: sigma could not be tested."
    assert note in repr(ga.check({"a": (500, 900)}, **asked))
    assert note not in repr(ga.check({"a": (500, 900)}, **asked, trust_sigma=True))
    raw = {"a": [1.0, 2.5, 3.0, 0.2, 2.2] * 20}
    assert note not in repr(ga.check(raw, **asked, raw=True))


def test_all_counts_since_the_start():
    assert "with all counts since the start" in repr(ga.check({"a": (5, 4)}, threshold=0.5))
    live = ga.Identifier(ga.Problem(["a"], threshold=0.5))
    assert "since the start" not in repr(live.table())
