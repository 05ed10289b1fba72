"""Check of an identification rule of your own."""

import math
from numbers import Integral
from typing import Final

import numpy as np

from goodarm.algorithm import Algorithm, BoundRule, CountsRule, IdentificationRule
from goodarm.errors import invalid_argument
from goodarm.problem import Problem, Rewards
from goodarm.testing import (
    bounds,
    crossing_probability,
    curves_and_intervals,
    evidence,
    gaussian,
    rule_objects,
    wealth,
)
from goodarm.testing.report import (
    ANY_IN_RANGE,
    BOUND,
    E_VALUES,
    GAUSSIAN,
    ZERO_ONE,
    RuleReport,
    expect,
)
from goodarm.testing.runs import (
    BOUNDED_CASE,
    CASES,
    GAUSSIAN_CASE,
    PLAIN_CASE,
    SimulationCase,
    check_ask_and_tell,
    check_same,
)

PARTS: Final = 10
"""Number of steps in a reward: fractional rewards are tried in tenths."""

LEVELS: Final = (2.0, 5.0, 20.0, 100.0, 1e4)
"""Values of K / delta at which the probability of a wrong label is computed."""

KINDS: Final[tuple[Rewards, ...]] = ("bernoulli", "bounded")

SAME_RUNS: Final = "both engines, and ask and tell, make the same runs"


def check_identification_rule(rule: IdentificationRule, *, most_pulls: int = 300) -> RuleReport:
    """Check an identification rule's validity, as far as that can be tried, and its use in goodarm.

    Evidence from counts is tried at all counts up to ``most_pulls``, on both sides, at bars from
    .001 to .999: E(0, 0) <= 1; p E(n+1, s+1) + (1 - p) E(n+1, s) <= E(n, s) at both ends of the
    null; for good it rises in s and falls in n and in the bar; no nan up to 1e12 pulls; convex in
    a fractional last reward if the rule takes fractions. A rule without e-values must keep the
    exact probability of a wrong label within delta / K. Rules that bet are tried on all short
    sequences, rules on sums of Gaussian rewards by quadrature.

    Args:
        rule: the rule, an object.
        most_pulls: how far counts are tried. 300 take a few seconds, twice as many four times that.

    Raises:
        AssertionError: with the property, the bar, n, s and the numbers.

    Passing is no proof beyond ``most_pulls``: the rule's docstring must say why it is valid.

    Returns:
        What was tried, and what follows from it.

    >>> from goodarm.rules import Mixture
    >>> report = check_identification_rule(Mixture(weights=[8]), most_pulls=20)
    >>> report.follows
    ('e-values: they may be used for FDR', 'any rewards in a known range')
    """
    owner = "check_identification_rule"
    if not isinstance(rule, IdentificationRule):
        raise invalid_argument(
            "rule", owner, "be an identification rule, an object and not its class", rule
        )
    if not isinstance(most_pulls, Integral) or not 10 <= most_pulls <= 5000:
        raise invalid_argument("most_pulls", owner, "be a whole number from 10 to 5000", most_pulls)
    rule_objects.check_object(rule)
    kinds = [kind for kind in KINDS if curves_and_intervals.can_use_rewards(rule, kind)]
    is_gaussian = isinstance(rule, CountsRule) and curves_and_intervals.can_use_rewards(
        rule, "gaussian"
    )
    expect(
        kinds or is_gaussian,
        f"The {rule.name} rule must take rewards of 0 and 1, in a range, or Gaussian ones.",
    )
    checked, limits = [rule_objects.AS_OBJECT], set[str]()
    if isinstance(rule, CountsRule) and is_gaussian:
        gaussian.check_gaussian(rule)
        checked.append(gaussian.EXPECTED)
        limits.add("one reward")
    for kind in kinds:
        problem = Problem(2, 0.5, 0.05, rewards=kind)
        form = rule.for_problem(problem)
        if form.traits(problem, 2).keeps_wealth:
            wealth.check_wealth(rule, kind)
            found = [f"{wealth.TRIED}: {wealth.FAIR}"]
            limits.add(f"{wealth.LENGTHS['bernoulli']} rewards")
        else:
            found = _check_counts(form, kind, most_pulls)
            limits.add(f"{most_pulls} pulls")
        checked += [what for what in found if what not in checked]
    checked += _check_place(rule, kinds, is_gaussian)
    uses = [ANY_IN_RANGE if "bounded" in kinds else ZERO_ONE] if kinds else []
    uses += [GAUSSIAN] if is_gaussian else []
    follows = (E_VALUES if rule.has_e_values else BOUND, *uses)
    limit = (
        f"Passing is no proof beyond {' or '.join(sorted(limits))}, nor at other bars: the rule's "
        "docstring must say why it is valid."
    )
    return RuleReport(rule.name, tuple(checked), follows, limit, most_pulls)


