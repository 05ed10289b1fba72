"""Checks of rules by the labels they prove: bounds on the mean, and any other rule."""

from typing import Final

import numpy as np

from goodarm.algorithm import BoundRule, IdentificationRule, Tally, make_setup
from goodarm.problem import Problem, Rewards
from goodarm.testing.crossing_probability import check_crossing
from goodarm.testing.evidence import BARS, MAX_POWER_OF_TEN
from goodarm.testing.report import expect, report_failure

DELTAS: Final = (0.3, 0.05, 0.001)
NARROWING: Final = "its bound falls in n, and n times the bound grows, up to 1e12 pulls"


def check_labels(
    rule: IdentificationRule, rewards: Rewards, most_pulls: int, steps: int = 1
) -> None:
    """Check that an arm with a mean of the null is proven with probability at most delta / K.

    That is for all n together. Sums go in ``steps`` steps to a whole reward.
    """
    at_n, at_j = np.ogrid[: most_pulls + 1, : steps * most_pulls + 1]
    is_count = (at_j <= steps * at_n) & (at_n > 0)
    n, j = np.nonzero(is_count)
    tally = Tally(n, j / steps, np.zeros(len(n)))
    for bar in BARS:
        proven = np.zeros((2, len(DELTAS), *is_count.shape), bool)
        for region, delta in enumerate(DELTAS):
            setup = make_setup(Problem(2, bar, delta, rewards=rewards), rule)
            with report_failure(f"The {rule.name} rule's labels cannot be computed at bar {bar:g}"):
                for side, found in enumerate(rule.proven(setup, tally)):
                    proven[side, region, is_count] = found
        for side, (label, sign) in enumerate((("good", 1), ("bad", -1))):
            what = f"The {rule.name} rule's label {label}"
            limits = np.array(DELTAS) / 2.0
            where = f"at bar {bar:g} with 2 arms"
            check_crossing(what, where, proven[side], limits, bar, sign, steps)


def check_widths(rule: BoundRule, most_pulls: int = 1000) -> None:
    """Check that the bound falls in n and n times the bound grows; the engines rely on this."""
    far = np.unique(np.geomspace(most_pulls + 1, 10.0**MAX_POWER_OF_TEN, 200).astype(np.int64))
    n = np.concatenate([np.arange(1, most_pulls + 1), far])
    for delta in DELTAS:
        setup = make_setup(Problem(2, 0.5, delta), rule)
        _, widths = rule.interval(setup, Tally(n, np.zeros(len(n))), (0.0, 0.0))
        for must, is_right in (
            ("fall in n", np.diff(widths) < 0.0),
            ("grow in n when multiplied by n", np.diff(n * widths) > 0.0),
        ):
            if not is_right.all():
                at = int(np.argmin(is_right))
                expect(
                    False,
                    f"The {rule.name} rule's bound must {must}; with 2 arms and delta {delta:g} it "
                    f"is {widths[at]:.10g} at n = {n[at]} and {widths[at + 1]:.10g} at n = "
                    f"{n[at + 1]}.",
                )
