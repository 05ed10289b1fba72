"""Threads for kernels that fill arrays: each gets some of the arms.

Arms are computed independently, so results do not depend on how they are divided.
"""

import os
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from typing import Any, Final

import numpy as np

ARMS_PER_THREAD: Final = 10_000
"""Fewest arms worth a thread: some 10 milliseconds of work."""


def fill_in_threads(fill: Callable[..., None], num_arms: int, *arguments: Any) -> None:
    """Call a kernel that fills arrays, on several threads if there are many arms.

    One-dimensional arrays with a number for each arm are divided; every thread gets all other
    arguments whole.

    >>> squares = np.zeros(3)
    >>> fill_in_threads(lambda x, found: np.square(x, out=found), 3, np.arange(3.0), squares)
    >>> squares.tolist()
    [0.0, 1.0, 4.0]
    """
    num_threads = num_arms // ARMS_PER_THREAD
    if num_threads > 1:
        num_threads = min(count_cores(), num_threads)
    if num_threads < 2:
        fill(*arguments)
        return
    ends = np.linspace(0, num_arms, num_threads + 1).astype(int).tolist()
    parts = [slice(*pair) for pair in pairwise(ends)]
    with ThreadPoolExecutor(num_threads, "goodarm fill") as threads:
        calls = [
            threads.submit(
                fill,
                *(
                    each[part]
                    if isinstance(each, np.ndarray) and each.shape == (num_arms,)
                    else each
                    for each in arguments
                ),
            )
            for part in parts
        ]
        for call in calls:
            call.result()


def count_cores() -> int:
    """Return the number of cores that this process may use."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1
