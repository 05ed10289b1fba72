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

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = "Retry-After"

_log = logging.getLogger("goodarm.service")


class Kind(NamedTuple):
    """Kind of problem: the end of its type, its status, its title, and seconds until a retry."""

    slug: str
    status: int
    title: str
    retry_after: int | None = None

    @property
    def type(self) -> str:
        """Stable type of the problem."""
        return f"/problems/{self.slug}"


UNREADABLE: Final = Kind("unreadable", 400, "The request cannot be read")
UNAUTHORIZED: Final = Kind("unauthorized", 401, "A valid token is needed")
FORBIDDEN: Final = Kind("forbidden", 403, "The token does not allow this")
NOT_FOUND: Final = Kind("not-found", 404, "There is nothing at this path")
NO_EXPERIMENT: Final = Kind("no-such-experiment", 404, "There is no such experiment")
NOT_ALLOWED: Final = Kind("method-not-allowed", 405, "The path does not take this method")
NOT_ACCEPTABLE: Final = Kind("not-acceptable", 406, "The answer is not available in this format")
TOO_SLOW: Final = Kind("too-slow", 408, "The request took too long to arrive")
REFUSED: Final = Kind("refused", 409, "The request does not fit what happened before")
CLOSED: Final = Kind("closed", 409, "The experiment is closed")
PAUSED: Final = Kind("paused", 409, "The experiment is paused")
NOTHING_LEFT: Final = Kind("nothing-left", 409, "There is nothing left to ask")
KEY_REUSED: Final = Kind("key-reused", 409, "The key was used for another request")
DIFFERENT: Final = Kind("different", 409, "Another experiment has this name")
NOT_VERIFIED: Final = Kind("not-verified", 409, "The labels are not those that the rewards prove")
GONE: Final = Kind("gone", 410, "The experiment was deleted")
TOO_LARGE: Final = Kind("too-large", 413, "The body is too large")
MEDIA: Final = Kind("unsupported-media-type", 415, "The body has an unknown media type")
INVALID: Final = Kind("invalid", 422, "The request is invalid")
TOO_MANY: Final = Kind("too-many", 422, "The request exceeds a limit")
SLOW_DOWN: Final = Kind("slow-down", 429, "Too many requests", 1)
UNEXPECTED: Final = Kind("unexpected", 500, "Internal error")
DAMAGED: Final = Kind("damaged", 500, "The store is damaged")
TOO_NEW: Final = Kind("too-new", 500, "A later version made the store")
STORE: Final = Kind("store", 500, "The store failed")
LOCKED: Final = Kind("locked", 503, "The store is busy", 1)
DOWN: Final = Kind("down", 503, "The store cannot be reached", 2)
READ_ONLY: Final = Kind("read-only", 503, "The store cannot be written", 30)
FULL: Final = Kind("full", 507, "The store is full")

KINDS: Final = tuple(kind for kind in list(globals().values()) if isinstance(kind, Kind))

ERRORS: Final[Mapping[type[Exception], Kind]] = {
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

REASONS: Final[Mapping[str, Kind]] = {
    kind.slug: kind for kind in (KEY_REUSED, CLOSED, PAUSED, NOTHING_LEFT)
}
"""Kinds by the reason of a ProtocolError, where it has a kind of its own."""


class Refusal(Exception):
    """Refused request, with a sentence or an error of the library."""

    def __init__(
        self, kind: Kind, why: str | GoodArmError, headers: Mapping[str, str] | None = None
    ) -> None:
        self.error = why if isinstance(why, GoodArmError) else None
        self.detail = why if isinstance(why, str) else WORDING.sentence(why)
        self.kind, self.headers = kind, dict(headers or {})
        super().__init__(self.detail)


def kind_of(error: GoodArmError) -> Kind:
    """Return the kind of problem for an error of the library."""
    if isinstance(error, ProtocolError) and error.reason in REASONS:
        return REASONS[error.reason]
    return next((ERRORS[base] for base in type(error).__mro__ if base in ERRORS), UNEXPECTED)


def refusal_of(error: GoodArmError) -> Refusal:
    """Convert an error of the library to a refusal; hide the text of an error of unknown kind."""
    kind = kind_of(error)
    if kind is UNEXPECTED:
        return unexpected(error)
    if kind.status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        _log.error("%s", error)  # with the store's address, which is never sent
    return Refusal(kind, error)


def unexpected(error: BaseException) -> Refusal:
    """Log an unexpected error, and return a refusal with the number of the log entry."""
    number = secrets.token_hex(4)
    _log.error("Unexpected error %s", number, exc_info=error)
    return Refusal(UNEXPECTED, f"Unexpected error. See log entry {number}.")


def document_of(refusal: Refusal) -> dict[str, Any]:
    """Return the problem document of a refusal."""
    kind = refusal.kind
    document = {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": refusal.detail,
    }
    errors = [] if refusal.error is None else _error_documents(refusal.error, kind)
    return {**document, "errors": errors} if errors else document


def _error_documents(error: GoodArmError, kind: Kind) -> list[dict[str, Any]]:
    """Return the fields of each error about an argument, with a JSON pointer if it was sent."""
    found = []
    for each in error.errors or (error,):
        if each.argument:
            pointer = WORDING.pointer(each) if kind is INVALID else ""
            where = {"pointer": pointer} if pointer else {}
            found.append({**where, "detail": WORDING.sentence(each), **write_error(each)})
    return found


def headers_of(refusal: Refusal) -> dict[str, str]:
    """Return the headers of the response to a refused request."""
    headers = dict(refusal.headers)
    if refusal.kind.retry_after is not None:
        headers.setdefault(RETRY_AFTER, str(refusal.kind.retry_after))
    if refusal.kind is UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="goodarm"'
    return headers


def response_of(refusal: Refusal) -> Response:
    """Return the problem+json response to a refused request."""
    text = json.dumps(document_of(refusal))
    return Response(text, refusal.kind.status, headers_of(refusal), MEDIA_TYPE)
