"""Arguments of ``plan``, validated and answered."""

from collections.abc import Iterable
from concurrent.futures import Executor
from dataclasses import replace
from typing import Final, Literal, Unpack, get_args

import numpy as np

from goodarm.algorithm import Algorithm, resolve_algorithm
from goodarm.arguments import (
    check_between,
    check_count,
    check_list,
    check_number,
    check_seed,
    parse_share,
)
from goodarm.errors import invalid_argument, invalid_choice
from goodarm.planning.counts import CountsSoFar, choose_algorithms, is_counts, read_counts
from goodarm.planning.effort import MAX_FORECAST_WORK
from goodarm.planning.family import Family, Floats, make_family
from goodarm.planning.forecast import PRECISION, Simulator
from goodarm.planning.hint import recommend_gap
from goodarm.planning.search import find_bound_gap, find_smallest_gap
from goodarm.problem import (
    MAX_PULLS,
    Arm,
    Problem,
    ProblemOptions,
    add_problem_keywords,
    resolve_problem,
)
from goodarm.results import Begun, Forecast, Plan
from goodarm.simulation import (
    Means,
    SimulatedArms,
    SimulationInput,
    StageCallback,
    check_ends,
    check_workers,
    read_input,
    split_means,
)
from goodarm.wording import Arg, EdgeText, phrase

OWNER = "plan"
Split = Literal["adaptive", "even"]
SPLITS: Final[tuple[Split, ...]] = get_args(Split)
_NO_TABLE: Final = "be left out beside counts so far: give means to suppose in their place"
_GAP_IS_A_HINT: Final = phrase(
    "The {gap} is a hint for the algorithm: how far the arms lie from the threshold is now "
    "called {distance}."
)


