"""Saved and read again: the same run, and no damaged document passes."""

import json

import pytest

import goodarm as ga
from helpers import NAMED
from live.identifiers import make_identifier


@pytest.mark.parametrize("name", NAMED)
def test_stopping_anywhere_and_resuming_gives_the_same_run(name):
    problem = ga.Problem(["x", 5, "z"], 0.5, 0.2, max_pulls=6000)
    straight = ga.Identifier(problem, name, seed=3)
    broken = ga.Identifier(problem, name, seed=3)
    tapes = [ga.simulation.Tape(problem, [0.8, 0.4, 0.3], seed=3) for _ in range(2)]
    while not straight.is_done:
        for ident, tape in ((straight, tapes[0]), (broken, tapes[1])):
            pulls = ident.ask_many(7)
            ident.tell_many(pulls, [tape.next_reward(pull.arm) for pull in pulls])
        if straight.pulls % 210 == 0:
            broken = ga.Identifier.from_dict(json.loads(json.dumps(broken.to_dict())))
    assert broken.to_dict() == straight.to_dict()


def test_a_damaged_document_is_an_error():
    ident = make_identifier()
    ident.tell(ident.ask(), 1)
    document = json.dumps(ident.to_dict())

    def damaged(**changes):
        with pytest.raises(ga.errors.SpecError):
            ga.Identifier.from_dict({**json.loads(document), **changes})

    damaged(kind="verdict")
    damaged(format=2)
    damaged(arms=[])
    damaged(asked={"arm": [5], "reward": [1.0]})
    damaged(asked={"arm": [0, 1], "reward": [1.0]})
    damaged(asked={})
    damaged(asked={"arm": [0], "reward": [0.5]})
    damaged(asked={"arm": [-1], "reward": [1.0]})
    damaged(lost=[0])
    damaged(lost=[1])
    damaged(dropped=[2])
    damaged(pulls=-5)
    for change in ({"queue": [99]}, {"queue": [1]}, {"pulls": -1}, {"sums": None}, {"label": "ok"}):
        arms = json.loads(document)["arms"]
        arms[1] |= change
        damaged(arms=arms)
    damaged(good=["a"])
    damaged(good=["q"])
    damaged(seed=-1)
    damaged(problem={})
    other = json.loads(document)["algorithm"]
    other["parameters"]["warmup"] = 2
    damaged(algorithm=other)
    for value in (None, [], "text", {}):
        with pytest.raises(ga.errors.SpecError):
            ga.Identifier.from_dict(value)


def test_an_unknown_key_is_refused():
    ident = make_identifier()
    ident.tell(ident.ask(), 1)
    for place in ((), ("asked",), ("arms", 1)):
        document = ident.to_dict()
        part = document
        for key in place:
            part = part[key]
        part["spin"] = 1
        with pytest.raises(
            ga.errors.SpecError, match=r"does not know: \['spin'\]. Resume it with the"
        ):
            ga.Identifier.from_dict(document)


def test_a_document_whose_counts_do_not_fit_is_an_error():
    ident = make_identifier()
    pulls = ident.ask_many(6)
    ident.tell_many(pulls[1:4], [1, 0, 1])
    text = json.dumps(ident.to_dict())
    assert ga.Identifier.from_dict(json.loads(text)).to_dict() == json.loads(text)
    changes = [
        {"pulls": 1.0},
        {"pulls": "1"},
        {"pulls": True},
        {"sums": 1000.0},
        {"lost": 5},
        {"queue": []},
        {"queue": [1, 1, 4]},
        {"queue": [4, 1]},
        {"held": 7},
        {"told": 99},
        {"label": "good"},
    ]
    for change in changes:
        document = json.loads(text)
        document["arms"][0] |= change
        with pytest.raises(ga.errors.SpecError):
            ga.Identifier.from_dict(document)
    with pytest.raises(ga.errors.SpecError, match="'seed'"):
        ga.Identifier.from_dict({**json.loads(text), "seed": None})
