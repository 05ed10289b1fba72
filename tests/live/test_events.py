"""Events as text: the quick way to write one gives what the encoder gives."""

import json

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from goodarm.live.arm_tests import LabelRecord
from goodarm.live.events import EVENT_TYPES, PullsAsked, RewardsTold, event_from_dict

TIMES = st.floats(allow_nan=False, allow_infinity=False) | st.integers(0, 2**40)
REWARDS = st.sampled_from([0.0, 1.0, -0.0, 0, 1]) | st.floats(allow_nan=False, allow_infinity=False)
PULLS = st.lists(st.tuples(st.integers(1, 10**18), REWARDS), min_size=1, max_size=3)
LABELS = st.sampled_from([(), (LabelRecord(0, 1, 25, 4.4),), (LabelRecord(1, -1, 3, None),)])


@given(TIMES, PULLS, LABELS, st.booleans(), st.none() | st.text(max_size=5))
def test_rewards_told_are_written_as_the_encoder_writes_them(at, told, labels, is_silence, by):
    numbers, rewards = tuple(n for n, _ in told), tuple(r for _, r in told)
    event = RewardsTold(at, numbers, rewards, labels, is_silence, by=by)
    assert event.to_json() == json.dumps(event.to_dict())
    assert event_from_dict(json.loads(event.to_json())) == event


@pytest.mark.parametrize("at", [np.float64(1.5), 7, True])
def test_times_of_other_types_are_written_by_the_encoder(at):
    event = RewardsTold(at, (1,), (np.float64(0.25),))
    assert json.loads(event.to_json())["at"] == at
    assert event.to_json() == json.dumps(event.to_dict())


@pytest.mark.parametrize("at", [float("nan"), float("inf"), -float("inf")])
def test_what_json_cannot_hold_is_an_error(at):
    with pytest.raises(ValueError, match="JSON"):
        RewardsTold(at, (1,), (1.0,)).to_json()


def test_the_text_is_that_of_format_1():
    told = RewardsTold(1763472000.25, (12,), (1.0,))
    text = '{"kind": "told", "format": 1, "at": 1763472000.25, "pulls": [12], "rewards": [1]}'
    assert told.to_json() == text
    asked = PullsAsked(2.5, 1, (0,), worker="ann", by="token")
    assert asked.to_json() == json.dumps(asked.to_dict())
    assert set(EVENT_TYPES) >= {"asked", "told"}
