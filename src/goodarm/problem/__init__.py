"""Problem: arms, threshold, delta and the behaviour of rewards.

========== ===================================================================
problem    arms, threshold, delta and the kind of rewards
arms       their labels, and how many there may be
rewards    their kinds, their range and their unit
pool       a fixed set of cases
costs      money of pulls, counted exactly
case_names columns that tell cases apart
options    a Problem in place of its keywords
========== ===================================================================
"""

from goodarm.problem.arms import MAX_ARMS, Arm, check_arms, make_visible_form
from goodarm.problem.case_names import find_case_columns, make_repeats_remedy
from goodarm.problem.costs import (
    MAX_COST,
    MAX_MONEY,
    MONEY_UNITS,
    add_money,
    from_money_units,
    make_money_rule,
    to_money_units,
)
from goodarm.problem.labels import CODES, LABELS, Label
from goodarm.problem.options import (
    ProblemOptions,
    RangeOptions,
    add_problem_keywords,
    data_first,
    resolve_problem,
)
from goodarm.problem.pool import MAX_CASES, CaseOrder, find_least_successes
from goodarm.problem.problem import DELTA, MAX_PULLS, Problem
from goodarm.problem.rewards import MAX_UNITS, MIN_PART, OTHER_REWARDS, Rewards

__all__ = [
    "CODES",
    "DELTA",
    "LABELS",
    "MAX_ARMS",
    "MAX_CASES",
    "MAX_COST",
    "MAX_MONEY",
    "MAX_PULLS",
    "MAX_UNITS",
    "MIN_PART",
    "MONEY_UNITS",
    "OTHER_REWARDS",
    "Arm",
    "CaseOrder",
    "Label",
    "Problem",
    "ProblemOptions",
    "RangeOptions",
    "Rewards",
    "add_money",
    "add_problem_keywords",
    "check_arms",
    "data_first",
    "find_case_columns",
    "find_least_successes",
    "from_money_units",
    "make_money_rule",
    "make_repeats_remedy",
    "make_visible_form",
    "resolve_problem",
    "to_money_units",
]
