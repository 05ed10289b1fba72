"""Live data: the order and the moment in which rewards are told must not hurt the guarantee."""

from itertools import islice

import pytest
from scipy.stats import binom

import goodarm as ga

MEAN, THRESHOLD, NUM_ARMS, DELTA = 0.45, 0.5, 4, 0.05
RUNS = pytest.mark.parametrize("runs", [25, pytest.param(60, marks=pytest.mark.large)])


def most_wrong(runs):
    """A valid test exceeds this many wrong runs with probability at most one in a million."""
    return int(binom.isf(1e-6, runs, DELTA))


class ToldOrder(ga.Identifier):
    """Wrong on purpose: rewards enter the tests in the order in which they are told."""

    def tell(self, pull, reward):
        live = self.core.arms.live
        own, log = live.arms[self.problem.arms.index(pull.arm)], live.log
        before = int(own["first"])
        while before and log[before - 1]["after"] != pull.number:
            before = int(log[before - 1]["after"])
        if before:
            log[before - 1]["after"] = log[pull.number - 1]["after"]
            own["last"] = before if own["last"] == pull.number else own["last"]
            log[pull.number - 1]["after"], own["first"] = own["first"], pull.number
        super().tell(pull, reward)


def start(run):
    problem = ga.Problem(NUM_ARMS, THRESHOLD, DELTA, max_pulls=1200)
    return ga.Identifier(problem, "hdoc", seed=run), ga.simulation.Tape(
        problem, [MEAN] * NUM_ARMS, 0, run
    )


def successes_first(run):
    """Batches whose successes are told before their failures."""
    ident, tape = start(run)
    while not ident.is_done:
        batch = [(pull, tape.next_reward(pull.arm)) for pull in ident.ask_many(400)]
        for pull, reward in sorted(batch, key=lambda told: -told[1]):
            ident.tell(pull, reward)
    return ident


def failures_late(run):
    """Successes are told at once, failures 300 pulls later."""
    ident, tape = start(run)
    late, newest = [], 0
    while not ident.is_done:
        asked = ident.ask_many(1)
        for pull in asked:
            newest = pull.number
            if tape.next_reward(pull.arm) == 1.0:
                ident.tell(pull, 1.0)
            else:
                late.append(pull)
        while late and (not asked or newest - late[0].number >= 300):
            ident.tell(late.pop(0), 0.0)
    return ident


def lost_failures(run):
    """Failures never come back and are given up."""
    ident, tape = start(run)
    while not ident.is_done:
        for pull in ident.ask_many(50):
            reward = tape.next_reward(pull.arm)
            if reward == 1.0:
                ident.tell(pull, reward)
            else:
                ident.forget(pull)
    return ident


@RUNS
@pytest.mark.parametrize("scenario", [successes_first, failures_late, lost_failures])
def test_the_error_rate_stays_below_delta(scenario, runs):
    wrong = sum(bool(scenario(run).verdict.good) for run in range(runs))
    assert wrong <= most_wrong(runs)


@RUNS
@pytest.mark.parametrize("scenario", [successes_first, failures_late])
def test_rewards_entering_as_they_are_told_would_break_it(scenario, runs, monkeypatch):
    monkeypatch.setattr(ga, "Identifier", ToldOrder)
    wrong = (run for run in range(runs) if scenario(run).verdict.good)
    enough = most_wrong(runs) + 1
    assert len(list(islice(wrong, enough))) == enough  # no run is made after that


@RUNS
def test_a_sorted_block_is_tested_once_and_does_no_harm(runs):
    """All successes first: tested one by one it would be labelled good at once."""
    wrong = 0
    for run in range(runs):
        ident, tape = start(run)
        for arm in range(NUM_ARMS):
            rewards = sorted((tape.next_reward(arm) for _ in range(400)), reverse=True)
            ident.observe(arm, rewards)
        wrong += bool(ident.verdict.good)
    assert wrong <= most_wrong(runs)


def test_dropping_failures_as_independent_is_what_the_flag_warns_of():
    """The declaration is the user's: a false one does break the guarantee."""
    ident, tape = start(0)
    while not ident.is_done:
        for pull in ident.ask_many(50):
            reward = tape.next_reward(pull.arm)
            if reward == 1.0:
                ident.tell(pull, reward)
            else:
                ident.forget(pull, loss_is_independent=True)
    assert ident.verdict.good
