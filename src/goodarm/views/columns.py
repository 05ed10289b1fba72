"""Columns over arms that views are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Arm

Floats = NDArray[np.float64]


class HasRewards(Protocol):
    """Rewards that wait behind a missing one."""

    @property
    def rewards(self) -> int:
        """How many wait."""


class ArmColumns(Protocol):
    """What is known of arms, as arrays; nan where there is no number, infinite where unclear."""

    @property
    def arms(self) -> Sequence[Arm]:
        """Their labels."""

    @property
    def pulls(self) -> NDArray[np.int64]:
        """Rewards that entered their tests."""

    @property
    def labels(self) -> NDArray[np.int8]:
        """Codes: 1 good, -1 bad, 0 undecided."""

    @property
    def mean(self) -> Floats:
        """Their means."""

    @property
    def lower(self) -> Floats:
        """Their lower bounds."""

    @property
    def upper(self) -> Floats:
        """Their upper bounds."""

    @property
    def e_good(self) -> Floats:
        """E-values against "not good"."""

    @property
    def e_bad(self) -> Floats:
        """E-values against "not bad"."""

    @property
    def needed(self) -> Floats:
        """Further pulls until a label."""

    @property
    def needed_90(self) -> Floats:
        """Pulls that are enough in 90 % of cases."""

    @property
    def waits(self) -> Mapping[int, HasRewards]:
        """What waits, by position."""

    @property
    def threshold(self) -> float | None:
        """The threshold of all arms; None where they have their own."""

    @property
    def thresholds(self) -> Floats | None:
        """Those of each, where they differ."""

    @property
    def pools(self) -> NDArray[np.int64] | None:
        """The cases of each, where they differ."""

    @property
    def margin(self) -> float:
        """Slack around the thresholds."""

    @property
    def rewards(self) -> str:
        """The kind of rewards."""

    @property
    def low(self) -> float | None:
        """The least reward, where it is not 0."""

    @property
    def high(self) -> float | None:
        """The largest reward, where it is not 1."""

    @property
    def summary(self) -> str:
        """The outcome in a line."""


def bars_of(table: ArmColumns) -> Floats:
    """Return the threshold of each arm."""
    if table.thresholds is not None:
        return table.thresholds
    return np.full(len(table.arms), np.nan if table.threshold is None else table.threshold)


def own_columns(table: ArmColumns) -> dict[str, NDArray[Any]]:
    """Return what arms have of their own, by the names of the columns."""
    own = {"threshold": table.thresholds, "pool": table.pools}
    return {name: values for name, values in own.items() if values is not None}
