"""Ask and tell: what it accepts, what it refuses, and that refusals change nothing."""

import math
import time
from dataclasses import replace

import numpy as np
import pytest

import goodarm as ga
from helpers import NAMED
from live.identifiers import assert_refused, make_identifier


@pytest.mark.parametrize("reward", [0.5, 2, math.nan, "1", None])
def test_a_bad_reward_changes_nothing(reward):
    ident = make_identifier()
    pulls = ident.ask_many(5)
    message = f"'reward' of Identifier.tell must be 0 or 1 for arm {pulls[0].arm!r}; got"
    assert_refused(ident, ga.errors.SpecError, message, lambda: ident.tell(pulls[0], reward))
    assert_refused(
        ident, ga.errors.SpecError, "tell_many", lambda: ident.tell_many(pulls[:2], [1, reward])
    )
    message = "observe must be 0 or 1 for arm 'b'; got"
    assert_refused(ident, ga.errors.SpecError, message, lambda: ident.observe("b", [1, reward]))


def test_a_pull_that_was_never_asked():
    ident = make_identifier()
    ident.ask()
    for pull in (ga.Pull(2, "a"), ga.Pull(0, "a"), ga.Pull(-1, "a")):
        assert_refused(
            ident, ga.errors.ProtocolError, "was never asked", lambda p=pull: ident.tell(p, 1)
        )
        assert_refused(
            ident, ga.errors.ProtocolError, "was never asked", lambda p=pull: ident.forget(p)
        )
    wrong_arm = ga.Pull(1, "b")
    assert_refused(
        ident, ga.errors.ProtocolError, "asked of arm 'a', not", lambda: ident.tell(wrong_arm, 1)
    )
    assert_refused(ident, ga.errors.SpecError, "must be a Pull", lambda: ident.tell(1, 1))
    assert_refused(ident, ga.errors.SpecError, "must be a Pull", lambda: ident.tell((1, "a"), 1))
    assert_refused(
        ident, ga.errors.SpecError, "whole number", lambda: ident.tell(ga.Pull(1.0, "a"), 1)
    )


def test_the_same_reward_again_is_a_no_op_and_another_is_an_error():
    ident = make_identifier()
    pull = ident.ask()
    ident.tell(pull, 1)
    before = ident.to_dict()
    ident.tell(pull, True)
    assert ident.to_dict() == before
    message = r"Pull 1 was told 1.0 before and cannot be changed to 0.0"
    assert_refused(ident, ga.errors.ProtocolError, message, lambda: ident.tell(pull, 0))
    other = ident.ask()
    assert_refused(
        ident, ga.errors.ProtocolError, "told 1", lambda: ident.tell_many([other] * 2, [1, 0])
    )
    assert_refused(
        ident, ga.errors.ProtocolError, "told 1", lambda: ident.tell_many([other, pull], [1, 0])
    )
    assert_refused(
        ident, ga.errors.SpecError, "one reward for each", lambda: ident.tell_many([other], [])
    )


@pytest.mark.parametrize("name", NAMED)
def test_the_order_of_a_list_of_rewards_does_not_matter(name):
    states = []
    for is_reversed in (False, True):
        ident = make_identifier(name, threshold=0.3, rewards="bounded")
        pulls = ident.ask_many(30)
        told = [(pull, (pull.number * 0.37) % 1) for pull in pulls]
        if is_reversed:
            told.reverse()
        ident.tell_many(*zip(*told, strict=True))
        states.append(ident.to_dict())
    assert states[0] == states[1]


def test_an_early_reward_waits_for_its_predecessors():
    ident = make_identifier(arms=["a"])
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
        ident = make_identifier(name, arms=4)
        batch = ident.ask_many(400)
        counts = [sum(pull.arm == arm for pull in batch) for arm in range(4)]
        assert max(counts) - min(counts) <= 1, name


def test_a_labelled_arm_keeps_its_label_and_its_numbers():
    ident = make_identifier(arms=["a", "b"])
    pulls = ident.ask_many(200)
    of_a = [pull for pull in pulls if pull.arm == "a"]
    ident.tell_many(of_a[:40], [1] * 40)
    report = ident.explain("a")
    assert report.label == "good"
    assert report.pulls_needed == 0
    for pull in of_a[40:]:
        ident.tell(pull, 0)
    ident.observe("a", [0] * 1000)
    assert ident.explain("a") == report
    assert ident.pulls == len(of_a) + 1000
    assert ident.to_dict()["arms"][0]["queue"] == []
    assert all(pull.arm == "b" for pull in ident.ask_many(20))


def test_observed_data_need_no_asking():
    ident = make_identifier()
    ident.observe("b", [])
    assert ident.pulls == 0
    ident.observe("b", [0] * 200)
    assert ident.verdict == ga.Verdict(good=[], bad=["b"], undecided=["a", "c"], pulls=200)
    assert_refused(
        ident, ga.errors.SpecError, "'arm' of Identifier.observe", lambda: ident.observe("d", [1])
    )
    assert_refused(
        ident, ga.errors.SpecError, "be a list of rewards", lambda: ident.observe("a", "101")
    )
    assert_refused(
        ident, ga.errors.SpecError, "be a list of rewards", lambda: ident.observe("a", 1)
    )


