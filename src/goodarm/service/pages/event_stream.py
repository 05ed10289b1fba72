"""Server-sent events: the version of an experiment, whenever it changes."""

import contextlib
from collections.abc import AsyncIterator
from typing import Final

from starlette.responses import Response, StreamingResponse

from goodarm.service.capacity import get_slot
from goodarm.service.pages.html_responses import make_headers
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.problems import SLOW_DOWN, Refusal

MEDIA_TYPE: Final = "text/event-stream"
HEARTBEAT: Final = "event: beat\ndata: -\n\n"
"""Event that shows scripts that the stream is alive: they do not see comments."""
_RECONNECT_MILLISECONDS: Final = 2000
"""Milliseconds after which a browser reconnects."""


def show_events(visit: Visit) -> Response:
    """Stream the experiment's versions; if too many watch, refuse, and the page polls instead."""
    watchers = visit.site.watchers
    if watchers.is_full:
        raise Refusal(
            SLOW_DOWN, "Too many browsers watch already. The page polls for changes instead."
        )
    version = visit.site.snapshots.version(visit.name)

    def may_stay() -> bool:
        """Return whether the session's token is still valid here; the stream ends otherwise."""
        tokens = visit.site.tokens.list()
        if not visit.service.access.needs_token(tokens):
            return True
        token = visit.site.sessions.token(visit.session, tokens)
        return token is not None and token.can_see(visit.name)

    async def stream() -> AsyncIterator[str]:
        with get_slot(visit.request).pause_counting():
            yield f"retry: {_RECONNECT_MILLISECONDS}\n\n"
            async with contextlib.aclosing(
                watchers.versions(visit.name, version, may_stay)
            ) as versions:
                async for found in versions:
                    yield HEARTBEAT if found is None else f"data: {found}\n\n"

    headers = {**make_headers(), "X-Accel-Buffering": "no"}
    if visit.request.method == "HEAD":
        return Response(headers=headers, media_type=MEDIA_TYPE)
    return StreamingResponse(stream(), headers=headers, media_type=MEDIA_TYPE)


PAGES: Final = (Page("GET", "/experiments/{name:experiment}/events", "read", show_events),)
