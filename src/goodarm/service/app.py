"""ASGI application: routes, error handlers and middleware for a store."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache
from typing import Any, Final

import anyio.to_thread
from fastapi import FastAPI
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Match, Route

from goodarm.errors import GoodArmError
from goodarm.service import arms, experiments, health, journal, ofrep, pages, pulls, verb_routes
from goodarm.service.access import Access
from goodarm.service.answers import answer
from goodarm.service.calls import API, Declared, Reading, Room, Service
from goodarm.service.kept import Kept
from goodarm.service.limits import Limits
from goodarm.service.metrics import Metrics
from goodarm.service.ofrep_errors import FlagRefusal, flag_error, refusal_response
from goodarm.service.openapi import document_of
from goodarm.service.problems import (
    INVALID,
    NOT_ALLOWED,
    NOT_FOUND,
    UNREADABLE,
    Refusal,
    refusal_of,
)
from goodarm.service.settings import Settings
from goodarm.service.validation import one_error, request_errors
from goodarm.store import Store
from goodarm.version import __version__

_about = Room("health", API)
_MISTYPED: Final = "The address may be mistyped, or the page may be gone."
_FORMS_ONLY: Final = "This address is for the buttons of a page, and shows nothing by itself."


def rooms() -> tuple[Room, ...]:
    """Return all routes by noun, with those of the current table of verbs."""
    return (
        *(experiments.room, pulls.room, *verb_routes.rooms(), arms.room, journal.room),
        *(ofrep.room, health.room, _about),
    )


def create_app(store: Store, settings: Settings | None = None) -> FastAPI:
    """Create the ASGI application that serves a store.

    The application does not close the store: that is up to the caller.
    """
    settings = Settings() if settings is None else settings
    metrics = Metrics()

    @asynccontextmanager
    async def lifespan(_: FastAPI) -> AsyncIterator[None]:
        anyio.to_thread.current_default_thread_limiter().total_tokens = settings.threads
        yield
        app.state.pages.watchers.end()

    app = FastAPI(
        title="goodarm",
        version=__version__,
        openapi_url=None,
        docs_url=None,
        redoc_url=None,
        redirect_slashes=False,
        lifespan=lifespan,
    )
    app.root_path = settings.root_path
    access = Access(store, settings)
    app.state.service = Service(Kept(store, settings.max_open), access, settings, metrics)
    app.state.pages = pages.Shared(app.state.service)
    for room in rooms():
        room.join(app)
    pages.join(app, app.state.pages)
    app.state.document = lru_cache(
        lambda needs_token: document_of(app, declared(), needs_token=needs_token)
    )
    shares, is_known = app.state.service.shares, app.state.pages.is_known
    app.add_middleware(Limits, settings=settings, shares=shares, is_known=is_known)
    app.add_exception_handler(Refusal, _on_refusal)
    app.add_exception_handler(FlagRefusal, _on_flag_refusal)
    app.add_exception_handler(GoodArmError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    return app


def declared() -> list[Declared]:
    """Return all routes of the service."""
    return [each for room in rooms() for each in room.routes]


@_about.route(
    "GET",
    "/openapi.json",
    "none",
    also={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
def show_openapi(call: Reading) -> Response:
    """Show this OpenAPI document."""
    return answer(call.request.app.state.document(call.service.access.needs_token()))


def _on_refusal(request: Request, error: Any) -> Response:
    return refusal_response(request.scope, error)


def _on_flag_refusal(request: Request, error: Any) -> Response:
    key = request.path_params.get("name")
    return answer(flag_error(key, error.code, error.details), error.status)


def _on_error(request: Request, error: Any) -> Response:
    return refusal_response(request.scope, refusal_of(error))


def _on_invalid(request: Request, error: Any) -> Response:
    return refusal_response(
        request.scope, Refusal(INVALID, one_error(request_errors(error.errors())))
    )


def _on_http(request: Request, error: Any) -> Response:
    """Answer Starlette's own errors: unknown path, unknown method."""
    is_page, shared = pages.wants_page(request), request.app.state.pages
    if error.status_code == 404:
        if (first := pages.to_first_page(request)) is not None:
            return first
        if is_page:
            return pages.refusal_for(request, shared, Refusal(NOT_FOUND, _MISTYPED))
        refusal = Refusal(NOT_FOUND, "There is nothing at this path.")
    elif error.status_code == 405:
        methods = ", ".join(_methods(request))
        detail = f"This path takes {methods}; got {request.method[:20]!r}."
        refusal = Refusal(NOT_ALLOWED, detail, {"Allow": methods})
        if is_page:
            refusal = Refusal(NOT_ALLOWED, _FORMS_ONLY, {"Allow": methods})
            return pages.refusal_for(request, shared, refusal)
    else:
        refusal = Refusal(UNREADABLE, "The request cannot be read.")
    return refusal_response(request.scope, refusal)


def _methods(request: Request) -> list[str]:
    """Return all methods that the path accepts, over all routes."""
    found: set[str] = set()
    for each in request.app.routes:
        match, _ = each.matches(dict(request.scope))
        if match is not Match.NONE and isinstance(each, Route):
            found |= each.methods or set()
    return sorted(found)
