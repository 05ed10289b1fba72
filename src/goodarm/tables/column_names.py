"""Column names that say which way is good: of failures, and of what should be small."""

import re
from typing import Final

_FAILURES: Final = re.compile(
    "fail|error|errs?$|bounc|reject|lost$|loss(es)?$|lose|miss(es|ed)?$|wrong|incorrect|broken|"
    "crash|defect|timeout|abandon|churn|unsubscri|cancel|refund|complain|hallucinat|fehler|abbr[uü]ch"
)
"""Beginnings of words for what went wrong."""
_COSTS: Final = re.compile(
    "(second|sec|millisecond|milli|minute|hour|cost|price|token|delay)s?$|"
    "(ms|latency|latencies|duration|runtime|time|spend|spent|rmse|mae|mse|perplexity|dauer|"
    "kosten|preis)$"
)
"""Words for what is measured, and usually should be small."""
_NOT: Final = frozenset({"no", "not", "non", "without", "free"})
_WORDS: Final = re.compile(r"[A-Z]?[^\W\d_A-Z]+|[A-Z]+(?![a-z])")


def _split_words(name: str) -> list[str]:
    return [word.casefold() for word in _WORDS.findall(name)]


def is_failure_name(name: str) -> bool:
    """Return whether a column of this name holds what went wrong, so that more is worse.

    >>> is_failure_name("failures"), is_failure_name("Bounce Rate"), is_failure_name("numErrors")
    (True, True, True)
    >>> is_failure_name("clicks"), is_failure_name("not_failed"), is_failure_name("mission")
    (False, False, False)
    """
    words = _split_words(name)
    return _NOT.isdisjoint(words) and any(map(_FAILURES.match, words))


def is_cost_name(name: str) -> bool:
    """Return whether less is probably better for a column of this name: failures, time or money.

    >>> is_cost_name("seconds"), is_cost_name("latency_ms"), is_cost_name("cost per call")
    (True, True, True)
    >>> is_cost_name("score"), is_cost_name("min_score"), is_cost_name("user's rating")
    (False, False, False)
    """
    return is_failure_name(name) or any(map(_COSTS.match, _split_words(name)))
