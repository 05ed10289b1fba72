"""Judging of arms: counts and values to labels, intervals, e-values and pulls needed.

================= =====================================================================
totals            what is judged: each arm's counts, and its values where a rule bets on them
verdicts          labels, intervals, e-values and pulls needed, for all arms at once
bets              the bets of a rule at each arm's threshold, and what they make of rewards
reward_statistics single rewards: the wealth of bets on them, and the test of sigma
distinct_values   how often each value came, in little memory
case_order        scores out of a pool, in their order
sigma_test        test of a sigma by the rewards themselves
advice            whether another rule would have needed far fewer pulls
================= =====================================================================
"""

from goodarm.judging.bets import RuleBets
from goodarm.judging.reward_statistics import RewardStatistics
from goodarm.judging.totals import Totals
from goodarm.judging.verdicts import Control, Verdicts, check_rule, forms_at, judge

__all__ = [
    "Control",
    "RewardStatistics",
    "RuleBets",
    "Totals",
    "Verdicts",
    "check_rule",
    "forms_at",
    "judge",
]
