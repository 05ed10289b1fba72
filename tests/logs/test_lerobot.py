"""Evaluations in both forms of LeRobot's ``eval_info.json``."""

import json

import pytest

import goodarm as ga
from logs.log_files import DATA, counts_by_test

TASKS = DATA / "lerobot/smolvla/eval_info.json"
OTHER = DATA / "lerobot/pi0/eval_info.json"
SEEDS = [DATA / "lerobot/pusht_a/eval_info.json", DATA / "lerobot/pusht_b/eval_info.json"]


@pytest.fixture
def edited(tmp_path):
    def write(source, change):
        document = json.loads(source.read_text(encoding="utf-8"))
        change(document)
        path = tmp_path / "run" / "eval_info.json"
        path.parent.mkdir(exist_ok=True)
        path.write_text(json.dumps(document), encoding="utf-8")
        return path

    return write


def test_an_arm_is_a_task_of_a_run():
    table = ga.read_logs(TASKS)
    assert table.format == "lerobot"
    stated = json.loads(TASKS.read_text(encoding="utf-8"))
    for task in stated["per_task"]:
        successes = task["metrics"]["successes"]
        arm = f"smolvla / libero_spatial/{task['task_id']}"
        assert counts_by_test(table)[arm] == (len(successes), sum(successes))
    assert table.attempts == stated["overall"]["n_episodes"]
    assert sum(table.successes) / table.attempts == stated["overall"]["pc_success"] / 100


def test_the_form_with_seeds():
    stated = json.loads(SEEDS[0].read_text(encoding="utf-8"))
    (counts,) = counts_by_test(ga.read_logs(SEEDS[0])).values()
    assert counts == (20, sum(each["success"] for each in stated["per_episode"]))


def test_several_tasks_under_one_arm_are_refused_with_the_choices():
    with pytest.raises(ga.errors.SpecError, match="by='run,task'"):
        ga.read_logs(TASKS, by="run")
    assert ga.read_logs(TASKS, by="run", repeats="attempts").pulls.tolist() == [30]


def test_another_run_with_the_same_starts_is_no_further_sample(edited):
    with pytest.raises(ga.errors.SpecError, match="make each run an arm"):
        ga.read_logs([TASKS, OTHER], by="task")
    assert len(ga.read_logs([TASKS, OTHER]).arms) == 6
    assert ga.read_logs(SEEDS, by="task").pulls.tolist() == [40]
    again = edited(SEEDS[0], lambda document: document["aggregated"].update(eval_s=1))
    with pytest.raises(ga.errors.SpecError, match="'.one task., seed 1000' .* only once"):
        ga.read_logs([SEEDS[0], again], by="task")


def forget_seeds(document):
    for episode in document["per_episode"]:
        episode["seed"] = None


def test_episodes_without_a_seed_are_new_ones(edited):
    again = edited(SEEDS[0], forget_seeds)
    assert ga.read_logs([SEEDS[0], again], by="task").pulls.tolist() == [40]


@pytest.mark.parametrize(
    ("source", "change", "message"),
    [
        (TASKS, lambda d: d["overall"].update(n_episodes=29), "number of episodes, 30; got 29"),
        (TASKS, lambda d: d["overall"].update(pc_success=99.0), "share of successes in percent"),
        (TASKS, lambda d: d["per_task"][0]["metrics"].pop("successes"), "successes of each task"),
        (TASKS, lambda d: d["per_task"][0]["metrics"].update(successes=[None]), "true or false"),
        (TASKS, lambda d: d.update(per_task="none"), "hold 'per_task', a list"),
        (SEEDS[0], lambda d: d["per_episode"].pop(), "share of successes in percent"),
        (SEEDS[0], lambda d: d["per_episode"][0].update(success=0.5), "true or false"),
        (SEEDS[0], lambda d: d.pop("per_episode"), "hold 'per_episode', a list"),
    ],
)
def test_what_does_not_add_up_is_refused(edited, source, change, message):
    with pytest.raises(ga.errors.SpecError, match=message):
        ga.read_logs(edited(source, change), format="lerobot")
