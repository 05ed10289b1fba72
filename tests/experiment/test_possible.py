"""Entries that no request can have come to are refused before they are applied."""

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from goodarm.errors import GoodArmError
from goodarm.experiment import Ask, State, Tell, apply
from goodarm.experiment.entries import Asked, Expired, Forgotten, Observed, Told
from goodarm.experiment.possible import refuse_impossible
from goodarm.identifier.trying import Labelled

from .stories import PROBLEMS, Story, seen, start_of
from .test_replay import SILENCES, told


@pytest.mark.parametrize("name", PROBLEMS)
@settings(max_examples=5, deadline=None)
@given(data=st.data())
def test_what_was_decided_is_possible(name, data):
    story = told(data, name, data.draw(st.sampled_from([*SILENCES])))
    state = State(story.start)
    for entry in story.journal:
        before = seen(state)
        refuse_impossible(state, entry)
        assert seen(state) == before
        apply(state, entry)


@pytest.fixture
def coins():
    """Pulls 1 and 2 told, 3 lost, 4 and 5 out."""
    story = Story(start_of("coins"))
    pulls = story.request(Ask(5))
    story.request(Tell(tuple(pulls[:2]), (1, 0)))
    story.write(Forgotten(0.0, (3,)))
    return story.state


FELL = Labelled(0, 1, 3, 2.0)
IMPOSSIBLE = [
    Told(0.0, (4, 6), (1, 1)),
    Told(0.0, (0,), (1,)),
    Told(0.0, (-1,), (1,)),
    Told(0.0, (2,), (0,)),
    Told(0.0, (3,), (0,)),
    Told(0.0, (4, 4), (1, 1)),
    Told(0.0, (4, 5), (1,)),
    Told(0.0, (4,), ()),
    Told(0.0, (4,), (2,)),
    Told(0.0, (4,), (float("nan"),)),
    Told(0.0, (4,), ("1",)),
    Told(0.0, (4.0,), (1,)),
    Told(0.0, ("4",), (1,)),
    Told(0.0, (10**30,), (1,)),
    Told(0.0, (4,), (1,), (FELL._replace(arm=3),)),
    Told(0.0, (4,), (1,), (FELL._replace(arm=-1),)),
    Told(0.0, (4,), (1,), (FELL._replace(label=2),)),
    Told(0.0, (4,), (1,), (FELL._replace(pulls="3"),)),
    Forgotten(0.0, (1,)),
    Forgotten(0.0, (9,)),
    Expired(0.0, (9,)),
    Expired(0.0, (2,)),
    Asked(0.0, 6, (0, 3)),
    Asked(0.0, 6, (-1,)),
    Asked(0.0, 6, (True,)),
    Asked(0.0, 6, (0,), cases=(1,)),
    Asked(0.0, 6, (0,), again=(2,)),
    Observed(0.0, 3, (1.0,)),
    Observed(0.0, -1, (1.0,)),
    Observed(0.0, 0, (0.5,)),
    Observed(0.0, 0, (1.0,), cases=(1,)),
]


@pytest.mark.parametrize("entry", IMPOSSIBLE, ids=repr)
def test_what_cannot_have_been_decided_is_refused(coins, entry):
    before = seen(coins)
    with pytest.raises(GoodArmError):
        refuse_impossible(coins, entry)
    assert seen(coins) == before


@pytest.mark.parametrize("cases", [None, (99,), (-1,), ("1",)])
def test_cases_of_a_pool(cases):
    story = Story(start_of("cases"))
    (pull,) = story.request(Ask(1))
    for entry in (Asked(0.0, 2, (1,), cases=cases), Observed(0.0, 1, (1.0,), cases=cases)):
        with pytest.raises(GoodArmError):
            refuse_impossible(story.state, entry)
    again = Asked(0.0, 2, (0,), cases=(pull.case,))
    with pytest.raises(GoodArmError, match="was drawn before"):
        refuse_impossible(story.state, again)
    with pytest.raises(GoodArmError):
        refuse_impossible(story.state, Asked(0.0, 2, (1, 1), cases=(3, 3)))
    refuse_impossible(story.state, Asked(0.0, 2, (1, 1), cases=(3, 4)))
