"""Table of the arms of a live experiment, as ``check`` makes it of counts."""

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import Algorithm, rule_title
from goodarm.algorithm.reporting import CODES
from goodarm.problem import Problem
from goodarm.results import ArmReport, CheckTable


def table_of(problem: Problem, algorithm: Algorithm, reports: Sequence[ArmReport]) -> CheckTable:
    """Return the reports of all arms, in arm order, as a table.

    The problem may have got more arms since they were made.
    """
    rule = dict(algorithm.identification.hinted(problem).to_dict())
    own = problem.pool[: len(reports)] if isinstance(problem.pool, tuple) else None
    return CheckTable(
        arms=tuple(report.arm for report in reports),
        pulls=np.array([report.pulls for report in reports], np.int64),
        labels=np.array([CODES[report.label] for report in reports], np.int8),
        mean=_numbers([report.mean for report in reports]),
        lower=_numbers([report.lower for report in reports]),
        upper=_numbers([report.upper for report in reports]),
        log_good=_logs([report.e_good for report in reports]),
        log_bad=_logs([report.e_bad for report in reports]),
        needed=_numbers([report.pulls_needed for report in reports], math.inf),
        needed_90=_numbers([report.pulls_needed_90 for report in reports], math.inf),
        threshold=problem.threshold,
        delta=problem.delta,
        control="fwer",
        margin=problem.margin,
        rewards=problem.rewards,
        low=problem.low,
        high=problem.high,
        arms_planned=problem.union_size,
        rule_title=rule_title(rule),
        rule=str(rule.pop("rule")),
        rule_parameters=rule,
        sigma=problem.sigma,
        gap=problem.gap,
        pool=problem.pool if isinstance(problem.pool, int) else None,
        case_order=None if problem.pool is None else problem.case_order,
        pools=None if own is None else np.array(own, np.int64),
        is_planned=True,
    )


def _numbers(values: Sequence[Any], missing: float = math.nan) -> NDArray[np.float64]:
    return np.array([missing if value is None else value for value in values], np.float64)


def _logs(values: Sequence[float | None]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(_numbers(values)))
