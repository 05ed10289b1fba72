"""Engines that are wrong in one place are caught; the engine as it is passes the same checks."""

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import goodarm
from helpers import ROOT
from simulation import engine_checks, first_difference

pytestmark = pytest.mark.slow

SOURCE = Path(goodarm.__file__).parent

MUTANTS = {
    "a tie goes to the highest arm": (
        "kernels/simulation/continuous_loop.py",
        "        if index > top:\n",
        "        if index >= top:\n",
    ),
    "the second is any who lost to the first": (
        "kernels/tree.py",
        "        if found < 0 or keys[rival] > keys[found]",
        "        if found < 0 or keys[rival] < keys[found]",
    ),
    "a jump does not tell the tree": (
        "kernels/simulation/jump.py",
        "            update_moved(scratch, size)\n",
        "            pass\n",
    ),
    "a jump passes the step of the clock": (
        "kernels/simulation/stepped_loop.py",
        '        room = min(setup.max_pulls, steering["clock_end"]) - t\n',
        "        room = setup.max_pulls - t\n",
    ),
    "a jump that failed leaves its keys": (
        "kernels/simulation/jump.py",
        '            scratch.keys[arm] = scratch.moved[position]["key"]\n',
        "            pass\n",
    ),
    "a dead arm keeps its key": (
        "kernels/keys.py",
        "    if is_out:\n",
        "    if False:\n",
    ),
    "the first tested pull is no event": (
        "kernels/simulation/state.py",
        "        hints=np.zeros(num_arms, HINT),\n",
        "        hints=np.array([(1 << 40, 0, 0.0, 0, 0.0, 0)] * num_arms, HINT),\n",
    ),
    "the last places are trusted": (
        "kernels/index.py",
        "INDEX_ROUNDING: Final = 8.0 ",
        "INDEX_ROUNDING: Final = 0.0 ",
    ),
    "a jump passes over good arms": (
        "kernels/simulation/walk.py",
        "        if label == GOOD:\n",
        "        if False:\n",
    ),
    "a jump forgets its dead": (
        "kernels/simulation/jump.py",
        "        if deaths > 0:\n",
        "        if False:\n",
    ),
    "arms before the best are no rivals": (
        "kernels/simulation/jump.py",
        "        if arm != best:\n",
        "        if arm > best:\n",
    ),
    "one round is thought enough": (
        "kernels/simulation/jump.py",
        "        goes_on = goes_on and not has_wall and status != TOO_LONG\n",
        "        goes_on = False\n",
    ),
    "a jump that failed is half undone": (
        "kernels/simulation/jump.py",
        "    state.places[arm] = scratch.old_places[position]\n",
        "",
    ),
    "a ceiling outlives the jump that was undone": (
        "kernels/simulation/jump.py",
        "    scratch.hints[arm] = scratch.old_hints[position]\n",
        "",
    ),
    "a jump passes the budget": (
        "kernels/simulation/continuous_loop.py",
        "index_clock(setup, t), setup.max_pulls - t\n",
        "index_clock(setup, t), setup.max_pulls\n",
    ),
    "a label taken back stays": (
        "kernels/simulation/jump.py",
        "        state.labels[arm] = UNDECIDED\n",
        "",
    ),
    "the moments of good arms are scratch": (
        "kernels/simulation/state.py",
        "        array[...] = fresh\n",
        "        array[...] = fresh\n    state.tau[...] = np.nan\n",
    ),
    "the wealth of arms is scratch": (
        "kernels/simulation/state.py",
        "        array[...] = fresh\n",
        "        array[...] = fresh\n    state.wealth[:-2] = 0.0\n",
    ),
    "the words of the tape are scratch": (
        "kernels/simulation/state.py",
        "        array[...] = fresh\n",
        '        array[...] = fresh\n    state.places["drawn"] = 0\n',
    ),
    "a reward may begin in the middle of a block": (
        "kernels/simulation/laws.py",
        '    place["drawn"] = (place["drawn"] + 3) & -4\n',
        "",
    ),
    "clearing forgets the indices": (
        "kernels/simulation/state.py",
        "        for arm in np.flatnonzero(state.arms",
        "        for arm in np.flatnonzero(0 * state.arms",
    ),
}


def run_checks(
    package: Path, module: str = engine_checks.__name__
) -> subprocess.CompletedProcess[str]:
    """The checks on a copy of the package, interpreted: nothing is compiled or cached."""
    path = os.pathsep.join([str(package.parent), str(ROOT / "tests")])
    return subprocess.run(
        [sys.executable, "-W", "ignore", "-m", module],
        env={**os.environ, "PYTHONPATH": path, "NUMBA_DISABLE_JIT": "1"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )


def copy(target: Path) -> Path:
    shutil.copytree(SOURCE, target / "goodarm", ignore=shutil.ignore_patterns("__pycache__"))
    return target / "goodarm"


def test_the_engine_passes(tmp_path):
    done = run_checks(copy(tmp_path))
    assert done.returncode == 0, done.stderr


def mutant(name: str, target: Path) -> Path:
    """A copy of the package that is wrong in this place."""
    file, old, new = MUTANTS[name]
    package = copy(target)
    text = (package / file).read_text()
    assert text.count(old) == 1
    (package / file).write_text(text.replace(old, new))
    return package


@pytest.mark.large
@pytest.mark.parametrize("name", MUTANTS)
def test_a_mutant_is_caught(name, tmp_path):
    done = run_checks(mutant(name, tmp_path))
    assert done.returncode != 0
    assert "AssertionError" in done.stderr, done.stderr


def test_a_failure_names_the_first_pull_arm_and_field(tmp_path):
    """Of a bug that leaves the end of most runs as it is."""
    done = run_checks(mutant("arms before the best are no rivals", tmp_path))
    message = "Run 0 agrees for 10 pulls. After 13 the pulls differ:\n  arm 1: 2 fast, 3 plain\n"
    assert message in done.stderr


def test_a_failure_names_the_first_run(tmp_path):
    done = run_checks(mutant("a tie goes to the highest arm", tmp_path))
    message = r"Run (\d+) of seed 0 ends with other .*\.\nRun \1 agrees for \d+ pulls\. After"
    assert re.search(message, done.stderr), done.stderr


def test_the_recipe_finds_nothing_where_nothing_is_wrong(tmp_path):
    done = run_checks(copy(tmp_path), first_difference.__name__)
    assert done.stdout == "The engines agree.\n", done.stderr


def test_the_recipe_leads_to_a_bug(tmp_path):
    """To the step, and to the field of Scratch that was wrong when it began."""
    package = mutant("a ceiling outlives the jump that was undone", tmp_path)
    done = run_checks(package, first_difference.__name__)
    assert "Run 0 agrees for 95 pulls." in done.stdout, done.stderr
    assert done.stdout in (ROOT / "docs/engine-internals.md").read_text(encoding="utf-8")


@pytest.mark.parametrize("check", engine_checks.CHECKS, ids=lambda check: check.__name__)
def test_the_compiled_engine_passes(check):
    check()
