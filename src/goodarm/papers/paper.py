"""Declaration of a paper: instances, algorithms, runs, published rows and theory."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from goodarm.arguments import check_count, check_delta
from goodarm.datasets import Instance
from goodarm.errors import invalid_argument, invalid_choice
from goodarm.papers.theory import Theory
from goodarm.results import Quantity, check_quantity

if TYPE_CHECKING:
    from goodarm.algorithm import Algorithm


@dataclass(frozen=True)
class PublishedRow:
    """One number of a paper's table, as printed.

    Args:
        instance, algorithm: the names of both.
        quantity: ``tau(1)``, ``tau(2)``, ... or ``STOP``.
        mean, sd: as printed; None if the paper prints none.
        unit_printed: the factor in the caption.
        unit_consistent: the factor with which the row agrees with the algorithm as defined.
        decimals: digits after the decimal point in this line of the table.
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
        """Mean in pulls."""
        return None if self.mean is None else self.mean * self.unit_consistent

    @property
    def pulls_sd(self) -> float | None:
        """Standard deviation in pulls."""
        return None if self.sd is None else self.sd * self.unit_consistent

    @property
    def rounding(self) -> float:
        """Largest rounding error of a printed number, in pulls."""
        return float(0.5 * 10.0**-self.decimals * self.unit_consistent)


@dataclass(frozen=True)
class Footnote:
    """Remark on an instance, an algorithm or both, or on all rows if neither is given.

    ``but_not`` is a quantity whose rows are excluded. ``with_theory`` restricts the remark to
    instances that the paper's theory covers (True) or does not cover (False).
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
        """Return whether the remark belongs under this instance's table with this algorithm."""
        return self.instance in (None, instance) and self.algorithm in (None, algorithm)

    def marks(self, instance: str, algorithm: str, quantity: Quantity) -> bool:
        """Return whether this row carries the remark's number; a general remark marks no row."""
        is_general = self.instance is None and self.algorithm is None
        is_concerned = self.applies_to(instance, algorithm) and quantity != self.but_not
        return is_concerned and not is_general


@dataclass(frozen=True)
class PaperExperiment:
    """Experiment of a paper: one instance, with the runs, the quantities and the limits.

    Args:
        instance: the arms and the threshold.
        runs: the number of runs, as in the paper.
        quantities: the rows of its table, in order.
        max_pulls: the limit of each algorithm's runs, by name, if the paper has one.
        delta: replaces the paper's.
        algorithms: replace the paper's.
    """

    instance: Instance
    runs: int
    quantities: tuple[Quantity, ...]
    max_pulls: Mapping[str, int] = field(default_factory=dict)
    delta: float | None = None
    algorithms: "tuple[str | Algorithm, ...] | None" = None

    def __post_init__(self) -> None:
        owner = "PaperExperiment"
        check_count("runs", owner, self.runs)
        if not self.quantities:
            raise invalid_argument("quantities", owner, "have at least one", self.quantities)
        for quantity in self.quantities:
            check_quantity("quantities", owner, quantity)
        for limit in self.max_pulls.values():
            check_count("max_pulls", owner, limit)
        if self.delta is not None:
            check_delta(owner, self.delta)


@dataclass(frozen=True)
class Paper:
    """Published paper, with everything that a report needs to reproduce it.

    Args:
        name: its name in commands.
        title, reference: the citation.
        delta: the error probability.
        algorithms: the columns of its tables: names that ``simulate`` accepts, or Algorithms. An
            algorithm whose test does not accept an instance's rewards is left out of that table,
            with a footnote.
        experiments: one for each instance, in order.
        rows: its published rows, each of one of its instances, algorithms and quantities.
        footnotes: remarks under the tables.
        theory: the theory that the report shows; None for none.
    """

    name: str
    title: str
    reference: str
    delta: float
    algorithms: "tuple[str | Algorithm, ...]"
    experiments: tuple[PaperExperiment, ...]
    rows: tuple[PublishedRow, ...]
    footnotes: tuple[Footnote, ...] = ()
    theory: Theory | None = None

    def __post_init__(self) -> None:
        check_delta("Paper", self.delta)
        experiments = {each.instance.name: each for each in self.experiments}
        if len(experiments) < len(self.experiments):
            names = [each.instance.name for each in self.experiments]
            raise invalid_argument("experiments", "Paper", "have each instance once", names)
        _list_names(self.algorithms, f"the paper {self.name}")
        for experiment in self.experiments:
            owner = f"the experiment {experiment.instance.name}"
            _list_names(self.algorithms_of(experiment), owner)
            _list_names(tuple(experiment.max_pulls), f"max_pulls of {owner}")
        for row in self.rows:
            self._check_row(row, experiments)
        for note in self.footnotes:
            owner = f"a footnote of {self.name}"
            if note.instance is not None and note.instance not in experiments:
                raise invalid_choice("instance", owner, experiments, note.instance)
            if note.algorithm is not None:
                _list_names((note.algorithm,), owner)

    def _check_row(self, row: PublishedRow, experiments: Mapping[str, PaperExperiment]) -> None:
        """Raise an error if no table of the report would show the row."""
        owner = f"a published row of {self.name}"
        if row.instance not in experiments:
            raise invalid_choice("instance", owner, experiments, row.instance)
        experiment = experiments[row.instance]
        names = _list_names(self.algorithms_of(experiment), owner)
        if row.algorithm not in names:
            raise invalid_choice("algorithm", owner, names, row.algorithm)
        if row.quantity not in experiment.quantities:
            known = map(str, experiment.quantities)
            raise invalid_choice("quantity", owner, known, str(row.quantity))
        if self.row(row.instance, row.algorithm, row.quantity) is not row:
            what = f"{row.instance}, {row.algorithm}, {row.quantity}"
            raise invalid_argument("rows", "Paper", "have each row once", what)

    def delta_of(self, experiment: PaperExperiment) -> float:
        """Return the error probability of an experiment."""
        return self.delta if experiment.delta is None else experiment.delta

    def algorithms_of(self, experiment: PaperExperiment) -> "tuple[str | Algorithm, ...]":
        """Return the algorithms of an experiment."""
        return self.algorithms if experiment.algorithms is None else experiment.algorithms

    def row(self, instance: str, algorithm: str, quantity: Quantity) -> PublishedRow | None:
        """Return the published row, or None."""
        for row in self.rows:
            if (row.instance, row.algorithm, row.quantity) == (instance, algorithm, quantity):
                return row
        return None


def _list_names(algorithms: "tuple[str | Algorithm, ...]", owner: str) -> list[str]:
    """Return the names of algorithms; raise an error for an unknown one."""
    from goodarm.algorithm import (
        find_algorithm,
    )  # here, so that papers can be listed without loading it

    return [find_algorithm(each, owner).name for each in algorithms]
