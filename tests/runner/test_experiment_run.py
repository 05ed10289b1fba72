"""Jobs side by side: every pull is made once, and told once, in whatever order they come."""

import threading
import time
from collections import Counter

import pytest

import goodarm as ga
from goodarm.errors import ProtocolError, RewardError, SpecError
from goodarm.runner.experiment_file import read_experiment_file
from goodarm.runner.experiment_run import ExperimentRun
from goodarm.runner.pull_outcome import PullInterruption, PullReward, PullTask
from goodarm.runner.reward_settings import RewardSettings
from goodarm.runner.run_lock import hold_run_lock
from goodarm.runner.store_access import choose_worker, open_experiment, redact_store

PROBLEM = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05)


class Source:
    """Makes pulls by a function; counts them, and how many were made at once."""

    def __init__(self, make):
        self.make_one, self.made, self.at_once, self.most = make, Counter(), 0, 0
        self.lock, self.closed = threading.Lock(), 0

    def maker(self):
        return Maker(self)


class Maker:
    def __init__(self, source):
        self.source, self.is_ended = source, threading.Event()

    def make(self, task):
        source = self.source
        with source.lock:
            source.made[task.pull] += 1
            source.at_once += 1
            source.most = max(source.most, source.at_once)
        outcome = source.make_one(task, self.is_ended)
        with source.lock:
            source.at_once -= 1
        return outcome

    def end(self, *, at_once=False):
        self.is_ended.set()

    def close(self):
        self.source.closed += 1


def answer_by_arm(task, is_ended):
    """Good arms answer late, and those asked first later than those asked after them."""
    is_ended.wait(0.003 if task.pull % 3 == 0 else 0)
    return PullReward(float(task.arm == "a"))


def run_of(exp, source, jobs, worker="w"):
    return ExperimentRun(exp, source, RewardSettings(command="x"), worker, jobs, task_of)


def task_of(pull):
    return PullTask(pull.number, pull.arm, pull.case, pull.case)


def experiment(problem=PROBLEM, **more):
    return ga.open_store("memory:").experiment("x", problem, seed=1, **more)


def test_a_single_job_is_the_identifier():
    exp, source = experiment(), Source(answer_by_arm)
    run_of(exp, source, 1).go(lambda progress: None)
    ident = ga.Identifier(PROBLEM, seed=1)
    while not ident.is_done:
        pull = ident.ask()
        ident.tell(pull, pull.arm == "a")
    assert exp.verdict == ident.verdict
    assert source.closed == 1


@pytest.mark.parametrize("jobs", [2, 8])
def test_every_pull_is_made_once_and_told_once(jobs):
    exp, source, seen = experiment(), Source(answer_by_arm), []
    progress = run_of(exp, source, jobs).go(seen.append, every=0.001)
    assert (exp.verdict.good, sorted(exp.verdict.bad)) == (["a"], ["b", "c"])
    assert 1 < source.most <= jobs
    assert set(source.made.values()) == {1}
    told = [number for each in exp.journal() for number in each.get("pulls", ())]
    assert len(told) == len(set(told)) == progress.told
    assert set(told) <= set(source.made)
    assert seen[-1].told <= progress.told
    exp.verify()


def test_each_job_is_a_worker():
    exp = experiment()
    run_of(exp, Source(answer_by_arm), 3, "here").go(lambda progress: None)
    workers = {each["worker"] for each in exp.journal() if each["kind"] == "asked"}
    assert workers <= {"here-1", "here-2", "here-3"}


@pytest.mark.parametrize("jobs", [1, 2, 5])
def test_what_was_out_is_made_again_with_any_number_of_jobs(jobs):
    exp = experiment(ga.Problem(["a", "b"], threshold=0.5, delta=0.05, max_pulls=9))
    held = [exp.ask(worker=f"w-{number}").number for number in range(1, 5)]
    others = [exp.ask(worker=name) for name in ("w", "w-", "w-x", "w2-1")]
    exp.tell_many(others, [1] * len(others))
    source = Source(answer_by_arm)
    run_of(exp, source, jobs).go(lambda progress: None)
    assert source.made == Counter([*held, 9])
    assert (exp.is_done, exp.pulls, exp.out) == (True, 9, [])


def test_pulls_of_others_are_left_to_them():
    exp = experiment(ga.Problem(["a"], threshold=0.5, delta=0.05, max_pulls=4))
    others = [exp.ask(worker=name) for name in ("w", "w-x", "w2-1")]
    source = Source(answer_by_arm)

    def watch(progress):
        if progress.told:
            exp.tell_many(others, [1] * len(others))

    run_of(exp, source, 1).go(watch, every=0.01)
    assert source.made == Counter([4])


def test_jobs_wait_where_others_hold_what_is_left():
    exp = experiment(ga.Problem(["a"], threshold=0.5, delta=0.05, max_pulls=3))
    other = exp.ask(worker="other-1")
    seen = []

    def watch(progress):
        seen.append(progress.waits_for)
        if progress.waits_for and exp.out:
            exp.tell(other, 1)

    run_of(exp, Source(answer_by_arm), 2).go(watch, every=0.01)
    assert ("other-1",) in seen
    assert exp.pulls == 3


def test_a_done_experiment_makes_nothing():
    exp, source = experiment(), Source(answer_by_arm)
    run_of(exp, source, 1).go(lambda progress: None)
    made = sum(source.made.values())
    progress = run_of(exp, source, 4).go(lambda progress: None)
    assert (progress.told, sum(source.made.values())) == (0, made)


