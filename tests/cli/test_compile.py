"""``goodarm compile``, and what commands say of compiling, with a cache and without."""

import json
import os
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

import goodarm
from goodarm.compilation import Compilation, _find_usual_folders, lock_compilation
from goodarm.kernels.compilation.dispatchers import NOT_CACHED
from goodarm.kernels.compilation.jit import STAMP
from goodarm.kernels.compilation.notice import MESSAGE


def command(arguments, **environment):
    return subprocess.run(
        [sys.executable, "-m", "goodarm", *arguments],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, **environment},
    )


AT = ["--threshold", ".5", "--delta", ".05"]
MEANS = ["--means", ".9,.1", *AT]


@pytest.mark.large
def test_all_commands_together_say_it_once(tmp_path):
    """The first that compiles says it; a later one that needs more is silent."""
    table = tmp_path / "counts.csv"
    table.write_text("arm,pulls,successes\na,100,90\nb,50,20\n", encoding="utf-8")
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    said = []
    for arguments in (
        ["check", str(table), *AT],
        ["plan", "--num-arms", "3", "--distance", ".3", "--runs", "5", *AT],
        ["simulate", *MEANS, "--runs", "3"],
        ["simulate", *MEANS, "--runs", "3", "--engine", "fast"],
        ["simulate", *MEANS, "--runs", "3", "-a", "hdoc", "--engine", "fast"],
    ):
        done = command(arguments, **cache)
        assert done.returncode in (0, 3), done.stderr
        said.append(done.stderr)
    assert said == ["", f"{MESSAGE}\n", "", "", ""]


AFTERWARDS = """
import goodarm as ga
from goodarm.kernels.compilation.dispatchers import CompiledKernels
from goodarm.kernels.compilation.jit import InterpretingLimits

InterpretingLimits.until_loaded = InterpretingLimits.until_compiled = 0.0
asked = {"threshold": 0.5, "delta": 0.05}
bounded = {"rewards": "bounded", "low": 0, "high": 1}
with CompiledKernels() as compiled:
    ga.plan(num_arms=3, distance=0.3, runs=2, **asked)
    for algorithm in ("e-hdoc", "hdoc", "lil-hdoc", "apt-g+betting"):
        for engine in ("auto", "reference"):
            ga.simulate([0.9, 0.1], algorithm=algorithm, runs=2, engine=engine, **asked)
        ident = ga.Identifier(ga.Problem(3, **asked), algorithm)
        pulls = ident.ask_many(9)
        ident.forget(pulls[0])
        ident.observe(1, [1, 0])
        ident.tell_many(pulls[1:], [1] * 8)
        ga.Identifier.from_dict(ident.to_dict())
        ga.check({"a": (9, 9), "b": (9, 2)}, rule="hoeffding", **asked)
    ga.simulate([0.9, 0.1], runs=2, **asked, **bounded)
    ga.check({"a": (9, 9), "b": (9, 2)}, pool=30, **asked)
    values = {"arm": ["a"] * 9, "reward": [0.9, 0.5, 0.6] * 3}
    ga.check(values, raw=True, **asked, **bounded)
print(compiled.count)
"""


@pytest.mark.slow
def test_goodarm_compile_leaves_nothing_to_compile():
    """In the cache of the suite, so that it takes a minute only the first time."""
    assert command(["compile"]).returncode == 0
    done = command(["compile", "--json"])
    found = json.loads(done.stdout)
    assert (found["kind"], found["format"], found["kernels"]) == ("compilation", 1, 0)
    assert done.stderr == ""
    assert Path(found["folder"]) in list(_find_usual_folders())  # a server looks there
    assert (Path(found["folder"]) / f"all-{STAMP}").exists()
    after = subprocess.run(
        [sys.executable, "-c", AFTERWARDS], capture_output=True, text=True, check=True, timeout=600
    )
    assert (after.stdout, after.stderr) == ("0\n", "")


def test_what_was_compiled_is_said(invoke, monkeypatch):
    done = Compilation(12, 3.5, "/somewhere")
    monkeypatch.setattr("goodarm.compilation.compile_all", lambda: done)
    assert invoke(["compile"]).stdout == "Compiled: 12 kernels in 3.5 s; kept in /somewhere.\n"
    done = Compilation(0, 1.2, "/somewhere")
    assert invoke(["compile"]).stdout == "Compiled: nothing new; kept in /somewhere.\n"


@pytest.fixture
def closed(tmp_path):
    """A copy of the package, and settings with which no folder for compiled code can be made."""
    shutil.copytree(
        Path(goodarm.__file__).parent,
        tmp_path / "goodarm",
        ignore=shutil.ignore_patterns("__pycache__"),
    )
    (tmp_path / "goodarm/kernels/__pycache__").write_text("no folder", encoding="utf-8")
    nowhere = str(tmp_path / "goodarm/kernels/__pycache__/no")
    return {
        "PYTHONPATH": str(tmp_path),
        "PYTHONDONTWRITEBYTECODE": "1",
        "NUMBA_CACHE_DIR": nowhere,
        "HOME": nowhere,
        "XDG_CACHE_HOME": nowhere,
    }


@pytest.mark.slow
def test_where_nothing_can_be_kept_it_is_said(closed):
    done = command(["compile"], **closed)
    assert (done.returncode, done.stdout) == (1, "")
    assert done.stderr.splitlines() == ["Compiling. This takes up to a minute.", NOT_CACHED]


@pytest.mark.large
def test_where_nothing_can_be_kept_commands_go_on(closed):
    done = command(["simulate", *MEANS, "--runs", "3"], **closed)
    assert done.returncode == 0
    assert "0 of 3" in done.stdout
    assert done.stderr.splitlines() == [NOT_CACHED, MESSAGE]


def test_one_process_at_a_time_fills_a_cache(tmp_path):
    """Servers that start together do not each compile everything."""
    order = []

    def compile_second():
        with lock_compilation(tmp_path) as has_waited:
            order.append(("second", has_waited))

    with ThreadPoolExecutor(1) as threads:
        with lock_compilation(tmp_path) as has_waited:
            second = threads.submit(compile_second)
            with pytest.raises(TimeoutError):
                second.result(0.2)
            order.append(("first", has_waited))
        second.result(60)
    assert order == [("first", False), ("second", True)]


@pytest.mark.large
def test_two_that_compile_at_once_share_the_work(tmp_path):
    cache = {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    with ThreadPoolExecutor(2) as threads:
        runs = [threads.submit(command, ["compile", "--json"], **cache) for _ in range(2)]
    kernels = sorted(json.loads(run.result().stdout)["kernels"] for run in runs)
    assert kernels[0] == 0 < kernels[1]
