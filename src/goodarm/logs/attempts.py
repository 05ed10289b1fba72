"""Attempts and notes: the items that every reader yields."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

Outcome = Literal["pass", "fail", "error", "skip"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

NO_CASES: Final[Mapping[str, str | int]] = {}


class Attempt(NamedTuple):
    """One attempt at one test.

    Args:
        parts: the fields that can name the arm, such as ``{"name": "test_pay", "suite": "shop"}``:
            text or whole numbers.
        outcome: ``"pass"``, ``"fail"``, ``"error"`` (it broke before there was an answer) or
            ``"skip"`` (it was not run).
        key: the test's identifier. If a key occurs twice for an arm, the user must say what that
            means. Empty if the tool normally writes several attempts at the same test.
        identity: a unique id of this attempt: if it occurs again, in any file, it is counted
            once. Empty if the tool writes none.
        number: the number of the line, result or sample that holds it.
        aside: the reason why it is no sample and is not counted; empty for all others.
        within: what contains it, such as a suite, for the message about a repeated test.
        cases: the case that was tried, by the part that names it, such as ``{"sample": "17"}``. If
            a case occurs twice for an arm with several cases, the user must say what that means,
            unless the part names the arm.

    >>> Attempt({"name": "test_pay", "suite": "shop"}, "fail", number=12).outcome
    'fail'
    """

    parts: Mapping[str, str | int]
    outcome: Outcome
    key: str = ""
    identity: str = ""
    number: int = 0
    aside: str = ""
    within: tuple[str, ...] = ()
    cases: Mapping[str, str | int] = NO_CASES


class LogNote(NamedTuple):
    """Remark on a log that its reader passes on to the user.

    Args:
        text: the remark.

    >>> LogNote("The run was stopped early.").text
    'The run was stopped early.'
    """

    text: str