@add_problem_keywords(ProblemOptions)
def plan(
    table: object = None,
    *,
    means: Means | None = None,
    threshold: float | None = None,
    delta: float | None = None,
    problem: Problem | None = None,
    samples: object = None,
    algorithm: str | Algorithm | Iterable[str | Algorithm] | None = None,
    num_arms: int | None = None,
    distance: float | None = None,
    num_good: int | None = None,
    budget: int | None = None,
    split: Split = "adaptive",
    per_day: float | None = None,
    quantile: float = 0.9,
    runs: int | None = None,
    precision: float = PRECISION,
    seed: int | None = 0,
    executor: Executor | None = None,
    progress: StageCallback | None = None,
    **options: Unpack[ProblemOptions],
) -> Plan:
    """Forecast the pulls to expect, those still needed, or the distance that a budget resolves.

    Args:
        table: what there is already: a table of counts in any form that ``check`` takes, an
            ``ArmTable``, or an experiment, in memory or stored. The plan then says what is still
            needed. The first argument may also be the means.
        means: the means that the arms might have; a mapping from labels to means names the arms.
            Any mean may be replaced by a distribution of ``goodarm.rewards``. Beside a table, the
            means to suppose in place of those observed so far; a mapping may name some arms only.
        threshold: as in ``Problem``.
        margin, rewards, low, high, sigma: likewise.
        until, max_pulls, pool, case_order, gap, arms_planned: likewise.
        cost: likewise: the plan then has the expected money of each row. A table may have it.
        max_cost: likewise, where all arms cost the same; beside a table, what was spent counts.
        delta: as in ``Problem``, 0.05 unless given.
        problem: a Problem in place of all of them; the means are those of its arms.
        samples: in place of means, rewards that were observed for each arm, as in ``simulate``.
        algorithm: a name, two rules such as ``kl-moss+betting``, an ``Algorithm``, or a list of
            them; ``e-hdoc`` unless given, with the test that suits the rewards.
        num_arms: with distance, in place of means: ``num_arms`` arms, the good ones at
            threshold + distance and the bad ones at threshold - distance. A problem has its number
            of arms, and needs the distance alone.
        distance: see num_arms.
        num_good: how many of the arms are good; half of them, rounded up, unless given.
        budget: asks the reverse: the smallest distance at which the share ``quantile`` of runs
            ends within this number of pulls. With means, all distances from the threshold shrink
            and grow together, and the distance is that of the nearest arm; with ``num_arms`` leave
            out the distance. Distributions and samples do not move: a budget needs means alone.
            Beside a table: the further pulls that you can afford, for the chance that each arm is
            labelled within them.
        split: how traffic is shared out. ``"adaptive"``: the algorithm chooses, and an arm gets no
            more pulls once it has its label. ``"even"``: all arms get the same traffic to the end,
            labelled ones too, and all of it counts, as in a test on a site that is split once.
        per_day: the pulls of a day, all arms together, for days beside pulls.
        quantile: the share of runs that quantiles and the budget are for.
        runs: how many runs; unless given, as many as the precision takes.
        precision: runs are made until the standard errors of the mean and the quantile of the
            pulls at the end are below this part of them, and with a cap those of each arm's chance
            of a label below this number, or would take too long.
        seed: the same seed gives the same plan; None draws one and records it.
        executor: any ``concurrent.futures.Executor``; None uses a thread for each core.
        progress: called from time to time with the algorithm's name, the part of the work that is
            done, and the pulls made.
        allow_large_delta: take a delta above 0.5 for what it is, and not for a confidence.

    Returns:
        A forecast for each algorithm.

    Raises:
        SpecError: an argument is invalid, or a run would never end.

    >>> found = plan([0.9, 0.1], threshold=0.5, algorithm="hdoc", runs=3)
    >>> found["hdoc"].stop.mean
    79.33333333333333
    """
    if budget is not None:
        budget = check_count("budget", OWNER, budget, most=MAX_PULLS // 10)
    if not isinstance(split, str) or split not in SPLITS:
        raise invalid_choice("split", OWNER, SPLITS, split)
    if per_day is not None:
        per_day = check_number("per_day", OWNER, per_day)
        if per_day <= 0:
            raise invalid_argument("per_day", OWNER, "be a number above 0", per_day)
    counts: CountsSoFar | None = None
    begun: Begun | None = None
    family: Family | None = None
    if table is not None and not is_counts(table):
        if means is not None:
            raise invalid_argument("means", OWNER, "be given once", means)
        means, table = table, None  # type: ignore[assignment]  # they are checked like any others
    if table is not None:
        if samples is not None:
            raise invalid_argument("samples", OWNER, _NO_TABLE, samples)
        _leave_out("table", num_arms, distance, num_good)
        counts = read_counts(table, problem, threshold, delta, options)
        if budget is not None:
            most = counts.start.total + budget
            own = counts.problem.max_pulls
            capped = replace(counts.problem, max_pulls=most if own is None else min(own, most))
            counts = counts._replace(problem=capped)
        counts = counts.with_money_as_pulls()
        counts.check_unfinished()
        asked = counts.problem
        instance, begun = counts.suppose(means)
    else:
        asked, instance, family = _make_question(
            means, samples, problem, threshold, delta, num_arms, distance, num_good, budget, options
        )
    if counts is None:
        chosen = _resolve_algorithms(algorithm, asked)
        for one in chosen:
            can_starve = one.sampling.can_starve and split != "even"
            check_ends(asked, instance.means, can_starve, OWNER)
    else:
        given = None if algorithm is None else _resolve_algorithms(algorithm, asked)
        chosen = choose_algorithms(counts, given)
    quantile = check_between("quantile", OWNER, quantile, 0, 1)
    precision = check_between("precision", OWNER, precision, 0, 1)
    runs = None if runs is None else check_count("runs", OWNER, runs)
    check_workers(OWNER, executor, progress)
    simulator = Simulator(
        asked,
        check_seed(OWNER, seed),
        quantile,
        executor,
        progress,
        precision,
        instance.distributions,
        is_even=split == "even",
        per_day=per_day,
        start=None if counts is None else counts.start,
        has_chances=budget is None or counts is not None,
    )
    found = _answer(simulator, chosen, instance, family, None if counts else budget, runs)
    return replace(found, budget=budget, begun=begun)


def _make_question(
    means: Means | None,
    samples: object,
    problem: Problem | None,
    threshold: float | None,
    delta: float | None,
    num_arms: int | None,
    distance: float | None,
    num_good: int | None,
    budget: int | None,
    options: ProblemOptions,
) -> tuple[Problem, SimulatedArms, Family | None]:
    """Return the problem of an experiment that has not begun, and the means to suppose."""
    given: SimulationInput | int | None
    if samples is None:
        given = _make_supposed_arms(means, num_arms, distance, num_good, problem)
    else:
        _leave_out("samples", num_arms, distance, num_good)
        given = read_input(OWNER, means, samples, problem, threshold, delta, options)
    arms = given.arms if isinstance(given, SimulationInput) else given or []
    asked = resolve_problem(OWNER, arms, problem, threshold, delta, options)
    if budget is not None and asked.max_pulls is not None:
        rule = phrase("be left out if a {budget} is given")
        raise invalid_argument("max_pulls", OWNER, rule, asked.max_pulls)
    if asked.max_cost is not None:
        asked = _turn_money_into_pulls(asked, budget)
    family: Family | None
    if isinstance(given, SimulationInput):
        instance = given.fit(asked, OWNER)
        family = make_family(asked, instance.means)
    else:
        family = Family(asked, _make_signs(asked.num_arms, num_good))
        instance = SimulatedArms(_make_means(family, distance, budget, problem is not None))
    if budget is not None and instance.distributions is not None:
        remedy = phrase("Give {means} alone: they move towards the threshold together.")
        raise invalid_argument(
            "budget", OWNER, "be left out if arms have distributions", budget, remedy
        )
    return asked, instance, family


def _turn_money_into_pulls(problem: Problem, budget: int | None) -> Problem:
    """Return the problem with the pulls that its money pays for in place of ``max_cost``."""
    if budget is not None:
        rule = phrase("be left out if a {budget} is given")
        raise invalid_argument("max_cost", OWNER, rule, problem.max_cost)
    return replace(problem, max_pulls=problem.find_max_pulls(OWNER), max_cost=None)


def find_planned_arms(
    means: Means | None, num_arms: int | None, distance: float | None, num_good: int | None
) -> int | list[Arm]:
    """Return the arms of the means, or the number of arms given in their place."""
    given = _make_supposed_arms(means, num_arms, distance, num_good, None)
    return given.arms if isinstance(given, SimulationInput) else given or 0


def _make_supposed_arms(
    means: Means | None,
    num_arms: int | None,
    distance: float | None,
    num_good: int | None,
    problem: Problem | None,
) -> SimulationInput | int | None:
    """Return the arms with their means, or a number of arms; None if a problem has them."""
    if means is None:
        if problem is not None:
            if num_arms is not None:
                raise invalid_argument(
                    "num_arms", OWNER, "be left out if a problem is given", num_arms
                )
            return None
        if num_arms is None:
            rule = phrase("be given, or {num_arms} and a {distance} in their place, or {samples}")
            raise invalid_argument("means", OWNER, rule, None)
        return check_count("num_arms", OWNER, num_arms)
    _leave_out("means", num_arms, distance, num_good)
    return SimulationInput(*split_means(means, OWNER))


def _leave_out(
    argument: str, num_arms: int | None, distance: float | None, num_good: int | None
) -> None:
    """Raise an error for arguments that replace means where means or samples are given."""
    for name, value in (("num_arms", num_arms), ("distance", distance), ("num_good", num_good)):
        if value is not None:
            rule = phrase("be left out if {given} are given", given=Arg(argument))
            raise invalid_argument(name, OWNER, rule, value)


def _make_signs(num_arms: int, num_good: int | None) -> Floats:
    """Return 1 for each good arm, then -1 for each bad one."""
    count = (num_arms + 1) // 2 if num_good is None else num_good
    count = check_count("num_good", OWNER, count, least=0, most=num_arms)
    return np.where(np.arange(num_arms) < count, 1.0, -1.0)


def _make_means(
    family: Family, distance: float | None, budget: int | None, has_problem: bool
) -> Floats:
    """Return the means of arms at a distance; with a budget, at the largest one."""
    if family.problem.pools is not None and family.problem.rewards == "bounded":
        scores = phrase(
            "be a Discrete for each arm, the scores of its pool, or {samples} in their place"
        )
        raise invalid_argument("means", OWNER, scores, None)
    if budget is not None:
        if distance is not None:
            rule = phrase("be left out if a {budget} asks for it")
            raise invalid_argument("distance", OWNER, rule, distance)
        return family.at(family.most)
    if distance is None:
        number = phrase("{num_arms}")
        whole = EdgeText("python", "a problem that has no means", number)
        arms = whole if has_problem else number
        rule = phrase("be given with {arms}, unless a {budget} asks for it", arms=arms)
        hint = family.problem.gap
        remedy = "" if hint is None else _GAP_IS_A_HINT
        raise invalid_argument("distance", OWNER, rule, distance, remedy)
    given = parse_share("distance", OWNER, distance, family.problem.reward_range)
    distance = check_number("distance", OWNER, given)
    if not family.fits(distance):
        fits = f"be above 0 and at most {family.most:g}, so that all means fit the rewards' range"
        raise invalid_argument("distance", OWNER, fits, distance)
    return family.at(distance)


def _resolve_algorithms(given: object, problem: Problem) -> list[Algorithm]:
    """Resolve the algorithms asked for; raise an error if one is named twice."""
    one_or_none = given is None or isinstance(given, str | Algorithm)
    names = [given] if one_or_none else check_list("algorithm", OWNER, given, "algorithms")
    chosen = [resolve_algorithm(name, problem, OWNER) for name in names]
    if not chosen:
        raise invalid_argument("algorithm", OWNER, "name at least one", given)
    if len({algorithm.name for algorithm in chosen}) < len(chosen):
        raise invalid_argument("algorithm", OWNER, "name every algorithm once", names)
    return chosen


def _answer(
    simulator: Simulator,
    algorithms: list[Algorithm],
    instance: SimulatedArms,
    family: Family | None,
    budget: int | None,
    runs: int | None,
) -> Plan:
    """Forecast each algorithm; with a budget, at the smallest distance that it resolves."""
    means = instance.means
    if budget is not None and family is None:
        raise invalid_argument(
            "means", OWNER, "hold one that is not on the threshold", means.tolist()
        )
    forecasts: list[Forecast] = []
    for position, algorithm in enumerate(algorithms):
        part = position / len(algorithms), (position + 1) / len(algorithms)
        if budget is not None and family is not None:
            made = find_smallest_gap(simulator, family, algorithm, budget, runs, part)
        elif runs is None:
            made = simulator.simulate_enough_runs(
                algorithm, means, part, most_work=MAX_FORECAST_WORK
            )
        else:
            made = simulator.run(algorithm, means, runs, part=part)
        forecasts.append(simulator.forecast(algorithm, made))
    return Plan(
        problem=simulator.problem,
        seed=simulator.seed,
        quantile=simulator.quantile,
        budget=budget,
        budget_distance=None
        if budget is None or family is None
        else find_bound_gap(family, budget),
        forecasts=tuple(forecasts),
        precision=simulator.precision if runs is None else None,
        distributions=instance.documents,
        hint=None
        if budget is not None or simulator.start is not None
        else recommend_gap(simulator.problem, algorithms[0], means, is_even=simulator.is_even),
        split="even" if simulator.is_even else "adaptive",
        per_day=simulator.per_day,
    )
