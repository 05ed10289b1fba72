"""Table of simulated runs: pulls to each good arm and to the end."""

from dataclasses import asdict, dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.results.quantity import Quantity
from goodarm.views.html import make_html_table
from goodarm.views.numbers import format_count, plural
from goodarm.views.text import make_text_table, shorten

_MAX_ROWS_SHOWN = 12
_HEADER = ("pulls", "runs", "mean", "sd", "least", "most")


@dataclass(frozen=True)
class RunsRow:
    """Summary of one quantity over the runs that reached it.

    Args:
        quantity: pulls until the j-th good arm, or until the end.
        runs: how many runs reached it.
        mean, sd: mean and standard deviation of these runs; the sd of a single run is None.
        least, most: the fewest and the most pulls.

    >>> import goodarm as ga
    >>> runs = ga.simulate([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3)
    >>> row = runs.table()["tau_stop"]
    >>> row.runs, row.least, row.most
    (3, 76.0, 83.0)
    """

    quantity: Quantity
    runs: int
    mean: float
    sd: float | None
    least: float
    most: float

    @property
    def name(self) -> str:
        """Quantity as text: ``tau_1``, ``tau_2``, ... or ``tau_stop``."""
        return str(self.quantity)

    def to_dict(self) -> dict[str, Any]:
        """Return the row as a JSON object."""
        fields = asdict(self)
        del fields["quantity"]
        return {"name": self.name, **fields}


@dataclass(frozen=True)
class RunsTable:
    """Table of runs.

    Args:
        algorithm: the name and rules of the algorithm.
        runs: how many runs there are.
        wrong: how many of them had a wrong label.
        rows: tau_1, tau_2, ..., tau_stop.
        end_name: what the end of a run is called.
        undecided: how many runs left an arm undecided.

    >>> import goodarm as ga
    >>> table = ga.simulate([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3).table()
    >>> table.runs, table.wrong, [row.name for row in table.rows]
    (3, 0, ['tau_1', 'tau_stop'])
    """

    algorithm: str
    """Name and rules of the algorithm."""
    runs: int
    wrong: int
    rows: tuple[RunsRow, ...]
    end_name: str = "until all decided"
    undecided: int = 0

    def __getitem__(self, name: str | Quantity) -> RunsRow:
        for row in self.rows:
            if name in (row.name, row.quantity):
                return row
        raise KeyError(f"{name}: no run reached it, or there is no such row")

    def to_dict(self) -> dict[str, Any]:
        """Return the table as a JSON document."""
        return {
            "kind": "summary",
            "format": 1,
            "algorithm": self.algorithm,
            "runs": self.runs,
            "wrong": self.wrong,
            "rows": [row.to_dict() for row in self.rows],
        }

    @property
    def summary(self) -> str:
        """Outcome in a line."""
        open_runs = f", {self.undecided} with undecided arms" if self.undecided else ""
        runs = plural(self.runs, "run")
        return f"{self.algorithm}: {runs}, {self.wrong} with a wrong label{open_runs}"

    def _make_cells(self) -> list[tuple[str, ...]]:
        return [
            (
                row.quantity.in_words(self.end_name),
                str(row.runs),
                *map(format_count, (row.mean, row.sd, row.least, row.most)),
            )
            for row in self.rows
        ]

    def __repr__(self) -> str:
        table = make_text_table(_HEADER, shorten(self._make_cells(), _MAX_ROWS_SHOWN))
        return f"{self.summary}\n{table}"

    def _repr_html_(self) -> str:
        return make_html_table(self.summary, _HEADER, shorten(self._make_cells(), _MAX_ROWS_SHOWN))


def summarize_values(quantity: Quantity, values: NDArray[np.float64]) -> RunsRow:
    """Return mean, spread and range of the values that are not nan; at least one must not be."""
    reached = values[~np.isnan(values)]
    return RunsRow(
        quantity=quantity,
        runs=reached.size,
        mean=float(reached.mean()),
        sd=float(reached.std(ddof=1)) if reached.size > 1 else None,
        least=float(reached.min()),
        most=float(reached.max()),
    )
