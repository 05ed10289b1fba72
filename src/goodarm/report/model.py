"""What a report shows, as plain data; it knows no paper and runs nothing."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

Agreement = Literal[
    "agrees", "differs", "both beyond the limit", "not printed", "no sd printed", "too few runs"
]


@dataclass(frozen=True)
class Row:
    """One quantity of one algorithm: the paper's number beside ours. Means and sds are pulls.

    Args:
        printed: the paper's mean as printed, in units of ``unit_printed``.
        paper_mean, paper_sd: in pulls, in the unit that is consistent; None if not printed.
        mean, sd: ours, over ``reached`` runs; None where no run reached it.
        limit: pulls at which runs were stopped, if they were.
        ratio: ours to the paper's.
        p_value: of Welch's test, after Holm's correction over the instance's rows.
        notes: numbers of the footnotes that belong to the row.
    """

    quantity: str
    algorithm: str
    printed: float | None
    unit_printed: float | None
    paper_mean: float | None
    paper_sd: float | None
    mean: float | None
    sd: float | None
    reached: int
    limit: int | None
    ratio: float | None
    p_value: float | None
    agreement: Agreement
    notes: tuple[int, ...]


@dataclass(frozen=True)
class Curve:
    """Pulls against good arms identified, for one algorithm; and the paper's points."""

    algorithm: str
    counts: NDArray[np.int64]
    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    paper_counts: NDArray[np.int64]
    paper_mean: NDArray[np.float64]
    paper_sd: NDArray[np.float64]


@dataclass(frozen=True)
class TheoryRow:
    """A quantity's lower bound for any algorithm, beside what was measured, by algorithm."""

    quantity: str
    lower_bound: float | None
    measured: Mapping[str, float | None]


@dataclass(frozen=True)
class Theory:
    """The paper's parameters and bounds on one instance.

    ``suffices`` is the theorem's number of pulls, summed over the arms; None where it is infinite.
    The two confidence bounds are over ``pulls``; they cross at ``warmup``.
    """

    epsilon: float
    c: float
    warmup: int
    suffices: float | None
    rows: tuple[TheoryRow, ...]
    pulls: NDArray[np.float64]
    hoeffding: NDArray[np.float64]
    lil: NDArray[np.float64]


@dataclass(frozen=True)
class Section:
    """One instance of the report."""

    instance: Mapping[str, Any]
    delta: float
    runs: int
    wrong: Mapping[str, int]
    rows: tuple[Row, ...]
    curves: tuple[Curve, ...]
    theory: Theory
    footnotes: tuple[str, ...]

    @property
    def name(self) -> str:
        """The instance's name."""
        return str(self.instance["name"])

    @property
    def is_published(self) -> bool:
        """Whether the paper printed any row of it; if not, algorithms are compared."""
        return any(row.agreement != "not printed" for row in self.rows)


@dataclass(frozen=True)
class Report:
    """Everything that one reproduction shows."""

    paper: str
    title: str
    reference: str
    delta: float
    seed: int
    version: str
    algorithms: tuple[str, ...]
    sections: tuple[Section, ...]
