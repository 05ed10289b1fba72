"""Long arrays, done in parts by threads: the kernels release the interpreter lock."""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Final

_LEAST: Final = 10_000
"""Below so many elements threads are not worth starting."""


def in_parts(work: Callable[[slice], None], count: int) -> None:
    """Call the work with slices that make up ``count`` elements; the result is the same."""
    workers = min(os.cpu_count() or 1, count // _LEAST)
    if workers < 2:
        work(slice(0, count))
        return
    edges = [count * part // workers for part in range(workers + 1)]
    with ThreadPoolExecutor(workers) as pool:
        list(pool.map(work, map(slice, edges, edges[1:])))
