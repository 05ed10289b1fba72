"""Conversion of a service's problem document to the library's error, with its sentence."""

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

_TYPE_PREFIX: Final = "/problems/"


class NoExperiment(SpecError):
    """Missing experiment; ``tries`` is the number of the attempt that found it missing."""

    tries: int = 1


ERRORS_BY_SLUG: Final[Mapping[str, type[GoodArmError]]] = {
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
"""Error class for each kind of problem, by the end of its type."""

_ERRORS_BY_STATUS: Final[Mapping[int, type[GoodArmError]]] = {
    **dict.fromkeys((400, 413, 415, 422), SpecError),
    **dict.fromkeys((401, 403), NotAllowed),
    **dict.fromkeys((408, 429, 502, 503, 504), StoreDown),
    409: ProtocolError,
    410: Gone,
    507: StoreFull,
}
"""Error class for problems of unknown type, by status: from a later service, or a proxy."""


class ServiceProblem(NamedTuple):
    """Problem that an answer reports."""

    status: int
    slug: str
    detail: str
    errors: tuple[Mapping[str, Any], ...] = ()
    """fields of the library's errors, if the service sent them"""


def read_problem(status: int, document: object) -> ServiceProblem:
    """Read the problem of an answer; without a problem document only its status is known."""
    fields: Mapping[str, Any] = document if isinstance(document, Mapping) else {}
    kind, detail = fields.get("type"), fields.get("detail")
    slug = kind.removeprefix(_TYPE_PREFIX) if isinstance(kind, str) and _TYPE_PREFIX in kind else ""
    listed = fields.get("errors")
    errors = tuple(each for each in listed if isinstance(each, Mapping)) if listed else ()
    return ServiceProblem(status, slug, detail if isinstance(detail, str) else "", errors)


def make_error(problem: ServiceProblem, server: str, tried: str = "") -> GoodArmError:
    """Return the error to raise; ``tried`` describes the attempts if there were several.

    An error of the library is restored. Any other names the server.
    """
    made = ERRORS_BY_SLUG.get(problem.slug) or _ERRORS_BY_STATUS.get(problem.status, StoreError)
    if problem.errors and issubclass(made, SpecError | ProtocolError):
        return _restore(problem.errors, made, tried)
    message = problem.detail
    if not message:
        message = f"{server} answered with status {problem.status}. Is it a service of goodarm?"
    elif made in (NotAllowed, StoreDown, StoreError):
        message = f"{server}: {message}"
    return made(f"{message} {tried}".rstrip())


def _restore(
    errors: Sequence[Mapping[str, Any]], made: type[GoodArmError], tried: str
) -> GoodArmError:
    found = [read_error(each, made) for each in errors]
    first = found[0]
    if len(found) == 1:
        return first.replace_fields(remedy=join(first.remedy, tried))
    return first.replace_fields(statement="", remedy=tried, errors=tuple(found))
