"""Identification rules, one file each. A new one: a file, a branch in the kernels, an entry."""

from goodarm.algorithm.identification.betting import Betting
from goodarm.algorithm.identification.hoeffding import Hoeffding
from goodarm.algorithm.identification.kelly import Kelly
from goodarm.algorithm.identification.lil import Lil
from goodarm.algorithm.identification.mixture import Mixture
from goodarm.algorithm.identification.rule import IdentificationRule, Tally

IDENTIFICATION_RULES: dict[str, type[IdentificationRule]] = {
    rule.name: rule for rule in (Hoeffding, Lil, Mixture, Betting, Kelly)
}

__all__ = [
    "IDENTIFICATION_RULES",
    "Betting",
    "Hoeffding",
    "IdentificationRule",
    "Kelly",
    "Lil",
    "Mixture",
    "Tally",
]