def test_a_block_takes_its_place_behind_pulls_that_are_out():
    ident = make_identifier(arms=["a"])
    pull = ident.ask()
    ident.observe("a", [1] * 100)
    assert ident.explain("a").pulls == 0
    ident.tell(pull, 0)
    assert ident.explain("a").pulls == 101
    assert ident.explain("a").label == "good"


def test_a_block_is_tested_once_at_its_end():
    ident = make_identifier(arms=["a"])
    ident.observe("a", [1] * 60 + [0] * 60)
    assert ident.explain("a").label == "undecided"


@pytest.mark.parametrize("name", NAMED)
def test_the_budget_is_kept_and_the_rest_is_undecided(name):
    ident = make_identifier(name, max_pulls=50)
    pulls = ident.ask_many(1000)
    assert len(pulls) == 50
    assert not ident.is_done
    assert ident.ask_many(1) == []
    with pytest.raises(
        ga.errors.ProtocolError,
        match="all 50 allowed pulls are made, and 50 of their rewards are missing",
    ):
        ident.ask()
    ident.tell_many(pulls, [pull.number % 2 for pull in pulls])
    assert ident.is_done
    assert ident.verdict.undecided == ["a", "b", "c"]
    assert ident.ask_many(3) == []
    with pytest.raises(ga.errors.ProtocolError, match="nothing left to ask: the run is over"):
        ident.ask()


def test_until_ends_the_run():
    ident = make_identifier(until=1)
    pulls = ident.ask_many(300)
    ident.tell_many(pulls, [1] * 300)
    assert ident.is_done
    assert len(ident.verdict.good) == 1
    assert ident.ask_many(1) == []
    with pytest.raises(ga.errors.ProtocolError, match="the run is over"):
        ident.ask()


def test_arguments():
    with pytest.raises(ga.errors.SpecError, match="'problem' of Identifier must be a Problem"):
        ga.Identifier("hdoc", "hdoc")
    with pytest.raises(ga.errors.SpecError, match="'seed' of Identifier"):
        ga.Identifier(make_identifier().problem, "hdoc", seed=-1)
    for pulls, rewards in ((5, 1), ([], None), ([], 1), ({1, 2}, [1, 2])):
        with pytest.raises(ga.errors.SpecError, match="of Identifier.tell_many must be a list"):
            make_identifier().tell_many(pulls, rewards)
    for rewards in (np.array(1), {0, 1}, None):
        with pytest.raises(ga.errors.SpecError, match="must be a list of rewards"):
            make_identifier().observe("a", rewards)
    for count in (0, -1, 1.5, "2", True, None, 10**13):
        with pytest.raises(ga.errors.SpecError, match="'count' of Identifier.ask_many"):
            make_identifier().ask_many(count)


def test_a_seed_is_drawn_and_recorded():
    problem = make_identifier().problem
    seeds = {ga.Identifier(problem, "hdoc").seed for _ in range(5)}
    assert len(seeds) == 5
    assert ga.Identifier(problem, "hdoc", seed=2**64 - 1).seed == 2**64 - 1


def test_pulls_needed_follow_the_distance_from_the_threshold():
    ident = make_identifier(arms=["a", "b"])
    ident.observe("a", [1] * 70 + [0] * 30)
    ident.observe("b", [1] * 50 + [0] * 50)
    near, far = ident.explain("b"), ident.explain("a")
    assert 0 < far.pulls_needed < far.pulls_needed_90 < near.pulls_needed
    assert near.pulls_needed_90 is None, "above the cap"
    assert make_identifier().explain("a").pulls_needed is None


def test_the_table_is_shown_as_one_of_counts():
    ident = make_identifier()
    ident.observe("a", [1] * 200)
    text = repr(ident.table())
    counts = {"a": (200, 200), "b": (0, 0), "c": (0, 0)}
    checked = ga.check(counts, problem=ident.problem, rule="hoeffding")
    assert "mixture would have needed" in checked.advice  # the experiment has chosen its rule
    every = "You may look as often as you like"
    text_of_counts = repr(replace(checked, advice=""))
    assert text == text_of_counts.replace(f"{every}, with all counts since the start,", f"{every},")
    assert "good" in text
    assert "<table " in ident.table()._repr_html_()
    assert (
        repr(ident)
        == "Identifier(hdoc (hdoc + hoeffding): 1 good, 0 bad, 2 undecided after 200 pulls)"
    )


@pytest.mark.speed
def test_ask_is_quick_with_a_hundred_thousand_arms():
    ident = ga.Identifier(ga.Problem(100_000, 0.5, 0.05), "hdoc", seed=0)
    pulls = ident.ask_many(100_000)
    ident.tell_many(pulls, [0] * len(pulls))
    ident.ask()

    def seconds(ident):
        start = time.process_time()
        ident.ask()
        return time.process_time() - start

    assert sorted(seconds(ident) for _ in range(51))[25] < 0.005
    dropped = []
    for _ in range(11):
        ident.forget(ident.waiting[0], loss_is_independent=True)
        dropped.append(seconds(ident))
    assert sorted(dropped)[5] < 0.005
