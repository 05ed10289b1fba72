"""Conversion of an experiment's state to arrays and back, for snapshots, which are a cache.

The arrays were written by the same version of goodarm, and are not validated again.
"""

import heapq
from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.kernels.live.records import PULL
from goodarm.live.experiment_state import ExperimentState, Lease
from goodarm.live.identifier_core import IdentifierCore
from goodarm.live.reward_queue import Block
from goodarm.live.settings import ExperimentSettings

Columns = Mapping[str, NDArray[Any]]

_ARM_FIELDS: Final = (
    *("pulls", "sums", "lost", "labels", "labelled_at", "held", "told", "told_sums", "first"),
)
_PULL_FIELDS: Final = ("reward", "arm", "case", "state")


SNAPSHOT_LAYOUT: Final = 3
"""Layout number. It grows with each change of what is written here; others are not read."""


def make_columns(state: ExperimentState) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the state as arrays, and the rest as JSON."""
    arrays, ident = _write_core(state.core)
    asked = state.asked_at
    arrays["asked_numbers"] = np.fromiter(asked.keys(), np.int64, len(asked))
    arrays["asked_at"] = np.fromiter(asked.values(), np.float64, len(asked))
    rest = {
        "layout": SNAPSHOT_LAYOUT,
        "last": state.last,
        "at": state.at,
        "is_paused": state.is_paused,
        "is_closed": state.is_closed,
        "leases": [(number, *lease) for number, lease in state.leases.items()],
        "workers": list(state.workers.items()),
        "again": list(state.again),
        "ident": ident,
    }
    return arrays, rest


def restore_state(
    settings: ExperimentSettings, arrays: Columns, rest: Mapping[str, Any]
) -> ExperimentState | None:
    """Return the state that was written; None if another version wrote it."""
    if rest.get("layout") != SNAPSHOT_LAYOUT:
        return None
    state = ExperimentState(settings)
    for arm, pool, cost in rest["ident"]["added"]:
        state.core.add_arm(arm, pool, "snapshot", cost=cost)
    _fill_core(state.core, arrays, rest["ident"])
    state.last, state.at = rest["last"], rest["at"]
    state.is_paused, state.is_closed = rest["is_paused"], rest["is_closed"]
    numbers, times = arrays["asked_numbers"].tolist(), arrays["asked_at"].tolist()
    state.asked_at = dict(zip(numbers, times, strict=True))
    for number, worker, until in rest["leases"]:
        state.lease(number, Lease(worker, until))
    state.workers = dict(map(tuple, rest["workers"]))
    heapq.heapify(state.ends)
    state.again = dict.fromkeys(rest["again"])
    return state


def copy_state(state: ExperimentState) -> ExperimentState:
    """Return a copy of a state that shares no mutable data with it."""
    arrays, rest = make_columns(state)
    copied = restore_state(
        state.settings, {name: array.copy() for name, array in arrays.items()}, rest
    )
    assert copied is not None  # it is of this very layout
    return copied


def _write_core(core: IdentifierCore) -> tuple[dict[str, NDArray[Any]], dict[str, Any]]:
    """Return the state of an identifier: arrays, and the rest as JSON."""
    arms = core.arms
    columns = {f"arm_{name}": arms.arms[name] for name in _ARM_FIELDS}
    columns |= {f"pull_{name}": _narrow_type(arms.log(name)) for name in _PULL_FIELDS}
    columns["wealth"] = arms.wealth
    columns["good"] = np.array(core.tests.good, np.int64)
    seen = [
        (arm, value, times)
        for arm, values in sorted(core.observations.observed.items())
        for value, times in sorted(values.items())
    ]
    columns["entered"] = np.array(seen, np.float64).reshape(-1, 3)
    observed = sorted(core.cases.observed.items())
    cases = [(arm, case) for arm, found in observed for case in found]
    columns["observed_cases"] = np.array(cases, np.int64).reshape(-1, 2)
    first, problem = core.cases.num_first, core.problem
    pools = problem.pools or (None,) * problem.num_arms
    costs = problem.cost if isinstance(problem.cost, tuple) else (None,) * problem.num_arms
    told = {} if core.money is None else core.money.own
    columns["cost_numbers"] = np.fromiter(told.keys(), np.int64, len(told))
    columns["cost_units"] = np.fromiter(told.values(), np.int64, len(told))
    rest = {
        "added": list(zip(problem.arms[first:], pools[first:], costs[first:], strict=True)),
        "taken_out": sorted(arms.taken_out),
        "pulls": int(arms.progress["pulls"]),
        "blocks": [(arm, behind, *block) for arm, behind, block in core.queue.blocks()],
    }
    return columns, rest


def _fill_core(core: IdentifierCore, columns: Columns, rest: Mapping[str, Any]) -> None:
    """Bring a new identifier, to which the arms were added, to a state."""
    arms = core.arms
    for name in _ARM_FIELDS:
        arms.arms[name] = columns[f"arm_{name}"]
    arms.wealth[:] = columns["wealth"]
    arms.taken_out.update(rest["taken_out"])
    core.tests.good.extend(columns["good"].tolist())
    for arm, value, times in columns["entered"].tolist():
        core.observations.observed[int(arm)][value] = int(times)
    log = np.zeros(len(columns["pull_arm"]), PULL)
    for name in _PULL_FIELDS:
        log[name] = columns[f"pull_{name}"]
    arms.take_log(log)
    for arm, behind, size, total, rewards in rest["blocks"]:
        core.queue.put(arm, Block(size, total, tuple(rewards)), behind)
    arms.restore(rest["pulls"])
    if core.money is not None:
        numbers, units = columns["cost_numbers"].tolist(), columns["cost_units"].tolist()
        core.money.restore(dict(zip(numbers, units, strict=True)))
    if core.problem.pool is not None:
        observed = columns["observed_cases"]
        of_arm = [list[int]() for _ in core.problem.arms]
        for arm, case in observed.tolist():
            of_arm[arm].append(case)
        core.cases.restore(of_arm)


def _narrow_type(values: NDArray[Any]) -> NDArray[Any]:
    """Return the numbers in as few bytes as they need: most rewards are 0 or 1, most arms few."""
    if not len(values):
        return values
    low, high = values.min(), values.max()
    kind = np.promote_types(np.min_scalar_type(int(low)), np.min_scalar_type(int(high)))
    if values.dtype.kind == "f" and not (low >= 0 and high <= 1 and (values == (values > 0)).all()):
        return values
    return values.astype(kind)
