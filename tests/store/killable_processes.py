"""Processes that are forked from a warm one, and die by SIGKILL where they are told to."""

import gc
import os
import signal
import sys
import traceback

import goodarm as ga
from goodarm.kernels.compilation.jit import InterpretingLimits
from store.judge import KNOWN, PROBLEM


def killing(point, nth):
    """A listener that kills its process when a point is reached for the n-th time."""
    left = nth

    def listen(reached):
        nonlocal left
        left -= reached is point
        if not left:
            os.kill(os.getpid(), signal.SIGKILL)

    return listen


def fork(work):
    """The id of a child that does this and ends, with its trace on stderr if it fails."""
    child = os.fork()
    if child:
        return child
    code = 1
    try:
        work()
        code = 0
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
    finally:
        os._exit(code)


def warm_up():
    """Import everything, and load every kernel, before the first fork.

    A new process interprets kernels at first, and so would every copy of it.
    """
    InterpretingLimits.until_loaded = InterpretingLimits.until_compiled = 0.0
    with ga.open_store("memory:") as store:
        exp = store.experiment("warm", PROBLEM, seed=1)
        for arm in KNOWN:  # many rewards take a root finder, which takes long to load
            exp.observe(arm, [1, 0] * 300)
        for _ in range(3):
            pulls = exp.ask_many(9, key=os.urandom(4).hex())
            exp.tell_many(pulls, [1] * len(pulls))
        exp.verify()
        exp.table()
    import psycopg  # noqa: F401

    gc.collect()
    gc.freeze()  # or each copy would look all this through, and so make it its own
