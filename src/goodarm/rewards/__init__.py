"""Reward distributions for simulation, in the user's units.

============ ================================================================
distribution base class: mean, standard deviation, support, JSON
documents    a distribution of any kind from its JSON document
uniform      the uniform distribution on an interval
beta         Beta distributions, on [0, 1] or on any other range
discrete     values with weights, or a sample
============ ================================================================
"""

from goodarm.rewards.beta import Beta
from goodarm.rewards.discrete import Discrete
from goodarm.rewards.distribution import Distribution
from goodarm.rewards.documents import from_dict
from goodarm.rewards.uniform import Uniform

__all__ = ["Beta", "Discrete", "Distribution", "Uniform", "from_dict"]
