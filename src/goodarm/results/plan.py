"""Result of a plan: the pulls to expect, with a table to look at."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, NamedTuple, TypeVar, overload

from goodarm.old_names import RefusesOldNames
from goodarm.problem import Arm, Label, Problem
from goodarm.results.frames import Backend, to_frame
from goodarm.results.quantity import read_quantity
from goodarm.views.html import escape_html, make_html_table
from goodarm.views.names import printable
from goodarm.views.numbers import format_count, format_money, format_number, plural
from goodarm.views.problem_text import describe_problem, get_end_name
from goodarm.views.text import make_text_table, shorten

Axes = TypeVar("Axes")

_MAX_ROWS_SHOWN = 12
_MIN_WHOLE_DAYS: Final = 99.95
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
        quantile_error: the standard error of the quantile: that far on either side it lies with
            68 % confidence, whatever the distribution; None where there are too few runs for that.
        quantile_upper: what the plan's share of runs stay within with 95 % confidence, whatever
            their distribution; None where there are too few runs for that.
        days: the mean in days; None unless the plan was given the pulls of a day. Of an arm: the
            days of traffic that its pulls take, or, if traffic is split evenly, those until its
            label.
        quantile_days: the quantile in days, likewise.
        labelled: of an arm, the share of runs in which it had its label at the end; None in other
            rows.
        cost: the mean of the money that these pulls cost; None without costs, and where it depends
            on which arms were pulled by then.
        quantile_cost: the money that the plan's share of runs stayed within, likewise.

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
    days: float | None = None
    quantile_days: float | None = None
    labelled: float | None = None
    cost: float | None = None
    quantile_cost: float | None = None

    def to_dict(self) -> dict[str, Any]:
        """Return the row as JSON; it has costs only where there are any."""
        found = asdict(self)
        if self.cost is None:
            del found["cost"], found["quantile_cost"]
        return found

    @property
    def precision(self) -> float | None:
        """Larger of the two standard errors, each as a part of its own number."""
        if self.error is None or self.quantile_error is None or self.quantile == 0.0:
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
        arms: the pulls of each arm, in arm order; if traffic is split evenly, those up to its
            label.
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
            "arms": [row.to_dict() for row in self.arms],
            "taus": [row.to_dict() for row in self.taus],
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


class Begun(NamedTuple):
    """Counts that a plan goes on from, in arm order.

    Args:
        pulls: the pulls of each arm so far.
        labels: its label by them.
        is_observed: whether the mean supposed of it is the mean so far.

    >>> import goodarm as ga
    >>> ga.plan({"a": (40, 36), "b": (40, 30)}, threshold=0.8, runs=3).begun.labels
    ('undecided', 'undecided')
    """

    pulls: tuple[int, ...]
    labels: tuple[Label, ...]
    is_observed: tuple[bool, ...]


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
        split: ``"adaptive"``, or ``"even"`` where all arms get the same traffic to the end.
        per_day: the pulls of a day, all arms together; None if days were not asked for.
        begun: the counts that the plan goes on from, whose pulls are not in its numbers; None for
            an experiment that has not begun.

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
    split: str = "adaptive"
    per_day: float | None = None
    begun: Begun | None = None

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
            "split": self.split,
            "per_day": self.per_day,
            "begun": None if self.begun is None else self._make_begun_document(self.begun),
            "forecasts": [forecast.to_dict() for forecast in self.forecasts],
        }

    @staticmethod
    def _make_begun_document(begun: Begun) -> dict[str, Any]:
        return {
            "pulls": list(begun.pulls),
            "labels": list(begun.labels),
            "is_observed": list(begun.is_observed),
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
        left_out = ["name", *([] if self._has_costs else ["cost", "quantile_cost"])]
        rows = [
            {
                "algorithm": forecast.name,
                "gap": forecast.distance,
                "quantity": str(row.name) if kind == "tau" else "pulls of arm",
                "arm": None if kind == "tau" else str(row.name),
                "supposed_mean": mean,
                **{key: value for key, value in asdict(row).items() if key not in left_out},
            }
            for forecast in self.forecasts
            for kind, part, means in (
                ("arm", forecast.arms, forecast.means),
                ("tau", forecast.taus, [None] * len(forecast.taus)),
            )
            for row, mean in zip(part, means, strict=True)
        ]
        columns = {key: [row[key] for row in rows] for key in rows[0]}
        return to_frame("Plan", backend, columns)

    @property
    def summary(self) -> str:
        """Problem, with its budget, its pulls so far, or its smallest distance, in a line."""
        if self.begun is not None:
            return self._summarize_begun(self.begun)
        problem = describe_problem(self.problem)
        if self.budget is not None:
            return f"{problem}, {self.budget:,} pulls"
        return f"{problem}, smallest distance {format_number(self.forecasts[0].distance)}"

    def _summarize_begun(self, begun: Begun) -> str:
        so_far = plural(sum(begun.pulls), "pull")
        found = ", ".join(f"{begun.labels.count(label)} {label}" for label in ("good", "bad"))
        if self.budget is None:
            return f"{describe_problem(self.problem)}: after {so_far}, {found}"
        problem = describe_problem(replace(self.problem, max_pulls=None))
        return f"{problem}: after {so_far}, {found}; {self.budget:,} more at most"

    @property
    def _is_reverse(self) -> bool:
        """True for a plan that asked which distance a budget resolves."""
        return self.budget is not None and self.begun is None

    @property
    def _has_cap(self) -> bool:
        """True if runs may end before all arms have labels: each arm has a chance of one."""
        return self.problem.max_pulls is not None and not self._is_reverse

    @property
    def _has_costs(self) -> bool:
        """True if a pull has a cost."""
        return self.problem.cost is not None

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
        days = [] if self.per_day is None else ["days", f"days, {share}"]
        days += ["cost", f"cost, {share}"] if self._has_costs else []
        if self._is_reverse:
            return "algorithm", "smallest distance", "mean pulls", share, *days
        labelled = ["labelled"] if self._has_cap else []
        parts = [
            head for forecast in self.forecasts for head in (forecast.name, share, *days, *labelled)
        ]
        bound = ["lower bound"] if self.begun is None else []
        pulls = "pulls" if self.begun is None else "further pulls"
        return pulls, "supposed mean", *parts, *bound

    def rows(self) -> list[Sequence[str]]:
        """Return the cells of the table for people; if there are many arms, some are left out."""
        if self._is_reverse:
            return self._make_distance_cells()
        arms = [
            self._make_cells(self._name_arm(position, arm), rows, self.forecasts[0].means[position])
            for position, (arm, rows) in enumerate(self._list_arm_forecasts())
        ]
        taus = [self._make_cells(name, rows) for name, rows in self._list_tau_forecasts()]
        return [*shorten(arms, _MAX_ROWS_SHOWN), *taus]

    def _name_arm(self, position: int, arm: Arm) -> str:
        label = "undecided" if self.begun is None else self.begun.labels[position]
        return f"arm {printable(arm)}" + ("" if label == "undecided" else f" ({label})")

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

    def _make_cells(
        self, name: str, rows: Sequence[Expected | None], mean: float | None = None
    ) -> list[str]:
        """Return one quantity's cells: mean and quantile by algorithm, and the lower bound."""
        cells = [name, "" if mean is None else format_number(mean)]
        for row, forecast in zip(rows, self.forecasts, strict=True):
            cells += self._make_forecast_cells(row, forecast)
        if self.begun is not None:
            return cells
        bounds = [row.lower_bound for row in rows if row is not None]
        return [*cells, format_count(bounds[0])]

    def _make_forecast_cells(self, row: Expected | None, forecast: Forecast) -> list[str]:
        """Return the cells of one algorithm; dashes where no run reached the quantity."""
        if row is None:
            missing = 2 + 2 * (self.per_day is not None) + 2 * self._has_costs + self._has_cap
            return ["-"] * missing
        share = "" if row.runs == forecast.runs else f" ({row.runs} of {forecast.runs} runs)"
        cells = [format_count(row.mean) + share, format_count(row.quantile)]
        if self.per_day is not None:
            cells += [_format_days(row.days), _format_days(row.quantile_days)]
        if self._has_costs:
            cells += [format_money(row.cost), format_money(row.quantile_cost)]
        if self._has_cap:
            cells.append("" if row.labelled is None else f"{100 * row.labelled:.0f} %")
        return cells

    def _make_distance_cells(self) -> list[Sequence[str]]:
        rows: list[Sequence[str]] = []
        for forecast in self.forecasts:
            end = forecast.stop
            days = (
                []
                if self.per_day is None
                else [_format_days(end.days), _format_days(end.quantile_days)]
            )
            if self._has_costs:
                days += [format_money(end.cost), format_money(end.quantile_cost)]
            pulls = format_count(end.mean), format_count(end.quantile)
            rows.append((forecast.name, format_number(forecast.distance), *pulls, *days))
        if self.budget_distance is not None and self.budget is not None:
            bound = format_number(self.budget_distance), format_count(self.budget), "-"
            days = [] if self.per_day is None else [_format_days(self.budget / self.per_day), "-"]
            days += ["-", "-"] if self._has_costs else []
            rows.append(("lower bound", *bound, *days))
        return rows

    def _describe_assumptions(self) -> list[str]:
        """State what the numbers assume: the split of the traffic, its size, and the means."""
        lines = ["An arm gets no more pulls once it has its label."]
        if self.split == "even":
            lines = [
                "All arms get the same traffic to the end, labelled ones too, and all of it "
                "counts. The row of an arm has its own pulls up to its label."
            ]
        if self.begun is not None:
            lines.append(self._describe_supposed_means(self.begun))
        if spread := self._describe_spread():
            lines.append(spread)
        if self.per_day is not None:
            own = "the days until its label" if self.split == "even" else "what its pulls take up"
            arms = "" if self._is_reverse else f"; of an arm, {own}"
            day = format_number(self.per_day)
            lines.append(f"Days: at {day} pulls a day for all arms together{arms}.")
        if self._has_costs:
            lines.append("Cost: the money of these pulls, each at the cost that was declared.")
        if self._has_cap:
            error = max(
                estimate_share_error(round((row.labelled or 0.0) * row.runs), row.runs)
                for forecast in self.forecasts
                for row in forecast.arms
            )
            lines.append(
                "Labelled: the chance that an arm has its label by the end; standard error at most "
                f"{100 * error:.1f} %."
            )
        return lines

    def _describe_spread(self) -> str:
        """State how rewards are supposed to be spread around a mean that was given alone."""
        problem, given = self.problem, self.distributions
        if given is not None and None not in given:
            return ""
        whose = "an arm" if given is None else "an arm with a mean alone"
        if problem.rewards == "gaussian":
            sigma = format_number(problem.sigma)
            return f"The rewards of {whose} are supposed to be normal, with sigma {sigma}."
        if problem.reward_range is None or problem.rewards == "bernoulli":
            return ""
        low, high = map(format_number, problem.reward_range)
        return (
            f"The rewards of {whose} are supposed to be uniform, on the widest range around its "
            f"mean within {low} to {high}. If they are spread wider, as where most are near the "
            "ends, you need more pulls: give samples in place of means."
        )

    def _describe_supposed_means(self, begun: Begun) -> str:
        count = begun.is_observed.count(True)
        if not count:
            return "Pulls so far are not counted again. The true means are supposed as given."
        whose = "each arm" if count == len(begun.is_observed) else plural(count, "arm")
        return (
            f"Pulls so far are not counted again. The true mean of {whose} is supposed to be the "
            "one observed so far; it may lie well off, most of all after few pulls. Give other "
            "means to see what they would take."
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the columns, and on the precision of each algorithm's numbers."""
        lines = [
            f"Mean pulls of simulated runs, and the pulls that {self._share} stay within.",
            *self._describe_assumptions(),
        ]
        if not self._is_reverse and self.forecasts[0].stop.lower_bound is not None:
            lines.append("Lower bound: no algorithm with this guarantee has a smaller mean.")
        for forecast in self.forecasts:
            end = forecast.stop
            line = f"{forecast.title or forecast.name}: {plural(forecast.runs, 'run')}"
            if end.error is not None:
                within = "unknown"
                if end.quantile_error is not None:
                    within = _format_error_share(end.quantile_error, end.quantile)
                line += f". Standard error {get_end_name(self.problem)}: "
                line += f"mean {_format_error_share(end.error, end.mean)}, {self._share} {within}"
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
        if self.precision is None or (reached is not None and reached <= self.precision):
            return ""
        return f"; you asked for {format_number(100 * self.precision)} %"

    def __repr__(self) -> str:
        return "\n".join([self.summary, make_text_table(self.header, self.rows()), *self.notes])

    def _repr_html_(self) -> str:
        notes = "<br>".join(map(escape_html, self.notes))
        return f"{make_html_table(self.summary, self.header, self.rows())}<p>{notes}</p>"


def estimate_share_error(count: int, total: int) -> float:
    """Return a standard error of a share of runs, above 0 for none and for all of them too.

    >>> round(estimate_share_error(50, 100), 3), round(estimate_share_error(0, 100), 3)
    (0.049, 0.013)
    """
    share = (count + 2.0) / (total + 4.0)  # Agresti and Coull 1998
    return math.sqrt(share * (1.0 - share) / (total + 4.0))


def _format_days(value: float | None) -> str:
    """Format a number of days: with one decimal below a hundred.

    >>> _format_days(0.34), _format_days(25.02), _format_days(1234.5)
    ('0.3', '25.0', '1,234')
    """
    if value is None:
        return "-"
    return f"{value:,.1f}" if value < _MIN_WHOLE_DAYS else format_count(value)


def _format_error_share(error: float, value: float) -> str:
    """Format an error in pulls, and as a percentage of the value."""
    return f"{format_count(error)} ({100 * error / value:.1f} %)"