def test_what_is_under_way_when_all_is_known_is_ended():
    def make(task, is_ended):
        if task.arm == "slow":
            assert is_ended.wait(60)
            return PullInterruption()
        return PullReward(1.0)

    problem = ga.Problem(["quick", "slow"], threshold=0.5, delta=0.05, until=1)
    exp, start = experiment(problem), time.monotonic()
    run_of(exp, Source(make), 2).go(lambda progress: None)
    assert time.monotonic() - start < 50
    assert exp.verdict.good == ["quick"]
    assert [out.pull.arm for out in exp.out] == ["slow"]


@pytest.mark.parametrize("error", [KeyboardInterrupt, SystemExit, ZeroDivisionError])
def test_an_error_of_the_watcher_ends_all_jobs(error):
    exp, source = (
        experiment(),
        Source(lambda task, is_ended: is_ended.wait(60) and PullInterruption()),
    )

    def watch(progress):
        if len(progress.under_way) == 3:
            raise error

    with pytest.raises(error):
        run_of(exp, source, 3).go(watch, every=0.01)
    assert (source.at_once, source.closed) == (0, 3)
    assert (exp.pulls, len(exp.out)) == (0, 3)


def test_an_error_of_a_job_ends_all_and_is_raised():
    def make(task, is_ended):
        return PullReward(0.5) if task.pull == 5 else PullReward(1.0)

    exp = experiment()
    with pytest.raises(RewardError, match="Pull 5 of arm .* must be 0 or 1"):
        run_of(exp, Source(make), 1).go(lambda progress: None)
    assert exp.pulls == 4
    assert [out.pull.number for out in exp.out] == [5]


def test_a_pool_has_each_case_once(run, tmp_path):
    reward = "command = 'echo {arm}:{case}:{case_number} >> made; test {case_number} -lt 8'"
    (tmp_path / "cases.txt").write_text("".join(f"case {n}\n" for n in range(10)))
    done = run(["a", "b"], reward, cases="cases.txt", threshold=0.75, jobs=3)
    made = (tmp_path / "made").read_text(encoding="utf-8").splitlines()
    assert len(made) == len(set(made))
    for line in made:
        _, case, number = line.split(":")
        assert case == f"case {number}"
    assert set(done.verdict.good) == {"a", "b"}


def test_a_second_run_of_the_same_worker_is_refused(write):
    file = read_experiment_file(write(["a"], "command = 'true'"))
    with hold_run_lock(file, "local"):
        assert [path.name for path in file.folder.glob("*.lock")] == [
            "experiment.db.experiment.local.lock"
        ]
        with hold_run_lock(file, "local2"):
            pass
        refused = pytest.raises(
            ProtocolError, match="already being run by worker 'local'.*--worker local2"
        )
        with refused, hold_run_lock(file, "local"):
            pass
    assert list(file.folder.glob("*.lock")) == []
    with hold_run_lock(file, "local"):
        pass


def test_a_server_has_its_lock_among_temporary_files(write, tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    url = "postgresql+psycopg://me:secret@host/db?x=1"
    file = read_experiment_file(write(["a"], "command = 'true'", store=url))
    with hold_run_lock(file, "w"), pytest.raises(ProtocolError), hold_run_lock(file, "w"):
        pass
    assert choose_worker(file, None) not in ("", "local")
    assert redact_store(file) == "postgresql+psycopg://host/db"


@pytest.mark.parametrize("name", ["", "a b", "-x", "a/b", "x" * 65])
def test_names_of_workers(write, name):
    file = read_experiment_file(write(["a"], "command = 'true'"))
    assert choose_worker(file, None) == "local"
    with pytest.raises(SpecError, match="'--worker' of run must be 1 to 64 letters"):
        choose_worker(file, name)


def test_another_problem_under_the_same_name(run):
    run(["a", "b"], "command = 'true'", store="sqlite:///x.db", max_pulls=3)
    run(["a", "b"], "command = ['true']\ntimeout = 3", store="sqlite:///x.db", max_pulls=3)
    with pytest.raises(SpecError) as refused:
        run(["a", "b"], "command = 'true'", store="sqlite:///x.db", max_pulls=3, threshold=0.6)
    assert "experiment.toml: " in str(refused.value)
    assert "problem threshold 0.5, not 0.6" in str(refused.value)
    assert "Undo the change in the file, or set another 'name'" in str(refused.value)


def test_arms_that_are_new_in_the_file_join(run):
    more = {"store": "sqlite:///x.db", "arms_planned": 4}
    reward = "command = 'test {arm} != b'"
    assert run(["a", "b"], reward, **more).verdict.good == ["a"]
    assert run(["a", "b", "c"], reward, **more).verdict.good == ["a", "c"]
    done = run(["a", "b", "c", "d"], reward, **more)
    assert (done.verdict.good, done.verdict.bad) == (["a", "c", "d"], ["b"])
    assert run(["a", "b", "c", "d"], reward, **more).progress.told == 0
    with pytest.raises(SpecError, match="The 'arms_planned' must be at least"):
        run(["a", "b", "c", "d", "e"], reward, **more)
    with pytest.raises(SpecError, match="was created with other settings: problem arms"):
        run(["b", "a", "c", "d"], reward, **more)


def test_opening_takes_the_files_seed_and_algorithm(write):
    file = read_experiment_file(write(["a"], "command = 'true'", seed=5, algorithm="hdoc"))
    exp = open_experiment(ga.open_store("memory:"), file)
    assert (exp.seed, exp.algorithm.name, exp.name) == (5, "hdoc", "experiment")
