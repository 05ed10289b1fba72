"""What a paper is to goodarm: a declaration of instances, algorithms, runs, rows and theory."""

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
    algorithms: "tuple[str | Algorithm, ...] | None" = None

    def __post_init__(self) -> None:
        owner = "Experiment"
        check_count("runs", owner, self.runs)
        if not self.quantities:
            raise invalid_argument("quantities", owner, "hold at least one", self.quantities)
        for quantity in self.quantities:
            check_quantity("quantities", owner, quantity)
        for limit in self.max_pulls.values():
            check_count("max_pulls", owner, limit)
        if self.delta is not None:
            check_delta(owner, self.delta)


@dataclass(frozen=True)
class Paper:
    """A published experiment.

    Args:
        name: how commands call it.
        title, reference: what to cite.
        delta: the error probability.
        algorithms: those of its tables: names that ``simulate`` knows, or Algorithms. One whose
            test does not take an instance's rewards is left out of its table, with a footnote.
        experiments: its instances, in order.
        rows: its published rows, each of one of its instances, algorithms and quantities.
        footnotes: remarks that belong under the tables.
        theory: what the report says of theory; None for nothing.
    """

    name: str
    title: str
    reference: str
    delta: float
    algorithms: "tuple[str | Algorithm, ...]"
    experiments: tuple[Experiment, ...]
    rows: tuple[PublishedRow, ...]
    footnotes: tuple[Footnote, ...] = ()
    theory: Theory | None = None

    def __post_init__(self) -> None:
        check_delta("Paper", self.delta)
        experiments = {each.instance.name: each for each in self.experiments}
        if len(experiments) < len(self.experiments):
            names = [each.instance.name for each in self.experiments]
            raise invalid_argument("experiments", "Paper", "have each instance once", names)
        _names_of(self.algorithms, f"the paper {self.name}")
        for experiment in self.experiments:
            owner = f"the experiment {experiment.instance.name}"
            _names_of(self.algorithms_of(experiment), owner)
            _names_of(tuple(experiment.max_pulls), f"max_pulls of {owner}")
        for row in self.rows:
            self._check_row(row, experiments)
        for note in self.footnotes:
            owner = f"a footnote of {self.name}"
            if note.instance is not None and note.instance not in experiments:
                raise invalid_choice("instance", owner, experiments, note.instance)
            if note.algorithm is not None:
                _names_of((note.algorithm,), owner)

    def _check_row(self, row: PublishedRow, experiments: Mapping[str, Experiment]) -> None:
        """Raise an error for a row that no table of the report would show."""
        owner = f"a published row of {self.name}"
        if row.instance not in experiments:
            raise invalid_choice("instance", owner, experiments, row.instance)
        experiment = experiments[row.instance]
        names = _names_of(self.algorithms_of(experiment), owner)
        if row.algorithm not in names:
            raise invalid_choice("algorithm", owner, names, row.algorithm)
        if row.quantity not in experiment.quantities:
            known = map(str, experiment.quantities)
            raise invalid_choice("quantity", owner, known, str(row.quantity))
        if self.row(row.instance, row.algorithm, row.quantity) is not row:
            what = f"{row.instance}, {row.algorithm}, {row.quantity}"
            raise invalid_argument("rows", "Paper", "have each row once", what)

    def delta_of(self, experiment: Experiment) -> float:
        """The error probability of one of its experiments."""
        return self.delta if experiment.delta is None else experiment.delta

    def algorithms_of(self, experiment: Experiment) -> "tuple[str | Algorithm, ...]":
        """The algorithms of one of its experiments."""
        return self.algorithms if experiment.algorithms is None else experiment.algorithms

    def row(self, instance: str, algorithm: str, quantity: Quantity) -> PublishedRow | None:
        """The published row, if there is one."""
        for row in self.rows:
            if (row.instance, row.algorithm, row.quantity) == (instance, algorithm, quantity):
                return row
        return None


def _names_of(algorithms: "tuple[str | Algorithm, ...]", owner: str) -> list[str]:
    """Return the names of algorithms; one that goodarm does not know is an error."""
    from goodarm.algorithm import as_algorithm  # so that papers are listed without loading it

    return [as_algorithm(each, owner).name for each in algorithms]
