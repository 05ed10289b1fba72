"""Changes of an identifier that are put back: what is touched is few arms and pulls, of many."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import numpy as np

from goodarm.identifier.parts import Parts
from goodarm.kernels.asking import touch_these

KEYS: Final = ("clock", "clock_from", "clock_end")
"""Of the indices' clock: they say for when indices hold, and may stay."""


@contextmanager
def tried(parts: Parts, arms: Sequence[int], numbers: Sequence[int]) -> Iterator[None]:
    """Within it these arms and pulls may change; behind it they are as they were before."""
    live, ledger = parts.standings.live, parts.ledger
    rows, places = np.array(arms, np.int64), np.array(numbers, np.int64) - 1
    progress, own = live.progress.copy(), live.arms[rows]
    log, wealth, alive = live.log[places], live.wealth[rows], live.alive.copy()
    blocks = [ledger.copy(arm) for arm in arms]
    seen = [parts.entered.observed[arm].copy() for arm in arms]
    num_good = len(parts.intake.good)
    try:
        yield
    finally:
        live = parts.standings.live
        for name in KEYS:
            progress[name] = live.progress[name]
        live.progress[:] = progress
        live.arms[rows], live.log[places], live.wealth[rows] = own, log, wealth
        live.alive[:] = alive
        for arm, waiting, entered in zip(arms, blocks, seen, strict=True):
            ledger.put_back(arm, waiting)
            parts.entered.observed[arm] = entered
        del parts.intake.good[num_good:]
        touch_these(live, rows)
