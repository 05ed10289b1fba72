"""Ask and tell: what it accepts, what it refuses, and that refusals change nothing."""

import json
import math
import time

import numpy as np
import pytest

import goodarm as ga
from helpers import NAMED


def make(algorithm="hdoc", **changes):
    problem = ga.Problem(**{"arms": ["a", "b", "c"], "threshold": 0.5, "delta": 0.05, **changes})
    return ga.Identifier(problem, algorithm, seed=7)


def refuses(ident, error, match, call):
    """The call raises, names what is wrong and changes nothing."""
    before = json.dumps(ident.to_dict())
    with pytest.raises(error, match=match):
        call()
    assert json.dumps(ident.to_dict()) == before


@pytest.mark.parametrize("reward", [0.5, 2, math.nan, "1", None])
def test_a_bad_reward_changes_nothing(reward):
    ident = make()
    pulls = ident.ask_many(5)
    message = "'reward' of Identifier.tell must be 0 or 1"
    refuses(ident, ga.SpecError, message, lambda: ident.tell(pulls[0], reward))
    refuses(ident, ga.SpecError, "tell_many", lambda: ident.tell_many(pulls[:2], [1, reward]))
    refuses(ident, ga.SpecError, "observe_many", lambda: ident.observe_many("a", [1, reward]))


def test_a_pull_that_was_never_asked():
    ident = make()
    ident.ask()
    for pull in (ga.Pull(2, "a"), ga.Pull(0, "a"), ga.Pull(-1, "a")):
        refuses(ident, ga.ProtocolError, "was never asked", lambda p=pull: ident.tell(p, 1))
        refuses(ident, ga.ProtocolError, "was never asked", lambda p=pull: ident.forget(p))
    wrong_arm = ga.Pull(1, "b")
    refuses(ident, ga.ProtocolError, "asked of arm 'a', not", lambda: ident.tell(wrong_arm, 1))
    refuses(ident, ga.SpecError, "must be a Pull", lambda: ident.tell(1, 1))
    refuses(ident, ga.SpecError, "must be a Pull", lambda: ident.tell((1, "a"), 1))
    refuses(ident, ga.SpecError, "whole number", lambda: ident.tell(ga.Pull(1.0, "a"), 1))


def test_the_same_reward_again_is_a_no_op_and_another_is_an_error():
    ident = make()
    pull = ident.ask()
    ident.tell(pull, 1)
    before = ident.to_dict()
    ident.tell(pull, True)
    assert ident.to_dict() == before
    message = r"Pull 1 was told 1.0 before and cannot be changed to 0.0"
    refuses(ident, ga.ProtocolError, message, lambda: ident.tell(pull, 0))
    other = ident.ask()
    refuses(ident, ga.ProtocolError, "told 1", lambda: ident.tell_many([other] * 2, [1, 0]))
    refuses(ident, ga.ProtocolError, "told 1", lambda: ident.tell_many([other, pull], [1, 0]))
    refuses(ident, ga.SpecError, "one reward for each", lambda: ident.tell_many([other], []))


@pytest.mark.parametrize("name", NAMED)
def test_the_order_of_a_list_of_rewards_does_not_matter(name):
    states = []
    for is_reversed in (False, True):
        ident = make(name, threshold=0.3, rewards="bounded")
        pulls = ident.ask_many(30)
        told = [(pull, (pull.number * 0.37) % 1) for pull in pulls]
        if is_reversed:
            told.reverse()
        ident.tell_many(*zip(*told, strict=True))
        states.append(ident.to_dict())
    assert states[0] == states[1]


def test_an_early_reward_waits_for_its_predecessors():
    ident = make(arms=["a"])
    first, second, third = ident.ask_many(3)
    ident.tell(third, 1)
    ident.tell(second, 0)
    assert ident.explain("a").pulls == 0
    assert ident.pulls == 2
    ident.tell(first, 1)
    assert ident.explain("a").pulls == 3
    assert ident.explain("a").mean == pytest.approx(2 / 3)


