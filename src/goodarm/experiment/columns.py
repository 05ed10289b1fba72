"""An experiment's state as arrays and back, for a cache: with the entries behind it, it is all."""

import heapq
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.experiment.start import Start
from goodarm.experiment.state import Lease, State
from goodarm.identifier import columns

LAYOUT: Final = 2
"""Grows when what is written here changes, or what it means; others are not read."""


def write(state: State) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """The state as arrays, and what is no array as JSON."""
    arrays, ident = columns.write(state.ident._parts())
    asked = state.asked_at
    arrays["asked_numbers"] = np.fromiter(asked.keys(), np.int64, len(asked))
    arrays["asked_at"] = np.fromiter(asked.values(), np.float64, len(asked))
    rest = {
        "layout": LAYOUT,
        "last": state.last,
        "at": state.at,
        "is_paused": state.status.is_paused,
        "is_closed": state.status.is_closed,
        "leases": [(number, *lease) for number, lease in state.leases.items()],
        "workers": list(state.workers.items()),
        "again": list(state.again),
        "ident": ident,
    }
    return arrays, rest


def read(start: Start, arrays: columns.Columns, rest: Mapping[str, Any]) -> State | None:
    """The state that was written; None if another version wrote it."""
    if rest.get("layout") != LAYOUT:
        return None
    state = State(start)
    for arm, pool in rest["ident"]["added"]:
        state.ident.add_arm(arm, pool=pool)
    columns.fill(state.ident._parts(), arrays, rest["ident"])
    state.last, state.at = rest["last"], rest["at"]
    state.status.is_paused, state.status.is_closed = rest["is_paused"], rest["is_closed"]
    numbers, times = arrays["asked_numbers"].tolist(), arrays["asked_at"].tolist()
    state.asked_at = dict(zip(numbers, times, strict=True))
    for number, worker, until in rest["leases"]:
        state.lease(number, Lease(worker, until))
    state.workers = dict(map(tuple, rest["workers"]))
    heapq.heapify(state.ends)
    state.again = dict.fromkeys(rest["again"])
    return state
