"""What GoodArm takes, what it refuses, and which score decides."""

import pytest

import goodarm as ga
from goodarm.plugins.inspect import GoodArm
from plugins.inspect_calls import (
    complete,
    finish,
    host,  # noqa: F401 (a fixture)
    schedule,
    start,
)

pytestmark = pytest.mark.usefixtures("host")


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"per": "task", "shuffled": False}, "'dataset' of GoodArm must be shuffled.*Shuffle it"),
        (
            {"per": "task", "epochs": 2},
            "'epochs' of GoodArm must be 1.*Repeats of one sample.*per='sample'",
        ),
        ({"per": "task", "epochs": 2}, "goodarm check LOG --from inspect --unit sample"),
        ({"log_samples": False}, "'log_samples' of GoodArm must be true"),
        ({"scorers": ["match", "model_graded_qa"]}, "'scorer' of GoodArm must be named.*scorer="),
        ({"ids": []}, "'samples' of GoodArm must be one or more"),
    ],
)
def test_a_task_that_cannot_be_judged_is_refused(given, message):
    given = {"per": "sample", "epochs": 1, "ids": [1, 2], **given}
    stopping = GoodArm(threshold=0.5, delta=0.05, per=given.pop("per"))
    with pytest.raises(ga.errors.SpecError, match=message):
        start(stopping, given.pop("ids"), given.pop("epochs"), **given)


@pytest.mark.parametrize(
    ("given", "message"),
    [
        ({"threshold": 2}, "'threshold' of GoodArm"),
        ({"delta": 0}, "'delta' of GoodArm"),
        ({"per": "epoch"}, "'per' of GoodArm must be one of 'sample', 'task'"),
        ({"scorer": ""}, "'scorer' of GoodArm must be the name of a scorer"),
        ({"pass_at": "half"}, "'pass_at' of GoodArm"),
        ({"margin": -1}, "'margin' of GoodArm"),
    ],
)
def test_bad_arguments_are_refused(given, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        GoodArm(**{"threshold": 0.5, "delta": 0.05, **given})


@pytest.mark.parametrize(
    ("given", "values", "passes"),
    [
        ({}, {"match": "C"}, 1),
        ({}, {"match": True}, 1),
        ({"scorer": "second"}, {"match": "C", "second": 0}, 0),
        ({"scorer": "match1"}, {"match": "C", "match1": "I"}, 0),
        ({"scorer": "both.right"}, {"both": {"right": 1, "short": 0}}, 1),
        ({"pass_at": 0.5}, {"match": "P"}, 1),
        ({"pass_at": 0.7}, {"match": 0.69}, 0),
    ],
)
def test_the_score_that_decides(given, values, passes):
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task", **given)
    start(stopping, range(20), scorers=["match", "match"] if "scorer" in given else ["match"])
    schedule(stopping, 0)
    complete(stopping, 0, **values)
    (gate,) = finish(stopping)["gates"]
    assert (gate["pulls"], gate["passes"], gate["lost"]) == (1, passes, 0)


@pytest.mark.parametrize(
    ("given", "values", "message"),
    [
        ({}, {"match": "P"}, "not partial.*pass_at"),
        ({}, {"match": 0.3}, "be 0 or 1.*pass_at"),
        ({}, {"match": "X"}, "one of 'C', 'I', 'P', 'N'"),
        ({}, {"match": 1, "other": 1}, "be one alone.*scorer='SCORER'"),
        ({"scorer": "mtch"}, {"match": 1}, "Did you mean 'match'"),
    ],
)
def test_a_score_that_says_nothing_is_refused(given, values, message):
    stopping = GoodArm(threshold=0.5, delta=0.05, **given)
    start(stopping, range(20), epochs=14)
    schedule(stopping, 0)
    with pytest.raises(ga.errors.SpecError, match=message):
        complete(stopping, 0, **values)


def test_a_task_without_a_scorer_is_refused():
    stopping = GoodArm(threshold=0.5, delta=0.05)
    start(stopping, [1], epochs=9, scorers=None)
    schedule(stopping, 1)
    with pytest.raises(ga.errors.SpecError, match="'scorer' of the task must be given"):
        complete(stopping, 1)


def test_a_resumed_evaluation_needs_its_order():
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")
    start(stopping, [1, 2, 3], sample_shuffle=True)
    with pytest.raises(ga.errors.SpecError, match="'sample_shuffle' of GoodArm must be a seed"):
        complete(stopping, 1, match="C")
    stopping = GoodArm(threshold=0.5, delta=0.05, per="task")
    start(stopping, [1, 2, 3])
    with pytest.raises(ga.errors.SpecError, match="be those of the evaluation it resumes"):
        start(stopping, [2, 1, 3])
