"""A verb acts once, replay chooses nothing, and a journal gives its state again."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm.errors import GoodArmError
from goodarm.live import VERBS, RewardTimeout, replay
from goodarm.live.identifier_core import IdentifierCore

from .stories import (
    PROBLEMS,
    REWARDS,
    Story,
    ask,
    call,
    collect_state,
    draw_call,
    find_differences,
    make_identifier,
    make_settings,
    tell,
)

SILENCES = {
    "wait": None,
    "reward": lambda problem: RewardTimeout("reward", 20.0, REWARDS[problem.rewards][0]),
    "lost": lambda problem: RewardTimeout(
        "lost", 20.0, is_independent=problem.rewards == "gaussian"
    ),
    "independent": lambda problem: RewardTimeout("lost", 20.0, is_independent=True),
}


def make_story(data, name, reward_timeout="wait", most=30):
    """Return a story of calls; each that is refused has changed nothing."""
    problem, algorithm = PROBLEMS[name]
    made = SILENCES[reward_timeout]
    if algorithm == "cho2025" and reward_timeout == "lost":
        reward_timeout, made = "independent", SILENCES["independent"]
    story = Story(make_settings(name, made(problem) if made else None))
    for _ in range(data.draw(st.integers(1, most))):
        drawn = data.draw(draw_call(story))
        if isinstance(drawn, float):
            story.wait(drawn)
            continue
        story.wait(0.0)
        before = collect_state(story.state)
        try:
            story.do(drawn)
        except GoodArmError:
            assert collect_state(story.state) == before
            assert not story.state.is_changing
        assert collect_state(story.state) == collect_state(story.copy)
    return story


@pytest.mark.parametrize("reward_timeout", SILENCES)
@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_a_journal_gives_its_state_again(name, reward_timeout, data):
    story = make_story(data, name, reward_timeout)
    assert collect_state(story.replayed()) == collect_state(story.state)
    cut = data.draw(st.integers(0, len(story.journal)))
    state = story.replayed(cut)
    for event in story.journal[cut:]:
        replay(state, event)
    assert collect_state(state) == collect_state(story.state)
    assert find_differences(story.settings, story.journal) == []


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_it_is_what_an_identifier_does(name, data):
    """The same pulls asked, the same rewards told: the same labels and numbers."""
    story = Story(make_settings(name))
    ident = make_identifier(story.settings)
    waiting = []
    for _ in range(data.draw(st.integers(1, 15))):
        count = data.draw(st.integers(1, 12))
        pulls = story.do(ask(count))
        assert pulls == ident.ask_many(count)
        waiting += pulls
        size = data.draw(st.integers(0, len(waiting)))
        some = data.draw(st.permutations(waiting))[:size]
        values = REWARDS[story.settings.problem.rewards]
        rewards = [data.draw(st.sampled_from(values)) for _ in some]
        story.do(tell(tuple(some), tuple(rewards)))
        ident.tell_many(some, rewards)
        waiting = [pull for pull in waiting if pull not in some]
    assert story.state.ident.to_dict() == ident.to_dict()
    assert story.state.ident.verdict == ident.verdict


def test_replay_reads_no_clock_and_draws_nothing(monkeypatch):
    story = Story(make_settings("cases"))
    for _ in range(5):
        pulls = story.do(ask(3, "ann", 5.0))
        story.do(tell(tuple(pulls), (1,) * len(pulls)))
        story.wait(1.0)
    expected = collect_state(story.state)

    def never(*_, **__):
        raise AssertionError("replay must not ask for this")

    for module, name in ((time, "time"), (random, "random"), (np.random, "default_rng")):
        monkeypatch.setattr(module, name, never)
    assert collect_state(story.replayed()) == expected


def long_story():
    story = Story(make_settings("coins"))
    luck = random.Random(1)
    while not story.state.ident.is_done:
        pulls = story.do(ask(5))
        rewards = [int(luck.random() < {"a": 0.9, "b": 0.6, "c": 0.2}[p.arm]) for p in pulls]
        story.do(tell(tuple(pulls), tuple(rewards)))
    return story


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_replay_obeys_the_labels_written_down(factor, monkeypatch):
    """On a machine whose arithmetic says otherwise, and ``verify`` says so."""
    story = long_story()
    expected = story.state.ident.verdict
    made = IdentifierCore.__init__

    def other(self, problem, algorithm, seed):
        made(self, problem, algorithm, seed)
        rule = self.arms.rule
        curves = rule.curves(self.setup)
        other = type(curves)(curves._good, curves._bad)
        rows = curves.reach(500, 500.0).copy()
        rows["good_until"] = (rows["good_until"] * factor).astype(int)
        rows["bad_from"] = (rows["bad_from"] / factor).astype(int) + 1
        other.rows = rows
        self.arms.live = self.arms.live._replace(curves=rows)

    monkeypatch.setattr(IdentifierCore, "__init__", other)
    state = story.replayed()
    assert state.ident.verdict == expected
    counts = [(r.arm, r.pulls, r.mean, r.labelled_at) for r in story.state.ident.table()]
    assert [(r.arm, r.pulls, r.mean, r.labelled_at) for r in state.ident.table()] == counts
    assert find_differences(story.settings, story.journal) != []


def test_labels_that_were_tampered_with_are_found():
    story = long_story()
    places = [n for n, entry in enumerate(story.journal) if getattr(entry, "labels", ())]
    journal = list(story.journal)
    entry = journal[places[0]]
    (fell, *rest) = entry.labels
    journal[places[0]] = replace(entry, labels=(fell._replace(label=-fell.label), *rest))
    differences = find_differences(story.settings, journal)
    assert differences[0].event_number == places[0] + 1
    journal[places[0]] = replace(
        entry, labels=(fell._replace(evidence=fell.evidence + 1e-6), *rest)
    )
    differences = find_differences(story.settings, journal)
    assert [each.event_number for each in differences] == [places[0] + 1]


def test_every_verb_is_replayed_to_the_same_state():
    story = Story(make_settings("joining"))
    story.do(tell(pulls := story.do(ask(4)), [1] * len(pulls)))
    first = story.do(ask(2, "ann", 60.0))[0]
    for each in (
        call("forget", pulls=(first,), loss_is_independent=False),
        call("observe", arm="a", rewards=(1, 0), cases=None),
        call("add_arm", arm="new", pool=None),
        call("take_out", arm="new"),
        call("note", text=" too slow ", arm="a"),
        call("pause"),
        call("resume"),
        call("close"),
    ):
        story.do(each)
        assert collect_state(story.state) == collect_state(story.copy)
    done = {type(event) for event in story.journal}
    assert done >= {verb.event for name, verb in VERBS.items() if name != "create"}
    assert [event.text for event in story.journal if event.kind == "note"] == ["too slow"]