def _check_counts(rule: IdentificationRule, rewards: Rewards, most_pulls: int) -> list[str]:
    """Check a rule that needs only counts; return what was checked, in words."""
    steps, far, where = 1, most_pulls, f"all counts up to {most_pulls} pulls"
    if rewards == "bounded":
        steps, far = PARTS, max(most_pulls // 5, 2)
        where = f"all sums of tenths up to {far} pulls"
    if not isinstance(rule, CountsRule) and not rule.has_e_values:
        bounds.check_labels(rule, rewards, far, steps)
        return [f"{where}: {crossing_probability.CROSSING}"]
    for side in evidence.make_sides(rule):
        _check_side(rule, side, far, steps)
        if steps == 1:
            evidence.check_far_out(side)
    checked = [
        evidence.MONOTONE,
        evidence.ONE_STEP if rule.has_e_values else crossing_probability.CROSSING,
    ]
    if rule.has_e_values and steps > 1:
        checked.append(evidence.CONVEX)
    if isinstance(rule, CountsRule):
        curves_and_intervals.check_curves(rule, rewards)
    return [evidence.NO_NAN, *(f"{where}: {what}" for what in checked)]


def _check_place(rule: IdentificationRule, kinds: list[Rewards], is_gaussian: bool) -> list[str]:
    """Check the rule as engines and tables use it; return what was checked, in words."""
    checked = []
    if isinstance(rule, CountsRule) and "bernoulli" in kinds:
        curves_and_intervals.check_decision(rule)
        checked.append(curves_and_intervals.CURVES)
    if isinstance(rule, BoundRule):
        bounds.check_widths(rule)
        checked.append(bounds.NARROWING)
    has_interval = [curves_and_intervals.check_interval(rule, kind) for kind in kinds]
    checked += [curves_and_intervals.INTERVAL] if any(has_interval) else []
    tries = [
        *(CASES if "bernoulli" in kinds else ()),
        *([BOUNDED_CASE] if "bounded" in kinds else []),
    ]
    _check_runs(rule, [*tries, *([GAUSSIAN_CASE] if is_gaussian else [])])
    return [*checked, SAME_RUNS]


def _check_side(
    rule: IdentificationRule, side: evidence.EvidenceSide, most_pulls: int, steps: int
) -> None:
    """Check one label at all bars, with sums in ``steps`` steps to a whole reward."""
    below = None
    for bar in evidence.BARS:
        table = evidence.make_table(side, bar, most_pulls, steps)
        evidence.check_monotone(table, below)
        if rule.has_e_values:
            evidence.check_start(table)
            rise = evidence.find_first_rise(table)
            expect(
                rise is None,
                f"{rise} So these are no e-values. A rule that is valid without them declares "
                "has_e_values = False, and is tried as a bound.",
            )
            if steps > 1:
                evidence.check_convex(table)
        else:
            is_over = np.array([table.logs >= math.log(level) for level in LEVELS])
            limits = 1.0 / np.array(LEVELS)
            what = f"The {rule.name} rule's label {side.label}"
            crossing_probability.check_crossing(
                what, f"at bar {bar:g}", is_over, limits, bar, side.sign, steps
            )
        below = table


def _check_runs(rule: IdentificationRule, tries: list[SimulationCase]) -> None:
    """Check that both engines and ask and tell agree, with margins, ends and budgets."""
    for tried in tries:
        for sampling in ("hdoc", "kl-moss") if tried is PLAIN_CASE else ("hdoc",):
            algorithm = Algorithm(sampling=sampling, identification=rule)
            fast = tried.simulate(algorithm, runs=5, engine="fast")
            plain = tried.simulate(algorithm, runs=5, engine="reference")
            check_same(f"Both engines on {algorithm.name}", fast, plain)
            check_ask_and_tell(tried, algorithm, plain)
