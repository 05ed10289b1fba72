"""Compilation of every kernel into the cache, so that no later process has to compile."""

import hashlib
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

from goodarm.file_locks import try_to_lock
from goodarm.kernels.compilation import background
from goodarm.kernels.compilation.jit import PACKAGE, STAMP, InterpretingLimits, Kernel

_PROBLEM: Final[dict[str, Any]] = {"threshold": 0.5, "delta": 0.05}
_IN_BACKGROUND: Final = (
    "import os; getattr(os, 'nice', int)(10); "
    "from goodarm.compilation import compile_all; compile_all()"
)
_POLL_SECONDS: Final = 0.1
_COMPLETE_FILE: Final = f"all-{STAMP}"
"""Name of the file that marks a cache folder as complete."""


class Compilation(NamedTuple):
    """Compiled kernels, and the folder that keeps them."""

    kernels: int
    """number of kernels compiled because they were not in the cache"""
    seconds: float
    """processor time spent"""
    folder: str | None
    """cache folder; None if no folder can be written to"""

    def to_dict(self) -> dict[str, Any]:
        """Return the compilation as JSON."""
        return {"kind": "compilation", "format": 1, **self._asdict()}


def compile_all() -> Compilation:
    """Compile all kernels that commands, pages, ask and tell use, unless the cache has them.

    A few calls reach every kernel. Without a writable cache folder nothing is compiled.
    """
    from goodarm.kernels.compilation.dispatchers import CompiledKernels, cache_folder
    from goodarm.kernels.compilation.notice import claim_notice
    from goodarm.kernels.simulation.plain_loop import advance

    if not isinstance(advance, Kernel):  # by NUMBA_DISABLE_JIT
        return Compilation(0, 0.0, None)
    began = time.process_time()
    folder = cache_folder(advance.dispatcher)
    claim_notice(advance.dispatcher, STAMP)
    with CompiledKernels() as compiled:
        if folder is not None:
            _compile_into(Path(folder))
    return Compilation(compiled.count, round(time.process_time() - began, 1), folder)


def _compile_into(folder: Path) -> None:
    """Fill the cache, or wait for another process that is filling it."""
    with lock_compilation(folder) as has_waited:
        if has_waited and (folder / _COMPLETE_FILE).exists():
            return
        before = InterpretingLimits.until_loaded, InterpretingLimits.until_compiled
        InterpretingLimits.until_loaded = InterpretingLimits.until_compiled = 0.0
        try:
            _ask_and_tell()
            _check()
            _draw_boundaries()
            _simulate()
        finally:
            InterpretingLimits.until_loaded, InterpretingLimits.until_compiled = before
        (folder / _COMPLETE_FILE).touch()


@contextmanager
def lock_compilation(folder: Path) -> Iterator[bool]:
    """Let one process at a time fill a cache folder; yield whether it waited for another process.

    Several servers that start on a new machine would otherwise each compile everything.
    """
    with (folder / f"compiling-{STAMP}").open("w", encoding="utf-8") as lock:
        has_waited = False
        while not try_to_lock(lock.fileno()):
            has_waited = True
            time.sleep(_POLL_SECONDS)
        yield has_waited


@contextmanager
def compile_in_background() -> Iterator[None]:
    """Compile all kernels in another process, unless that is done; end it with this block.

    Numba holds the interpreter lock while it compiles: a server that compiled by itself would not
    answer requests meanwhile.
    """
    if any((folder / _COMPLETE_FILE).exists() for folder in _find_usual_folders()):
        yield
        return
    process = subprocess.Popen(
        [sys.executable, "-c", _IN_BACKGROUND],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        with background.leave_compiling_to(process):
            yield
    finally:
        process.terminate()
        process.wait()


def _find_usual_folders() -> Iterator[Path]:
    """Yield the folders where numba usually keeps compiled code, without loading numba.

    If the code is in another folder, a process starts and finds everything compiled.
    """
    yield PACKAGE / "__pycache__"
    if folder := os.environ.get("NUMBA_CACHE_DIR"):
        yield Path(folder) / f"kernels_{hashlib.sha1(os.fsencode(PACKAGE)).hexdigest()}"


def _draw_boundaries() -> None:
    """Calibrate a capped test, and fit lines where few pulls are left."""
    from goodarm.algorithm import calibrate, compute_crossing, fit_lines

    curve = calibrate(0.5, 0.5, 12, 0.05)
    compute_crossing(curve.least, 0.5, 0.5)
    fit_lines(0.5, 0.5, 20.0, after=999_000)


def _simulate() -> None:
    """Run both engines, with clocks of both kinds, and with traffic split evenly."""
    import numpy as np

    from goodarm.algorithm import algorithms
    from goodarm.problem import Problem
    from goodarm.simulation import make_runs, simulate

    simulate([0.9, 0.1], algorithm="e-hdoc", runs=1, engine="reference", **_PROBLEM)
    for algorithm in ("e-hdoc", "hdoc"):
        simulate([0.9, 0.1], algorithm=algorithm, runs=1, engine="fast", **_PROBLEM)
    means, chosen = np.array([0.9, 0.1]), algorithms()["e-hdoc"].algorithm
    apart: dict[str, Any] = {"executor": None, "progress": None, "folder": None}
    make_runs(Problem(2, **_PROBLEM), chosen, means, 0, 1, is_even=True, **apart)


def _ask_and_tell() -> None:
    """Ask, tell, forget and observe, with tests of each kind, and restore a saved experiment."""
    from goodarm.live import Identifier
    from goodarm.problem import Problem

    bounded: dict[str, Any] = {"rewards": "bounded", "low": 0, "high": 1, **_PROBLEM}
    for problem, algorithm in (
        (Problem(2, **_PROBLEM), "e-hdoc"),
        (Problem(2, **_PROBLEM), "hdoc"),
        (Problem(2, **bounded), "e-hdoc"),
        (Problem(2, pool=20, **bounded), "e-hdoc"),
    ):
        ident = Identifier(problem, algorithm)
        pulls = ident.ask_many(9)
        ident.forget(pulls[0])
        if problem.pool is None:
            ident.observe(1, [1, 0])
        ident.tell_many(pulls[1:], [0] * 8)
        Identifier.from_dict(ident.to_dict())


def _check() -> None:
    """Check counts and values, with and without pools."""
    from goodarm.checking import check

    counts = {"arm": ["a", "b"], "pulls": [9, 9], "successes": [9, 4]}
    values = {"arm": ["a"] * 9, "reward": [0.9, 0.5, 0.6] * 3}
    bounded: dict[str, Any] = {"raw": True, "rewards": "bounded", "low": 0, "high": 1}
    check(counts, **_PROBLEM)
    check(counts, pool=20, **_PROBLEM)
    check(counts, rule="hoeffding", **_PROBLEM)
    check(values, **bounded, **_PROBLEM)
    check(values, pool=20, **bounded, **_PROBLEM)
