"""Settings of the whole suite."""

import gc
import os
from pathlib import Path

from hypothesis import settings

os.environ.setdefault("NUMBA_CACHE_DIR", str(Path(__file__).parents[1] / ".cache" / "numba"))

gc.set_threshold(20_000, 20, 50)  # libraries fill the heap; looking it through takes long

settings.register_profile("goodarm", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("goodarm")

# Tests are of the compiled kernels; tests/kernels/test_interpretation.py compares them with the
# same functions interpreted, which is what small calls of a new process get.
from goodarm.kernels.compilation.jit import InterpretingLimits  # noqa: E402

InterpretingLimits.until_loaded = InterpretingLimits.until_compiled = 0.0


def pytest_collection_finish():
    """Keep what collecting made out of later searches for garbage, here and in forks."""
    gc.collect()
    gc.freeze()


def pytest_unconfigure():
    """Let libraries find at exit what they made: DuckDB calls it a leak otherwise."""
    gc.unfreeze()
