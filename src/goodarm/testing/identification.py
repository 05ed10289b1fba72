"""What an identification rule of one's own must pass."""

import math
from typing import Final

import numpy as np

from goodarm.algorithm import Algorithm, BoundRule, CountsRule, IdentificationRule
from goodarm.checks import check_count
from goodarm.errors import must
from goodarm.problem import Problem, Rewards
from goodarm.testing import bounds, crossing, evidence, lookup, parts, wealth
from goodarm.testing.report import ANY_IN_RANGE, BOUND, E_VALUES, ZERO_ONE, RuleReport, expect
from goodarm.testing.runs import IN_A_RANGE, PLAIN, TRIES, check_ask_and_tell, check_same

PARTS: Final = 10
"""Fractional rewards are tried in tenths."""

LEVELS: Final = (2.0, 5.0, 20.0, 100.0, 1e4)
"""K / delta, where the probability of a wrong label is computed."""

KINDS: Final[tuple[Rewards, ...]] = ("bernoulli", "bounded")

SAME_RUNS: Final = "both engines, and ask and tell, make the same runs"


def check_identification_rule(rule: IdentificationRule, *, most_pulls: int = 300) -> RuleReport:
    """Try all that can be tried of an identification rule's validity, and of its place in goodarm.

    Evidence from counts is tried at all counts up to ``most_pulls``, on both sides, at bars from
    .001 to .999: E(0, 0) <= 1; p E(n+1, s+1) + (1 - p) E(n+1, s) <= E(n, s) at both ends of the
    null; for good it rises in s and falls in n and in the bar; no nan up to 1e12 pulls; convex in
    a fractional last reward if the rule takes fractions. A rule without e-values must keep the
    exact probability of a wrong label within delta / K. Rules that bet are tried on all short
    sequences.

    Args:
        rule: the rule, an object.
        most_pulls: how far counts are tried. 300 take a few seconds, twice as many four times that.

    Raises an AssertionError with the property, the bar, n, s and the numbers. Passing is no proof
    beyond ``most_pulls``: the rule's docstring must say why it is valid.

    >>> from goodarm import Mixture
    >>> report = check_identification_rule(Mixture(weights=[8]), most_pulls=20)
    >>> report.follows
    ('e-values: they may be used for FDR', 'any rewards in a known range')
    """
    owner = "check_identification_rule"
    if not isinstance(rule, IdentificationRule):
        raise must("rule", owner, "be an identification rule, an object and not its class", rule)
    most_pulls = check_count("most_pulls", owner, most_pulls, least=10, most=5000)
    parts.check_object(rule)
    checked, follows = [parts.AS_OBJECT], list[str]()
    kinds = [kind for kind in KINDS if lookup.takes(rule, kind)]
    expect(kinds, f"The {rule.name} rule must take rewards of 0 and 1, or rewards in a range.")
    forms = {kind: rule.on(Problem(2, 0.5, 0.05, rewards=kind)) for kind in kinds}
    counting = [kind for kind, form in forms.items() if isinstance(form, CountsRule)]
    if counting and isinstance(rule, CountsRule):
        checked += _check_counts(rule, most_pulls, takes_fractions="bounded" in counting)
        for kind in counting:
            lookup.check_curves(rule, kind, most_pulls)
        checked.append(lookup.CURVES)
    for kind, form in forms.items():
        if form.traits(Problem(2, 0.5, 0.05, rewards=kind), 2).keeps_wealth:
            wealth.check_wealth(rule, kind)
            checked += [] if wealth.FAIR in checked else [wealth.FAIR]
    if not rule.has_e_values and not counting:
        bounds.check_labels(rule, most_pulls)
        checked.append(crossing.CROSSING)
    if isinstance(rule, BoundRule):
        bounds.check_widths(rule, most_pulls)
        checked.append(bounds.NARROWING)
    has_interval = {lookup.check_interval(rule, kind, most_pulls) for kind in kinds}
    if True in has_interval:
        checked.append(lookup.INTERVAL)
    _check_runs(rule, "bounded" in kinds)
    checked.append(SAME_RUNS)
    follows = [E_VALUES if rule.has_e_values else BOUND]
    follows.append(ANY_IN_RANGE if "bounded" in kinds else ZERO_ONE)
    limit = (
        f"Passing is no proof beyond {most_pulls} pulls, nor at other bars: the rule's docstring "
        "must say why it is valid."
    )
    return RuleReport(rule.name, tuple(checked), tuple(follows), limit, most_pulls)


def _check_counts(rule: CountsRule, most_pulls: int, takes_fractions: bool) -> list[str]:
    """The two functions of a rule on counts; what was tried, in words."""
    for side in evidence.sides_of(rule):
        evidence.check_far_out(side)
        _check_side(rule, side, most_pulls, 1)
        if takes_fractions:
            _check_side(rule, side, max(most_pulls // 5, 2), PARTS)
    tried = f", at all counts up to {most_pulls} pulls and bars from .001 to .999"
    checked = [evidence.NO_NUMBER, evidence.MONOTONE + tried]
    checked.append((evidence.ONE_STEP if rule.has_e_values else crossing.CROSSING) + tried)
    if takes_fractions:
        far = f", in tenths up to {max(most_pulls // 5, 2)} pulls"
        checked.append((evidence.CONVEX if rule.has_e_values else crossing.CROSSING) + far)
    return checked


def _check_side(rule: CountsRule, side: evidence.Side, most_pulls: int, steps: int) -> None:
    """One label at all bars, with sums in so many steps to a whole reward."""
    below = None
    for bar in evidence.BARS:
        table = evidence.make_table(side, bar, most_pulls, steps)
        evidence.check_monotone(table, below)
        if rule.has_e_values:
            evidence.check_start(table)
            rise = evidence.first_rise(table)
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
            crossing.check_crossing(what, f"at bar {bar:g}", is_over, limits, bar, side.sign, steps)
        below = table


def _check_runs(rule: IdentificationRule, takes_range: bool) -> None:
    """Both engines and ask and tell agree, with margins, ends and budgets."""
    tries = (*TRIES, IN_A_RANGE) if takes_range else TRIES
    for tried in tries:
        for sampling in ("hdoc", "kl-moss") if tried is PLAIN else ("hdoc",):
            algorithm = Algorithm(sampling=sampling, identification=rule)
            fast = tried.simulate(algorithm, runs=5, engine="fast")
            plain = tried.simulate(algorithm, runs=5, engine="reference")
            check_same(f"Both engines on {algorithm.name}", fast, plain)
            check_ask_and_tell(tried, algorithm, plain)
