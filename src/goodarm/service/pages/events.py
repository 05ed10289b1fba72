"""Server-sent events: the version of an experiment, whenever it changes."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response, StreamingResponse

from goodarm.service.pages.rendering import headers_of
from goodarm.service.pages.visit import Page, Visit
from goodarm.service.problems import SLOW_DOWN, Refusal
from goodarm.service.shares import place_of

MEDIA: Final = "text/event-stream"
BEAT: Final = "event: beat\ndata: -\n\n"
"""Event that shows scripts that the stream is alive: they do not see comments."""
_AGAIN: Final = 2000
"""Milliseconds after which a browser reconnects."""


def show_events(visit: Visit) -> Response:
    """Stream the experiment's versions; if too many watch, refuse, and the page polls instead."""
    watchers = visit.pages.watchers
    if watchers.is_full:
        raise Refusal(SLOW_DOWN, "Too many watch already. The page asks now and then instead.")
    version = visit.pages.looks.version(visit.name)

    def may_stay() -> bool:
        """Return whether the session's token is still valid here; the stream ends otherwise."""
        tokens = visit.pages.tokens.list()
        if not visit.service.access.needs_token(tokens):
            return True
        token = visit.pages.sessions.token(visit.session, tokens)
        return token is not None and token.sees(visit.name)

    async def stream() -> AsyncIterator[str]:
        with place_of(visit.request).left():
            yield f"retry: {_AGAIN}\n\n"
            async with contextlib.aclosing(
                watchers.versions(visit.name, version, may_stay)
            ) as versions:
                async for found in versions:
                    yield BEAT if found is None else f"data: {found}\n\n"

    headers = {**headers_of(), "X-Accel-Buffering": "no"}
    if visit.request.method == "HEAD":
        return Response(headers=headers, media_type=MEDIA)
    return StreamingResponse(stream(), headers=headers, media_type=MEDIA)


PAGES: Final = (Page("GET", "/experiments/{name:experiment}/events", "read", show_events),)
