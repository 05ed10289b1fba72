"""What a paper is to goodarm: a declaration of instances, algorithms, runs, rows and theory."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from goodarm.datasets import Instance
from goodarm.papers.theory import Theory
from goodarm.results.quantity import Quantity, check_quantity


@dataclass(frozen=True)
class PublishedRow:
    """One number of a paper's table, as printed.

    Args:
        instance, algorithm: what it is about.
        quantity: ``tau(1)``, ``tau(2)``, ... or ``STOP``.
        mean, sd: as printed, None where the paper prints none.
        unit_printed: the factor in the caption.
        unit_consistent: the factor with which the row agrees with the algorithm as defined.
        decimals: digits behind the point in this line of the table.
    """

    instance: str
    algorithm: str
    quantity: Quantity
    mean: float | None
    sd: float | None
    unit_printed: float = 1.0
    unit_consistent: float = 1.0
    decimals: int = 2

    def __post_init__(self) -> None:
        check_quantity("quantity", "PublishedRow", self.quantity)

    @property
    def pulls(self) -> float | None:
        """The mean in pulls."""
        return None if self.mean is None else self.mean * self.unit_consistent

    @property
    def pulls_sd(self) -> float | None:
        """The standard deviation in pulls."""
        return None if self.sd is None else self.sd * self.unit_consistent

    @property
    def rounding(self) -> float:
        """The most by which rounding can have moved a printed number, in pulls."""
        return float(0.5 * 10.0**-self.decimals * self.unit_consistent)


@dataclass(frozen=True)
class Footnote:
    """A remark on an instance, an algorithm or both, or on all rows if neither is given.

    ``but_not`` names a quantity whose rows it does not concern. ``with_theory`` keeps it to
    instances that the paper's theory is about (True), or is not (False).
    """

    text: str
    instance: str | None = None
    algorithm: str | None = None
    but_not: Quantity | None = None
    with_theory: bool | None = None

    def __post_init__(self) -> None:
        if self.but_not is not None:
            check_quantity("but_not", "Footnote", self.but_not)

    def applies_to(self, instance: str, algorithm: str) -> bool:
        """Whether it belongs under the table of this instance with this algorithm."""
        return self.instance in (None, instance) and self.algorithm in (None, algorithm)

    def marks(self, instance: str, algorithm: str, quantity: Quantity) -> bool:
        """Whether this row carries its number; a remark on the whole paper marks none."""
        is_general = self.instance is None and self.algorithm is None
        is_concerned = self.applies_to(instance, algorithm) and quantity != self.but_not
        return is_concerned and not is_general


@dataclass(frozen=True)
class Experiment:
    """One instance of a paper: how many runs, what is reported, what stops a run.

    Args:
        instance: arms and threshold.
        runs: as in the paper.
        quantities: the rows of its table, in order.
        max_pulls: a limit for an algorithm's runs, where the paper has one.
        delta: instead of the paper's.
        algorithms: instead of the paper's.
    """

    instance: Instance
    runs: int
    quantities: tuple[Quantity, ...]
    max_pulls: Mapping[str, int] = field(default_factory=dict)
    delta: float | None = None
    algorithms: tuple[str, ...] | None = None

    def __post_init__(self) -> None:
        for quantity in self.quantities:
            check_quantity("quantities", "Experiment", quantity)


@dataclass(frozen=True)
class Paper:
    """A published experiment.

    Args:
        name: how commands call it.
        title, reference: what to cite.
        delta: the error probability.
        algorithms: those of its tables, by names that ``as_algorithm`` knows. One whose test does
            not take an instance's rewards is left out of its table, with a footnote.
        experiments: its instances, in order.
        rows: its published rows.
        footnotes: remarks that belong under the tables.
        theory: what the report says of theory; None for nothing.
    """

    name: str
    title: str
    reference: str
    delta: float
    algorithms: tuple[str, ...]
    experiments: tuple[Experiment, ...]
    rows: tuple[PublishedRow, ...]
    footnotes: tuple[Footnote, ...] = ()
    theory: Theory | None = None

    def delta_of(self, experiment: Experiment) -> float:
        """The error probability of one of its experiments."""
        return self.delta if experiment.delta is None else experiment.delta

    def algorithms_of(self, experiment: Experiment) -> tuple[str, ...]:
        """The algorithms of one of its experiments."""
        return self.algorithms if experiment.algorithms is None else experiment.algorithms

    def row(self, instance: str, algorithm: str, quantity: Quantity) -> PublishedRow | None:
        """The published row, if there is one."""
        for row in self.rows:
            if (row.instance, row.algorithm, row.quantity) == (instance, algorithm, quantity):
                return row
        return None
