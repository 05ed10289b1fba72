"""Names of columns and keys that identify the case or person of a reward.

Why it matters: a test counts each reward as a new draw. Rewards of one case are alike, as what is
hard for a model stays hard, so a hundred answers to one question are no hundred draws.
"""

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from goodarm.wording import Arg, Phrase, Symbol, phrase

_NOUNS: Final = frozenset(
    (
        *("case", "testcase", "unit", "sample", "question", "item", "example", "document", "doc"),
        *("user", "person", "customer", "visitor", "patient", "participant", "respondent"),
    )
)
"""Cases and people: a column of this name has no other meaning."""
_TEXTS: Final = frozenset(("prompt", "input", "query", "url", "email", "emailaddress"))
"""Texts that identify a case."""
_ROWS: Final = frozenset(("id", "uid", "uuid", "guid", "idx", "index", "row"))
"""Names for whatever a row is about. One that differs in each row of an arm does no harm."""
_GROUPS: Final = frozenset(("task", "test", "scenario", "problem", "session"))
"""Cases, unless another column names them; then these may be groups of cases."""
_NOUNS_WITH_ID: Final = frozenset(
    (
        *("instance", "subject", "account", "device", "client", "member"),
        *("kunde", "kunden", "nutzer", "benutzer", "besucher", "teilnehmer"),
    )
)
"""Words that alone may mean something else, such as the subject of a mail."""
_PLURALS: Final = frozenset(
    f"{noun}s"
    for noun in (
        *("case", "testcase", "question", "example", "document"),
        *("prompt", "input", "scenario", "problem"),
    )
)
"""Plurals that name cases. Others are usually counts: users, sessions, items, tests."""
_ID: Final = re.compile("(id|ids|uid|uuid|guid|idx|index|key|number|nummer|num|no|nr)$")
_OWN: Final = re.compile("(name|email|text)$")
"""Endings of a column that identifies a person or question. ``name`` alone is no case name: it may
be that of an arm, a model or a metric, and different people share names."""


def is_case_name(name: str) -> bool:
    """Return whether a column of this name tells cases or people apart.

    >>> is_case_name("Question ID"), is_case_name("userId"), is_case_name("unit")
    (True, True, True)
    >>> is_case_name("sample_idx"), is_case_name("prompt"), is_case_name("Kundennummer")
    (True, True, True)
    >>> is_case_name("subject"), is_case_name("country"), is_case_name("name")
    (False, False, False)
    """
    return (
        _is_certain_case_name(name)
        or _can_be_group(name)
        or _normalize_word(name) in _TEXTS | _ROWS
    )


def find_case_columns(names: Iterable[str]) -> Sequence[str]:
    """Return those of a table's columns that tell cases apart, without groups of cases.

    Leave out the columns that name the arm, and the reward's.

    >>> find_case_columns(["task", "epoch"]), find_case_columns(["task", "question_id", "epoch"])
    (('task',), ('question_id',))
    """
    return _find_case_columns(tuple(names))


@lru_cache
def _find_case_columns(names: tuple[str, ...]) -> tuple[str, ...]:
    found = tuple(filter(is_case_name, names))
    has_cases = any(map(_is_certain_case_name, found))
    return tuple(name for name in found if not (has_cases and _can_be_group(name)))


def _is_certain_case_name(name: str) -> bool:
    """Return whether the name certainly means cases, as a noun or a noun's id."""
    plain = _normalize_word(name)
    noun = _ID.sub("", plain)
    if plain in _NOUNS | _PLURALS or noun in _NOUNS or _OWN.sub("", plain) in _NOUNS:
        return True
    return noun != plain and noun in _NOUNS_WITH_ID | _TEXTS | _GROUPS | {"row"}


def _can_be_group(name: str) -> bool:
    return _normalize_word(name).removesuffix("name") in _GROUPS


def _normalize_word(name: str) -> str:
    return re.sub(r"[\W_]+", "", name).casefold()


def make_repeats_remedy(how: str | Arg, unit: str) -> Phrase:
    """Return the remedy for repeats of one case: what they may mean, and the option for each.

    Each choice has pulls that are independent draws of what its label is about.

    Args:
        how: how to make the case the arm.
        unit: the column or part that names the case.
    """
    return phrase(
        "Repeats of one case are not independent pulls. Choose what to judge. To judge each case, "
        "make it the arm, {how}: its repeats are its pulls. To judge the average case, give "
        "{unit}: each case has one reward, the average of its repeats. To judge this set of cases, "
        "give {unit} and {pool}. If a case was drawn at random for each row, give {repeats}.",
        how=how,
        unit=Arg("unit", unit),
        pool=Arg("pool", Symbol("NUMBER"), owner="check"),
        repeats=Arg("repeats", "attempts"),
    )
