"""Result of a plan: the pulls to expect, with a table to look at."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, NamedTuple, TypeVar, overload

from goodarm.old_names import RefusesOldNames
from goodarm.problem import Arm, Problem
from goodarm.results.frames import Backend, to_frame
from goodarm.results.quantity import read_quantity
from goodarm.views.html import make_html_table
from goodarm.views.names import printable
from goodarm.views.numbers import format_count, format_number, plural
from goodarm.views.problem_text import describe_problem, get_end_name
from goodarm.views.text import make_text_table, shorten

Axes = TypeVar("Axes")

_MAX_ROWS_SHOWN = 12
CONFIDENCE: Final = 0.95
"""Confidence of the upper bounds on quantiles."""
_MAX_BOUND_RATIO: Final = 1.1
"""Largest ratio of the bound to the quantile without a note."""


@dataclass(frozen=True)
class Expected:
    """Pulls to expect until one event, over the runs that reached it.

    Args:
        name: ``"tau_1"``, ``"tau_2"``, ... or ``"tau_stop"``; for pulls of one arm, its label.
        runs: how many runs reached it.
        mean: their mean.
        error: the standard error of the mean; None for a single run.
        quantile: the fewest pulls that the plan's share of these runs stayed within.
        lower_bound: the mean that no algorithm with this guarantee can go below; None if unknown.
        quantile_error: the standard error of the quantile; None for a single run, and 0 where many
            runs around it ended after one or two numbers of pulls: more runs would not move it.
        quantile_upper: what the plan's share of runs stay within with 95 % confidence, whatever
            their distribution; None where there are too few runs for that.

    >>> import goodarm as ga
    >>> plan = ga.plan([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3)
    >>> plan["hdoc"].stop.name, plan["hdoc"].stop.quantile
    ('tau_stop', 83.0)
    """

    name: Arm
    runs: int
    mean: float
    error: float | None
    quantile: float
    lower_bound: float | None
    quantile_error: float | None = None
    quantile_upper: float | None = None

    @property
    def precision(self) -> float | None:
        """Larger of the two standard errors, each as a part of its own number."""
        if self.error is None or self.quantile_error is None:
            return None
        return max(self.error / self.mean, self.quantile_error / self.quantile)


@dataclass(frozen=True)
class Forecast(RefusesOldNames):
    """Pulls to expect of one algorithm.

    Args:
        algorithm: its JSON document, its parts spelled out.
        means: the true means that were simulated.
        distance: the smallest distance of a mean from the threshold, arms on it left out; None if
            all are on it.
        runs: how many runs were simulated.
        arms: the pulls of each arm, in arm order.
        taus: the pulls of all arms together at some numbers of good arms output, and at the end.
        title: the algorithm's name with its rules and settings; its name if empty.

    >>> import goodarm as ga
    >>> plan = ga.plan([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3)
    >>> forecast = plan["hdoc"]
    >>> forecast.name, forecast.runs, round(forecast["tau_stop"].mean, 1)
    ('hdoc', 3, 79.3)
    """

    algorithm: Mapping[str, Any]
    means: tuple[float, ...]
    distance: float | None
    runs: int
    arms: tuple[Expected, ...]
    taus: tuple[Expected, ...]
    title: str = ""

    @property
    def name(self) -> str:
        """Name of the algorithm."""
        return str(self.algorithm["name"])

    @property
    def stop(self) -> Expected:
        """Pulls at the end."""
        return self.taus[-1]

    @property
    def precision(self) -> float | None:
        """Precision of the pulls at the end, as in ``Expected.precision``."""
        return self.stop.precision

    def __getitem__(self, name: str) -> Expected:
        """Return the row of tau_1, tau_2, ... or tau_stop."""
        for row in self.taus:
            if row.name == name:
                return row
        raise KeyError(f"{name}: no run reached it, or there is no such row")

    def to_dict(self) -> dict[str, Any]:
        """Return the forecast as a JSON-able dict."""
        keys = {"distance": "gap"}
        fields = {keys.get(name, name): value for name, value in asdict(self).items()}
        del fields["title"]
        return {
            **fields,
            "algorithm": dict(self.algorithm),
            "means": list(self.means),
            "precision": self.precision,
            "arms": [asdict(row) for row in self.arms],
            "taus": [asdict(row) for row in self.taus],
        }


class GapHint(NamedTuple):
    """Hint of the gap, and the part of the pulls that it would save.

    Args:
        gap: the ``gap`` to give to ``Problem``.
        saving: the part of the pulls that it saves.

    >>> GapHint(gap=0.1, saving=0.25).saving
    0.25
    """

    gap: float
    saving: float


@dataclass(frozen=True, repr=False)
class Plan(RefusesOldNames):
    """Pulls to expect of one or more algorithms.

    Args:
        problem: what would be asked.
        seed: the same seed gives the same plan.
        quantile: the share of runs that the quantiles are for.
        budget: the pulls whose smallest distance was asked for; None for the forward question.
        budget_distance: the distance at which the lower bound is the budget; None if unknown or
            not asked.
        forecasts: one for each algorithm; with a budget, at the smallest distance that it
            resolves.
        precision: the one that runs were made for; None where their number was given.
        distributions: what each arm's rewards were drawn from, as JSON documents, None for an arm
            that had a mean alone; None where all had.
        hint: the ``gap`` to give to the problem that would save most of the first algorithm's
            pulls on these means, and what it would save; None if none saves much.

    >>> import goodarm as ga
    >>> plan = ga.plan([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3)
    >>> [forecast.name for forecast in plan.forecasts]
    ['hdoc']
    """

    problem: Problem
    seed: int
    quantile: float
    budget: int | None
    budget_distance: float | None
    forecasts: tuple[Forecast, ...]
    precision: float | None = None
    distributions: tuple[Mapping[str, Any] | None, ...] | None = None
    hint: GapHint | None = None

    def __getitem__(self, algorithm: str) -> Forecast:
        """Return the forecast of an algorithm, by its name."""
        for forecast in self.forecasts:
            if forecast.name == algorithm:
                return forecast
        raise KeyError(f"{algorithm}: not in this plan")

    def to_dict(self) -> dict[str, Any]:
        """Return the plan as a JSON document."""
        return {
            "kind": "plan",
            "format": 1,
            "problem": self.problem.to_dict(),
            "seed": self.seed,
            "quantile": self.quantile,
            "budget": self.budget,
            "budget_gap": self.budget_distance,
            "precision": self.precision,
            "distributions": None if self.distributions is None else list(self.distributions),
            "hint": None if self.hint is None else self.hint._asdict(),
            "forecasts": [forecast.to_dict() for forecast in self.forecasts],
        }

    def to_pandas(self) -> Any:
        """Return a pandas frame with a row for each algorithm and quantity.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """Return a polars frame with a row for each algorithm and quantity.

        Raises:
            MissingExtra: polars is not installed.
        """
        return self._to_frame("polars")

    def _to_frame(self, backend: Backend) -> Any:
        rows = [
            {
                "algorithm": forecast.name,
                "gap": forecast.distance,
                "quantity": str(row.name) if kind == "tau" else "pulls of arm",
                "arm": None if kind == "tau" else str(row.name),
                **{key: value for key, value in asdict(row).items() if key != "name"},
            }
            for forecast in self.forecasts
            for kind, part in (("arm", forecast.arms), ("tau", forecast.taus))
            for row in part
        ]
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        return to_frame("Plan", backend, columns)

    @property
    def summary(self) -> str:
        """Problem, with its budget or its smallest distance, in a line."""
        problem = describe_problem(self.problem)
        if self.budget is not None:
            return f"{problem}, {self.budget:,} pulls"
        return f"{problem}, smallest distance {format_number(self.forecasts[0].distance)}"

    @property
    def _share(self) -> str:
        """Share of runs that the quantiles are for, such as "9 of 10 runs"."""
        for base in (10, 100):
            part = round(base * self.quantile)
            if math.isclose(part, base * self.quantile):
                return f"{part} of {base} runs"
        return f"{format_number(100 * self.quantile)} % of runs"

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the table's columns for people."""
        share = self._share
        if self.budget is not None:
            return "algorithm", "smallest distance", "mean pulls", share
        pairs = [head for forecast in self.forecasts for head in (forecast.name, share)]
        return "pulls", *pairs, "lower bound"

    def rows(self) -> list[Sequence[str]]:
        """Return the cells of the table for people; if there are many arms, some are left out."""
        if self.budget is not None:
            return self._make_distance_cells()
        arms = [
            self._make_cells(f"arm {printable(arm)}", rows)
            for arm, rows in self._list_arm_forecasts()
        ]
        taus = [self._make_cells(name, rows) for name, rows in self._list_tau_forecasts()]
        return [*shorten(arms, _MAX_ROWS_SHOWN), *taus]

    def _list_arm_forecasts(self) -> Iterator[tuple[Arm, list[Expected | None]]]:
        """Yield each arm, and what to expect of it by each algorithm."""
        for position, arm in enumerate(self.problem.arms):
            yield arm, [forecast.arms[position] for forecast in self.forecasts]

    def _list_tau_forecasts(self) -> Iterator[tuple[str, list[Expected | None]]]:
        """Yield each quantity, and what to expect by each algorithm; None where none reached it."""
        longest = max(self.forecasts, key=lambda forecast: len(forecast.taus))
        found = [{row.name: row for row in forecast.taus} for forecast in self.forecasts]
        for row in longest.taus:
            name = read_quantity(str(row.name)).in_words(get_end_name(self.problem))
            yield name, [rows.get(row.name) for rows in found]

    def _make_cells(self, name: str, rows: Sequence[Expected | None]) -> list[str]:
        """Return one quantity's cells: mean and quantile by algorithm, and the lower bound."""
        cells = [name]
        for row, forecast in zip(rows, self.forecasts, strict=True):
            if row is None:
                cells += ["-", "-"]
                continue
            share = "" if row.runs == forecast.runs else f" ({row.runs} of {forecast.runs} runs)"
            cells += [format_count(row.mean) + share, format_count(row.quantile)]
        bounds = [row.lower_bound for row in rows if row is not None]
        return [*cells, format_count(bounds[0])]

    def _make_distance_cells(self) -> list[Sequence[str]]:
        rows: list[Sequence[str]] = [
            (
                forecast.name,
                format_number(forecast.distance),
                format_count(forecast.stop.mean),
                format_count(forecast.stop.quantile),
            )
            for forecast in self.forecasts
        ]
        if self.budget_distance is not None:
            bound = format_number(self.budget_distance), format_count(self.budget), "-"
            rows.append(("lower bound", *bound))
        return rows

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the columns, and on the precision of each algorithm's numbers."""
        lines = [
            f"Mean pulls of simulated runs, and the pulls that {self._share} stay within.",
            "An arm gets no more pulls once it has its label.",
        ]
        if self.budget is None and self.forecasts[0].stop.lower_bound is not None:
            lines.append("Lower bound: no algorithm with this guarantee has a smaller mean.")
        for forecast in self.forecasts:
            end = forecast.stop
            line = f"{forecast.title or forecast.name}: {plural(forecast.runs, 'run')}"
            if end.error is not None and end.quantile_error is not None:
                mean = _format_error_share(end.error, end.mean)
                within = _format_error_share(end.quantile_error, end.quantile)
                line += f". Standard error {get_end_name(self.problem)}: mean {mean}, "
                line += f"{self._share} {within}"
            lines.append(f"{line}{self._describe_shortfall(forecast)}.")
            lines += self._describe_doubts(end)
        if self.hint is not None:
            gap, saving = format_number(self.hint.gap), f"{100 * self.hint.saving:.0f} %"
            lines.append(
                f"If you expect these means, a gap hint of {gap}, set before the first reward, "
                f"saves about {saving} of the pulls."
            )
        return tuple(lines)

    @overload
    def plot(self, ax: None = None) -> Any: ...

    @overload
    def plot(self, ax: Axes) -> Axes: ...

    def plot(self, ax: Any = None) -> Any:
        """Draw the pulls to expect: means, what most runs stay within, and lower bounds.

        Args:
            ax: matplotlib's Axes to draw into, which are returned; those of a new figure, which a
                notebook shows, unless given.
        """
        from goodarm.views.figures.plans import ExpectedRow, plot_plan  # it loads matplotlib

        rows = [
            ExpectedRow(
                name,
                [None if row is None else (row.mean, row.quantile) for row in expected],
                next((row.lower_bound for row in expected if row is not None), None),
            )
            for name, expected in self._list_tau_forecasts()
        ]
        algorithms = [forecast.name for forecast in self.forecasts]
        return plot_plan(rows, algorithms, self._share, self.summary, ax, "Plan.plot")

    def _describe_doubts(self, end: Expected) -> list[str]:
        """Warn how far the quantile may be off, where there are too few runs."""
        most = self.problem.max_pulls
        if most is not None and most <= _MAX_BOUND_RATIO * end.quantile:
            return []  # no run can have more, however few there were
        if end.quantile_upper is None:
            least = math.ceil(math.log(1.0 - CONFIDENCE) / math.log(self.quantile))
            return [
                f"Too few runs to say what {self._share} stay within: "
                f"{format_count(end.quantile)} is a guess. Simulate at least {least:,} runs."
            ]
        if end.quantile_upper <= _MAX_BOUND_RATIO * end.quantile:
            return []
        return [
            f"With {plural(end.runs, 'run')}, {format_count(end.quantile)} may be too low: "
            f"{self._share} stay within {format_count(end.quantile_upper)}, with "
            f"{100 * CONFIDENCE:g} % confidence."
        ]

    def _describe_shortfall(self, forecast: Forecast) -> str:
        """Describe the precision wanted, where runs were too long or too varied to reach it."""
        reached = forecast.precision
        if self.precision is None or reached is None or reached <= self.precision:
            return ""
        return f"; you asked for {format_number(100 * self.precision)} %"

    def __repr__(self) -> str:
        return "\n".join([self.summary, make_text_table(self.header, self.rows()), *self.notes])

    def _repr_html_(self) -> str:
        return make_html_table(f"{self.summary}. {' '.join(self.notes)}", self.header, self.rows())


def _format_error_share(error: float, value: float) -> str:
    """Format an error in pulls, and as a percentage of the value."""
    return f"{format_count(error)} ({100 * error / value:.1f} %)"
