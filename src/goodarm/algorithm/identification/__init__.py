"""Identification rules: three bases, and a file or a folder for each rule.

=========  =================================================================
rule       what a rule is
bound      base of the rules with a bound on the mean
counts     base of the rules on counts; curves look their labels up
wealth     base of the rules that bet on each reward
=========  =================================================================

A new rule is a file that says why it is valid, and its entry in ``IDENTIFICATION_RULES``: whatever
lists rules reads them from there. A rule on counts needs no kernel.
"""

from goodarm.algorithm.identification.betting import Betting
from goodarm.algorithm.identification.bound import BoundRule
from goodarm.algorithm.identification.counts import CountsRule
from goodarm.algorithm.identification.half_normal import HalfNormal
from goodarm.algorithm.identification.hoeffding import Hoeffding
from goodarm.algorithm.identification.kelly import Kelly
from goodarm.algorithm.identification.lil import Lil
from goodarm.algorithm.identification.mixture import Mixture
from goodarm.algorithm.identification.rule import IdentificationRule, Tally
from goodarm.algorithm.identification.wealth import WealthRule

IDENTIFICATION_RULES: dict[str, type[IdentificationRule]] = {
    rule.name: rule for rule in (Mixture, Betting, HalfNormal, Hoeffding, Lil, Kelly)
}
"""The one list of goodarm's identification rules, by name."""

TABLE_RULES: tuple[str, ...] = tuple(
    name for name, rule in IDENTIFICATION_RULES.items() if not rule.minds_order
)
"""Names of the rules that can judge a table, which does not have the order of rewards."""

__all__ = [
    "IDENTIFICATION_RULES",
    "TABLE_RULES",
    "Betting",
    "BoundRule",
    "CountsRule",
    "HalfNormal",
    "Hoeffding",
    "IdentificationRule",
    "Kelly",
    "Lil",
    "Mixture",
    "Tally",
    "WealthRule",
]
