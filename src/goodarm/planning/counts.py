"""Counts so far that a plan goes on from: of a table, or of an experiment."""

import os
from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import (
    REASON_TAKEN_OUT,
    Algorithm,
    IdentificationRule,
    Warmup,
    find_identification_rule,
    resolve_algorithm,
)
from goodarm.arguments import check_list
from goodarm.checking import check
from goodarm.errors import SpecError, invalid_argument
from goodarm.problem import LABELS, MONEY_UNITS, Arm, Problem, from_money_units
from goodarm.results import ArmTable, Begun
from goodarm.rewards import Distribution
from goodarm.simulation import Means, SimulatedArms, Start, fit_instance
from goodarm.wording import Text, phrase

_OWNER: Final = "plan"
_RUN_OPTIONS: Final = ("until", "max_pulls", "max_cost")
"""Options of a problem that do not concern counts."""
_TABLE_METHODS: Final = ("columns", "read", "collect", "toPandas")
"""Attributes of frames, lazy tables and open files, which columns of numbers lack."""


class CountsSoFar(NamedTuple):
    """Question and state of a table or an experiment."""

    problem: Problem
    algorithm: Algorithm
    start: Start
    is_live: bool
    spent: float | None = None
    """money so far; None without costs"""

    def with_money_as_pulls(self) -> "CountsSoFar":
        """Return it with the pulls that the money left pays for in place of ``max_cost``."""
        problem = self.problem
        if problem.max_cost is None:
            return self
        most = problem.find_max_pulls(_OWNER)  # raises an error where it is no number of pulls
        price = max(problem.cost_units or (0,))
        if price and self.spent is not None:
            left = round((problem.max_cost - self.spent) * MONEY_UNITS) // price
            most = self.start.total + max(left, 0)
            if problem.max_pulls is not None:
                most = min(most, problem.max_pulls)
        return self._replace(problem=replace(problem, max_pulls=most, max_cost=None))

    def check_same_test(self, algorithm: Algorithm) -> None:
        """Raise an error for an algorithm with another test than the one that labelled so far."""
        own, other = self.algorithm.identification, algorithm.identification
        if _describe_rule(own, self.problem) != _describe_rule(other, self.problem):
            rule = f"label arms by the test that has judged them so far, {own.name}"
            remedy = phrase("Leave out {algorithm}, or combine that test with another choice.")
            raise invalid_argument("algorithm", _OWNER, rule, algorithm.name, remedy)

    def check_unfinished(self) -> None:
        """Raise an error if nothing is left to plan."""
        start, problem = self.start, self.problem
        if (start.labels != 0).all():
            why = "all arms have labels"
        elif problem.until is not None and start.num_good >= problem.until:
            why = f"{start.num_good} arms are good, and until asks for {problem.until}"
        elif problem.max_pulls is not None and start.total >= problem.max_pulls:
            why = f"{start.total:,} pulls are made, and max_pulls is {problem.max_pulls:,}"
        else:
            return
        raise SpecError(
            f"Nothing is left to plan: {why}.",
            argument="table",
            owner=_OWNER,
            rule="leave something to find out",
        )

    @property
    def observed(self) -> NDArray[np.float64]:
        """Mean of each arm so far, in the rewards' unit; nan without pulls."""
        with np.errstate(invalid="ignore"):
            units = self.start.sums / self.start.pulls
        return np.asarray(self.problem.from_unit(units))

    def suppose(self, means: Means | None) -> tuple[SimulatedArms, Begun]:
        """Return the means to suppose: those given, and those so far for all other arms."""
        given = {} if means is None else self._name_means(means)
        problem, observed = self.problem, self.observed.tolist()
        values: list[Any] = []
        for position, (arm, mean) in enumerate(zip(problem.arms, observed, strict=True)):
            value = given.get(str(arm), mean)
            if value != value:
                rule = f"say which mean arm {arm!r} might have, since it has no pulls so far"
                raise invalid_argument("means", _OWNER, rule, means)
            values.append(self._find_share(position, arm, value) if problem.pools else value)
        instance = fit_instance(problem, problem.num_arms, values, _OWNER)
        self._check_ends(instance.means, given)
        begun = Begun(
            pulls=tuple(self.start.pulls.tolist()),
            labels=tuple(LABELS[code] for code in self.start.labels.tolist()),
            is_observed=tuple(str(arm) not in given for arm in problem.arms),
        )
        return instance, begun

    def _name_means(self, means: Means) -> dict[str, Any]:
        """Return the means given, by arm."""
        arms, what = self.problem.arms, "numbers or distributions, or a mapping from arm to them"
        if isinstance(means, Mapping):
            for arm in means:
                self.problem.position(arm, _OWNER)
            return {str(arm): value for arm, value in means.items()}
        values = check_list("means", _OWNER, means, what)
        if len(values) != len(arms):
            rule = f"have one mean for each of {len(arms)} arms, or be a mapping"
            raise invalid_argument("means", _OWNER, rule, values)
        return dict(zip(map(str, arms), values, strict=True))

    def _find_share(self, position: int, arm: Arm, mean: object) -> object:
        """Return the nearest share of the arm's cases that its results so far allow."""
        problem, start = self.problem, self.start
        if problem.rewards != "bernoulli":
            rule = "be 0 or 1 in a pool that a plan goes on with"
            raise invalid_argument("rewards", _OWNER, rule, problem.rewards)
        if problem.pools is None or isinstance(mean, Distribution | str):
            raise invalid_argument("means", _OWNER, f"give arm {arm!r} a number", mean)
        size = problem.pools[position]
        least = int(start.sums[position])
        most = size - int(start.pulls[position]) + least
        number: Any = mean
        return float(np.clip(np.rint(number * size), least, most) / size)

    def _check_ends(self, means: NDArray[np.float64], given: Mapping[str, Any]) -> None:
        """Reject means on the threshold, where runs have no other end."""
        problem, start = self.problem, self.start
        has_end = problem.margin > 0 or problem.max_pulls is not None or problem.pools is not None
        is_open = start.labels == 0
        stuck = np.flatnonzero(is_open & (means == problem.threshold))
        num_above = start.num_good + int((is_open & (means > problem.threshold)).sum())
        if has_end or not len(stuck) or (problem.until is not None and problem.until <= num_above):
            return
        arm = problem.arms[stuck[0]]
        whose = "supposed" if str(arm) in given else "so far"
        raise SpecError(
            f"The plan would never end: arm {arm!r} has its mean {whose} on the threshold "
            f"{problem.threshold!r}, so no rule would label it.",
            argument="means",
            owner=_OWNER,
            rule="lie off the threshold, or the runs need another end",
            value=problem.threshold,
            remedy=phrase(
                "Give the {budget} of further pulls that you can afford, or {means} to suppose."
            ),
        )


