"""What is asked.

======= ======================================================================
problem arms, threshold, delta and how rewards behave
rewards their kinds, their range and their unit
pool    a fixed set of cases
options a Problem in place of its keywords
======= ======================================================================
"""

from goodarm.problem.options import (
    PlanOptions,
    ProblemOptions,
    RangeOptions,
    asked_problem,
    spelled_out,
)
from goodarm.problem.pool import CaseOrder
from goodarm.problem.problem import MOST_ARMS, MOST_PULLS, Arm, Problem
from goodarm.problem.rewards import Rewards

__all__ = [
    "MOST_ARMS",
    "MOST_PULLS",
    "Arm",
    "CaseOrder",
    "PlanOptions",
    "Problem",
    "ProblemOptions",
    "RangeOptions",
    "Rewards",
    "asked_problem",
    "spelled_out",
]
