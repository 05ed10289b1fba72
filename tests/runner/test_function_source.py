"""Rewards by Python functions, which are called in processes of their own."""

import os

import pytest

from goodarm.errors import RewardError
from runner.test_command_source import read_numbers, wait_until_gone

MODULE = """
import asyncio, os, sys, time

class Judge:
    @staticmethod
    def passes(arm):
        return arm == "a"

def passes(arm):
    print("noise")
    print("more", file=sys.stderr)
    return arm == "a"

def asserts(arm):
    assert arm == "a", "it is not"
    return 1

async def later(arm):
    await asyncio.sleep(0)
    return 1 if arm == "a" else 0

def variables(arm):
    return os.environ["GOODARM_ARM"] == arm and os.environ["MINE"] == "x"

def numpys(arm):
    import numpy
    return numpy.bool_(arm == "a")

def half(arm):
    return 0.5

def of_case(arm, case):
    with open("cases", "a") as file:
        file.write(f"{arm}:{case!r}\\n")
    return arm == "a"

def sleeps(arm):
    with open("pids", "a") as file:
        file.write(f"{os.getpid()}\\n")
    if arm == "slow":
        time.sleep(600)
    return 1

def breaks(arm):
    raise KeyError("no such thing")

def nothing(arm):
    return None

def dies(arm):
    print("oh", file=sys.stderr, flush=True)
    os._exit(7)

value = 3
"""


@pytest.fixture(autouse=True)
def module(tmp_path):
    (tmp_path / "rewards_of_mine.py").write_text(MODULE, encoding="utf-8")


def function(name, more=""):
    return f"function = 'rewards_of_mine:{name}'\n{more}"


@pytest.mark.parametrize("name", ["passes", "asserts", "later", "numpys", "Judge.passes"])
def test_what_it_returns_is_the_reward(run, name):
    done = run(["a", "b"], function(name))
    assert (done.verdict.good, done.verdict.bad) == (["a"], ["b"])


def test_numbers_variables_and_arms_that_are_numbers(run):
    done = run(["a"], function("half"), rewards="bounded", max_pulls=4)
    assert done.exp.explain("a").mean == 0.5
    done = run(["a b", "c"], function("variables", "env = {MINE = 'x'}"), max_pulls=4)
    assert [report.mean for report in done.exp.table()] == [1.0, 1.0]
    done = run([3], "function = 'operator:index'", threshold=0.5, max_pulls=1, rewards="bounded",
               low=0, high=5)  # fmt: skip
    assert done.exp.explain(3).mean == 3.0


def test_cases_come_as_numbers_or_as_texts(run, tmp_path):
    run(["a"], function("of_case"), cases=4, max_pulls=4, threshold=0.99)
    lines = (tmp_path / "cases").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == ["a:0", "a:1", "a:2", "a:3"]
    (tmp_path / "cases").unlink()
    (tmp_path / "cases.txt").write_text("x y\n'z'\n", encoding="utf-8")
    run(["a"], function("of_case"), cases="cases.txt", threshold=0.99)
    lines = (tmp_path / "cases").read_text(encoding="utf-8").splitlines()
    assert sorted(lines) == ["a:\"'z'\"", "a:'x y'"]


def test_each_job_has_one_process_and_a_new_one_after_a_timeout(run, tmp_path):
    run(["a"], function("sleeps"), max_pulls=6)
    assert len(set(read_numbers(tmp_path / "pids"))) == 1
    (tmp_path / "pids").unlink()
    done = run(["slow"], function("sleeps", "timeout = 0.2"), max_pulls=2)
    pids = read_numbers(tmp_path / "pids")
    assert (done.progress.late, done.exp.explain("slow").mean) == (2, 0.0)
    assert len(set(pids)) == 2
    assert os.getpid() not in pids
    assert all(map(wait_until_gone, pids))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        (
            "breaks",
            r"the function raised KeyError: 'no such thing' \(rewards_of_mine.py, line 45\)",
        ),
        ("nothing", "the function must return a number; it returned None"),
        ("half", "must be 0 or 1 for arm 'a'; got 0.5"),
        ("dies", "the function's process ended by itself, with exit code 7; it said: oh"),
        ("missing", "does not load: AttributeError: module 'rewards_of_mine' has no attribute"),
        ("value", "'rewards_of_mine:value' must be a function; it is 3"),
        ("of_case", r"'rewards_of_mine:of_case' must take \(arm\)"),
    ],
)
def test_what_ends_a_run(run, name, message):
    with pytest.raises(RewardError, match=message):
        run(["a"], function(name), store="sqlite:///x.db", max_pulls=1)
    done = run(["a"], function("passes"), store="sqlite:///x.db", max_pulls=1)
    assert [each["kind"] for each in done.exp.journal()] == ["asked", "told"]


def test_a_module_that_is_not_there(run):
    with pytest.raises(RewardError, match="'no_such.thing:f' does not load: ModuleNotFoundError"):
        run(["a"], "function = 'no_such.thing:f'")


def test_what_does_not_if_the_file_says_so(run):
    done = run(["a"], function("breaks", "on_error = 'lost'"), max_pulls=3)
    assert (done.progress.lost, done.exp.explain("a").mean) == (3, None)
    done = run(["a"], function("dies", "on_error = 'failure'"), max_pulls=3)
    assert (done.progress.told, done.exp.explain("a").mean) == (3, 0.0)
