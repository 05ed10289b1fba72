"""Deciding changes nothing, applying chooses nothing, and a journal gives its state again."""

import random
import time
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.errors import GoodArmError
from goodarm.experiment import Ask, Silence, State, Tell, apply, decide, verify
from goodarm.identifier import trying

from .stories import PROBLEMS, REWARDS, Story, requests_of, seen, start_of

SILENCES = {
    "wait": None,
    "reward": lambda problem: Silence("reward", 20.0, REWARDS[problem.rewards][0]),
    "lost": lambda problem: Silence("lost", 20.0, is_independent=problem.rewards == "gaussian"),
    "independent": lambda problem: Silence("lost", 20.0, is_independent=True),
}


def told(data, name, silence="wait", most=30):
    """A story of requests; each that is refused has changed nothing."""
    problem, algorithm = PROBLEMS[name]
    made = SILENCES[silence]
    if algorithm == "cho2025" and silence == "lost":
        silence, made = "independent", SILENCES["independent"]
    story = Story(start_of(name, made(problem) if made else None))
    for _ in range(data.draw(st.integers(1, most))):
        request = data.draw(requests_of(story))
        before = seen(story.state)
        if isinstance(request, float):
            story.wait(request)
            continue
        try:
            decide(story.state, request, story.now)
        except GoodArmError:
            assert seen(story.state) == before
            continue
        assert seen(story.state) == before
        try:
            story.request(request)
        except GoodArmError:  # what was due has made it impossible
            continue
    return story


@pytest.mark.parametrize("silence", SILENCES)
@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_a_journal_gives_its_state_again(name, silence, data):
    story = told(data, name, silence)
    assert seen(story.replayed()) == seen(story.state)
    cut = data.draw(st.integers(0, len(story.journal)))
    state = story.replayed(cut)
    for entry in story.journal[cut:]:
        apply(state, entry)
    assert seen(state) == seen(story.state)
    assert verify(story.start, story.journal)[1] == []


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_it_is_what_an_identifier_does(name, data):
    """The same pulls asked, the same rewards told: the same labels and numbers."""
    story = Story(start_of(name))
    ident = story.start.identifier()
    waiting = []
    for _ in range(data.draw(st.integers(1, 15))):
        count = data.draw(st.integers(1, 12))
        pulls = story.request(Ask(count))
        assert pulls == ident.ask_many(count)
        waiting += pulls
        size = data.draw(st.integers(0, len(waiting)))
        some = data.draw(st.permutations(waiting))[:size]
        values = REWARDS[story.start.problem.rewards]
        rewards = [data.draw(st.sampled_from(values)) for _ in some]
        story.request(Tell(tuple(some), tuple(rewards)))
        ident.tell_many(some, rewards)
        waiting = [pull for pull in waiting if pull not in some]
    assert story.state.ident.to_dict() == ident.to_dict()
    assert story.state.ident.verdict == ident.verdict


def test_replay_reads_no_clock_and_draws_nothing(monkeypatch):
    story = Story(start_of("cases"))
    for _ in range(5):
        pulls = story.request(Ask(3, "ann", 5.0))
        story.request(Tell(tuple(pulls), (1,) * len(pulls)))
        story.wait(1.0)
    expected = seen(story.state)

    def never(*_, **__):
        raise AssertionError("replay must not ask for this")

    for module, name in ((time, "time"), (random, "random"), (np.random, "default_rng")):
        monkeypatch.setattr(module, name, never)
    assert seen(story.replayed()) == expected


def long_story():
    story = Story(start_of("coins"))
    luck = random.Random(1)
    while not story.state.ident.is_done:
        pulls = story.request(Ask(5))
        rewards = [int(luck.random() < {"a": 0.9, "b": 0.6, "c": 0.2}[p.arm]) for p in pulls]
        story.request(Tell(tuple(pulls), tuple(rewards)))
    return story


@pytest.mark.parametrize("factor", [0.5, 2.0])
def test_replay_obeys_the_labels_written_down(factor, monkeypatch):
    """On a machine whose arithmetic says otherwise, and ``verify`` says so."""
    story = long_story()
    expected = story.state.ident.verdict
    made = ga.Identifier.__init__

    def other(self, problem, algorithm=None, seed=None):
        made(self, problem, algorithm, seed)
        rule = self._standings.rule
        curves = rule.curves(self._setup)
        other = type(curves)(curves._good, curves._bad)
        rows = curves.reach(500, 500.0).copy()
        rows["good_until"] = (rows["good_until"] * factor).astype(int)
        rows["bad_from"] = (rows["bad_from"] / factor).astype(int) + 1
        other.rows = rows
        self._standings.live = self._standings.live._replace(curves=rows)

    monkeypatch.setattr(ga.Identifier, "__init__", other)
    state = story.replayed()
    assert state.ident.verdict == expected
    counts = [(r.arm, r.pulls, r.mean, r.labelled_at) for r in story.state.ident.reports()]
    assert [(r.arm, r.pulls, r.mean, r.labelled_at) for r in state.ident.reports()] == counts
    assert verify(story.start, story.journal)[1] != []


def test_labels_that_were_tampered_with_are_found():
    story = long_story()
    places = [n for n, entry in enumerate(story.journal) if getattr(entry, "labels", ())]
    journal = list(story.journal)
    entry = journal[places[0]]
    (fell, *rest) = entry.labels
    journal[places[0]] = replace(entry, labels=(fell._replace(label=-fell.label), *rest))
    _, differences = verify(story.start, journal)
    assert differences[0].number == places[0] + 1
    journal[places[0]] = replace(
        entry, labels=(fell._replace(evidence=fell.evidence + 1e-6), *rest)
    )
    _, differences = verify(story.start, journal)
    assert [each.number for each in differences] == [places[0] + 1]


def test_trying_a_choice_keeps_later_choices(monkeypatch):
    """Deciding twice gives the same answer; so does deciding after having decided otherwise."""
    story = Story(start_of("hdoc"))
    for _ in range(20):
        first = decide(story.state, Ask(7), story.now)
        decide(story.state, Ask(2), story.now)
        assert decide(story.state, Ask(7), story.now) == first
        pulls = story.request(Ask(7))
        story.request(Tell(tuple(pulls[::2]), (1,) * len(pulls[::2])))
    assert isinstance(story.state, State)
    assert trying.chosen(story.state.ident, 3)[0]