def is_counts(data: object) -> bool:
    """Return whether the first argument of ``plan`` is counts so far, and not supposed means."""
    if isinstance(data, Mapping):
        values = list(data.values())
        return any(_is_nested(value) for value in values)
    if isinstance(data, np.ndarray):
        return data.ndim > 1 or data.dtype.names is not None
    if isinstance(data, ArmTable | str | os.PathLike) or _is_experiment(data):
        return True
    if isinstance(data, Sequence):
        return any(_is_nested(value) for value in data)
    return any(hasattr(data, name) for name in _TABLE_METHODS)


def _is_nested(value: object) -> bool:
    return isinstance(value, Mapping | Sequence | np.ndarray) and not isinstance(value, str)


def _is_experiment(data: object) -> bool:
    return all(hasattr(type(data), name) for name in ("problem", "algorithm", "table", "verdict"))


def read_counts(
    data: Any,
    problem: Problem | None,
    threshold: float | None,
    delta: float | None,
    options: Mapping[str, Any],
) -> CountsSoFar:
    """Return the counts of a table, which is judged as ``check`` does, or of an experiment."""
    own = {name: options[name] for name in _RUN_OPTIONS if options.get(name) is not None}
    if _is_experiment(data) or isinstance(data, ArmTable):
        known = {"problem": problem, "threshold": threshold, "delta": delta, **options}
        for name, value in known.items():
            if value is not None and not (isinstance(data, ArmTable) and name in own):
                what = "a table that is judged" if isinstance(data, ArmTable) else "an experiment"
                rule = f"be left out for {what}, which has its own"
                raise invalid_argument(name, _OWNER, rule, value)
    if _is_experiment(data):
        return _read_experiment(data)
    if not isinstance(data, ArmTable):
        asked: Any = {name: value for name, value in options.items() if name not in own}
        asked = {name: value for name, value in asked.items() if value is not None}
        data = check(data, threshold=threshold, delta=delta, problem=problem, **asked)
        if problem is not None:
            own = {name: getattr(problem, name) for name in _RUN_OPTIONS}
    return _read_table(data, own)


