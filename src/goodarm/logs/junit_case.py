"""Outcome of a JUnit test case, from its elements or, if these say nothing, its attributes.

Names of elements and values of attributes are compared without prefix and in lower case, because
tools differ: ``Failure``, ``j:failure``, ``SKIPPED``, ``not-run``.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from goodarm.logs.attempts import Outcome

_FINAL_ELEMENTS: Final[dict[str, Outcome]] = {
    "failure": "fail",
    "error": "error",
    **dict.fromkeys(("skipped", "ignored", "disabled", "pending", "notrun"), "skip"),
}
"""Elements that give the final outcome of the test case, the most severe first."""
_ATTEMPT_ELEMENTS: Final[dict[str, Outcome]] = {
    "flakyfailure": "fail",
    "flakyerror": "error",
    "rerunfailure": "fail",
    "rerunerror": "error",
}
"""Elements that are separate attempts, before the last or after the first."""
_NEUTRAL_ELEMENTS: Final = frozenset(
    (
        *("properties", "property", "system-out", "system-err", "stdout", "stderr", "output"),
        *("attachments", "attachment", "tags", "metadata", "description", "time", "assertions"),
    )
)
"""Elements that have nothing to do with the outcome."""
_OUTCOME_PATTERN: Final = re.compile(
    "fail|error|skip|ignor|abort|cancel|incomplete|inconclusive|warning|risky|pending|disabled"
    "|timeout|crash|rerun|retry|flaky|testcase"
)
_OUTCOME_WORDS: Final[dict[str, Outcome]] = {
    **dict.fromkeys(("fail", "failed", "failure", "ko", "notok"), "fail"),
    **dict.fromkeys(("error", "errored", "broken", "crashed", "timeout", "timedout"), "error"),
    **dict.fromkeys(("aborted", "interrupted", "cancelled", "canceled"), "error"),
    **dict.fromkeys(("skip", "skipped", "ignore", "ignored", "pending", "todo"), "skip"),
    **dict.fromkeys(("notrun", "notexecuted", "disabled", "suppressed", "filtered"), "skip"),
    **dict.fromkeys(("pass", "passed", "ok", "success", "successful", "succeeded"), "pass"),
}
"""Outcomes of the values of ``status`` and ``result``, the most severe first."""
_OUTCOMES_BY_SEVERITY: Final = tuple(dict.fromkeys(_OUTCOME_WORDS.values()))
_NEUTRAL_WORDS: Final = frozenset({"", "run", "ran", "executed", "completed", "finished", "done"})
_SEPARATORS: Final = re.compile(r"[\s_-]+")


class CaseOutcome(NamedTuple):
    """Outcome of a test case.

    ``others`` are attempts before the last or after the first, ``failing`` is the number of
    failures and errors that the case shows, ``doubtful`` an element that may mean that it did not
    pass, and ``unknown`` the elements and attributes that were not understood and are ignored.
    """

    outcome: Outcome
    others: tuple[Outcome, ...] = ()
    failing: int = 0
    doubtful: str = ""
    unknown: tuple[str, ...] = ()


_PASSED: Final = CaseOutcome("pass")


@lru_cache(maxsize=256)
def get_plain_tag(tag: str) -> str:
    """Return the name of an element without prefix, in lower case.

    >>> get_plain_tag("j:Failure")
    'failure'
    """
    return tag.rpartition(":")[2].casefold()


def find_case_outcome(case: Mapping[str, str], inside: Sequence[str]) -> CaseOutcome:
    """Return the outcome of a test case with these attributes and (plain) elements.

    >>> find_case_outcome({"status": "FAILED"}, ["system-out"]).outcome
    'fail'
    """
    if not inside and "status" not in case and "result" not in case:
        return _PASSED
    others = tuple(_ATTEMPT_ELEMENTS[tag] for tag in inside if tag in _ATTEMPT_ELEMENTS)
    failing = len(others) + inside.count("failure") + inside.count("error")
    final_outcome = next((_FINAL_ELEMENTS[tag] for tag in _FINAL_ELEMENTS if tag in inside), None)
    if final_outcome is not None:
        return CaseOutcome(final_outcome, others, failing)
    said, unknown = _find_attributes_outcome(case)
    if said is not None:
        return CaseOutcome(said, others, failing + (said in ("fail", "error")), unknown=unknown)
    strange = [
        tag for tag in inside if tag not in _ATTEMPT_ELEMENTS and tag not in _NEUTRAL_ELEMENTS
    ]
    doubtful = next((tag for tag in strange if _OUTCOME_PATTERN.search(tag)), "")
    unknown += tuple(f"<{tag}>" for tag in strange)
    return CaseOutcome("pass", others, failing, doubtful, unknown)


def _find_attributes_outcome(case: Mapping[str, str]) -> tuple[Outcome | None, tuple[str, ...]]:
    """Return the most severe outcome of the attributes, and those with an unknown value."""
    found: list[Outcome] = []
    unknown: list[str] = []
    for name in ("status", "result"):
        word = _SEPARATORS.sub("", case.get(name, "")).casefold()
        if word in _OUTCOME_WORDS:
            found.append(_OUTCOME_WORDS[word])
        elif word not in _NEUTRAL_WORDS:
            unknown.append(f"{name}={case[name][:40]!r}")
    return next((outcome for outcome in _OUTCOMES_BY_SEVERITY if outcome in found), None), tuple(
        unknown
    )
