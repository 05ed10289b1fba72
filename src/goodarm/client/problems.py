"""From a service's problem to the library's error, with the library's sentence."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from goodarm.errors import (
    Gone,
    GoodArmError,
    NotAllowed,
    ProtocolError,
    SpecError,
    StoreDown,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTampered,
    StoreTooNew,
)

_BEFORE: Final = "/problems/"


class NoExperiment(SpecError):
    """There is no experiment of that name; ``tries`` says by which request that was said."""

    tries: int = 1


ERRORS: Final[Mapping[str, type[GoodArmError]]] = {
    "unreadable": SpecError,
    "unauthorized": NotAllowed,
    "forbidden": NotAllowed,
    "no-such-experiment": NoExperiment,
    "refused": ProtocolError,
    "closed": ProtocolError,
    "paused": ProtocolError,
    "nothing-left": ProtocolError,
    "key-reused": ProtocolError,
    "different": SpecError,
    "not-verified": StoreTampered,
    "gone": Gone,
    "too-large": SpecError,
    "invalid": SpecError,
    "too-many": SpecError,
    "slow-down": StoreDown,
    "damaged": StoreTampered,
    "too-new": StoreTooNew,
    "store": StoreError,
    "locked": StoreLocked,
    "down": StoreDown,
    "read-only": StoreReadOnly,
    "full": StoreFull,
}
"""The class of each kind of problem, by the end of its type."""

_BY_STATUS: Final[Mapping[int, type[GoodArmError]]] = {
    **dict.fromkeys((400, 413, 415, 422), SpecError),
    **dict.fromkeys((401, 403), NotAllowed),
    **dict.fromkeys((408, 429, 502, 503, 504), StoreDown),
    409: ProtocolError,
    410: Gone,
    507: StoreFull,
}
"""The class of what has no type that is known: a later service, or a proxy before it."""


class Problem(NamedTuple):
    """What an answer says went wrong."""

    status: int
    slug: str
    detail: str


def problem_of(status: int, document: object) -> Problem:
    """The problem of an answer; without a document of its own, its status is all that is known."""
    fields: Mapping[str, Any] = document if isinstance(document, Mapping) else {}
    kind, detail = fields.get("type"), fields.get("detail")
    slug = kind.removeprefix(_BEFORE) if isinstance(kind, str) and _BEFORE in kind else ""
    return Problem(status, slug, detail if isinstance(detail, str) else "")


def error_of(problem: Problem, server: str, tried: str = "") -> GoodArmError:
    """The error to be raised; ``tried`` says how often and how long, where that was more than once.

    A sentence of the library stands as it is. Where there is none, the server is named.
    """
    made = ERRORS.get(problem.slug) or _BY_STATUS.get(problem.status, StoreError)
    said = problem.detail
    if not said:
        said = f"{server} answered with the status {problem.status}, as no service of goodarm does."
    elif made in (NotAllowed, StoreDown, StoreError):
        said = f"{server}: {said}"
    return made(f"{said} {tried}".rstrip())
