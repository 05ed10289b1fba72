"""Request bodies: size limits, timeouts and strict parsing.

A body is JSON, or JSON lines where a route takes them. Duplicate keys, NaN and infinities, and text
that is not Unicode are refused, since their meaning is ambiguous.
"""

import json
from asyncio import get_running_loop, timeout_at
from collections.abc import Iterator
from typing import Any, Final, TypeVar

from pydantic import ValidationError
from starlette.requests import ClientDisconnect, Request

from goodarm.arguments import reject_duplicate_keys
from goodarm.service.problems import (
    INVALID,
    MEDIA,
    TOO_LARGE,
    TOO_SLOW,
    UNREADABLE,
    Refusal,
)
from goodarm.service.request_models import RequestModel
from goodarm.service.settings import Settings
from goodarm.service.validation import combine_errors, find_body_errors

JSON: Final = "application/json"
JSON_LINES: Final = "application/x-ndjson"
MIN_BODY_BYTES_PER_SECOND: Final = 250_000
"""A body that comes at this rate or faster never times out."""
_MAX_SHOWN_CHARS: Final = 80

_Model = TypeVar("_Model", bound=RequestModel)


async def read_body(request: Request, settings: Settings, limit: int | None = None) -> bytes:
    """Read the whole body, within the limits of size and time.

    The deadline moves with the bytes that have arrived, so that a large body on a slow line gets
    the time that it needs, and one that stalls or never ends does not.
    """
    limit = settings.max_body if limit is None else limit
    declared = request.headers.get("content-length", "")
    if declared.isdecimal() and int(declared[:20]) > limit:
        raise _make_too_large(limit)
    parts, size = [], 0
    end = get_running_loop().time() + settings.body_seconds
    try:
        async with timeout_at(end) as deadline:
            async for part in request.stream():
                size += len(part)
                if size > limit:
                    raise _make_too_large(limit)
                parts.append(part)
                deadline.reschedule(end + size / MIN_BODY_BYTES_PER_SECOND)
    except TimeoutError:
        detail = f"The body did not arrive within {settings.body_seconds:g} seconds."
        raise Refusal(TOO_SLOW, detail, {"Connection": "close"}) from None
    except ClientDisconnect:
        raise Refusal(UNREADABLE, "The client disconnected before its body was complete.") from None
    return b"".join(parts)


def _make_too_large(limit: int) -> Refusal:
    detail = f"A body can have at most {limit:,} bytes. Send less at once."
    return Refusal(TOO_LARGE, detail, {"Connection": "close"})


def check_media_type(request: Request, *known: str) -> str:
    """Return the media type of the body; refuse any that the route does not take."""
    given = request.headers.get("content-type", "")
    media = given.partition(";")[0].strip().lower()
    if media not in known:
        rule = " or ".join(known)
        shown = repr(given[:_MAX_SHOWN_CHARS]) if given else "none"
        raise Refusal(MEDIA, f"The Content-Type must be {rule}; got {shown}.")
    return media


def parse_lines(model: type[_Model], raw: bytes) -> Iterator[_Model]:
    """Parse each line of a JSON-lines body into its model; skip empty lines."""
    for number, line in enumerate(raw.split(b"\n"), 1):
        if line.strip():
            where = f"Line {number} of the body"
            yield validate_document(model, load_json(line, where), number)


def load_json(raw: bytes, where: str = "The body") -> Any:
    """Parse JSON strictly; refuse duplicate keys, NaN and infinities, and invalid Unicode."""
    try:
        text = raw.decode()
        document = json.loads(
            text, object_pairs_hook=reject_duplicate_keys, parse_constant=_refuse_constant
        )
        if "\\ud" in text.lower():
            json.dumps(document, ensure_ascii=False).encode()
    except UnicodeEncodeError:
        detail = f"{where} contains half of a surrogate pair, which is not valid Unicode."
        raise Refusal(UNREADABLE, detail) from None
    except UnicodeDecodeError:
        raise Refusal(UNREADABLE, f"{where} is not UTF-8.") from None
    except RecursionError:
        raise Refusal(UNREADABLE, f"{where} is nested too deeply.") from None
    except ValueError as error:
        raise Refusal(UNREADABLE, f"{where} is not JSON: {error}.") from None
    return document


def _refuse_constant(constant: str) -> Any:
    raise ValueError(f"{constant} is not a number")


def validate_document(model: type[_Model], document: Any, line: int | None = None) -> _Model:
    """Validate a JSON document as its model; refuse one that is not valid, with all errors."""
    try:
        return model.model_validate(document)
    except ValidationError as error:
        errors = find_body_errors(error.errors(include_url=False), document, model.owner, line)
        raise Refusal(INVALID, combine_errors(errors)) from None
