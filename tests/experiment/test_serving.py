"""Which arm those get who only want one."""

import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.experiment import Start

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05)


def ended(serving, rates):
    """An experiment with these rates, done; ``b`` is labelled first."""
    exp = ga.open_store("memory:").experiment("coins", COINS, seed=1, serving=serving)
    for arm in ("b", "c", "a"):
        exp.observe_many(arm, [1] * round(100 * rates[arm]) + [0] * round(100 - 100 * rates[arm]))
    assert exp.is_done
    return exp


@pytest.mark.parametrize(
    ("serving", "rates", "arm"),
    [
        (ga.Serving(), {"a": 1.0, "b": 0.9, "c": 0.0}, "b"),
        (ga.Serving("best_mean"), {"a": 1.0, "b": 0.9, "c": 0.0}, "a"),
        (ga.Serving("default", "c"), {"a": 1.0, "b": 0.9, "c": 0.0}, "c"),
        (ga.Serving("first_good", "c"), {"a": 0.1, "b": 0.1, "c": 0.0}, "c"),
        (ga.Serving("best_mean"), {"a": 0.1, "b": 0.1, "c": 0.0}, None),
    ],
)
def test_it_is_the_arm_that_the_setting_names(serving, rates, arm):
    exp = ended(serving, rates)
    assert exp.arm_when_done == arm
    assert exp.serving == serving


def test_a_mean_of_zero_is_a_mean():
    problem = ga.Problem(["a", "b"], -1.0, 0.05, rewards="gaussian", sigma=0.1)
    exp = ga.open_store("memory:").experiment("n", problem, serving=ga.Serving("best_mean"))
    exp.observe_many("a", [-0.5] * 100)
    exp.observe_many("b", [0.0] * 100)
    assert exp.arm_when_done == "b"


def test_documents_keep_it_and_may_lack_it():
    start = Start.of(COINS, seed=1, serving=ga.Serving("default", "c", bulk=True))
    assert Start.from_dict(start.to_dict()) == start
    older = {key: value for key, value in start.to_dict().items() if key != "serving"}
    assert Start.from_dict(older).serving == ga.Serving()
    with pytest.raises(SpecError, match="'serving' must have the keys of Serving"):
        Start.from_dict(start.to_dict() | {"serving": {"other": 1}})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"when_done": "best"}, "The 'when_done' of Serving must be one of"),
        ({"when_done": "default"}, "The 'default' of Serving must be an arm"),
        ({"bulk": 1}, "The 'bulk' of Serving"),
    ],
)
def test_what_cannot_be(arguments, says):
    with pytest.raises(SpecError, match=says):
        ga.Serving(**arguments)


def test_the_default_is_an_arm():
    with pytest.raises(SpecError, match="Serving"):
        Start.of(COINS, serving=ga.Serving(default="z"))
