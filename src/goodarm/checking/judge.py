"""Counts to labels, intervals, e-values and pulls needed, for all arms at once.

An identification rule proves an arm good when its evidence for good reaches a level, and bad when
that for bad does:

========  ==================================================================================
control   level
========  ==================================================================================
fwer      K / delta
per-arm   1 / delta
fdr       K / (k delta), k the number of arms that reach it: the largest k for which k arms do
========  ==================================================================================

The third is the e-BH procedure, for good and for bad each on its own, and needs e-values. The
bounds shown are those of the same levels, so a label and a shown bound cannot contradict each
other.
"""

import math
from typing import Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import IdentificationRule, Tally
from goodarm.algorithm.compose import make_setup
from goodarm.algorithm.identification.rule import Bools, Floats
from goodarm.algorithm.judge import Judged, Proof, labels_of
from goodarm.algorithm.judge import judge as judge_arms
from goodarm.errors import Hint, SpecError
from goodarm.kernels.codes import Setup
from goodarm.problem import Problem

Control = Literal["fwer", "fdr", "per-arm"]


class Proven(NamedTuple):
    """The arms proven good and proven bad, and the logs of the evidence it takes."""

    good: Bools
    bad: Bools
    level_good: float
    level_bad: float


def check_rule(problem: Problem, rule: IdentificationRule, control: Control) -> None:
    """Refuse a rule that a table of counts has nothing for."""
    rule.check_problem(problem)
    if not rule.reads_counts_only:
        needs = f"The {rule.name} rule needs every reward by itself, and a table has sums."
        raise _use_another(needs, "rule", "mixture")
    if control == "fdr" and not rule.has_e_values:
        needs = f"The control 'fdr' needs e-values, and the {rule.name} rule has none."
        raise _use_another(needs, "rule", "mixture")


def _use_another(what: str, argument: str, value: str) -> SpecError:
    remedy = Hint(f"Use {argument}={value!r}.", f"Use --{argument} {value}.")
    return SpecError(f"{what} {remedy.python}", f"{what} {remedy.option}")


def judge(
    problem: Problem,
    rule: IdentificationRule,
    pulls: Floats,
    sums: Floats,
    control: Control,
    planned: int,
) -> tuple[NDArray[np.int8], Judged]:
    """Everything that is shown of each arm; nan where an arm has no rewards yet."""
    seen = np.flatnonzero(pulls > 0)
    n = pulls[seen]
    units = np.clip(problem.to_unit(sums[seen], n), 0.0, n)
    setup = make_setup(problem, rule, num_arms=1 if control == "per-arm" else planned)
    tally = Tally(n, units, np.zeros(len(n)))
    is_high = units / n >= setup.threshold
    evidence = rule.evidence(setup, tally)
    proven = prove_all(setup, rule, tally, evidence, is_high, control, planned)
    labels = labels_of(proven.good, proven.bad, is_high)
    judged = judge_arms(
        problem,
        setup,
        rule,
        tally,
        Proof(proven.good, proven.bad, labels),
        (proven.level_good, proven.level_bad),
        next_levels(proven, control, problem.delta, planned),
        evidence,
    )

    def spread(values: NDArray[np.generic], missing: float) -> Floats:
        full = np.full(len(pulls), missing)
        full[seen] = values
        return full

    missing = {"needed": math.inf, "needed_90": math.inf}
    shown = {
        name: spread(values, missing.get(name, math.nan))
        for name, values in judged._asdict().items()
    }
    return spread(labels, 0).astype(np.int8), Judged(**shown)


def prove_all(
    setup: Setup,
    rule: IdentificationRule,
    tally: Tally,
    evidence: tuple[Floats, Floats] | None,
    is_high: Bools,
    control: Control,
    planned: int,
) -> Proven:
    """What the rewards prove, at the levels of the control; the evidence tells, where there is."""
    level = setup.level
    if evidence is None:
        return Proven(*rule.proven(setup, tally), level, level)
    log_good, log_bad = evidence
    if control == "fdr":
        return e_bh(log_good, log_bad, is_high, setup.delta, planned)
    return Proven(log_good >= level, log_bad >= level, level, level)


def e_bh(log_good: Floats, log_bad: Floats, is_high: Bools, delta: float, planned: int) -> Proven:
    """The e-BH procedure for good and for bad; no arm is in both lists."""
    may_good, may_bad = np.ones(len(is_high), bool), np.ones(len(is_high), bool)
    while True:
        level_good = e_bh_level(log_good[may_good], delta, planned)
        level_bad = e_bh_level(log_bad[may_bad], delta, planned)
        good = may_good & (log_good >= level_good)
        bad = may_bad & (log_bad >= level_bad)
        both = good & bad
        if not both.any():
            return Proven(good, bad, level_good, level_bad)
        # An arm that leaves a list counts there as an e-value of 0, which keeps e-BH valid.
        may_bad &= ~(both & is_high)
        may_good &= ~(both & ~is_high)


def e_bh_level(logs: Floats, delta: float, planned: int) -> float:
    """The log of the evidence that e-BH asks for: K / (k delta), or K / delta if none gets there.

    >>> round(math.exp(e_bh_level(np.log([50.0, 11.0, 6.0, 1.0]), 0.2, 4)), 9)
    10.0
    """
    ordered = np.sort(logs)[::-1]
    levels = np.log(planned / (np.arange(1, len(ordered) + 1) * delta))
    reached = np.flatnonzero(ordered >= levels)
    return float(levels[reached[-1]]) if len(reached) else math.log(planned / delta)


def next_levels(
    proven: Proven, control: Control, delta: float, planned: int
) -> tuple[float, float]:
    """What the next arm of each list needs; under fdr it makes the list longer by one."""
    if control != "fdr":
        return proven.level_good, proven.level_bad
    sizes = (min(int(listed.sum()) + 1, planned) for listed in (proven.good, proven.bad))
    good, bad = (math.log(planned / (size * delta)) for size in sizes)
    return good, bad
