"""A pull whose reward never comes: its arm is asked no more than it could need, others go on."""

import json

import numpy as np
import pytest

import goodarm as ga

MEANS = {"a": 0.9, "b": 0.1, "c": 0.8}
PROBLEM = ga.Problem(list(MEANS), threshold=0.5, delta=0.05, max_pulls=3000)


def answer_all(ident, rewards, silent=(), most=3000):
    """Make every pull but the silent ones, until nothing is asked any more; how many were asked."""
    asked = 0
    while not ident.is_done and asked < most:
        pulls = ident.ask_many(1)
        if not pulls:
            break
        asked += 1
        if pulls[0].number not in silent:
            ident.tell(pulls[0], rewards(pulls[0]))
    return asked


def make_reward_source(seed):
    luck = np.random.default_rng(seed)
    return lambda pull: int(luck.random() < MEANS[pull.arm])


def test_one_silent_pull_holds_up_its_own_arm_alone():
    for seed in range(20):
        ident = ga.Identifier(PROBLEM, seed=seed)
        asked = answer_all(ident, make_reward_source(seed), silent={1})
        held_up = ident.waiting[0].arm
        assert asked < 300, "the arm whose test is held up was asked again and again"
        assert ident.verdict.undecided == [held_up]
        with pytest.raises(
            ga.errors.ProtocolError, match="enough pulls of the undecided arms are in progress"
        ):
            ident.ask()
        for reward in (0, 1):  # the label is known, whatever the reward is
            told = ga.Identifier.from_dict(ident.to_dict())
            told.tell(told.waiting[0], reward)
            assert told.verdict.undecided == []
        lost = ga.Identifier.from_dict(ident.to_dict())
        lost.forget(lost.waiting[0])
        assert lost.verdict.undecided == []


@pytest.mark.parametrize(
    ("more", "algorithm"),
    [
        ({"rewards": "bounded"}, None),
        ({"rewards": "bounded"}, "cho2025"),
        ({"rewards": "gaussian", "sigma": 0.3}, None),
        ({"pool": 400}, None),
        ({}, "hdoc"),
        ({}, "lil-hdoc"),
    ],
    ids=["bounded", "kelly", "gaussian", "pool", "hoeffding", "long warm-up"],
)
def test_it_does_so_with_every_kind_of_test(more, algorithm):
    problem = ga.Problem(["a", "b"], 0.5, 0.05, max_pulls=20_000, **more)
    ident = ga.Identifier(problem, algorithm, seed=3)
    asked = answer_all(ident, lambda pull: float(pull.arm == "b"), silent={1}, most=20_000)
    assert asked < 10_000
    assert ident.verdict.undecided == [ident.waiting[0].arm] == ["a"]
    assert ident.verdict.good == ["b"]
    whole = ga.Identifier(problem, algorithm, seed=3)
    assert asked <= 3 * answer_all(whole, lambda pull: float(pull.arm == "b"), most=20_000)


def test_a_rule_of_ones_own_is_not_asked_for_it_either():
    class Always(ga.rules.SamplingRule):
        name = "always-the-first"

        def choose(self, view):
            return int(np.flatnonzero(view.active)[0])

    ident = ga.Identifier(PROBLEM, ga.Algorithm(sampling=Always(), identification="mixture"))
    assert answer_all(ident, make_reward_source(0), silent={1}) < 300
    assert len(ident.verdict.undecided) == 1


def test_other_arms_go_first():
    ident = ga.Identifier(PROBLEM, "e-hdoc", seed=0)
    first = ident.ask()
    luck, numbers = make_reward_source(1), []
    while len(ident.verdict.good) + len(ident.verdict.bad) < 2:
        pull = ident.ask()
        ident.tell(pull, luck(pull))
        numbers.append(pull.arm)
    assert numbers.count(first.arm) <= 8, "more waited than the cap while others could be asked"


def test_successes_that_come_first_stop_nothing():
    """Failures are known late: what came in is no reason to think that the rest is like it."""
    ident = ga.Identifier(ga.Problem(["a"], 0.5, 0.05), seed=0)
    late = []
    for _ in range(400):
        pull = ident.ask()
        if pull.number % 2:
            late.append(pull)
        else:
            ident.tell(pull, 1)
    assert ident.explain("a").waits == ga.results.Waiting(200, 1)
    ident.tell_many(late, [0] * len(late))
    assert ident.explain("a").label == "undecided"
    assert ident.explain("a").waits is None


def test_what_waits_is_shown():
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, 0.05), seed=0)
    first, *rest = (pull for pull in ident.ask_many(8) if pull.arm == "a")
    assert ident.explain("a").waits is None
    assert "waits" not in ident.explain("a").to_dict()
    ident.tell_many(rest, [1] * len(rest))
    report = ident.explain("a")
    assert (report.pulls, report.waits) == (0, ga.results.Waiting(len(rest), first.number))
    shown = str(ident.table())
    assert f"a: {len(rest)} rewards wait behind pull {first.number}." in shown
    assert "forget" in shown
    assert "RewardTimeout('lost', seconds)" in shown
    assert "waits" in shown.splitlines()[2]
    assert f"{len(rest)} rewards wait" in ident.table()._repr_html_()
    assert json.loads(json.dumps(report.to_dict()))["waits"]["rewards"] == len(rest)
    assert ident.table().to_pandas()["waits"].tolist() == [len(rest), 0]
    ident.tell(first, 1)
    assert ident.explain("a").waits is None
    assert "wait" not in str(ident.table())


def test_a_run_that_is_over_waits_for_nothing():
    ident = ga.Identifier(ga.Problem(["a", "b"], 0.5, 0.05, until=1), seed=0)
    silent = ident.ask()
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, int(pull.arm != silent.arm))
    assert ident.verdict.good
    assert all(report.waits is None for report in ident.table())
