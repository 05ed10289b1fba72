"""From a service's problem to the library's error, with the library's sentence."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

from goodarm.error_documents import read_error
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
from goodarm.wording import join

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
    errors: tuple[Mapping[str, Any], ...] = ()
    """the fields of the library's errors, if the service has sent them"""


def problem_of(status: int, document: object) -> Problem:
    """The problem of an answer; without a document of its own, its status is all that is known."""
    fields: Mapping[str, Any] = document if isinstance(document, Mapping) else {}
    kind, detail = fields.get("type"), fields.get("detail")
    slug = kind.removeprefix(_BEFORE) if isinstance(kind, str) and _BEFORE in kind else ""
    listed = fields.get("errors")
    errors = tuple(each for each in listed if isinstance(each, Mapping)) if listed else ()
    return Problem(status, slug, detail if isinstance(detail, str) else "", errors)


def error_of(problem: Problem, server: str, tried: str = "") -> GoodArmError:
    """The error to be raised; ``tried`` says how often and how long, where that was more than once.

    An error of the library is what it was there. Where there is none, the server is named.
    """
    made = ERRORS.get(problem.slug) or _BY_STATUS.get(problem.status, StoreError)
    if problem.errors and issubclass(made, SpecError | ProtocolError):
        return _restored(problem.errors, made, tried)
    said = problem.detail
    if not said:
        said = f"{server} answered with the status {problem.status}, as no service of goodarm does."
    elif made in (NotAllowed, StoreDown, StoreError):
        said = f"{server}: {said}"
    return made(f"{said} {tried}".rstrip())


def _restored(
    errors: Sequence[Mapping[str, Any]], made: type[GoodArmError], tried: str
) -> GoodArmError:
    found = [read_error(each, made) for each in errors]
    first = found[0]
    if len(found) == 1:
        return first.replaced(remedy=join(first.remedy, tried))
    return first.replaced(statement="", remedy=tried, errors=tuple(found))
