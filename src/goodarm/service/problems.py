"""What went wrong, as problem+json: one table from errors to status and type.

The detail is the library's own sentence. What nobody foresaw answers with a number that stands in
the log, and never with its text.
"""

import json
import logging
import secrets
from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from starlette.responses import Response

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

MEDIA_TYPE: Final = "application/problem+json"
RETRY_AFTER: Final = "Retry-After"

_log = logging.getLogger("goodarm.service")


class Kind(NamedTuple):
    """A kind of problem: the end of its type, its status, its title, and when to come again."""

    slug: str
    status: int
    title: str
    retry_after: int | None = None

    @property
    def type(self) -> str:
        """The stable name of the kind."""
        return f"/problems/{self.slug}"


UNREADABLE: Final = Kind("unreadable", 400, "The request cannot be read")
UNAUTHORIZED: Final = Kind("unauthorized", 401, "A valid token is needed")
FORBIDDEN: Final = Kind("forbidden", 403, "The token does not allow this")
NOT_FOUND: Final = Kind("not-found", 404, "There is nothing at this path")
NO_EXPERIMENT: Final = Kind("no-such-experiment", 404, "There is no such experiment")
NOT_ALLOWED: Final = Kind("method-not-allowed", 405, "The path does not take this method")
NOT_ACCEPTABLE: Final = Kind("not-acceptable", 406, "The answer has another form")
TOO_SLOW: Final = Kind("too-slow", 408, "The request took too long to come")
REFUSED: Final = Kind("refused", 409, "The request does not fit what happened before")
CLOSED: Final = Kind("closed", 409, "The experiment is closed")
PAUSED: Final = Kind("paused", 409, "The experiment is paused")
NOTHING_LEFT: Final = Kind("nothing-left", 409, "There is nothing left to ask")
KEY_REUSED: Final = Kind("key-reused", 409, "The key was used for another request")
DIFFERENT: Final = Kind("different", 409, "Another experiment has this name")
NOT_VERIFIED: Final = Kind("not-verified", 409, "The journal is not what its rewards prove")
GONE: Final = Kind("gone", 410, "The experiment was deleted")
TOO_LARGE: Final = Kind("too-large", 413, "The body is too large")
MEDIA: Final = Kind("unsupported-media-type", 415, "The body has a form that is not known")
INVALID: Final = Kind("invalid", 422, "The request is not what it must be")
TOO_MANY: Final = Kind("too-many", 422, "The request holds more than the limit")
SLOW_DOWN: Final = Kind("slow-down", 429, "Too many requests", 1)
UNEXPECTED: Final = Kind("unexpected", 500, "The service has failed")
DAMAGED: Final = Kind("damaged", 500, "The store is damaged")
TOO_NEW: Final = Kind("too-new", 500, "A later version made the store")
STORE: Final = Kind("store", 500, "The store did not do what it was asked")
LOCKED: Final = Kind("locked", 503, "Others hold the store", 1)
DOWN: Final = Kind("down", 503, "The store cannot be reached", 2)
READ_ONLY: Final = Kind("read-only", 503, "The store cannot be written", 30)
FULL: Final = Kind("full", 507, "The store has no room left")

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
"""Errors of the library; an error's nearest class decides."""

BEGINNINGS: Final[Mapping[str, Kind]] = {
    "The key ": KEY_REUSED,
    "The experiment is closed": CLOSED,
    "The experiment is paused": PAUSED,
    "There is nothing left": NOTHING_LEFT,
}
"""Sentences of a ProtocolError by which one kind is told from another."""


class Refusal(Exception):
    """A request that the service itself does not take."""

    def __init__(self, kind: Kind, detail: str, headers: Mapping[str, str] | None = None) -> None:
        super().__init__(detail)
        self.kind, self.detail, self.headers = kind, detail, dict(headers or {})


def kind_of(error: GoodArmError) -> Kind:
    """The kind of a library's error."""
    if isinstance(error, ProtocolError):
        for beginning, kind in BEGINNINGS.items():
            if str(error).startswith(beginning):
                return kind
    return next((ERRORS[base] for base in type(error).__mro__ if base in ERRORS), UNEXPECTED)


def refusal_of(error: GoodArmError) -> Refusal:
    """A library's error as a refusal; an error of no known kind keeps its text to itself."""
    kind = kind_of(error)
    return unexpected(error) if kind is UNEXPECTED else Refusal(kind, str(error))


def unexpected(error: BaseException) -> Refusal:
    """The refusal for what nobody foresaw: a number that is found in the log."""
    number = secrets.token_hex(4)
    _log.error("Unexpected error %s", number, exc_info=error)
    return Refusal(UNEXPECTED, f"An error that nobody foresaw; the log has it as {number}.")


def document_of(refusal: Refusal) -> dict[str, Any]:
    """The problem as JSON."""
    kind = refusal.kind
    return {
        "type": kind.type,
        "title": kind.title,
        "status": kind.status,
        "detail": refusal.detail,
    }


def headers_of(refusal: Refusal) -> dict[str, str]:
    """The headers of a problem's answer."""
    headers = dict(refusal.headers)
    if refusal.kind.retry_after is not None:
        headers.setdefault(RETRY_AFTER, str(refusal.kind.retry_after))
    if refusal.kind is UNAUTHORIZED:
        headers["WWW-Authenticate"] = 'Bearer realm="goodarm"'
    return headers


def response_of(refusal: Refusal) -> Response:
    """The answer to a request that was refused."""
    text = json.dumps(document_of(refusal))
    return Response(text, refusal.kind.status, headers_of(refusal), MEDIA_TYPE)
