"""Mixture test.

========  ==================================================================
rule      the rule; it loads compiled code on first use
pool      its form for finite pools
weights   the default weights of the priors
evidence  E_good and E_bad from counts, and why they are valid
bounds    the interval
========  ==================================================================
"""

from goodarm.algorithm.identification.mixture.rule import Mixture
from goodarm.algorithm.identification.mixture.weights import WEIGHTS

__all__ = ["WEIGHTS", "Mixture"]
