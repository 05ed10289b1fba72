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
from goodarm.algorithm.identification.values import BINS, MOST_DISTINCT, ValueCounts, value_counts
from goodarm.algorithm.result_columns import TAKEN_OUT, USED_UP, Judged, Proof, asked_fields, judge, judge_followed, labels_of
from goodarm.algorithm.rule_lookup import identification_rule
from goodarm.algorithm.registry import (
    AlgorithmInfo,
    algorithms,
    as_algorithm,
    chosen_algorithm,
    suited_rule,
)
from goodarm.algorithm.sampling import SAMPLING_RULES, IndexRule, SamplingRule, View
from goodarm.algorithm.sampling.view import checked_choice
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
    "MOST_DISTINCT",
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
    "Judged",
    "Kelly",
    "Lil",
    "LilParameters",
    "Mixture",
    "Proof",
    "SamplingRule",
    "Tally",
    "ValueCounts",
    "View",
    "Warmup",
    "WealthRule",
    "algorithm_title",
    "algorithms",
    "as_algorithm",
    "asked_fields",
    "bernoulli_kl",
    "checked_choice",
    "chosen_algorithm",
    "identification_rule",
    "judge",
    "judge_followed",
    "labels_of",
    "lil_hdoc_pulls",
    "lil_parameters",
    "lower_bound_good",
    "lower_bound_stop",
    "make_setup",
    "rule_title",
    "suited_rule",
    "value_counts",
]
