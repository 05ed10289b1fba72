"""Events that no verb can have made are refused before they are replayed."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm.errors import GoodArmError
from goodarm.live import ExperimentState, replay
from goodarm.live.arm_tests import LabelRecord
from goodarm.live.event_validation import check_event
from goodarm.live.events import (
    LeasesExpired,
    NoteAdded,
    PullsAsked,
    PullsForgotten,
    RewardsObserved,
    RewardsTold,
)

from .stories import PROBLEMS, Story, ask, collect_state, make_settings, tell
from .test_replay import SILENCES, make_story


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_what_was_decided_is_possible(name, data):
    story = make_story(data, name, data.draw(st.sampled_from([*SILENCES])))
    state = ExperimentState(story.settings)
    for entry in story.journal:
        before = collect_state(state)
        check_event(state, entry)
        assert collect_state(state) == before
        replay(state, entry)


@pytest.fixture
def coins():
    """Pulls 1 and 2 told, 3 lost, 4 and 5 out."""
    story = Story(make_settings("coins"))
    pulls = story.do(ask(5))
    story.do(tell(tuple(pulls[:2]), (1, 0)))
    story.replay(PullsForgotten(0.0, (3,)))
    return story.state


FELL = LabelRecord(0, 1, 3, 2.0)
IMPOSSIBLE = [
    RewardsTold(0.0, (4, 6), (1, 1)),
    RewardsTold(0.0, (0,), (1,)),
    RewardsTold(0.0, (-1,), (1,)),
    RewardsTold(0.0, (2,), (0,)),
    RewardsTold(0.0, (3,), (0,)),
    RewardsTold(0.0, (4, 4), (1, 1)),
    RewardsTold(0.0, (4, 5), (1,)),
    RewardsTold(0.0, (4,), ()),
    RewardsTold(0.0, (4,), (2,)),
    RewardsTold(0.0, (4,), (float("nan"),)),
    RewardsTold(0.0, (4,), ("1",)),
    RewardsTold(0.0, (4.0,), (1,)),
    RewardsTold(0.0, ("4",), (1,)),
    RewardsTold(0.0, (10**30,), (1,)),
    RewardsTold(0.0, (4,), (1,), (FELL._replace(arm=3),)),
    RewardsTold(0.0, (4,), (1,), (FELL._replace(arm=-1),)),
    RewardsTold(0.0, (4,), (1,), (FELL._replace(label=2),)),
    RewardsTold(0.0, (4,), (1,), (FELL._replace(pulls="3"),)),
    PullsForgotten(0.0, (1,)),
    PullsForgotten(0.0, (9,)),
    LeasesExpired(0.0, (9,)),
    LeasesExpired(0.0, (2,)),
    PullsAsked(0.0, 6, (0, 3)),
    PullsAsked(0.0, 6, (-1,)),
    PullsAsked(0.0, 6, (True,)),
    PullsAsked(0.0, 6, (0,), cases=(1,)),
    PullsAsked(0.0, 6, (0,), again=(2,)),
    RewardsObserved(0.0, 3, (1.0,)),
    RewardsObserved(0.0, -1, (1.0,)),
    RewardsObserved(0.0, 0, (0.5,)),
    RewardsObserved(0.0, 0, (1.0,), cases=(1,)),
    NoteAdded(0.0, 7),
    NoteAdded(0.0, "a remark", 3),
]


@pytest.mark.parametrize("entry", IMPOSSIBLE, ids=repr)
def test_what_cannot_have_been_decided_is_refused(coins, entry):
    before = collect_state(coins)
    with pytest.raises(GoodArmError):
        check_event(coins, entry)
    assert collect_state(coins) == before


@pytest.mark.parametrize("cases", [None, (99,), (-1,), ("1",)])
def test_cases_of_a_pool(cases):
    story = Story(make_settings("cases"))
    (pull,) = story.do(ask(1))
    for entry in (
        PullsAsked(0.0, 2, (1,), cases=cases),
        RewardsObserved(0.0, 1, (1.0,), cases=cases),
    ):
        with pytest.raises(GoodArmError):
            check_event(story.state, entry)
    again = PullsAsked(0.0, 2, (0,), cases=(pull.case,))
    with pytest.raises(GoodArmError, match="was drawn before"):
        check_event(story.state, again)
    with pytest.raises(GoodArmError):
        check_event(story.state, PullsAsked(0.0, 2, (1, 1), cases=(3, 3)))
    check_event(story.state, PullsAsked(0.0, 2, (1, 1), cases=(3, 4)))
