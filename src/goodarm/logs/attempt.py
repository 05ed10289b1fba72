"""What every reader yields: one attempt after another, as a tool wrote it down."""

from collections.abc import Mapping
from typing import Final, Literal, NamedTuple, get_args

Outcome = Literal["pass", "fail", "error", "skip"]
OUTCOMES: Final[tuple[Outcome, ...]] = get_args(Outcome)

NO_CASES: Final[Mapping[str, str | int]] = {}


class Attempt(NamedTuple):
    """One attempt at one test.

    Args:
        parts: what the arm can be named by, such as ``{"name": "test_pay", "suite": "shop"}``:
            texts, or whole numbers.
        outcome: ``"pass"``, ``"fail"``, ``"error"`` (it broke before there was an answer) or
            ``"skip"`` (it was not tried).
        key: which test it is: a key that comes twice for an arm must be explained. Empty if
            several attempts at the same test are what the tool writes.
        identity: this very attempt, wherever it is written down again: counted once. Empty if
            there is nothing to know it by.
        number: the line, result or sample it stands at.
        aside: why it is no sample and must not be counted; empty for all others.
        within: what it stands in, such as a suite, for the message about a test that comes twice.
        cases: what was tried, by the part that names it, such as ``{"sample": "17"}``: a case that
            comes twice for an arm with several cases must be explained, unless it names the arm.
    """

    parts: Mapping[str, str | int]
    outcome: Outcome
    key: str = ""
    identity: str = ""
    number: int = 0
    aside: str = ""
    within: tuple[str, ...] = ()
    cases: Mapping[str, str | int] = NO_CASES


class Note(NamedTuple):
    """A remark on a log that its reader passes on to the user."""

    text: str
