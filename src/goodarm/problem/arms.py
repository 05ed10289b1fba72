"""Labels of arms, and the number of arms."""

import unicodedata
from collections.abc import Iterable
from numbers import Integral
from typing import Any, Final

from goodarm.arguments import check_count, check_list
from goodarm.errors import ProtocolError, invalid_argument
from goodarm.wording import Arg, phrase

Arm = str | int

MAX_ARMS: Final = 10**18
"""Most arms that may be planned."""
MAX_NUMBERED_ARMS: Final = 10**7
"""Most arms that may be given as a number: their labels are made and kept in memory."""


def check_arms(arms: int | Iterable[Arm], owner: str) -> tuple[Arm, ...]:
    """Return the arms' labels: str or int, at least one, unique even as text."""
    if isinstance(arms, Integral) and not isinstance(arms, bool):
        return tuple(range(check_count("arms", owner, arms, most=MAX_NUMBERED_ARMS)))
    labels: list[Arm] = []
    for arm in check_list("arms", owner, arms, "labels, or a number of arms"):
        if isinstance(arm, str):
            labels.append(str(arm))
        elif isinstance(arm, Integral) and not isinstance(arm, bool):
            labels.append(int(arm))
        else:
            raise invalid_argument("arms", owner, "have labels that are text or whole numbers", arm)
    if not labels:
        raise invalid_argument("arms", owner, "have at least one arm", labels)
    known_labels: set[str] = set()
    for arm in labels:
        if str(arm) in known_labels:
            raise invalid_argument(
                "arms", owner, "have every label only once (1 and '1' are the same)", arm
            )
        known_labels.add(str(arm))
    return tuple(labels)


def check_planned(planned: object, count: int) -> int:
    """Return the planned number of arms, which is at least the present one."""
    found = check_count("arms_planned", "Problem", planned, most=MAX_ARMS)
    if found < count:
        remedy = "It counts the arms that you have and those that you may add later."
        rule = f"be at least the number of arms, {count}"
        raise invalid_argument("arms_planned", "Problem", rule, planned, remedy)
    return found


def make_no_slot_error(union_size: int, arm: Arm, owner: str, *, is_planned: bool) -> ProtocolError:
    """Return the error for an arm that has no share of delta."""
    union = f"Arm {arm!r} cannot be added: delta is shared by {union_size} arms"
    fields: Any = {"argument": "arm", "owner": owner, "rule": "have a share of delta", "value": arm}
    planned = Arg("arms_planned", owner="Problem")
    if not is_planned:
        remedy = "Create the problem with {planned}, the final number of arms."
        return ProtocolError(
            f"{union}, those that the problem began with.",
            remedy=phrase(remedy, planned=planned),
            **fields,
        )
    there = (
        "{union}, and all places of {planned} are taken; an arm that is labelled or taken out "
        "keeps its place."
    )
    return ProtocolError(
        phrase(there, union=union, planned=planned),
        remedy="For more arms, create a new experiment.",
        **fields,
    )


def make_visible_form(name: object) -> str:
    """Return a label as a reader sees it: no blanks around it, nothing invisible.

    Accents have one form.

    >>> make_visible_form("a\N{ZERO WIDTH SPACE} "), make_visible_form(1)
    ('a', '1')
    """
    text = str(name)
    if text.isascii():
        return text.strip()
    composed = unicodedata.normalize("NFC", text)
    return "".join(sign for sign in composed if unicodedata.category(sign) != "Cf").strip()
