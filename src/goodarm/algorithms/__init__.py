"""Sampling rules, identification rules and warm-ups, and the algorithms made of them."""

from goodarm.algorithms.algorithm import Algorithm
from goodarm.algorithms.identification import IDENTIFICATION_RULES, Hoeffding, Lil
from goodarm.algorithms.lil import LilParameters, lil_parameters
from goodarm.algorithms.registry import AlgorithmInfo, algorithms, as_algorithm
from goodarm.algorithms.sampling import SAMPLING_RULES, SamplingRule
from goodarm.algorithms.warmup import Warmup

__all__ = [
    "IDENTIFICATION_RULES",
    "SAMPLING_RULES",
    "Algorithm",
    "AlgorithmInfo",
    "Hoeffding",
    "Lil",
    "LilParameters",
    "SamplingRule",
    "Warmup",
    "algorithms",
    "as_algorithm",
    "lil_parameters",
]
