"""Missing rewards: an exact look at what an adversary gains by them, and what they cost.

The adversary of the exact tests keeps a reward back, at a place of its choice, and only if the
outcome suits it: a failure that would speak against "good". The true mean stands at the threshold,
where each label is wrong, or as good as.
"""

from functools import cache
from itertools import combinations, product

import numpy as np
import pytest

import goodarm as ga

THRESHOLD, DELTA, PULLS = 0.5, 0.5, 6
CLOSE = 1e-9
"""Sums of a few hundred products of floating-point numbers."""


def lose(ident, pull):
    """The rule: a lost pull is the worst case in both tests."""
    ident.forget(pull)


def wait(ident, pull):
    """The other rule: its place in the test stays empty, and what follows it waits."""


def replace(ident, pull):
    """Wrong on purpose: it counts as never made, and the next pull takes its place."""
    ident.forget(pull, loss_is_independent=True)


def run(problem, outcomes, kept_back, settle, *, is_late):
    """An identifier after all pulls, of which those kept back are settled at once or at the end."""
    ident, late = ga.Identifier(problem, seed=0), []
    tapes = {arm: iter(tape) for arm, tape in outcomes.items()}
    while not ident.is_done:
        for pull in ident.ask_many(1) or [None]:
            reward = None if pull is None else next(tapes[pull.arm], None)
            if reward is None:
                for each in late:
                    settle(ident, each)
                return ident
            if pull.number not in kept_back:
                ident.tell(pull, reward)
            elif is_late:
                late.append(pull)
            else:
                settle(ident, pull)
    return ident


def e_values(problem, settle, suits, pulls, *, is_late):
    """By the place of the loss: the expected e-values for good and bad, of the first arm."""
    arms, expected = list(problem.arms), np.zeros((pulls, 2))
    for sequence in product((0, 1), repeat=pulls):
        size = pulls // len(arms)
        outcomes = {arm: sequence[k * size : (k + 1) * size] for k, arm in enumerate(arms)}
        for place in range(1, pulls + 1):
            # The pull at that place: which arm's it is depends on the rewards before.
            kept_back = Suiting(place, suits)
            ident = run(problem, kept_back.over(outcomes), kept_back, settle, is_late=is_late)
            report = ident.explain(arms[0])
            found = [1.0 if e is None else e for e in (report.e_good, report.e_bad)]
            expected[place - 1] += np.array(found) / 2**pulls
    return expected


class Suiting:
    """The pull at a place, if its outcome is one that the adversary keeps back."""

    def __init__(self, place, suits):
        self.place, self.suits, self.asked, self.last = place, suits, 0, None

    def over(self, outcomes):
        def heard(tape):
            for reward in tape:
                self.asked, self.last = self.asked + 1, reward
                yield reward

        return {arm: heard(tape) for arm, tape in outcomes.items()}

    def __contains__(self, number):
        return self.asked == self.place and self.last == self.suits


@pytest.mark.parametrize("pulls", [4, pytest.param(PULLS, marks=pytest.mark.large)])
@pytest.mark.parametrize(("num_arms", "is_late"), [(1, False), (1, True), (2, False)])
@pytest.mark.parametrize(("suits", "side"), [(0, 0), (1, 1)], ids=["failures", "successes"])
def test_no_evidence_is_won_by_losing_a_reward(num_arms, is_late, suits, side, pulls):
    """An e-value is expected to be at most 1 where its label is wrong, at any place of the loss."""
    problem = ga.Problem(num_arms, THRESHOLD, DELTA)
    expected = e_values(problem, lose, suits, pulls, is_late=is_late)[:, side]
    assert expected.max() <= 1 + CLOSE
    replaced = e_values(problem, replace, suits, pulls, is_late=is_late)[:, side]
    assert replaced.max() > 1.05, "the wrong variant was not caught"


