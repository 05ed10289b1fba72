"""Sampling rules, identification rules and warm-ups: the parts of algorithms.

``Algorithm`` puts them together. To write a rule of your own, subclass `SamplingRule` or
`CountsRule`; ``goodarm.testing`` has the checks that it must pass.
"""

from goodarm.algorithm import (
    AlgorithmInfo,
    Betting,
    CountsRule,
    HalfNormal,
    Hoeffding,
    IdentificationRule,
    Kelly,
    Lil,
    LilParameters,
    Mixture,
    SamplingRule,
    View,
    Warmup,
    lil_parameters,
)

__all__ = [
    "AlgorithmInfo",
    "Betting",
    "CountsRule",
    "HalfNormal",
    "Hoeffding",
    "IdentificationRule",
    "Kelly",
    "Lil",
    "LilParameters",
    "Mixture",
    "SamplingRule",
    "View",
    "Warmup",
    "lil_parameters",
]
