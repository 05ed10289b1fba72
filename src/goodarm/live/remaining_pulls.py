"""Forecast of the pulls that are left, as far as they can be predicted."""

from typing import Literal

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import MONEY_UNITS, Problem
from goodarm.results import ArmTable

NeededColumn = Literal["pulls_needed", "pulls_needed_90"]


def forecast_pulls(
    table: ArmTable,
    problem: Problem,
    pulls: int,
    needed_by: NeededColumn = "pulls_needed",
) -> tuple[int, bool]:
    """Return the expected number of pulls left, and whether it covers all arms in play.

    It is unknown for arms near the threshold, and for an arm for which more rewards wait than it is
    said to need. Where ``until`` good arms are enough, those that get there first count.
    ``needed_by`` chooses the number of an arm: the likely one, or the one that is enough in 90 % of
    cases.
    """
    is_open = table.labels == 0
    is_open[list(table.reasons)] = False
    needed = _predict_needed_pulls(table, needed_by)
    known, is_whole = _sort_known(needed[is_open])
    if problem.until is not None:
        missing = problem.until - table.num_by_label["good"]
        hopeful, _ = _sort_known(needed[is_open & (table.mean >= problem.threshold)])
        if len(hopeful[:missing]) == missing:
            known, is_whole = hopeful[:missing], True
    total = int(known.sum())
    left = None if problem.max_pulls is None else max(problem.max_pulls - pulls, 0)
    paid = _count_paid_pulls(table, problem)
    if paid is not None:
        left = paid if left is None else min(left, paid)
    if left is not None and (total >= left or not is_whole):
        return (left, True) if total >= left else (total, False)
    return total, is_whole


def _count_paid_pulls(table: ArmTable, problem: Problem) -> int | None:
    """Return the pulls that the money left pays for; None where it is without a limit, or unclear.

    Where arms have different costs it is unclear, as it depends on which are asked.
    """
    if problem.max_cost is None or problem.cost_units is None or table.total_spent is None:
        return None
    one, *others = set(problem.cost_units)
    if others or not one:
        return None
    left = problem.max_cost - table.total_spent
    return max(round(left * MONEY_UNITS) // one, 0)


def _predict_needed_pulls(table: ArmTable, needed_by: NeededColumn) -> NDArray[np.float64]:
    """Return the pulls that arms need; infinite where unknown."""
    needed = (table.needed if needed_by == "pulls_needed" else table.needed_90).copy()
    for position, waits in table.waits.items():
        if not np.isfinite(needed[position]) or waits.rewards > needed[position]:
            needed[position] = np.inf
    return needed


def _sort_known(needed: NDArray[np.float64]) -> tuple[NDArray[np.int64], bool]:
    """Return the known numbers, the smallest first, and whether all are known."""
    is_known = np.isfinite(needed)
    return np.sort(needed[is_known]).astype(np.int64), bool(is_known.all())