def _read_experiment(experiment: Any) -> CountsSoFar:
    problem, algorithm, core = experiment.problem, experiment.algorithm, None
    if hasattr(experiment, "reading"):
        context = experiment.reading()
    else:
        context = nullcontext(experiment if hasattr(experiment, "core") else None)
    with context as state:
        if state is None:
            table = experiment.table()
            return _count_rows(table, problem, algorithm, is_live=True)
        core = state.core
        problem, algorithm = core.problem, core.algorithm
        _refuse_taken_out(problem, core.arms.taken_out)
        start = Start(
            core.arms.pulls.copy(),
            core.arms.sums.copy(),
            core.arms.labels.astype(np.int8),
            None if _reads_counts(algorithm, problem) else core.arms.wealth.copy(),
        )
    spent = None if core.money is None else from_money_units(core.money.total)
    return CountsSoFar(problem, algorithm, start, is_live=True, spent=spent)


def _read_table(table: ArmTable, own: Mapping[str, Any]) -> CountsSoFar:
    if table.thresholds is not None:
        rule = "be the same for all arms of a table that a plan goes on from"
        raise _make_table_error("threshold", rule, "Plan the arms of each threshold by themselves.")
    if table.looks == "once":
        remedy = "A test for one look cannot go on. Check the table with looks='any'."
        raise _make_table_error("looks", "be any in a table that a plan goes on from", remedy)
    if table.control != "fwer":
        remedy = "Check the table with control='fwer', which live experiments use, too."
        raise _make_table_error("control", "be fwer in a table that a plan goes on from", remedy)
    pool: Any = table.pool if table.pools is None else table.pools.tolist()
    problem = Problem(
        table.arms,
        table.threshold or 0.0,
        table.delta,
        margin=table.margin,
        rewards=table.rewards,  # type: ignore[arg-type]
        low=table.low,
        high=table.high,
        sigma=table.sigma,
        gap=table.gap,
        pool=pool,
        case_order=table.case_order or "same",  # type: ignore[arg-type]
        arms_planned=table.arms_planned if table.arms_planned != len(table) else None,
        cost=_find_costs(table),
        **own,
    )
    judge = find_identification_rule(table.rule, _OWNER, dict(table.rule_parameters or {}))
    chosen = resolve_algorithm(None, problem, _OWNER)
    if _describe_rule(chosen.identification, problem) != _describe_rule(judge, problem):
        tested = Warmup(1, identify_during_warmup=True)
        chosen = Algorithm(sampling=chosen.sampling, identification=judge, warmup=tested)
    return _count_rows(table, problem, chosen, is_live=False)


def _find_costs(table: ArmTable) -> list[float] | float | None:
    """Return what a pull of each arm costs; None if it is not known of all of them."""
    if table.cost is None or np.isnan(table.cost).any():
        return None
    costs: list[float] = table.cost.tolist()
    return costs[0] if len(set(costs)) == 1 else costs


def _count_rows(
    table: ArmTable, problem: Problem, chosen: Algorithm, *, is_live: bool
) -> CountsSoFar:
    """Return the counts of a table's rows."""
    _refuse_taken_out(problem, [k for k, why in table.reasons.items() if why == REASON_TAKEN_OUT])
    if not _reads_counts(chosen, problem):
        remedy = phrase(
            "Plan from the experiment itself, which knows its wealth, or judge sums by a rule on "
            "counts, such as mixture."
        )
        rule = "be judged by a rule on counts: bets depend on every reward, and a table has none"
        raise _make_table_error("table", rule, remedy)
    sums = np.where(table.pulls > 0, np.nan_to_num(table.mean) * table.pulls, 0.0)
    units = np.where(table.pulls > 0, problem.to_unit(sums, table.pulls.astype(float)), 0.0)
    if problem.rewards == "bernoulli":
        units = np.rint(units)
    start = Start(table.pulls.astype(np.int64), units, table.labels.astype(np.int8))
    return CountsSoFar(problem, chosen, start, is_live, table.total_spent)


def _reads_counts(algorithm: Algorithm, problem: Problem) -> bool:
    return algorithm.rule(problem).reads_counts_only


def _describe_rule(rule: IdentificationRule, problem: Problem) -> dict[str, Any]:
    return rule.with_gap_hint(problem).to_dict()


def _refuse_taken_out(problem: Problem, positions: Sequence[int] | set[int]) -> None:
    if positions:
        arm = problem.arms[min(positions)]
        rule = f"have no arm that was taken out, as arm {arm!r} was"
        raise _make_table_error(
            "table", rule, "Plan from the table of the other arms, table.take(...)."
        )


def _make_table_error(argument: str, rule: Text, remedy: Text) -> SpecError:
    return invalid_argument(argument, _OWNER, rule, None, remedy)


def choose_algorithms(counts: CountsSoFar, given: list[Algorithm] | None) -> list[Algorithm]:
    """Return the algorithms of a plan that goes on from counts: the test is that of the counts."""
    for algorithm in given or []:
        counts.check_same_test(algorithm)
    return given or [counts.algorithm]
