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
from goodarm.algorithm.identification.mixture import (
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
    find_algorithm,
    get_default_test,
    resolve_algorithm,
)
from goodarm.algorithm.result_columns import (
    REASON_CASES_USED_UP,
    REASON_TAKEN_OUT,
    ProvenLabels,
    ResultColumns,
    compute_columns,
    compute_live_columns,
    make_labels,
    make_problem_fields,
)
from goodarm.algorithm.rule_lookup import find_identification_rule
from goodarm.algorithm.sampling import SAMPLING_RULES, IndexRule, SamplingRule, View
from goodarm.algorithm.sampling.view import check_choice
from goodarm.algorithm.theory import (
    bound_lil_hdoc_pulls,
    compute_bernoulli_kl,
    lower_bound_good,
    lower_bound_stop,
)
from goodarm.algorithm.titles import make_algorithm_title, make_rule_title
from goodarm.algorithm.warmup import Warmup

__all__ = [
    "BINS",
    "IDENTIFICATION_RULES",
    "LINE_SCALE",
    "MAX_CAP",
    "MAX_DISTINCT_VALUES",
    "MAX_RUNS",
    "REASON_CASES_USED_UP",
    "REASON_TAKEN_OUT",
    "SAMPLING_RULES",
    "TABLE_RULES",
    "Algorithm",
    "AlgorithmInfo",
    "Betting",
    "BettingOnEach",
    "Bools",
    "BoundRule",
    "CappedCurve",
    "CountsRule",
    "Floats",
    "HalfNormal",
    "Hoeffding",
    "IdentificationRule",
    "IndexRule",
    "Kelly",
    "Lil",
    "LilParameters",
    "Line",
    "Mixture",
    "ProvenLabels",
    "ResultColumns",
    "SamplingRule",
    "Tally",
    "ValueCounts",
    "View",
    "Warmup",
    "WealthRule",
    "algorithms",
    "bound_lil_hdoc_pulls",
    "calibrate",
    "check_choice",
    "compute_bernoulli_kl",
    "compute_columns",
    "compute_crossing",
    "compute_live_columns",
    "count_values",
    "find_algorithm",
    "find_fewest_runs",
    "find_identification_rule",
    "fit_lines",
    "get_default_test",
    "lil_parameters",
    "lower_bound_good",
    "lower_bound_stop",
    "make_algorithm_title",
    "make_labels",
    "make_problem_fields",
    "make_rule_title",
    "make_setup",
    "resolve_algorithm",
]