def test_a_batch_is_spread():
    for name in ("hdoc", "lucb-g", "apt-g"):
        ident = make(name, arms=4)
        batch = ident.ask_many(400)
        counts = [sum(pull.arm == arm for pull in batch) for arm in range(4)]
        assert max(counts) - min(counts) <= 1, name


def test_a_labelled_arm_keeps_its_label_and_its_numbers():
    ident = make(arms=["a", "b"])
    pulls = ident.ask_many(200)
    of_a = [pull for pull in pulls if pull.arm == "a"]
    ident.tell_many(of_a[:40], [1] * 40)
    report = ident.explain("a")
    assert report.label == "good"
    assert report.pulls_needed == 0
    for pull in of_a[40:]:
        ident.tell(pull, 0)
    ident.observe_many("a", [0] * 1000)
    assert ident.explain("a") == report
    assert ident.pulls == len(of_a) + 1000
    assert ident.to_dict()["arms"][0]["queue"] == []
    assert all(pull.arm == "b" for pull in ident.ask_many(20))


def test_lost_pulls_are_the_worst_case_in_both_tests():
    lucky = make(arms=["a"])
    for pull in lucky.ask_many(100):
        if pull.number % 4:
            lucky.tell(pull, 1)
        else:
            lucky.forget(pull)
    report = lucky.explain("a")
    assert report.label == "undecided"
    assert report.mean == 1.0
    assert report.pulls == 100
    assert report.upper == 1.0
    assert report.lower < 0.5
    unlucky = make(arms=["a"])
    for pull in unlucky.ask_many(100):
        if pull.number % 4:
            unlucky.tell(pull, 0)
        else:
            unlucky.forget(pull)
    assert unlucky.explain("a").label == "undecided"
    assert unlucky.explain("a").upper > 0.5
    dropped = make(arms=["a"])
    for pull in dropped.ask_many(100):
        if pull.number % 4:
            dropped.tell(pull, 1)
        else:
            dropped.forget(pull, loss_is_independent=True)
    assert dropped.explain("a").label == "good"


def test_with_a_margin_and_lost_pulls_the_mean_that_is_shown_decides():
    problem = ga.Problem(["a"], 0.3, 0.5, margin=0.25)
    algorithm = ga.Algorithm(sampling="hdoc", identification="hoeffding", warmup=149)
    ident = ga.Identifier(problem, algorithm)
    for pull in ident.ask_many(150):
        if pull.number <= 4:
            ident.forget(pull)
        else:
            ident.tell(pull, int(pull.number <= 47))
    report = ident.explain("a")
    assert report.mean < 0.3
    assert report.label == "bad"


def test_forgetting():
    ident = make()
    told, lost, dropped = ident.ask_many(3)
    ident.tell(told, 1)
    ident.forget(lost)
    ident.forget(dropped, loss_is_independent=True)
    ident.forget(lost)
    refuses(ident, ga.ProtocolError, "was told already", lambda: ident.forget(told))
    refuses(ident, ga.ProtocolError, "the other way", lambda: ident.forget(dropped))
    refuses(ident, ga.ProtocolError, "was forgotten", lambda: ident.tell(lost, 1))
    refuses(ident, ga.ProtocolError, "was forgotten", lambda: ident.tell(dropped, 1))
    refuses(ident, ga.SpecError, "True or False", lambda: ident.forget(lost, loss_is_independent=1))
    assert ident.ask().arm == dropped.arm, "an arm without a pull is warmed up again"
    gaussian = make(rewards="gaussian", sigma=1)
    pull = gaussian.ask()
    refuses(gaussian, ga.SpecError, "no worst case", lambda: gaussian.forget(pull))
    gaussian.forget(pull, loss_is_independent=True)


def test_observed_data_need_no_asking():
    ident = make()
    ident.observe_many("b", [])
    assert ident.pulls == 0
    ident.observe_many("b", [0] * 200)
    assert ident.verdict == ga.Verdict(good=[], bad=["b"], undecided=["a", "c"], pulls=200)
    refuses(
        ident, ga.SpecError, "'arm' of Identifier.observe", lambda: ident.observe_many("d", [1])
    )
    refuses(ident, ga.SpecError, "be a list of rewards", lambda: ident.observe_many("a", "101"))
    refuses(ident, ga.SpecError, "be a list of rewards", lambda: ident.observe_many("a", 1))


