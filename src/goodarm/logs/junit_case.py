"""How a JUnit test case went: by the elements in it and, where these are silent, its attributes.

Names of elements and words of attributes are compared without prefix and in small letters, because
tools differ: ``Failure``, ``j:failure``, ``SKIPPED``, ``not-run``.
"""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Final, NamedTuple

from goodarm.logs.attempt import Outcome

_OWN: Final[dict[str, Outcome]] = {
    "failure": "fail",
    "error": "error",
    **dict.fromkeys(("skipped", "ignored", "disabled", "pending", "notrun"), "skip"),
}
"""Elements that say how the test case went in the end, the gravest first."""
_OTHERS: Final[dict[str, Outcome]] = {
    "flakyfailure": "fail",
    "flakyerror": "error",
    "rerunfailure": "fail",
    "rerunerror": "error",
}
"""Elements that are attempts of their own, before the last or after the first."""
_HARMLESS: Final = frozenset(
    (
        *("properties", "property", "system-out", "system-err", "stdout", "stderr", "output"),
        *("attachments", "attachment", "tags", "metadata", "description", "time", "assertions"),
    )
)
"""Elements that have nothing to do with the outcome."""
_LIKE_OUTCOME: Final = re.compile(
    "fail|error|skip|ignor|abort|cancel|incomplete|inconclusive|warning|risky|pending|disabled"
    "|timeout|crash|rerun|retry|flaky|testcase"
)
_SAID: Final[dict[str, Outcome]] = {
    **dict.fromkeys(("fail", "failed", "failure", "ko", "notok"), "fail"),
    **dict.fromkeys(("error", "errored", "broken", "crashed", "timeout", "timedout"), "error"),
    **dict.fromkeys(("aborted", "interrupted", "cancelled", "canceled"), "error"),
    **dict.fromkeys(("skip", "skipped", "ignore", "ignored", "pending", "todo"), "skip"),
    **dict.fromkeys(("notrun", "notexecuted", "disabled", "suppressed", "filtered"), "skip"),
    **dict.fromkeys(("pass", "passed", "ok", "success", "successful", "succeeded"), "pass"),
}
"""What ``status`` and ``result`` say, the gravest first."""
_ORDER: Final = tuple(dict.fromkeys(_SAID.values()))
_NEUTRAL: Final = frozenset({"", "run", "ran", "executed", "completed", "finished", "done"})
_NO_LETTER: Final = re.compile(r"[\s_-]+")


class Verdict(NamedTuple):
    """How a test case went.

    ``others`` are attempts before the last or after the first, ``failing`` how many failures and
    errors the case shows, ``doubtful`` an element that may say that it did not pass, and
    ``unknown`` what was not understood and left aside.
    """

    outcome: Outcome
    others: tuple[Outcome, ...] = ()
    failing: int = 0
    doubtful: str = ""
    unknown: tuple[str, ...] = ()


_PASSED: Final = Verdict("pass")


@lru_cache(maxsize=256)
def plain(tag: str) -> str:
    """The name of an element without prefix, in small letters.

    >>> plain("j:Failure")
    'failure'
    """
    return tag.rpartition(":")[2].casefold()


def verdict_of(case: Mapping[str, str], inside: Sequence[str]) -> Verdict:
    """How a test case with these attributes and (plain) elements went.

    >>> verdict_of({"status": "FAILED"}, ["system-out"]).outcome
    'fail'
    """
    if not inside and "status" not in case and "result" not in case:
        return _PASSED
    others = tuple(_OTHERS[tag] for tag in inside if tag in _OTHERS)
    failing = len(others) + inside.count("failure") + inside.count("error")
    own = next((_OWN[tag] for tag in _OWN if tag in inside), None)
    if own is not None:
        return Verdict(own, others, failing)
    said, unknown = _said(case)
    if said is not None:
        return Verdict(said, others, failing + (said in ("fail", "error")), unknown=unknown)
    strange = [tag for tag in inside if tag not in _OTHERS and tag not in _HARMLESS]
    doubtful = next((tag for tag in strange if _LIKE_OUTCOME.search(tag)), "")
    unknown += tuple(f"<{tag}>" for tag in strange)
    return Verdict("pass", others, failing, doubtful, unknown)


def _said(case: Mapping[str, str]) -> tuple[Outcome | None, tuple[str, ...]]:
    """What the attributes say, the gravest of it, and those that say something unknown."""
    found: list[Outcome] = []
    unknown: list[str] = []
    for name in ("status", "result"):
        word = _NO_LETTER.sub("", case.get(name, "")).casefold()
        if word in _SAID:
            found.append(_SAID[word])
        elif word not in _NEUTRAL:
            unknown.append(f"{name}={case[name][:40]!r}")
    return next((outcome for outcome in _ORDER if outcome in found), None), tuple(unknown)
