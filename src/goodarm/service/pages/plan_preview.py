"""Plan that is shown before an experiment is created."""

import shlex
import time
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from goodarm.errors import GoodArmError, SpecError
from goodarm.live import ExperimentSettings
from goodarm.planning import TOO_LONG, plan
from goodarm.problem import Problem
from goodarm.results import Plan
from goodarm.service.pages.new_experiment_fields import (
    FORM_WORDING,
    InvalidForm,
    locate_error,
    parse_number,
    parse_whole,
)

MAX_PLAN_SECONDS: Final = 4.0
"""Timeout for a plan's runs; a longer one is left to the command line."""
_PRECISION: Final = 0.05
_PROBLEM_OPTIONS: Final = (
    *("low", "high", "sigma", "until", "max_pulls", "gap", "arms_planned", "cost", "max_cost"),
)


class PlanTimeout(Exception):
    """Timeout of a plan."""


@dataclass(frozen=True)
class PlanPreview:
    """The expected pulls; or the reason for their absence, and the command that computes them."""

    plan: Plan | None
    distance: float
    num_good: int
    why_not: str = ""
    command: str = ""


def preview_plan(
    start: ExperimentSettings, fields: Mapping[str, str], seconds: float = MAX_PLAN_SECONDS
) -> PlanPreview:
    """Plan the experiment as ``goodarm plan`` does, unless its runs exceed the timeout.

    The time starts at their first pull, since kernels may have to be compiled before it.
    """
    problem = start.problem
    distance = parse_number(fields["distance"]) or choose_default_distance(problem)
    given = parse_whole(fields["num_good"])
    num_good = -(-problem.num_arms // 2) if given is None else given
    began: list[float] = []

    def progress(_: str, done: float, pulls: int) -> None:
        if pulls > 0 and not began:
            began.append(time.monotonic())
        if began and done < 1 and time.monotonic() - began[0] >= seconds:
            raise PlanTimeout

    def explain_absence(why: str, more: str = "") -> PlanPreview:
        command = write_command(start, distance, num_good) + more
        return PlanPreview(None, distance, num_good, why, command)

    try:
        found = plan(
            problem=problem,
            distance=distance,
            num_good=num_good,
            algorithm=start.algorithm,
            precision=_PRECISION,
            progress=progress,
        )
    except PlanTimeout:
        return explain_absence("This plan takes too long for a page. Run it on the command line:")
    except SpecError as error:
        if error.reason == TOO_LONG:
            why = FORM_WORDING.text(error.statement)
            return explain_absence(
                f"{why} Run it on the command line with fewer runs:", " --runs 20"
            )
        raise InvalidForm(locate_error(error, FORM_WORDING)) from None
    except GoodArmError as error:
        return PlanPreview(None, distance, num_good, FORM_WORDING.sentence(error))
    return PlanPreview(found, distance, num_good)


def choose_default_distance(problem: Problem) -> float:
    """Return a tenth of the range; near its ends, half the distance from the threshold to the end.

    >>> choose_default_distance(Problem(3, threshold=0.5, delta=0.05))
    0.1
    >>> choose_default_distance(Problem(3, threshold=0.004, delta=0.05))
    0.002
    """
    if problem.reward_range is None:
        return 0.5 * (problem.sigma or 1.0)
    low, high = problem.reward_range
    room = min(problem.threshold - low, high - problem.threshold)
    return min(0.1 * (high - low), 0.5 * room)


def write_command(start: ExperimentSettings, distance: float, num_good: int) -> str:
    """Return the shell command for the same plan."""
    problem = start.problem
    words = ["goodarm", "plan", "--num-arms", problem.num_arms, "--num-good", num_good]
    words += ["--distance", distance, "--threshold", problem.threshold, "--delta", problem.delta]
    if problem.margin:
        words += ["--margin", problem.margin]
    if problem.rewards != "bernoulli":
        words += ["--rewards", problem.rewards]
    for name in _PROBLEM_OPTIONS:
        value = getattr(problem, name)
        if value is not None:
            words += [f"--{name.replace('_', '-')}", value]
    if isinstance(problem.pool, int):
        words += ["--pool", problem.pool]
    words += ["-a", start.algorithm.name, "--precision", _PRECISION]
    return shlex.join(f"{word:.15g}" if isinstance(word, float) else str(word) for word in words)
