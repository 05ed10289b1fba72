"""Sampling rules, identification rules and warm-ups, and the algorithms made of them."""

from goodarm.algorithm.algorithm import Algorithm, make_setup
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
from goodarm.algorithm.identification.betting import BettingOnEach
from goodarm.algorithm.identification.lil import LilParameters, lil_parameters
from goodarm.algorithm.identification.rule import Bools, Floats
from goodarm.algorithm.identification.values import (
    BINS,
    MAX_DISTINCT_VALUES,
    ValueCounts,
    count_values,
)
from goodarm.algorithm.registry import (
    AlgorithmInfo,
    algorithms,
    default_test,
    find_algorithm,
    resolve_algorithm,
)
from goodarm.algorithm.result_columns import (
    TAKEN_OUT,
    USED_UP,
    ProvenLabels,
    ResultColumns,
    compute_columns,
    compute_live_columns,
    labels_of,
    problem_fields,
)
from goodarm.algorithm.rule_lookup import find_identification_rule
from goodarm.algorithm.sampling import SAMPLING_RULES, IndexRule, SamplingRule, View
from goodarm.algorithm.sampling.view import check_choice
from goodarm.algorithm.theory import (
    bernoulli_kl,
    lil_hdoc_pulls,
    lower_bound_good,
    lower_bound_stop,
)
from goodarm.algorithm.titles import algorithm_title, rule_title
from goodarm.algorithm.warmup import Warmup

__all__ = [
    "BINS",
    "IDENTIFICATION_RULES",
    "MAX_DISTINCT_VALUES",
    "SAMPLING_RULES",
    "TABLE_RULES",
    "TAKEN_OUT",
    "USED_UP",
    "Algorithm",
    "AlgorithmInfo",
    "Betting",
    "BettingOnEach",
    "Bools",
    "BoundRule",
    "CountsRule",
    "Floats",
    "HalfNormal",
    "Hoeffding",
    "IdentificationRule",
    "IndexRule",
    "Kelly",
    "Lil",
    "LilParameters",
    "Mixture",
    "ProvenLabels",
    "ResultColumns",
    "SamplingRule",
    "Tally",
    "ValueCounts",
    "View",
    "Warmup",
    "WealthRule",
    "algorithm_title",
    "algorithms",
    "bernoulli_kl",
    "check_choice",
    "compute_columns",
    "compute_live_columns",
    "count_values",
    "default_test",
    "find_algorithm",
    "find_identification_rule",
    "labels_of",
    "lil_hdoc_pulls",
    "lil_parameters",
    "lower_bound_good",
    "lower_bound_stop",
    "make_setup",
    "problem_fields",
    "resolve_algorithm",
    "rule_title",
]
