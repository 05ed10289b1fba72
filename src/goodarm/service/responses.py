"""JSON responses without NaN, and ETags for reads."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from goodarm.service.problems import NOT_ACCEPTABLE, Refusal

JSON: Final = "application/json"
_CHUNK_CHARS: Final = 65536


def make_json_response(
    document: Any, status: int = 200, headers: dict[str, str] | None = None
) -> Response:
    """Return a JSON response. Characters beyond ASCII are escaped."""
    return Response(dump_json(document), status, headers, JSON)


def dump_json(document: Any) -> str:
    """Write a document as compact JSON; raise ValueError for NaN and infinities."""
    return json.dumps(document, allow_nan=False, separators=(",", ":"))


def check_accept(request: Request, media: str) -> None:
    """Refuse a request whose Accept header, if there is one, excludes this media type."""
    given = ",".join(request.headers.getlist("Accept"))
    ranges = {each.partition(";")[0].strip().lower() for each in given.split(",")} - {""}
    kind = media.partition("/")[0]
    if ranges and not ranges & {"*/*", f"{kind}/*", media}:
        raise Refusal(NOT_ACCEPTABLE, f"The answer is {media}, which the 'Accept' header excludes.")


def make_etag(request: Request, *parts: object) -> str:
    """Return a strong ETag for what the answer depends on, e.g. the version and the query."""
    seen = json.dumps([request.url.path, request.url.query, *map(str, parts)])
    return f'"{hashlib.sha256(seen.encode()).hexdigest()[:32]}"'


def has_current_etag(request: Request, tag: str) -> bool:
    """Return whether the client has this version already. Weak tags count as strong ones."""
    given = ",".join(request.headers.getlist("If-None-Match"))
    tags = [each.strip().removeprefix("W/") for each in given.split(",")]
    return "*" in tags or tag in tags


def make_etag_response(request: Request, tag: str, document: Any) -> Response:
    """Return the document with its ETag, or 304 if the client has this version already."""
    headers = make_etag_headers(tag)
    if has_current_etag(request, tag):
        return Response(status_code=304, headers=headers)
    return make_json_response(document, headers=headers)


def make_etag_headers(tag: str) -> dict[str, str]:
    """Return the headers of a read: its ETag, and that caches must revalidate."""
    return {"ETag": tag, "Cache-Control": "private, no-cache"}


def join_chunks(lines: Iterable[str]) -> Iterator[bytes]:
    """Join lines into chunks that are large enough to send."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _CHUNK_CHARS:
            yield "".join(held).encode()
            held, size = [], 0
    if held:
        yield "".join(held).encode()
