"""Money of a run: costs told by commands and functions, the cap, and files with wrong settings."""

import pytest

from goodarm.errors import RewardError, SpecError

MODULE = """
def told(arm):
    return arm == "a", 0.25

def plain(arm):
    return arm == "a"

def wrong(arm):
    return 1, "free"

def fails(arm):
    assert arm == "a"
    return 1, 0.5
"""
COSTS = {"cost": 0.1, "max_cost": 100}


@pytest.fixture
def module(tmp_path):
    (tmp_path / "judge_costs.py").write_text(MODULE, encoding="utf-8")


def function(name, more="tells_cost = true"):
    return f'function = "judge_costs:{name}"\n{more}'


def test_a_command_prints_reward_and_cost(run):
    reward = "command = 'echo noise; echo 7.5 0.25'\ntells_cost = true"
    kind = {"rewards": "bounded", "low": 0, "high": 10, "threshold": 5}
    done = run(["a"], reward, **kind, **COSTS, max_pulls=4)
    assert done.exp.explain("a").mean == 7.5
    assert done.verdict.cost == 1.0


def test_a_command_with_an_exit_code_prints_the_cost(run):
    reward = "command = 'echo 0.25; test {arm} = a'\ntells_cost = true"
    done = run(["a", "b"], reward, **COSTS)
    assert (done.verdict.good, done.verdict.bad) == (["a"], ["b"])
    assert done.verdict.cost == 0.25 * done.verdict.pulls


def test_a_function_returns_reward_and_cost(run, module):
    done = run(["a", "b"], function("told"), **COSTS, jobs=2)
    assert (done.verdict.good, done.verdict.bad) == (["a"], ["b"])
    assert done.verdict.cost == 0.25 * len(
        [n for each in done.exp.journal() for n in each.get("arms", ())]
    )


def test_a_failure_costs_what_was_declared(run, module):
    done = run(["b"], function("fails"), **COSTS)
    assert done.verdict.bad == ["b"]
    assert done.verdict.cost == done.verdict.pulls / 10


def test_a_run_ends_where_the_money_does(run, module):
    done = run(["a", "b"], function("plain", ""), cost=[1, 2], max_cost=7, jobs=3)
    assert done.exp.is_done
    assert 5 < done.verdict.cost <= 7
    assert done.exp.table().reason_notes == ("No more pulls (the money is used up): a, b.",)


@pytest.mark.parametrize(
    ("reward", "words"),
    [
        ("command = 'echo 7'\nresult = 'number'\ntells_cost = true", "a reward and a cost"),
        ("command = 'true'\ntells_cost = true", "must be a cost; got nothing"),
        ("command = 'echo -- -3'\ntells_cost = true", "must be a cost"),
        (function("plain"), "must return \\(reward, cost\\)"),
        (function("wrong"), "must return \\(reward, cost\\)"),
        (function("told", ""), "write tells_cost = true"),
    ],
)
def test_a_pull_without_a_cost_stops_the_run(run, module, reward, words):
    with pytest.raises(RewardError, match=words):
        run(["a"], reward, **COSTS)


@pytest.mark.parametrize(
    ("reward", "keys", "words"),
    [
        ("command = 'echo 1'\ntells_cost = true", {}, "come with a 'cost' in the file"),
        ("command = 'echo 1'\ntells_cost = 1", COSTS, "tells_cost"),
        ("command = 'echo 1'", {"max_cost": 3}, "come with the cost of a pull"),
        ("command = 'echo 1'", {"cost": [1, 2]}, "one amount for each of 1 arms"),
    ],
)
def test_a_wrong_file_is_refused(run, reward, keys, words):
    with pytest.raises(SpecError, match=words):
        run(["a"], reward, **keys)


def test_an_arm_that_joins_brings_its_cost(run, module, tmp_path):
    store = f"sqlite:///{tmp_path}/kept.db"
    keys = {"arms_planned": 3, "store": store, "max_pulls": 60}
    run(["a"], function("plain", ""), cost=[2], **keys)
    done = run(["a", "b"], function("plain", ""), cost=[2, 1], **keys)
    assert done.exp.problem.cost == (2.0, 1.0)
