"""The arm that is asked is the one with the largest index, as a scan over all arms finds it."""

import json

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.kernels.dispatch import index_clock
from goodarm.kernels.index import index_at
from goodarm.kernels.live.next_pulls import is_at_cap

THRESHOLD = 0.45
"""Far from sums of few rewards, so that many arms have no label for long."""

STEPS = st.one_of(
    st.tuples(st.just("ask"), st.just(1)),
    st.tuples(st.just("ask_many"), st.integers(2, 40)),
    st.tuples(st.just("tell"), st.integers(0, 10**6)),
    st.tuples(st.just("tell_many"), st.integers(0, 10**6)),
    st.tuples(st.just("lose"), st.integers(0, 10**6)),
    st.tuples(st.just("drop"), st.integers(0, 10**6)),
    st.tuples(st.just("observe"), st.integers(0, 10**6)),
    st.tuples(st.just("save"), st.just(0)),
)


class Scanned:
    """An identifier whose every choice is compared with a scan of what its document says."""

    def __init__(self, sampling, num_arms, luck):
        self.algorithm = ga.Algorithm(sampling=sampling, identification="mixture")
        self.setup = self.algorithm.setup(ga.Problem(num_arms, THRESHOLD, 0.2))
        self.ident = ga.Identifier(ga.Problem(num_arms, THRESHOLD, 0.2), self.algorithm, seed=0)
        self.luck = luck

    def reward(self, pull):
        return (self.luck * 7 + pull.number * 13 + pull.arm * 5) % 11 % 2

    def step(self, what, seed):
        out = self.ident.waiting
        if what in ("ask", "ask_many"):
            self.ask(seed)
        elif what == "observe":
            arm = seed % self.ident.problem.num_arms
            self.ident.observe(arm, [k % 2 for k in range(seed % 37)])
        elif what == "save":
            self.ident = copy_identifier(self.ident)
        elif out and what == "tell":
            pull = out[seed % len(out)]
            self.ident.tell(pull, self.reward(pull))
        elif out and what == "tell_many":
            pulls = out[seed % len(out) :]
            self.ident.tell_many(pulls, map(self.reward, pulls))
        elif out:
            pull = out[seed % len(out)]
            self.ident.forget(pull, loss_is_independent=what == "drop")

    def ask(self, count):
        """A batch is what a copy, asked pull by pull, is found to ask by scans over its arms."""
        copy, expected = copy_identifier(self.ident), []
        while len(expected) < count and not copy.is_done:
            arm = scan(self.setup, copy, is_first=not expected)
            if arm is None:
                break
            expected.append(arm)
            assert copy.ask().arm == arm
        assert [pull.arm for pull in self.ident.ask_many(count)] == expected


def copy_identifier(ident):
    return ga.Identifier.from_dict(json.loads(json.dumps(ident.to_dict())))


def scan(setup, ident, is_first):
    """The first arm that lacks its warm-up, or the first with the largest index of those awake.

    If none is, the first of a batch is of any that may need it.
    """
    live = ident.core.arms.live
    arms, held = live.arms, live.arms["held"]
    undecided = np.flatnonzero(arms["labels"] == 0)
    lacking = undecided[held[undecided] < setup.warmup]
    if len(lacking):
        return int(lacking[0])
    awake = [arm for arm in undecided if not is_at_cap(setup, live, arm)]
    if not awake and is_first:
        awake = [arm for arm in undecided if not ident.core.tests.is_certain(int(arm))]
    if not awake:
        return None
    clock = index_clock(setup, held.sum())
    return int(max(awake, key=lambda k: index_at(setup, held[k], arms["means"][k], clock)))


LINES = ["kl-moss", "kl-ucb", "lucb-g", "apt-g", "hdoc", "moss"]
STORIES = {
    "num_arms": st.sampled_from([1, 2, 3, 5, 9, 20]),
    "luck": st.integers(0, 99),
    "steps": st.lists(STEPS, min_size=40, max_size=60),
}


@pytest.mark.parametrize("sampling", LINES)
@settings(max_examples=6)
@given(**STORIES)
def test_the_arm_asked_has_the_largest_index(sampling, num_arms, luck, steps):
    check_story(sampling, num_arms, luck, steps)


@pytest.mark.large
@pytest.mark.parametrize("sampling", LINES)
@settings(max_examples=12)
@given(**STORIES)
def test_it_has_in_many_stories(sampling, num_arms, luck, steps):
    check_story(sampling, num_arms, luck, steps)


def check_story(sampling, num_arms, luck, steps):
    """Each arm that is asked is the one that a scan over all finds."""
    scanned = Scanned(sampling, num_arms, luck)
    for what, seed in steps:
        scanned.step(what, seed)


def test_an_index_is_taken_anew_after_the_clock_went_on_and_back():
    """A block moves the clock on, and a pull that counts as never made moves it back."""
    for luck in range(40):
        scanned = Scanned("kl-moss", 2, luck)
        while (held := scanned.ident.core.arms.progress["held"]) < 31:
            pull = scanned.ident.ask()
            if held < 26:
                scanned.ident.tell(pull, scanned.reward(pull))
        scanned.ident.observe(luck % 2, [luck // 2 % 2])
        scanned.ident.forget(scanned.ident.waiting[0], loss_is_independent=True)
        scanned.ask(3)