def wrong(settle, suits, label, most):
    """The probability of this label for an adversary that knows all outcomes beforehand.

    It keeps back rewards that suit, so many at most, at the places that serve it best.
    """
    problem, total = ga.Problem(1, THRESHOLD, DELTA), 0.0

    def labels_of(outcomes, kept_back):
        return run(problem, outcomes, kept_back, settle, is_late=False).verdict

    for sequence in product((0, 1), repeat=PULLS):
        places = [place for place, reward in enumerate(sequence, 1) if reward == suits]
        total += any(
            0 in getattr(labels_of({0: sequence}, kept_back), label)
            for count in range(most + 1)
            for kept_back in combinations(places, count)
        )
    return total / 2**PULLS


@pytest.mark.parametrize(("suits", "label"), [(0, "good"), (1, "bad")])
def test_workers_that_die_on_failures_make_no_arm_look_good(suits, label):
    """Whatever is kept back, and wherever: labels are given to what has entered the test alone."""
    assert wrong(lose, suits, label, 3) <= DELTA
    assert wrong(wait, suits, label, 3) <= DELTA
    assert wrong(replace, suits, label, 3) > DELTA, "the wrong variant was not caught"


MEANS = {"a": 0.9, "b": 0.1, "c": 0.8}
PROBLEM = ga.Problem(list(MEANS), threshold=0.5, delta=0.05, max_pulls=3000)
PLACES = 10


@cache
def pulls_until_done(seed, place, late):
    """Pulls of a run in which one reward never comes, and is lost after ``late`` further ones."""
    ident, tape = (
        ga.Identifier(PROBLEM, seed=seed),
        ga.simulation.Tape(PROBLEM, list(MEANS.values()), seed),
    )
    silent, asked = None, 0
    while not ident.is_done:
        pulls = ident.ask_many(1)
        asked += len(pulls)
        if pulls and asked == place:
            silent = pulls[0]
        elif pulls:
            ident.tell(pulls[0], tape.next_reward(pulls[0].arm))
        if silent is not None and (not pulls or asked >= place + late):
            ident.forget(silent)
            silent = None
    assert ident.verdict.undecided == []
    return asked


@pytest.mark.parametrize("seeds", [40, pytest.param(200, marks=pytest.mark.large)])
@pytest.mark.parametrize("late", [0, 3000])
def test_one_silent_pull_costs_at_most_as_many_pulls_again(late, seeds):
    """The mean over seeds, for every place of the silent pull and however late it is given up."""
    whole = np.mean([pulls_until_done(seed, 0, 0) for seed in range(seeds)])
    for place in range(1, PLACES + 1):
        lost = np.mean([pulls_until_done(seed, place, late) for seed in range(seeds)])
        assert lost <= 2 * whole, place


@pytest.mark.parametrize("seeds", [60, pytest.param(200, marks=pytest.mark.large)])
def test_while_one_reward_is_waited_for_all_other_arms_are_labelled(seeds):
    """And its own arm is asked for no more than it could need, or the caps of batches let it."""
    cap = 16  # eight for each pull out of an undecided arm, with the one that is being asked
    for seed in range(seeds):
        place = 1 + seed % PLACES
        ident = ga.Identifier(PROBLEM, seed=seed)
        tape = ga.simulation.Tape(PROBLEM, list(MEANS.values()), seed)
        silent, entered = None, 0
        while not ident.is_done and (pulls := ident.ask_many(1)):
            if pulls[0].number == place:
                silent = pulls[0]
                entered = ident.explain(silent.arm).pulls
                continue
            ident.tell(pulls[0], tape.next_reward(pulls[0].arm))
        if ident.is_done:
            continue
        assert ident.verdict.undecided == [silent.arm]
        waits = ident.explain(silent.arm).waits.rewards
        lost = ga.Identifier.from_dict(ident.to_dict())
        lost.forget(silent)
        needed = lost.explain(silent.arm).pulls
        assert lost.verdict.undecided == []
        assert entered + 1 + waits <= max(needed, entered + 1 + cap)
