"""Proof of a function's pass rate by calling it until the answer is certain."""

from collections.abc import Callable, Iterable
from typing import Any

from goodarm.arguments import (
    check_count,
    check_delta,
    check_number,
    parse_number,
    suggest_fraction,
)
from goodarm.errors import invalid_argument, naming_caller
from goodarm.gate.function_under_test import FunctionUnderTest
from goodarm.gate.gate import Gate
from goodarm.gate.repeat_runner import attach_result, run_in_parallel, run_sequentially
from goodarm.old_names import refuses_old_keywords
from goodarm.problem import Problem, data_first
from goodarm.results import GateResult

MAX_JOBS = 1024


@refuses_old_keywords("prove")
@data_first
def prove(
    run_once: Callable[[], Any],
    *,
    threshold: float,
    delta: float = 0.05,
    max_runs: int | None = 300,
    margin: float = 0.0,
    jobs: int = 1,
    progress: Callable[[int, int, int | None], None] | None = None,
    fails_on: type[BaseException] | Iterable[type[BaseException]] = (),
    so_far: GateResult | None = None,
    allow_large_delta: bool = False,
    cost: float | None = None,
    max_cost: float | None = None,
) -> GateResult:
    """Call a function until its pass rate is proven to reach a threshold, or not to reach it.

    Args:
        run_once: makes one run, with its own randomness: two runs that must come out alike are one.
            It returns True or False (or 1 or 0), or it asserts and returns nothing at all: it then
            has passed. ``async def`` is welcome, and runs on an event loop of its own. A Hypothesis
            test gets a new seed for each run, also where ``CI`` or its settings fix the seed.
        threshold: the pass rate that is wanted.
        delta: the probability allowed for a wrong label, however many runs are made.
        max_runs: the most runs; what is not proven by then is undecided. None: no limit. If so few
            cannot prove that the rate reaches the threshold, that is an error before the first run.
        margin: good then promises a rate of at least threshold - margin, bad one below
            threshold + margin. Without it a rate on the threshold is never labelled.
        jobs: how many runs to make side by side, in threads or as tasks. They count in the order in
            which they were started; those that are out when the label falls do not.
        progress: called whenever runs have come to count, with the runs, the passes and max_runs.
        fails_on: exceptions that are failures, beside AssertionError.
        so_far: an earlier answer to the same question, to go on from; max_runs counts its runs
            too.
        allow_large_delta: take a delta above 0.5 for what it is, and not for a confidence.
        cost: the money that a run costs; the answer then says what was spent.
        max_cost: the most money for all runs: no run begins that it does not pay for. What is not
            proven by then is undecided.

    An exception that is no failure is raised when the runs beside it have ended. What was counted
    is its attribute ``so_far``, in which the run that raised it is lost, which is the worst case
    for either label.

    Returns:
        The verdict, which is true only if the pass rate is proven to reach the threshold.

    Raises:
        SpecError: an argument is invalid, or ``max_runs`` is too few to prove anything.

    >>> throws = iter([6, 3, 5, 2, 4, 1, 6, 6] * 3)
    >>> result = prove(lambda: next(throws) > 3, threshold=0.9)
    >>> bool(result), result.label, result.passes, result.pulls
    (False, 'bad', 12, 20)
    """
    owner = "prove"
    if not callable(run_once):
        raise invalid_argument("run_once", owner, "be a function without arguments", run_once)
    if progress is not None and not callable(progress):
        raise invalid_argument("progress", owner, "be a function or None", progress)
    if so_far is not None and not isinstance(so_far, GateResult):
        raise invalid_argument("so_far", owner, "be a GateResult", so_far)
    jobs = check_count("jobs", owner, jobs, most=MAX_JOBS)
    caller = FunctionUnderTest(run_once, fails_on)
    if caller.seeds.is_needed and jobs > 1:
        remedy = "Each run has its own seed, which runs at the same time would share."
        raise invalid_argument("jobs", owner, "be 1 for a Hypothesis test", jobs, remedy)
    caller.seeds.check(owner)
    check_rates(owner, threshold, delta, max_runs, margin)
    with naming_caller(owner, max_pulls="max_runs"):
        problem = Problem(
            [caller.name],
            threshold,
            delta,
            margin=margin,
            max_pulls=max_runs,
            allow_large_delta=allow_large_delta,
            cost=cost,
            max_cost=max_cost,
        )
    gate = Gate(problem, so_far)
    gate.check_cap(owner, "max_runs")

    def note() -> None:
        if progress is not None:
            progress(gate.pulls, gate.passes, gate.max_runs)

    caller.seeds.begin()
    try:
        if jobs == 1 and not caller.is_async:
            run_sequentially(gate, caller, note)
        else:
            run_in_parallel(gate, caller, jobs, note)
    except BaseException as error:
        attach_result(error, gate)
        raise
    finally:
        caller.seeds.restore()
    return gate.result()


def check_rates(
    owner: str, threshold: object, delta: object, max_runs: object, margin: object
) -> None:
    """Check the arguments; messages speak of pass rates, where Problem's speak of rewards."""
    rate = check_number("threshold", owner, parse_number(threshold))
    slack = check_number("margin", owner, parse_number(margin))
    if not 0.0 < rate < 1.0:
        remedy = f"Write a pass rate as a fraction: 0.9 is 90 %. {suggest_fraction(rate)}".rstrip()
        remedy = remedy if rate > 1.0 else ""
        if rate == 1.0:
            remedy = "No number of runs proves that it always passes. Choose less, such as 0.99."
        raise invalid_argument(
            "threshold", owner, "be a number strictly between 0 and 1", threshold, remedy
        )
    check_delta(owner, delta)
    if slack < 0.0 or not (rate - slack > 0.0 and rate + slack < 1.0):
        rule = "be at least 0 and leave threshold - margin and threshold + margin between 0 and 1"
        raise invalid_argument("margin", owner, rule, margin)
    if max_runs is not None:
        check_count("max_runs", owner, max_runs)
