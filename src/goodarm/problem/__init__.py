"""What is asked.

========== ===================================================================
problem    arms, threshold, delta and how rewards behave
arms       their labels, and how many there may be
rewards    their kinds, their range and their unit
pool       a fixed set of cases
case_names columns that tell cases apart
options    a Problem in place of its keywords
========== ===================================================================
"""

from goodarm.problem.arms import MOST_ARMS, Arm
from goodarm.problem.options import (
    PlanOptions,
    ProblemOptions,
    RangeOptions,
    asked_problem,
    spelled_out,
)
from goodarm.problem.pool import CaseOrder
from goodarm.problem.problem import MOST_PULLS, Problem
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
