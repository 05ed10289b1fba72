"""Mixture test.

========  ==================================================================
rule      the rule; it loads compiled code on first use
pool      its form for finite pools
weights   the default weights of the priors
evidence  E_good and E_bad from counts, and why they are valid
bounds    the interval
capped    the test under a cap on the pulls of an arm, as curves, and straight lines on curves
========  ==================================================================
"""

from goodarm.algorithm.identification.mixture.capped_curves import (
    LINE_SCALE,
    MAX_CAP,
    MAX_RUNS,
    CappedCurve,
    Line,
    calibrate,
    compute_crossing,
    find_fewest_runs,
    fit_lines,
)
from goodarm.algorithm.identification.mixture.rule import Mixture
from goodarm.algorithm.identification.mixture.weights import WEIGHTS

__all__ = [
    "LINE_SCALE",
    "MAX_CAP",
    "MAX_RUNS",
    "WEIGHTS",
    "CappedCurve",
    "Line",
    "Mixture",
    "calibrate",
    "compute_crossing",
    "find_fewest_runs",
    "fit_lines",
]
