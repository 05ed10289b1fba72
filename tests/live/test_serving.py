"""Which arm those get who only want one."""

import json

import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.live import ExperimentSettings

DAY = ga.Silence("reward", 86400, otherwise=0)
COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05)


def ended(serving, rates):
    """An experiment with these rates, done; ``b`` is labelled first."""
    store = ga.open_store("memory:")
    exp = store.experiment("coins", COINS, seed=1, silence=DAY, serving=serving)
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
    store, serving = ga.open_store("memory:"), ga.Serving("best_mean")
    exp = store.experiment("n", problem, silence=DAY, serving=serving)
    exp.observe_many("a", [-0.5] * 100)
    exp.observe_many("b", [0.0] * 100)
    assert exp.arm_when_done == "b"


def test_documents_keep_it_and_may_lack_it():
    start = ExperimentSettings.of(COINS, seed=1, serving=ga.Serving("default", "c", bulk=True))
    assert ExperimentSettings.from_dict(start.to_dict()) == start
    older = {key: value for key, value in start.to_dict().items() if key != "serving"}
    assert ExperimentSettings.from_dict(older).serving == ga.Serving()
    with pytest.raises(SpecError, match="'serving' must have the keys of Serving"):
        ExperimentSettings.from_dict(start.to_dict() | {"serving": {"other": 1}})


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
        ExperimentSettings.of(COINS, serving=ga.Serving(default="z"))


@pytest.mark.parametrize("silence", [None, ga.Silence()], ids=["none", "wait"])
def test_a_flag_without_a_rule_for_missing_rewards_is_refused_with_the_choices(silence):
    store = ga.open_store("memory:")
    with pytest.raises(SpecError, match="for feature flags") as refused:
        store.experiment("coins", COINS, silence=silence, serving=ga.Serving())
    for choice in ("'reward' with seconds and otherwise", "'lost' with seconds", "is_independent"):
        assert choice in str(refused.value)
    assert store.experiments() == []
    for name, rule in (("a", DAY), ("b", ga.Silence("lost", 60))):
        assert store.experiment(name, COINS, silence=rule, serving=ga.Serving()).silence == rule
    assert store.experiment("ordinary", COINS).silence == ga.Silence()


def test_a_flag_that_was_created_without_a_rule_opens_as_it_is_with_a_warning(caplog):
    store, serving = ga.open_store("memory:"), ga.Serving(default="a")
    start = ExperimentSettings.of(COINS, seed=1, serving=serving)
    store._recorder.create("coins", json.dumps(start.to_dict()))
    for opened in (store.experiment("coins"), store.experiment("coins", COINS, serving=serving)):
        assert (opened.silence, opened.serving) == (ga.Silence(), serving)
    assert opened.ask().arm == "a"
    warnings = [record for record in caplog.records if record.name == "goodarm"]
    assert len(warnings) == 2
    assert "'coins'" in warnings[0].getMessage()
    assert "may never send one" in warnings[0].getMessage()
