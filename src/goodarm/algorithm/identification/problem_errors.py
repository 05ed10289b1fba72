"""Errors for problems that an identification rule does not accept."""

from typing import Final

from goodarm.errors import SpecError
from goodarm.wording import Arg, EdgeText, Text, Value, phrase

FRACTIONS_REMEDY: Final = phrase(
    "Use {rules}.",
    rules=EdgeText(
        "python",
        phrase(
            "{mixture} or {betting}",
            mixture=Arg("identification", "mixture"),
            betting=Value("betting"),
        ),
        "another one, such as mixture or betting",
    ),
)
"""Remedy if rewards are not only 0 and 1."""


def make_problem_error(rule: str, what: str, must: str, remedy: Text) -> SpecError:
    """Return the error for a problem that a rule does not accept.

    Args:
        rule: the rule's name.
        what: a sentence that says what is wrong.
        must: the requirement that the rule does not meet.
        remedy: the rules that accept the problem.
    """
    return SpecError(
        what,
        argument="identification",
        owner="Algorithm",
        rule=must,
        value=rule,
        remedy=remedy,
    )
