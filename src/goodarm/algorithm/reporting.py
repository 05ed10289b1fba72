"""Result columns of arms that are tested after every pull: for the identifier and the gate.

The interval shown is the one that decides.
"""

from collections.abc import Mapping
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm.identification.rule import Bools, IdentificationRule, Tally
from goodarm.algorithm.judge import Judged, Proof, judge
from goodarm.algorithm.titles import rule_title
from goodarm.kernels.codes import BAD, GOOD, UNDECIDED, Setup
from goodarm.problem import Problem

TAKEN_OUT: Final = "taken out"
"""Reason of an arm that a user has taken out."""
USED_UP: Final = "all its cases are used, and some were lost"
"""Reason of an arm without a label whose pool is used up."""


def judge_followed(
    problem: Problem,
    setup: Setup,
    rule: IdentificationRule,
    tally: Tally,
    labels: NDArray[np.int8],
    is_tested: Bools,
) -> Judged:
    """Compute the result columns of arms that were tested after every pull.

    Args:
        problem: the problem.
        setup: the problem and the rule, for the kernels.
        rule: the identification rule.
        tally: the arms' tallies, as arrays; each arm has been pulled.
        labels: the labels given so far, which are final.
        is_tested: whether each arm's warm-up is over.
    """
    evidence = rule.evidence(setup, tally)
    if evidence is None or setup.keeps_wealth:
        good, bad = rule.proven(setup, tally)
    else:
        good, bad = evidence[0] >= setup.level, evidence[1] >= setup.level
    # Bounds must agree with labels: a tested arm without a label is not shown as proven.
    is_settled = (labels != UNDECIDED) | ~is_tested
    good, bad = (labels == GOOD) | (good & is_settled), (labels == BAD) | (bad & is_settled)
    levels = (setup.level, setup.level)
    proof = Proof(good, bad, labels)
    return judge(problem, setup, rule, tally, proof, levels, levels, evidence)


def asked_fields(problem: Problem, num_arms: int, rule: Mapping[str, Any]) -> dict[str, Any]:
    """Return the fields of an ArmTable that describe the problem and the rule.

    Args:
        problem: the problem, which may have more arms than the table.
        num_arms: the number of arms in the table.
        rule: the JSON document of the rule, with its settings.
    """
    settings = dict(rule)
    own = problem.pool[:num_arms] if isinstance(problem.pool, tuple) else None
    return {
        "threshold": problem.threshold,
        "delta": problem.delta,
        "control": "fwer",
        "margin": problem.margin,
        "rewards": problem.rewards,
        "low": problem.low,
        "high": problem.high,
        "arms_planned": problem.union_size,
        "rule_title": rule_title(rule),
        "rule": str(settings.pop("rule")),
        "rule_parameters": settings,
        "sigma": problem.sigma,
        "gap": problem.gap,
        "pool": problem.pool if isinstance(problem.pool, int) else None,
        "case_order": None if problem.pool is None else problem.case_order,
        "pools": None if own is None else np.array(own, np.int64),
        "is_planned": True,
    }
