"""Settings of the whole suite."""

import os
import zlib
from pathlib import Path

from hypothesis import settings

ROOT = Path(__file__).parents[1]


def _kernel_cache() -> str:
    """A cache named by the kernels' text: Numba does not notice a changed callee elsewhere."""
    text = b"".join(
        path.read_bytes() for path in sorted((ROOT / "src/goodarm/kernels").glob("*.py"))
    )
    return str(ROOT / ".cache" / f"numba-tests-{zlib.crc32(text):08x}")


os.environ.setdefault("NUMBA_CACHE_DIR", _kernel_cache())

settings.register_profile("goodarm", derandomize=True, deadline=None, print_blob=False)
settings.load_profile("goodarm")
