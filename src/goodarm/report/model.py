"""Content of a report as plain data, independent of any paper."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from goodarm.results import Fact, Quantity, Widths

Agreement = Literal[
    "agrees", "differs", "both beyond the limit", "not printed", "no sd printed", "too few runs"
]


@dataclass(frozen=True)
class ComparisonRow:
    """Row on one quantity of one algorithm: the paper's number and ours. Means and sds are pulls.

    Args:
        printed: the paper's mean as printed, in units of ``unit_printed``.
        paper_mean, paper_sd: the paper's in pulls, by its consistent unit; None if not printed.
        mean, sd: ours; None unless all runs reached the quantity.
        reached: number of runs that reached it.
        limit: pulls at which runs were stopped, if there is a limit.
        ratio: our mean divided by the paper's.
        p_value: of Welch's test, after Holm's correction over the instance's rows.
        notes: numbers of the footnotes that belong to the row.
    """

    quantity: Quantity
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
class TauCurve:
    """Curve of pulls against good arms identified, for one algorithm, with the paper's points."""

    algorithm: str
    counts: NDArray[np.int64]
    mean: NDArray[np.float64]
    sd: NDArray[np.float64]
    paper_counts: NDArray[np.int64]
    paper_mean: NDArray[np.float64]
    paper_sd: NDArray[np.float64]


@dataclass(frozen=True)
class MeanRow:
    """Mean pulls to a quantity, by algorithm; None if no run reached it or a limit stopped one."""

    quantity: Quantity
    means: Mapping[str, float | None]


@dataclass(frozen=True)
class TheoryPart:
    """Theory of one instance.

    Args:
        lower_bounds: lower bound on the pulls of any algorithm, by quantity; None where infinite.
        facts: parameters and numbers of theorems.
        widths: confidence bounds to draw, if there are any.
    """

    lower_bounds: Mapping[Quantity, float | None]
    facts: tuple[Fact, ...] = ()
    widths: Widths | None = None


@dataclass(frozen=True)
class Section:
    """Section on one instance; ``theory`` is None if the paper declares none that holds."""

    instance: Mapping[str, Any]
    delta: float
    runs: int
    wrong: Mapping[str, int]
    rows: tuple[ComparisonRow, ...]
    means: tuple[MeanRow, ...]
    curves: tuple[TauCurve, ...]
    theory: TheoryPart | None
    footnotes: tuple[str, ...]

    @property
    def name(self) -> str:
        """The instance's name."""
        return str(self.instance["name"])

    @property
    def is_published(self) -> bool:
        """True if the paper printed any of its rows; if not, algorithms are compared."""
        return any(row.agreement != "not printed" for row in self.rows)

    @property
    def more_theory(self) -> TheoryPart | None:
        """The theory, if it has more than the lower bounds that a comparison shows anyway."""
        theory = self.theory
        if theory is None or self.is_published or theory.facts or theory.widths:
            return theory
        return None


@dataclass(frozen=True)
class PaperReport:
    """Report of one reproduction."""

    paper: str
    title: str
    reference: str
    delta: float
    seed: int
    version: str
    algorithms: tuple[str, ...]
    sections: tuple[Section, ...]
