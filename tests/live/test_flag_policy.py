"""Which arm those get who only want one."""

import json

import pytest

import goodarm as ga
from goodarm.errors import SpecError
from goodarm.live import ExperimentSettings

DAY = ga.RewardTimeout("reward", 86400, default=0)
COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05)


def make_ended(flag_policy, rates):
    """An experiment with these rates, done; ``b`` is labelled first."""
    store = ga.open_store("memory:")
    exp = store.experiment("coins", COINS, seed=1, reward_timeout=DAY, flag_policy=flag_policy)
    for arm in ("b", "c", "a"):
        exp.observe(arm, [1] * round(100 * rates[arm]) + [0] * round(100 - 100 * rates[arm]))
    assert exp.is_done
    return exp


@pytest.mark.parametrize(
    ("flag_policy", "rates", "arm"),
    [
        (ga.FlagPolicy(), {"a": 1.0, "b": 0.9, "c": 0.0}, "b"),
        (ga.FlagPolicy("best_mean"), {"a": 1.0, "b": 0.9, "c": 0.0}, "a"),
        (ga.FlagPolicy("default", "c"), {"a": 1.0, "b": 0.9, "c": 0.0}, "c"),
        (ga.FlagPolicy("first_good", "c"), {"a": 0.1, "b": 0.1, "c": 0.0}, "c"),
        (ga.FlagPolicy("best_mean"), {"a": 0.1, "b": 0.1, "c": 0.0}, None),
    ],
)
def test_it_is_the_arm_that_the_setting_names(flag_policy, rates, arm):
    exp = make_ended(flag_policy, rates)
    assert exp.arm_when_done == arm
    assert exp.flag_policy == flag_policy


def test_a_mean_of_zero_is_a_mean():
    problem = ga.Problem(["a", "b"], -1.0, 0.05, rewards="gaussian", sigma=0.1)
    store, flag_policy = ga.open_store("memory:"), ga.FlagPolicy("best_mean")
    exp = store.experiment("n", problem, reward_timeout=DAY, flag_policy=flag_policy)
    exp.observe("a", [-0.5] * 100)
    exp.observe("b", [0.0] * 100)
    assert exp.arm_when_done == "b"


def test_documents_keep_it_and_may_lack_it():
    start = ExperimentSettings.of(
        COINS, seed=1, flag_policy=ga.FlagPolicy("default", "c", bulk=True)
    )
    assert ExperimentSettings.from_dict(start.to_dict()) == start
    older = {key: value for key, value in start.to_dict().items() if key != "serving"}
    assert ExperimentSettings.from_dict(older).flag_policy == ga.FlagPolicy()
    with pytest.raises(SpecError, match="'serving' must have the keys of FlagPolicy"):
        ExperimentSettings.from_dict(start.to_dict() | {"serving": {"other": 1}})


@pytest.mark.parametrize(
    ("arguments", "says"),
    [
        ({"when_done": "best"}, "The 'when_done' of FlagPolicy must be one of"),
        ({"when_done": "default"}, "The 'default' of FlagPolicy must be an arm"),
        ({"bulk": 1}, "The 'bulk' of FlagPolicy"),
    ],
)
def test_what_cannot_be(arguments, says):
    with pytest.raises(SpecError, match=says):
        ga.FlagPolicy(**arguments)


def test_the_default_is_an_arm():
    with pytest.raises(SpecError, match="FlagPolicy"):
        ExperimentSettings.of(COINS, flag_policy=ga.FlagPolicy(default="z"))


@pytest.mark.parametrize("reward_timeout", [None, ga.RewardTimeout()], ids=["none", "wait"])
def test_a_flag_without_a_rule_for_missing_rewards_is_refused_with_the_choices(reward_timeout):
    store = ga.open_store("memory:")
    with pytest.raises(SpecError, match="for feature flags") as refused:
        store.experiment("coins", COINS, reward_timeout=reward_timeout, flag_policy=ga.FlagPolicy())
    for choice in ("'reward' with seconds and default", "'lost' with seconds", "is_independent"):
        assert choice in str(refused.value)
    assert store.experiments() == []
    for name, rule in (("a", DAY), ("b", ga.RewardTimeout("lost", 60))):
        assert (
            store.experiment(
                name, COINS, reward_timeout=rule, flag_policy=ga.FlagPolicy()
            ).reward_timeout
            == rule
        )
    assert store.experiment("ordinary", COINS).reward_timeout == ga.RewardTimeout()


def test_a_flag_that_was_created_without_a_rule_opens_as_it_is_with_a_warning(caplog):
    store, flag_policy = ga.open_store("memory:"), ga.FlagPolicy(default="a")
    start = ExperimentSettings.of(COINS, seed=1, flag_policy=flag_policy)
    store._recorder.create("coins", json.dumps(start.to_dict()))
    for opened in (
        store.experiment("coins"),
        store.experiment("coins", COINS, flag_policy=flag_policy),
    ):
        assert (opened.reward_timeout, opened.flag_policy) == (ga.RewardTimeout(), flag_policy)
    assert opened.ask().arm == "a"
    warnings = [record for record in caplog.records if record.name == "goodarm"]
    assert len(warnings) == 2
    assert "'coins'" in warnings[0].getMessage()
    assert "may never send one" in warnings[0].getMessage()
