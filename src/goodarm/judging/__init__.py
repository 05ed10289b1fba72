"""Judgment of arms: labels, intervals, e-values and pulls needed, from counts and values.

================= =====================================================================
totals            input: each arm's counts, and its values if a rule bets on them
judgment          labels, intervals, e-values and pulls needed, for all arms at once
bets              bets of a rule at each arm's threshold, and their wealth
reward_statistics single rewards: the wealth of bets on them, the test of sigma, their kind
reward_kind       remark that another kind fits the rewards
distinct_values   counts of each value, in little memory
case_order        scores from a pool, in the order of their cases
sigma_test        test of a sigma by the rewards themselves
one_look          labels of a single look at a size that was fixed beforehand
advice            hint if another rule would have needed far fewer pulls
================= =====================================================================
"""

from goodarm.judging.bets import RuleBets
from goodarm.judging.judgment import (
    Control,
    Judgment,
    Listed,
    check_rule,
    judge,
    make_rules_at,
)
from goodarm.judging.one_look import OneLook, check_one_look, judge_once
from goodarm.judging.reward_kind import RewardProfile
from goodarm.judging.reward_statistics import RewardStatistics
from goodarm.judging.totals import Totals

__all__ = [
    "Control",
    "Judgment",
    "Listed",
    "OneLook",
    "RewardProfile",
    "RewardStatistics",
    "RuleBets",
    "Totals",
    "check_one_look",
    "check_rule",
    "judge",
    "judge_once",
    "make_rules_at",
]
