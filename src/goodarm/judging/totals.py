"""Totals of each arm: the input of ``judge``."""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import ValueCounts
from goodarm.problem import Arm, Problem

Floats = NDArray[np.float64]


class Totals(NamedTuple):
    """Arms in the order of the table, with the totals of their rewards.

    ``thresholds`` and ``pools`` are each arm's; ``values`` and ``wealth`` are None unless the rule
    bets on each reward; ``lost``, the pulls that have no reward, unless the table has them;
    ``spent``, each arm's money in billionths, None if it is not known.
    """

    arms: tuple[Arm, ...]
    pulls: Floats
    sums: Floats
    thresholds: Floats
    pools: Floats | None = None
    values: ValueCounts | None = None
    wealth: Floats | None = None
    lost: Floats | None = None
    spent: tuple[int, ...] | None = None

    def of(self, problem: Problem) -> "Totals":
        """Return the totals of the problem's arms, in its order; 0 for arms not in the table."""
        places = [problem.position(arm, "the table") for arm in self.arms]
        rows = np.full(problem.num_arms, -1)
        rows[places] = np.arange(len(places))
        is_there = rows >= 0
        values, wealth = self.values, self.wealth
        if values is not None and wealth is not None:
            none = values.starts[-1:]
            values = values._replace(starts=np.append(values.starts, none)).of(rows)
            wealth = np.where(is_there[:, None], wealth[rows], 0.0)
        spent = self.spent
        if spent is not None:
            spent = tuple(spent[row] if row >= 0 else 0 for row in rows.tolist())
        return Totals(
            problem.arms,
            np.where(is_there, self.pulls[rows], 0.0),
            np.where(is_there, self.sums[rows], 0.0),
            np.full(problem.num_arms, problem.threshold),
            None if problem.pools is None else np.array(problem.pools, float),
            values,
            wealth,
            None if self.lost is None else np.where(is_there, self.lost[rows], 0.0),
            spent,
        )
