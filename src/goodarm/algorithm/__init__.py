"""Sampling rules, identification rules and warm-ups, and the algorithms made of them."""

from goodarm.algorithm.compose import Algorithm
from goodarm.algorithm.identification import (
    IDENTIFICATION_RULES,
    TABLE_RULES,
    Betting,
    BoundRule,
    CountsRule,
    HalfNormal,
    Hoeffding,
    IdentificationRule,
    Kelly,
    Lil,
    Mixture,
    Tally,
    WealthRule,
)
from goodarm.algorithm.identification.lil import LilParameters, lil_parameters
from goodarm.algorithm.registry import (
    AlgorithmInfo,
    algorithms,
    as_algorithm,
    chosen_algorithm,
    suited_rule,
)
from goodarm.algorithm.sampling import SAMPLING_RULES, IndexRule, SamplingRule, View
from goodarm.algorithm.titles import algorithm_title, rule_title
from goodarm.algorithm.warmup import Warmup

__all__ = [
    "IDENTIFICATION_RULES",
    "SAMPLING_RULES",
    "TABLE_RULES",
    "Algorithm",
    "AlgorithmInfo",
    "Betting",
    "BoundRule",
    "CountsRule",
    "HalfNormal",
    "Hoeffding",
    "IdentificationRule",
    "IndexRule",
    "Kelly",
    "Lil",
    "LilParameters",
    "Mixture",
    "SamplingRule",
    "Tally",
    "View",
    "Warmup",
    "WealthRule",
    "algorithm_title",
    "algorithms",
    "as_algorithm",
    "chosen_algorithm",
    "lil_parameters",
    "rule_title",
    "suited_rule",
]
