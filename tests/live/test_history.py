"""The history of an arm is what ``explain`` said at some moments, the last one included."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.live import ExperimentState, replay
from goodarm.live.history import HistoryRecorder, make_grid, space_geometrically

from .stories import PROBLEMS, Story, ask, call, make_identifier, make_settings, tell
from .test_replay import SILENCES, make_story


def list_numbers(value):
    """What a moment and a report have in common."""
    return value.pulls, value.mean, value.lower, value.upper, value.label


def history_of(story, arms=None, points=100):
    return record_history(story, make_grid(story.state, arms, points))


def record_history(story, grid):
    state, recorder = ExperimentState(story.settings), HistoryRecorder(grid)
    for event in story.journal:
        replay(state, event)
        recorder.record(state, event)
    return recorder.histories(state)


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=6, deadline=None)
@given(data=st.data())
def test_every_moment_is_what_explain_said_then(name, data):
    reward_timeout = data.draw(st.sampled_from([*SILENCES]))
    story = make_story(data, name, reward_timeout)
    points = data.draw(st.sampled_from([1, 2, 5, 100]))
    found = history_of(story, points=points)
    state, said = ExperimentState(story.settings), {}
    for entry in story.journal:
        replay(state, entry)
        for report in state.ident.table():
            said[state.last, report.arm] = list_numbers(report)
    assert [each.arm for each in found] == list(state.ident.problem.arms)
    for each in found:
        pulls = [moment.pulls for moment in each.moments]
        assert pulls == sorted(set(pulls))
        assert len(pulls) <= points
        for moment in each.moments:
            assert list_numbers(moment) == said[moment.entry, each.arm]
        last = state.ident.explain(each.arm)
        assert each.label == last.label
        if last.pulls:
            assert list_numbers(each.moments[-1]) == list_numbers(last)
        else:
            assert not each.moments


def long_story(batch=5, most=10_000):
    story = Story(make_settings("coins"))
    luck = random.Random(1)
    while not story.state.ident.is_done and len(story.journal) < most:
        pulls = story.do(ask(batch))
        rewards = [int(luck.random() < {"a": 0.9, "b": 0.6, "c": 0.2}[p.arm]) for p in pulls]
        story.do(tell(tuple(pulls), tuple(rewards)))
    return story


def test_it_is_what_an_identifier_said_that_was_driven_the_same_way():
    story = long_story()
    found = {each.arm: each.moments for each in history_of(story)}
    ident, luck = make_identifier(story.settings), random.Random(1)
    said, entry = {}, 0
    while not ident.is_done:
        pulls = ident.ask_many(5)
        rewards = [int(luck.random() < {"a": 0.9, "b": 0.6, "c": 0.2}[p.arm]) for p in pulls]
        ident.tell_many(pulls, rewards)
        entry += 2
        said.update({(entry, arm): list_numbers(ident.explain(arm)) for arm in found})
    for arm, moments in found.items():
        assert moments
        assert [list_numbers(moment) for moment in moments] == [said[m.entry, arm] for m in moments]
        assert moments[-1].label == ident.explain(arm).label != "undecided"
        assert [moment.label for moment in moments[:-1]] == ["undecided"] * (len(moments) - 1)


def test_moments_say_when_they_were():
    story = Story(make_settings("coins"))
    for reward in (1, 0):
        story.wait(10.0)
        (pull,) = story.do(ask(1))
        story.do(tell((pull,), (reward,)))
    first, second, third = history_of(story)
    assert [(m.entry, m.at, m.total, m.pulls) for m in first.moments] == [(2, 10.0, 1, 1)]
    assert [(m.entry, m.at, m.total, m.pulls) for m in second.moments] == [(4, 20.0, 2, 1)]
    assert (third.moments, third.label) == ((), "undecided")
    assert first.to_dict() == {"arm": "a", "moments": [vars(first.moments[0])]}


def test_numbers_are_computed_at_the_moments_alone(monkeypatch):
    """An entry costs what replaying it costs, however many there are."""
    story = Story(make_settings("hdoc"))
    for number in range(400):
        (pull,) = story.do(ask(1))
        story.do(tell((pull,), (number % 2,)))
    grid = make_grid(story.state, points=10)
    calls, made = [], ga.Identifier.table_at
    monkeypatch.setattr(
        ga.Identifier, "table_at", lambda self, arms: calls.append(list(arms)) or made(self, arms)
    )
    found = record_history(story, grid)
    looked = sum(len(each.moments) for each in found)
    assert looked <= 40
    assert sum(map(len, calls)) == looked


def test_a_batch_that_passes_several_moments_is_one():
    story = Story(make_settings("two"))
    pulls = story.do(ask(40))
    story.do(tell(tuple(pulls), tuple(n % 2 for n in range(len(pulls)))))
    assert [len(each.moments) for each in history_of(story)] == [1, 1]


def test_chosen_arms_and_arms_that_joined():
    story = Story(make_settings("joining"))
    story.do(tell(tuple(pulls := story.do(ask(3))), (1,) * len(pulls)))
    state_before = make_grid(story.state)
    story.do(call("add_arm", arm="new", pool=None))
    story.do(tell(tuple(pulls := story.do(ask(3))), (0,) * len(pulls)))
    assert list(state_before) == [0]
    assert [each.arm for each in history_of(story)] == ["a", "new"]
    assert [each.arm for each in history_of(story, ["new", "new"])] == ["new"]
    assert history_of(story, ["new"]) == history_of(story)[1:]
    numbered = Story(make_settings("two"))
    assert [each.arm for each in history_of(numbered, ["1", 0])] == [1, 0]


def test_what_cannot_be_asked_for():
    story = Story(make_settings("coins"))
    with pytest.raises(SpecError, match="'points' of history must be"):
        make_grid(story.state, points=0)
    with pytest.raises(SpecError, match="must be one of 'a', 'b', 'c'; got 'd'"):
        make_grid(story.state, ["d"])


@pytest.mark.parametrize(("pulls", "points"), [(0, 5), (1, 1), (9, 1), (100, 100), (10**9, 100)])
def test_where_to_look(pulls, points):
    found = space_geometrically(pulls, points)
    assert found == sorted(set(found))
    assert len(found) <= points
    assert found[-1:] == ([pulls] if pulls else [])
    assert found[0] == 1 if points > 1 and pulls else True
