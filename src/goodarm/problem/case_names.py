"""Names of columns and keys that say which case or person a reward is about.

Why it matters: a test counts each reward as a new draw. Rewards of one case are alike, as what is
hard for a model stays hard, so a hundred answers to one question are no hundred draws.
"""

import re
from typing import Final

from goodarm.errors import Hint

_NOUNS: Final = frozenset(
    (
        *("case", "testcase", "unit", "sample", "question", "item", "example", "document", "doc"),
        *("user", "person", "customer", "visitor", "patient", "participant", "respondent"),
    )
)
_NOUNS_WITH_ID: Final = frozenset(
    ("task", "instance", "problem", "subject", "account", "device", "query")
)
"""Words that alone may mean something else, as the subject of a mail does."""
_ID: Final = re.compile("(id|uuid|key|number|no|nr)$")


def is_case_name(name: str) -> bool:
    """Return whether a column of this name tells cases or people apart.

    >>> is_case_name("Question ID"), is_case_name("userId"), is_case_name("unit")
    (True, True, True)
    >>> is_case_name("subject"), is_case_name("country")
    (False, False)
    """
    plain = re.sub(r"[\W_]+", "", name).casefold()
    noun = _ID.sub("", plain)
    return plain in _NOUNS or noun in _NOUNS or (noun != plain and noun in _NOUNS_WITH_ID)


def repeats_remedy(python: str, option: str) -> Hint:
    """Return what to do with repeats of one case; the arguments say how the case becomes the arm.

    Each choice has pulls that are independent draws of what its label is about.
    """
    text = "Repeats of one case are not independent pulls. Choose what is judged:"
    average = "average the rewards of each case and check one row a case,"
    pool = "keep one row a case and judge this set of cases,"
    anew = "if each row drew its case anew,"
    return Hint(
        f"{text} make the case the arm, {python}; {average} raw=True, rewards='bounded'; {pool} "
        f"pool=NUMBER; or, {anew} repeats='attempts'.",
        f"{text} make the case the arm, {option}; {average} --raw --rewards bounded; {pool} "
        f"--pool NUMBER; or, {anew} --repeats attempts.",
    )
