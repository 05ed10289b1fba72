"""Errors as problem+json: one table from errors to status and type.

The detail is the library's sentence in the words of the API, and `errors` has its fields. An
unexpected error is answered with the number of a log entry, and never with its text; paths and
addresses of a store are only logged, too.
"""

import json
import logging
import secrets
from collections.abc import Mapping
from http import HTTPStatus
from typing import Any, Final, NamedTuple

from starlette.responses import Response

from goodarm.error_documents import write_error
from goodarm.errors import (
    Gone,
    GoodArmError,
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
from goodarm.service.json_wording import WORDING
from goodarm.wording import BODY

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = "Retry-After"

_log = logging.getLogger("goodarm.service")


class ProblemKind(NamedTuple):
    """Kind of problem: the end of its type, its status, its title, and seconds until a retry."""

    slug: str
    status: int
    title: str
    retry_after: int | None = None

    @property
    def type(self) -> str:
        """Stable type of the problem."""
        return f"/problems/{self.slug}"


UNREADABLE: Final = ProblemKind("unreadable", 400, "The request cannot be read")
UNAUTHORIZED: Final = ProblemKind("unauthorized", 401, "A valid token is needed")
FORBIDDEN: Final = ProblemKind("forbidden", 403, "The token does not allow this")
NOT_FOUND: Final = ProblemKind("not-found", 404, "Not found")
NO_EXPERIMENT: Final = ProblemKind("no-such-experiment", 404, "No such experiment")
NOT_ALLOWED: Final = ProblemKind("method-not-allowed", 405, "Method not allowed")
NOT_ACCEPTABLE: Final = ProblemKind("not-acceptable", 406, "The answer has another media type")
TOO_SLOW: Final = ProblemKind("too-slow", 408, "The request took too long")
REFUSED: Final = ProblemKind("refused", 409, "The request conflicts with an earlier one")
CLOSED: Final = ProblemKind("closed", 409, "The experiment is closed")
PAUSED: Final = ProblemKind("paused", 409, "The experiment is paused")
NOTHING_LEFT: Final = ProblemKind("nothing-left", 409, "Nothing is left to ask")
KEY_REUSED: Final = ProblemKind("key-reused", 409, "The key was used for another request")
DIFFERENT: Final = ProblemKind("different", 409, "Another experiment has this name")
NOT_VERIFIED: Final = ProblemKind("not-verified", 409, "The journal failed verification")
GONE: Final = ProblemKind("gone", 410, "The experiment was deleted")
TOO_LARGE: Final = ProblemKind("too-large", 413, "The body is too large")
MEDIA: Final = ProblemKind("unsupported-media-type", 415, "Unsupported media type")
INVALID: Final = ProblemKind("invalid", 422, "The request is not valid")
TOO_MANY: Final = ProblemKind("too-many", 422, "The request exceeds a limit")
SLOW_DOWN: Final = ProblemKind("slow-down", 429, "Too many requests", 1)
UNEXPECTED: Final = ProblemKind("unexpected", 500, "Unexpected error")
DAMAGED: Final = ProblemKind("damaged", 500, "The store is damaged")
TOO_NEW: Final = ProblemKind("too-new", 500, "A later version created the store")
STORE: Final = ProblemKind("store", 500, "The store failed")
LOCKED: Final = ProblemKind("locked", 503, "The store is busy", 1)
DOWN: Final = ProblemKind("down", 503, "The store cannot be reached", 2)
READ_ONLY: Final = ProblemKind("read-only", 503, "The store is read-only", 30)
FULL: Final = ProblemKind("full", 507, "The store is full")

KINDS: Final = tuple(kind for kind in list(globals().values()) if isinstance(kind, ProblemKind))

KINDS_BY_ERROR: Final[Mapping[type[Exception], ProblemKind]] = {
    SpecError: INVALID,
    ProtocolError: REFUSED,
    Gone: GONE,
    StoreLocked: LOCKED,
    StoreDown: DOWN,
    StoreFull: FULL,
    StoreReadOnly: READ_ONLY,
    StoreTampered: DAMAGED,
    StoreTooNew: TOO_NEW,
    StoreError: STORE,
}
"""Kinds by the library's errors; an error's nearest base class decides."""

KINDS_BY_REASON: Final[Mapping[str, ProblemKind]] = {
    kind.slug: kind for kind in (KEY_REUSED, CLOSED, PAUSED, NOTHING_LEFT)
}
"""Kinds by the reason of a ProtocolError, where it has a kind of its own."""


class Refusal(Exception):
    """Refused request, with a sentence or an error of the library."""

    def __init__(
        self, kind: ProblemKind, why: str | GoodArmError, headers: Mapping[str, str] | None = None
    ) -> None:
        self.error = why if isinstance(why, GoodArmError) else None
        self.detail = why if isinstance(why, str) else WORDING.sentence(why)
        self.kind, self.headers = kind, dict(headers or {})
        super().__init__(self.detail)


def find_kind(error: GoodArmError) -> ProblemKind:
    """Return the kind of problem for an error of the library."""
    if isinstance(error, ProtocolError) and error.reason in KINDS_BY_REASON:
        return KINDS_BY_REASON[error.reason]
    return next(
        (KINDS_BY_ERROR[base] for base in type(error).__mro__ if base in KINDS_BY_ERROR), UNEXPECTED
    )


def make_refusal(error: GoodArmError) -> Refusal:
    """Convert an error of the library to a refusal; hide the text of an error of unknown kind."""
    kind = find_kind(error)
    if kind is UNEXPECTED:
        return log_unexpected(error)
    if kind.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("%s", error)  # with the store's address, which is never sent
    return Refusal(kind, error)


def log_unexpected(error: BaseException) -> Refusal:
    """Log an unexpected error, and return a refusal with the number of the log entry."""
    number = secrets.token_hex(4)
    _log.error("Unexpected error %s", number, exc_info=error)
    return Refusal(UNEXPECTED, f"Unexpected error. See log entry {number}.")


def write_problem(refusal: Refusal) -> dict[str, Any]:
    """Return the problem document of a refusal."""
    kind = refusal.kind
    document = {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": refusal.detail,
    }
    errors = [] if refusal.error is None else _make_error_documents(refusal.error, kind)
    return {**document, "errors": errors} if errors else document


def _make_error_documents(error: GoodArmError, kind: ProblemKind) -> list[dict[str, Any]]:
    """Return the fields of each error about an argument, with a JSON pointer if it was sent.

    As in RFC 6901, ``""`` points to the whole body.
    """
    found = []
    for each in error.errors or (error,):
        if each.argument:
            pointer = WORDING.pointer(each) if kind is INVALID else ""
            where = {"pointer": "" if pointer == BODY else pointer} if pointer else {}
            found.append({**where, "detail": WORDING.sentence(each), **write_error(each)})
    return found


def make_refusal_headers(refusal: Refusal) -> dict[str, str]:
    """Return the headers of the response to a refused request."""
    headers = dict(refusal.headers)
    if refusal.kind.retry_after is not None:
        headers.setdefault(RETRY_AFTER, str(refusal.kind.retry_after))
    if refusal.kind is UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="goodarm"'
    return headers


def make_problem_response(refusal: Refusal) -> Response:
    """Return the problem+json response to a refused request."""
    text = json.dumps(write_problem(refusal))
    return Response(text, refusal.kind.status, make_refusal_headers(refusal), MEDIA_TYPE)
