"""Protocol of the columns over arms that views are made of."""

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Arm
from goodarm.views.problem_text import ProblemFacts

Floats = NDArray[np.float64]


class WaitingRewards(Protocol):
    """Rewards of an arm that wait behind a missing one."""

    @property
    def rewards(self) -> int:
        """Number of waiting rewards."""


class ArmColumns(Protocol):
    """Data of arms, as arrays; nan where there is no number, infinite where unclear."""

    @property
    def arms(self) -> Sequence[Arm]:
        """Names of the arms."""

    @property
    def pulls(self) -> NDArray[np.int64]:
        """Number of rewards that entered each arm's test."""

    @property
    def labels(self) -> NDArray[np.int8]:
        """Label of each arm as a number: 1 good, -1 bad, 0 undecided."""

    @property
    def mean(self) -> Floats:
        """Mean reward of each arm."""

    @property
    def lower(self) -> Floats:
        """Lower bound of each mean."""

    @property
    def upper(self) -> Floats:
        """Upper bound of each mean."""

    @property
    def e_good(self) -> Floats:
        """E-values against "not good"."""

    @property
    def e_bad(self) -> Floats:
        """E-values against "not bad"."""

    @property
    def needed(self) -> Floats:
        """Further pulls until a label, the median."""

    @property
    def needed_90(self) -> Floats:
        """Further pulls that are enough in 90 % of cases."""

    @property
    def spent(self) -> Floats | None:
        """Money spent on each arm; None without costs."""

    @property
    def expected(self) -> Floats:
        """Money of the further pulls until a label, the median; nan where unclear."""

    @property
    def expected_90(self) -> Floats:
        """Money that is enough in 90 % of cases."""

    @property
    def p_good(self) -> Floats | None:
        """P-values against "not good" of a table for one look, which has no e-values."""

    @property
    def p_bad(self) -> Floats | None:
        """P-values against "not bad"."""

    @property
    def waits(self) -> Mapping[int, WaitingRewards]:
        """Waiting rewards, by position."""

    @property
    def threshold(self) -> float | None:
        """Threshold of all arms; None where they have their own."""

    @property
    def thresholds(self) -> Floats | None:
        """Threshold of each arm, where they differ."""

    @property
    def pools(self) -> NDArray[np.int64] | None:
        """Number of cases of each arm, where they differ."""

    @property
    def margin(self) -> float:
        """Slack around the thresholds."""

    @property
    def rewards(self) -> str:
        """Kind of rewards."""

    @property
    def low(self) -> float | None:
        """Smallest reward, where it is not 0."""

    @property
    def high(self) -> float | None:
        """Largest reward, where it is not 1."""

    @property
    def is_percent(self) -> bool:
        """True if means, bounds and thresholds are shown in percent."""

    @property
    def question(self) -> ProblemFacts:
        """Question that was asked of the arms."""

    @property
    def summary(self) -> str:
        """Outcome in a line."""


def get_thresholds(table: ArmColumns) -> Floats:
    """Return the threshold of each arm."""
    if table.thresholds is not None:
        return table.thresholds
    return np.full(len(table.arms), np.nan if table.threshold is None else table.threshold)


def get_differing_columns(table: ArmColumns) -> dict[str, NDArray[Any]]:
    """Return the columns in which arms differ, by name: thresholds and pools."""
    columns = {"threshold": table.thresholds, "pool": table.pools}
    return {name: values for name, values in columns.items() if values is not None}
