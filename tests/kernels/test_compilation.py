"""Compiling is said once for all processes that share a cache, on standard error."""

import json
import os
import subprocess
import sys

import pytest

from goodarm.kernels.compilation.notice import MESSAGE, claim_notice

ASKED = "ga.simulate([0.9, 0.1], threshold=0.5, delta=0.05, algorithm='hdoc', runs=3)"
QUIET = "import logging; logging.getLogger('goodarm').setLevel(logging.ERROR)"


def stderr_of(cache, *commands):
    text = "; ".join(["import goodarm as ga", *commands])
    done = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    assert done.stdout == ""
    return done.stderr


@pytest.mark.large
def test_the_first_use_says_it_and_the_next_finds_it_done(tmp_path):
    assert stderr_of(tmp_path, ASKED, ASKED).splitlines() == [MESSAGE]
    assert stderr_of(tmp_path, ASKED) == ""


@pytest.mark.large
def test_it_can_be_silenced(tmp_path):
    assert stderr_of(tmp_path, QUIET, ASKED) == ""


OTHERS = """
import json, os, sys, time
from goodarm.kernels.compilation.notice import NOTICE_SECONDS, register_notice
from numba.core import event
register_notice("x")
register_notice("x")
class Cache:
    cache_path = None
class Dispatcher:
    _cache = Cache
    py_func = staticmethod(lambda: None)
def compile_for(module, seconds):
    Dispatcher.py_func.__module__ = module
    with event.trigger_event("numba:compile", data={"dispatcher": Dispatcher}):
        time.sleep(seconds)
"""


CASES = [
    ("compile_for('somebody.else', 1.1)", 0),
    ("compile_for('goodarm.kernels.x', .1)", 0),
    ("compile_for('goodarm.kernels.x', .1); time.sleep(1)", 0),
    ("compile_for('goodarm.kernels.x', .6); compile_for('goodarm.kernels.y', .6)", 1),
    ("compile_for('goodarm.kernels.x', 1.1); compile_for('goodarm.kernels.y', 1.1)", 1),
]
EACH = """
children = []
for place, compiled in enumerate(json.loads(sys.argv[1])):
    if child := os.fork():
        children.append(child)
        continue
    with open(f"{sys.argv[2]}/{place}", "w") as said:
        os.dup2(said.fileno(), 2)
    exec(compiled)
    os._exit(0)
sys.exit(any(os.waitpid(child, 0)[1] for child in children))
"""
"""A process that has loaded the libraries is copied for each case, and all go on side by side."""


@pytest.mark.slow
def test_only_long_compiling_of_our_own_is_said(tmp_path):
    done = subprocess.run(
        [sys.executable, "-c", OTHERS + EACH, json.dumps([case for case, _ in CASES]), tmp_path],
        capture_output=True,
        text=True,
        timeout=60,
    )
    assert (done.returncode, done.stderr) == (0, "")
    for place, (compiled, lines) in enumerate(CASES):
        said = (tmp_path / str(place)).read_text().splitlines()
        assert said == [MESSAGE] * lines, compiled


def test_one_process_of_many_says_it(tmp_path):
    class Dispatcher:
        class _cache:  # noqa: N801
            cache_path = str(tmp_path)

    assert [claim_notice(Dispatcher, "a") for _ in range(3)] == [True, False, False]
    assert claim_notice(Dispatcher, "b")  # the kernels have changed
    Dispatcher._cache.cache_path = str(tmp_path / "missing")
    assert claim_notice(Dispatcher, "a")
