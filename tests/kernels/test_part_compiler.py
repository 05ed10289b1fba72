"""Kernels inside other kernels have no machine code of their own, fresh or from the cache."""

import json
import os
import subprocess
import sys

import numpy as np
import pytest

from goodarm.kernels.compilation.notice import MESSAGE
from goodarm.kernels.numerics.beta import fill_masses
from goodarm.kernels.numerics.mixture import fill_evidence

pytestmark = pytest.mark.slow

WATCHED = """
import json
import numpy as np
from numba.core import event
from goodarm.kernels.numerics.beta import fill_masses
from goodarm.kernels.compilation.jit import InterpretingLimits
from goodarm.kernels.numerics.mixture import fill_evidence

InterpretingLimits.until_loaded = InterpretingLimits.until_compiled = 0.0

class Watch(event.Listener):
    seen = {}

    def on_start(self, event):
        pass

    def on_end(self, event):
        dispatcher = event.data["dispatcher"]
        if dispatcher.py_func.__module__.startswith("goodarm."):
            (found,) = dispatcher.overloads.values()
            code = found.library._get_compiled_object()
            self.seen[dispatcher.py_func.__name__] = found.fndesc.mangled_name.encode() in code

event.register("numba:compile", Watch())

def of(a, b):
    return [np.array([each]) for each in (a, b, 0.5, 0.5)]

def masses(a, b):
    found = np.empty(1)
    fill_masses(*of(a, b), found)
    return found[0]

def evidence(a, b):
    found = np.empty(1)
    fill_evidence(*of(a, b), np.ones(1), np.ones((1, 2, 2)), found)
    return found[0]

def is_refused(a, b):
    try:
        return masses(a, b)
    except ZeroDivisionError:
        return True
"""


def run_watched(cache, call):
    """What a call gives in a process of its own, and what was compiled: whether it has code."""
    done = subprocess.run(
        [sys.executable, "-c", f"{WATCHED}\nprint(json.dumps([{call}, Watch.seen]))"],
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
        env={**os.environ, "NUMBA_CACHE_DIR": str(cache)},
    )
    assert done.returncode == 0, done.stderr
    assert done.stderr in ("", f"{MESSAGE}\n")  # said after a second of compiling
    return json.loads(done.stdout)


def expected():
    """The same from the kernels of this process."""
    given = [np.array([each]) for each in (70.0, 30.0, 0.5, 0.5)]
    mass, evidence = np.empty(1), np.empty(1)
    fill_masses(*given, mass)
    fill_evidence(*given, np.ones(1), np.ones((1, 2, 2)), evidence)
    return mass[0], evidence[0]


def test_only_what_python_calls_has_machine_code_and_errors_of_parts_are_heard_of(tmp_path):
    """Compiling takes seconds, so one fresh cache serves for all that is to be seen of it."""
    mass, evidence = expected()
    both = "[masses(70.0, 30.0), is_refused(0.0, 0.0)]"
    found, seen = run_watched(tmp_path, both)
    assert found == [mass, True]
    assert {name for name, has_code in seen.items() if has_code} == {"fill_masses"}
    assert {"log_mass", "deviance"} <= set(seen)

    found, seen = run_watched(tmp_path, "evidence(70.0, 30.0)")  # its parts come from the cache
    assert found == evidence
    assert seen == {"fill_evidence": True, "log_evidence": False}

    found, seen = run_watched(tmp_path, f"[*{both}, evidence(70.0, 30.0)]")
    assert found == [mass, True, evidence]
    assert seen == {}
