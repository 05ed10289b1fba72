"""Answers: JSON that is never NaN, with an ETag where something is read."""

import hashlib
import json
from collections.abc import Iterable, Iterator
from typing import Any, Final

from starlette.requests import Request
from starlette.responses import Response

from goodarm.service.problems import NOT_ACCEPTABLE, Refusal

JSON: Final = "application/json"
_CHUNK: Final = 65536


def answer(document: Any, status: int = 200, headers: dict[str, str] | None = None) -> Response:
    """A document as the body of an answer. Text beyond ASCII is written as escapes."""
    return Response(as_json(document), status, headers, JSON)


def as_json(document: Any) -> str:
    """A document as text."""
    return json.dumps(document, allow_nan=False, separators=(",", ":"))


def check_accept(request: Request, media: str) -> None:
    """Refuse who takes no answer of this form. Nothing said, everything is taken."""
    given = ",".join(request.headers.getlist("Accept"))
    ranges = {each.partition(";")[0].strip().lower() for each in given.split(",")} - {""}
    kind = media.partition("/")[0]
    if ranges and not ranges & {"*/*", f"{kind}/*", media}:
        raise Refusal(NOT_ACCEPTABLE, f"The answer is {media}, which 'Accept' leaves out.")


def tag_of(request: Request, *parts: object) -> str:
    """A strong ETag from what the answer depends on: an experiment, its last entry, the query."""
    seen = json.dumps([request.url.path, request.url.query, *map(str, parts)])
    return f'"{hashlib.sha256(seen.encode()).hexdigest()[:32]}"'


def is_known(request: Request, tag: str) -> bool:
    """Whether the client has that answer already. A weak tag is compared as a strong one is."""
    given = ",".join(request.headers.getlist("If-None-Match"))
    tags = [each.strip().removeprefix("W/") for each in given.split(",")]
    return "*" in tags or tag in tags


def tagged(request: Request, tag: str, document: Any) -> Response:
    """What was read, or 304 if the client has it."""
    headers = read_headers(tag)
    if is_known(request, tag):
        return Response(status_code=304, headers=headers)
    return answer(document, headers=headers)


def read_headers(tag: str) -> dict[str, str]:
    """Headers of what was read: to be asked for again, with its tag."""
    return {"ETag": tag, "Cache-Control": "private, no-cache"}


def chunks(lines: Iterable[str]) -> Iterator[bytes]:
    """Lines in pieces that are worth sending."""
    held: list[str] = []
    size = 0
    for line in lines:
        held.append(line)
        size += len(line)
        if size >= _CHUNK:
            yield "".join(held).encode()
            held, size = [], 0
    if held:
        yield "".join(held).encode()
