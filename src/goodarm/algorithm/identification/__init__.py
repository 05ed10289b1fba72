"""Identification rules: three base classes, and a module or a package for each rule.

=========  =================================================================
rule       base class of all rules, and their inputs
bound      base class of rules with a bound on the mean
counts     base class of rules on counts, whose labels are looked up in curves
wealth     base class of rules that bet on each reward
=========  =================================================================

To add a rule, write a module that says why the rule is valid, and list it in
``IDENTIFICATION_RULES``, from which everything else takes the rules. A rule on counts needs no
kernel.
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
"""List of all of goodarm's identification rules, by name."""

TABLE_RULES: tuple[str, ...] = tuple(
    name for name, rule in IDENTIFICATION_RULES.items() if not rule.depends_on_order
)
"""Names of the rules that can judge a table, in which rewards have no order."""

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
