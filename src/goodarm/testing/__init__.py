"""What a rule of one's own must pass: the checks that goodarm's own rules pass.

Plain functions that raise an AssertionError which names the property and the numbers, and return a
report of what was tried. They work in any test runner, and in none.
"""

from goodarm.testing.identification import check_identification_rule
from goodarm.testing.report import RuleReport
from goodarm.testing.sampling import check_sampling_rule

__all__ = ["RuleReport", "check_identification_rule", "check_sampling_rule"]
