"""Counts of each value of each arm, from rows in any order and in little memory.

An arm's values are kept exactly as long as they are few. From then on they are counted in bins, and
the log wealth of the bets is summed reward by reward, so that it stays exact.
"""

from collections.abc import Sequence
from copy import copy
from typing import Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import BINS, MAX_DISTINCT_VALUES, ValueCounts
from goodarm.judging.bets import RuleBets

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

MAX_WAITING_ROWS: Final = 1 << 18
"""Number of rows that are collected before they are sorted and counted."""
_MAX_DENSE_PAIRS: Final = 1 << 22
"""Maximum number of (arm, value) pairs that are counted in a dense array, without sorting."""


class ValueRows(NamedTuple):
    """Rows of arm, value, and how often it occurred."""

    arms: Ints
    values: Floats
    times: Floats

    def at(self, chosen: NDArray[np.intp] | NDArray[np.bool_]) -> "ValueRows":
        """Select rows by index or mask."""
        return ValueRows(self.arms[chosen], self.values[chosen], self.times[chosen])


_NO_ROWS: Final = ValueRows(np.zeros(0, np.int64), np.zeros(0), np.zeros(0))


def find_bins(units: Floats) -> Floats:
    """Return the bin of each unit reward: odd numbers are bins, even ones the edges between.

    >>> find_bins(np.array([0.0, 0.001, 1 / 256, 1.0])).tolist()
    [0.0, 1.0, 2.0, 512.0]
    """
    scaled = units * BINS
    return np.asarray(np.floor(scaled) + np.ceil(scaled))


class ValueCounter:
    """Values of a table's arms, and the wealth of bets on arms that have many."""

    def __init__(self, bets: RuleBets) -> None:
        self._bets = bets
        self._few, self._bins = _NO_ROWS, _NO_ROWS
        self._waiting: list[ValueRows] = []
        self._num_waiting = 0
        self._is_many = np.zeros(0, bool)
        self._wealth: dict[int, Floats] = {}

    def copy(self) -> "ValueCounter":
        """Return a copy."""
        other = copy(self)
        other._waiting, other._wealth = list(self._waiting), dict(self._wealth)
        return other

    def add(self, arms: Ints, units: Floats, times: Floats, thresholds: Floats) -> None:
        """Add rows of arms, their rewards in unit rewards, and how often each occurred."""
        self._waiting.append(ValueRows(arms, units, times))
        self._num_waiting += len(arms)
        if self._num_waiting >= MAX_WAITING_ROWS:
            self._settle(thresholds)

    def add_bins(self, arms: Ints, bins: Floats, times: Floats) -> None:
        """Add values that an engine has counted in bins."""
        self._bins = _merge_equal(_join_rows([self._bins, ValueRows(arms, bins, times)]))

    def add_wealth(self, arms: Ints, wealth: Floats | Sequence[Floats]) -> None:
        """Add the logs of wealth of arms whose values are in bins."""
        for arm, row in zip(arms.tolist(), wealth, strict=True):
            self._wealth[arm] = self._wealth.get(arm, 0.0) + row

    def _settle(self, thresholds: Floats) -> None:
        """Count the rows collected; move arms that now have too many values into bins."""
        rows = _join_rows(self._waiting)
        self._waiting, self._num_waiting = [], 0
        self._is_many = np.append(
            self._is_many, np.zeros(len(thresholds) - len(self._is_many), bool)
        )
        known = self._is_many[rows.arms]
        many = [rows.at(known)] if known.any() else []
        few = _merge_equal(_join_rows([self._few, rows.at(~known)]))
        crowded = np.bincount(few.arms, minlength=len(thresholds)) > MAX_DISTINCT_VALUES
        if crowded.any():
            moved = crowded[few.arms]
            many.append(few.at(moved))
            few = few.at(~moved)
            self._is_many |= crowded
        self._few = few
        if many:
            self._bet_on(_join_rows(many), thresholds)

    def _bet_on(self, rows: ValueRows, thresholds: Floats) -> None:
        self.add_bins(rows.arms, find_bins(rows.values), rows.times)
        rows = rows.at(_sort_by_arm(rows.arms))
        self.add_wealth(*self._bets.wealth_of_rows(rows.arms, thresholds, rows.values, rows.times))

    def counts(self, thresholds: Floats, pools: Floats | None) -> tuple[ValueCounts, Floats]:
        """Return all values in the form that rules take, and the logs of wealth, a row per arm."""
        self._settle(thresholds)
        few, bins = self._few, self._bins
        odd = bins.values % 2.0
        low = np.concatenate([few.values, (bins.values - odd) / (2.0 * BINS)])
        high = np.concatenate([few.values, (bins.values + odd) / (2.0 * BINS)])
        arms = np.concatenate([few.arms, bins.arms])
        order = np.lexsort((high, low, arms))
        starts = np.searchsorted(arms[order], np.arange(len(thresholds) + 1)).astype(np.intp)
        times = np.concatenate([few.times, bins.times])
        found = ValueCounts(starts, low[order], high[order], times[order])
        wealth = self._bets.wealth_of_counts(found, thresholds)
        for arm, row in self._wealth.items():
            wealth[arm, : len(row)] = row
        return found, wealth


def _join_rows(parts: list[ValueRows]) -> ValueRows:
    if len(parts) == 1:
        return parts[0]
    return (
        ValueRows(*(np.concatenate(part) for part in zip(*parts, strict=True)))
        if parts
        else _NO_ROWS
    )


def _merge_equal(rows: ValueRows) -> ValueRows:
    """Sort rows by arm and value, and merge those of the same pair."""
    if not len(rows.arms):
        return rows
    values, back = np.unique(rows.values, return_inverse=True)
    size = (int(rows.arms.max()) + 1) * len(values)
    if size <= _MAX_DENSE_PAIRS:
        keys = rows.arms * len(values) + back
        counted = np.bincount(keys, rows.times, size).astype(np.float64)
        found = np.flatnonzero(counted)
        return ValueRows(found // len(values), values[found % len(values)], counted[found])
    rows = rows.at(np.lexsort((back, rows.arms)))
    is_new = np.ones(len(rows.arms), bool)
    is_new[1:] = (np.diff(rows.arms) != 0) | (np.diff(rows.values) != 0.0)
    times = np.add.reduceat(rows.times, np.flatnonzero(is_new))
    return rows.at(is_new)._replace(times=times)


def _sort_by_arm(arms: Ints) -> NDArray[np.intp]:
    """Return the order of rows by arm; numpy sorts 16-bit integers by radix, in linear time."""
    is_small = len(arms) > 0 and int(arms.max()) < 1 << 16
    return np.argsort(arms.astype(np.uint16) if is_small else arms, kind="stable")
