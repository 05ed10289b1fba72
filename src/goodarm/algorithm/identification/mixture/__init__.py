"""The mixture test.

========  ==================================================================
rule      the rule itself; it loads what is compiled when it is first needed
weights   those of the priors
evidence  E_good and E_bad from counts, and why they are valid
bounds    the interval
========  ==================================================================
"""

from goodarm.algorithm.identification.mixture.rule import Mixture
from goodarm.algorithm.identification.mixture.weights import WEIGHTS

__all__ = ["WEIGHTS", "Mixture"]
