"""Check of evidence from sums of Gaussian rewards: its expectation after one more, by quadrature.

Unit rewards count in two sigma, so they have a standard deviation of 1/2.
"""

import math
from collections.abc import Callable
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from goodarm.algorithm import CountsRule
from goodarm.testing.report import ROUNDING, expect

Floats = NDArray[np.float64]

PULLS: Final = (0, 1, 2, 3, 5, 10, 30, 100, 1000, 10**6)
SUM_DISTANCES: Final = (-8.0, -3.0, -1.0, -0.1, 0.0, 0.3, 1.0, 2.0, 4.0, 8.0)
"""Distances of sums from n times the bar, in standard deviations."""
MEAN_DISTANCES: Final = (0.0, 0.1, 1.0, 5.0)
"""Distances of means from the bar on its wrong side, in sigma."""
BARS: Final = (-1.5, 0.0, 20.0)

_STEP: Final = 1.0 / 16.0
"""Step of the quadrature.

Half of it changes no digit: sums over even steps of smooth functions that fall like a Gaussian
converge faster than any power of the step.
"""
_FAR: Final = 30.0

EXPECTED: Final = (
    "Gaussian rewards, by quadrature: E(0, 0) <= 1, no reward of the null is expected to raise it"
)


def check_gaussian(rule: CountsRule) -> None:
    """Check that one more reward of the null is never expected to raise the evidence."""
    for label, sign, function in (("good", 1.0, rule.log_good), ("bad", -1.0, rule.log_bad)):
        for bar in BARS:
            start = float(function(np.zeros(1), np.zeros(1), bar)[0])
            what = f"The {rule.name} rule's evidence for {label} at bar {bar:g}"
            expect(
                start <= ROUNDING, f"{what} must be at most 1 at first; it is {math.exp(start)}."
            )
            for n in PULLS:
                places = np.array(SUM_DISTANCES if n else [0.0])
                sums = n * bar + 0.5 * math.sqrt(n) * places
                now = function(np.full(len(sums), float(n)), sums, bar)
                expect(not np.isnan(now).any(), f"{what} is nan at n = {n}.")
                is_up = np.diff(sign * now) >= -ROUNDING
                expect(is_up.all(), f"{what} must rise, or fall, with the sum; not so at n = {n}.")
                for below in MEAN_DISTANCES:
                    after = _compute_expected(function, n, sums, bar, bar - sign * 0.5 * below)
                    rise = float((after - now).max())
                    expect(
                        rise <= ROUNDING,
                        f"{what} must not be expected to rise under its null; after n = {n} "
                        f"rewards, at a mean {below:g} sigma beyond the bar, it does so by the "
                        f"factor {math.exp(rise):.10g}.",
                    )


def _compute_expected(
    function: Callable[[Any, Any, Any], Floats], n: int, sums: Floats, bar: float, mean: float
) -> Floats:
    """Return the log of the mean evidence after one more reward with this mean."""
    z = np.arange(-_FAR, _FAR + _STEP, _STEP)
    after = sums[:, None] + mean + 0.5 * z
    logs = np.asarray(function(np.full(after.shape, n + 1.0), after, bar), float)
    logs = logs - 0.5 * z**2 + math.log(_STEP / math.sqrt(2.0 * math.pi))
    most = logs.max(axis=1)
    return np.asarray(most + np.log(np.exp(logs - most[:, None]).sum(axis=1)))
