"""Errors for problems that an identification rule does not take."""

from typing import Final

from goodarm.errors import SpecError
from goodarm.wording import Arg, Only, Text, Value, phrase

FRACTIONS: Final = phrase(
    "Use {rules}.",
    rules=Only(
        "python",
        phrase(
            "{mixture} or {betting}",
            mixture=Arg("identification", "mixture"),
            betting=Value("betting"),
        ),
        "another one, such as mixture or betting",
    ),
)
"""What to do where rewards are neither 0 nor 1."""


def unsuited(rule: str, what: str, must: str, remedy: Text) -> SpecError:
    """Return the error for a problem that a rule does not take.

    Args:
        rule: the rule's name.
        what: what is wrong, as a sentence.
        must: what the rule would have to do.
        remedy: which rules take the problem.
    """
    return SpecError(
        what,
        argument="identification",
        owner="Algorithm",
        rule=must,
        value=rule,
        remedy=remedy,
    )
