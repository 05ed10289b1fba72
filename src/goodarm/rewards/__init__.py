"""Distributions for simulation: what an arm's rewards are drawn from, in the user's units.

============ ================================================================
distribution what all of them have, and the document of any of them
uniform      every number of an interval alike
beta         a Beta distribution, on [0, 1] or on any other range
discrete     few values with weights, or many: a sample
============ ================================================================
"""

from goodarm.rewards.beta import Beta
from goodarm.rewards.discrete import Discrete
from goodarm.rewards.distribution import Distribution
from goodarm.rewards.documents import from_dict
from goodarm.rewards.uniform import Uniform

__all__ = ["Beta", "Discrete", "Distribution", "Uniform", "from_dict"]