def test_a_block_takes_its_place_behind_pulls_that_are_out():
    ident = make(arms=["a"])
    pull = ident.ask()
    ident.observe_many("a", [1] * 100)
    assert ident.explain("a").pulls == 0
    ident.tell(pull, 0)
    assert ident.explain("a").pulls == 101
    assert ident.explain("a").label == "good"


def test_a_block_is_tested_once_at_its_end():
    ident = make(arms=["a"])
    ident.observe_many("a", [1] * 60 + [0] * 60)
    assert ident.explain("a").label == "undecided"


@pytest.mark.parametrize("name", NAMED)
def test_the_budget_is_kept_and_the_rest_is_undecided(name):
    ident = make(name, max_pulls=50)
    pulls = ident.ask_many(1000)
    assert len(pulls) == 50
    assert not ident.is_done
    assert ident.ask_many(1) == []
    with pytest.raises(ga.ProtocolError, match="50 pulls of max_pulls.*50 of them are not told"):
        ident.ask()
    ident.tell_many(pulls, [pull.number % 2 for pull in pulls])
    assert ident.is_done
    assert ident.verdict.undecided == ["a", "b", "c"]
    assert ident.ask_many(3) == []
    with pytest.raises(ga.ProtocolError, match="nothing left to ask: the run is over"):
        ident.ask()


def test_until_ends_the_run():
    ident = make(until=1)
    pulls = ident.ask_many(300)
    ident.tell_many(pulls, [1] * 300)
    assert ident.is_done
    assert len(ident.verdict.good) == 1
    assert ident.ask_many(1) == []
    with pytest.raises(ga.ProtocolError, match="the run is over"):
        ident.ask()


@pytest.mark.parametrize("name", NAMED)
def test_stopping_anywhere_and_resuming_gives_the_same_run(name):
    problem = ga.Problem(["x", 5, "z"], 0.5, 0.2, max_pulls=6000)
    straight = ga.Identifier(problem, name, seed=3)
    broken = ga.Identifier(problem, name, seed=3)
    tapes = [ga.Tape(problem, [0.8, 0.4, 0.3], seed=3) for _ in range(2)]
    while not straight.is_done:
        for ident, tape in ((straight, tapes[0]), (broken, tapes[1])):
            pulls = ident.ask_many(7)
            ident.tell_many(pulls, [tape.next_reward(pull.arm) for pull in pulls])
        if straight.pulls % 210 == 0:
            broken = ga.Identifier.from_dict(json.loads(json.dumps(broken.to_dict())))
    assert broken.to_dict() == straight.to_dict()


def test_a_damaged_document_is_an_error():
    ident = make()
    ident.tell(ident.ask(), 1)
    document = json.dumps(ident.to_dict())

    def damaged(**changes):
        with pytest.raises(ga.SpecError):
            ga.Identifier.from_dict({**json.loads(document), **changes})

    damaged(kind="verdict")
    damaged(format=2)
    damaged(arms=[])
    damaged(asked={"arm": [5], "reward": [1.0]})
    damaged(asked={"arm": [0, 1], "reward": [1.0]})
    damaged(asked={})
    damaged(asked={"arm": [0], "reward": [0.5]})
    damaged(asked={"arm": [-1], "reward": [1.0]})
    damaged(lost=[0])
    damaged(lost=[1])
    damaged(dropped=[2])
    damaged(pulls=-5)
    for change in ({"queue": [99]}, {"queue": [1]}, {"pulls": -1}, {"sums": None}, {"label": "ok"}):
        arms = json.loads(document)["arms"]
        arms[1] |= change
        damaged(arms=arms)
    damaged(good=["a"])
    damaged(good=["q"])
    damaged(seed=-1)
    damaged(problem={})
    other = json.loads(document)["algorithm"]
    other["parameters"]["warmup"] = 2
    damaged(algorithm=other)
    for value in (None, [], "text", {}):
        with pytest.raises(ga.SpecError):
            ga.Identifier.from_dict(value)


