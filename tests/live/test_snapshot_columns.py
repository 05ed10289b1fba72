"""A state as arrays, and the entries behind it: together they are the whole journal."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm.errors import GoodArmError
from goodarm.live import VERBS, perform, replay
from goodarm.store.snapshots import restore_packed_state, serialize_state

from .stories import PROBLEMS, Call, Story, ask, call, collect_state, draw_call, make_settings
from .test_replay import make_story


def assert_same(first, second):
    """Two states are the same, and would go on in the same way."""
    assert collect_state(first) == collect_state(second)
    assert list(first.asked_at.items()) == list(second.asked_at.items())
    for count in (1, 7):
        assert find_choice(first, count) == find_choice(second, count)


def find_choice(state, count):
    """What would be asked next, or why nothing."""
    try:
        return perform(state, VERBS["ask"], ask(count).fields, state.at)
    except Exception as error:
        return str(error)


@pytest.mark.parametrize("reward_timeout", ["wait", "lost", "independent"])
@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=4, deadline=None)
@given(data=st.data())
def test_a_snapshot_and_the_rest_are_the_whole(name, reward_timeout, data):
    story = make_story(data, name, reward_timeout)
    cuts = {0, len(story.journal)} | data.draw(st.sets(st.integers(0, len(story.journal))))
    for cut in sorted(cuts):
        state = restore_packed_state(story.settings, serialize_state(story.replayed(cut)))
        assert state.last == cut
        for event in story.journal[cut:]:
            replay(state, event)
        assert_same(state, story.replayed())


@settings(max_examples=10, deadline=None)
@given(data=st.data())
def test_arms_that_joined_or_were_taken_out_are_in_it(data):
    story = Story(make_settings("joining cases"))
    for _ in range(data.draw(st.integers(1, 20))):
        request = data.draw(
            st.one_of(
                draw_call(story),
                draw_call(story, kind="add"),
                st.sampled_from([call("take_out", arm="a"), call("take_out", arm="new")]),
            )
        )
        if isinstance(request, Call):
            try:
                story.do(request)
            except GoodArmError:
                continue
    state = restore_packed_state(story.settings, serialize_state(story.state))
    assert_same(state, story.replayed())


def test_one_of_another_layout_is_not_read(monkeypatch):
    story = Story(make_settings("coins"))
    story.do(ask(3))
    data = serialize_state(story.state)
    monkeypatch.setattr("goodarm.live.snapshot_columns.SNAPSHOT_LAYOUT", 99)
    assert restore_packed_state(story.settings, data) is None