def test_a_document_whose_counts_do_not_fit_is_an_error():
    ident = make()
    pulls = ident.ask_many(6)
    ident.tell_many(pulls[1:4], [1, 0, 1])
    text = json.dumps(ident.to_dict())
    assert ga.Identifier.from_dict(json.loads(text)).to_dict() == json.loads(text)
    changes = [
        {"pulls": 1.0},
        {"pulls": "1"},
        {"pulls": True},
        {"sums": 1000.0},
        {"lost": 5},
        {"queue": []},
        {"queue": [1, 1, 4]},
        {"queue": [4, 1]},
        {"held": 7},
        {"told": 99},
        {"label": "good"},
    ]
    for change in changes:
        document = json.loads(text)
        document["arms"][0] |= change
        with pytest.raises(ga.SpecError):
            ga.Identifier.from_dict(document)
    with pytest.raises(ga.SpecError, match="'seed'"):
        ga.Identifier.from_dict({**json.loads(text), "seed": None})


def test_arguments():
    with pytest.raises(ga.SpecError, match="'problem' of Identifier must be a Problem"):
        ga.Identifier("hdoc", "hdoc")
    with pytest.raises(ga.SpecError, match="'seed' of Identifier"):
        ga.Identifier(make().problem, "hdoc", seed=-1)
    for pulls, rewards in ((5, 1), ([], None), ([], 1), ({1, 2}, [1, 2])):
        with pytest.raises(ga.SpecError, match="of Identifier.tell_many must be a list"):
            make().tell_many(pulls, rewards)
    for rewards in (np.array(1), {0, 1}, None):
        with pytest.raises(ga.SpecError, match="must be a list of rewards"):
            make().observe_many("a", rewards)
    for count in (0, -1, 1.5, "2", True, None, 10**13):
        with pytest.raises(ga.SpecError, match="'count' of Identifier.ask_many"):
            make().ask_many(count)


def test_a_seed_is_drawn_and_recorded():
    problem = make().problem
    seeds = {ga.Identifier(problem, "hdoc").seed for _ in range(5)}
    assert len(seeds) == 5
    assert ga.Identifier(problem, "hdoc", seed=2**64 - 1).seed == 2**64 - 1


def test_pulls_needed_is_when_the_interval_would_clear_the_threshold():
    ident = make(arms=["a", "b"])
    ident.observe_many("a", [1] * 70 + [0] * 30)
    ident.observe_many("b", [1] * 50 + [0] * 50)
    needed = ident.explain("a").pulls_needed
    assert ident.explain("b").pulls_needed is None
    assert make().explain("a").pulls_needed is None

    def label_after(pulls):
        again = make(arms=["a", "b"])
        ones = round(0.7 * pulls)
        again.observe_many("a", [1] * ones + [0] * (pulls - ones))
        return again.explain("a").label

    total = (100 + needed + 9) // 10 * 10
    assert label_after(total) == "good"
    assert label_after(total - 20) == "undecided"


def test_reports_are_a_table():
    ident = make()
    ident.observe_many("a", [1] * 200)
    text = repr(ident.reports())
    assert text.splitlines()[0].split() == [
        *("arm", "label", "pulls", "mean", "lower", "upper", "labelled", "at", "pulls", "needed")
    ]
    assert "good" in text
    assert "<table " in ident.reports()._repr_html_()
    assert repr(ident) == "Identifier(hdoc: 1 good, 0 bad, 2 undecided after 200 pulls)"


@pytest.mark.speed
def test_ask_is_quick_with_a_hundred_thousand_arms():
    ident = ga.Identifier(ga.Problem(100_000, 0.5, 0.05), "hdoc", seed=0)
    pulls = ident.ask_many(100_000)
    ident.tell_many(pulls, [0] * len(pulls))
    ident.ask()

    def seconds(ident):
        start = time.perf_counter()
        ident.ask()
        return time.perf_counter() - start

    assert sorted(seconds(ident) for _ in range(51))[25] < 0.005
    dropped = []
    for _ in range(11):
        ident.forget(ident.waiting[0], loss_is_independent=True)
        dropped.append(seconds(ident))
    assert sorted(dropped)[5] < 0.005
