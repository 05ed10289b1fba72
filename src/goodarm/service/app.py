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
from goodarm.service.metrics import Metrics
from goodarm.service.middleware import LimitsMiddleware
from goodarm.service.ofrep_errors import FlagRefusal, make_refusal_response, write_flag_error
from goodarm.service.open_experiments import OpenExperiments
from goodarm.service.openapi import build_document
from goodarm.service.problems import (
    INVALID,
    NOT_ALLOWED,
    NOT_FOUND,
    UNREADABLE,
    Refusal,
    make_refusal,
)
from goodarm.service.responses import make_json_response
from goodarm.service.routing import API, ReadCall, RouteDeclaration, RouteGroup, Service
from goodarm.service.settings import Settings
from goodarm.service.validation import combine_errors, find_request_errors
from goodarm.store import Store
from goodarm.version import __version__

_document_group = RouteGroup("health", API)
_PAGE_NOT_FOUND: Final = "Check the address. The page may have been deleted."
_FORMS_ONLY: Final = "This address only accepts forms. Open the page with the form instead."


def list_groups() -> tuple[RouteGroup, ...]:
    """Return all routes by noun, with those of the current table of verbs."""
    return (
        *(experiments.group, pulls.group, *verb_routes.list_groups(), arms.group, journal.group),
        *(ofrep.group, health.group, _document_group),
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
    app.state.service = Service(
        OpenExperiments(store, settings.max_open), access, settings, metrics
    )
    app.state.pages = pages.SiteState(app.state.service)
    for group in list_groups():
        group.add_to(app)
    pages.add_pages(app, app.state.pages)
    app.state.document = lru_cache(
        lambda needs_token: build_document(app, list_routes(), needs_token=needs_token)
    )
    capacity, is_known = app.state.service.capacity, app.state.pages.is_known
    app.add_middleware(LimitsMiddleware, settings=settings, capacity=capacity, is_known=is_known)
    app.add_exception_handler(Refusal, _on_refusal)
    app.add_exception_handler(FlagRefusal, _on_flag_refusal)
    app.add_exception_handler(GoodArmError, _on_error)
    app.add_exception_handler(RequestValidationError, _on_invalid)
    app.add_exception_handler(HTTPException, _on_http)
    return app


def list_routes() -> list[RouteDeclaration]:
    """Return all routes of the service."""
    return [each for group in list_groups() for each in group.routes]


@_document_group.route(
    "GET",
    "/openapi.json",
    "none",
    also={200: {"content": {"application/json": {"schema": {"type": "object"}}}}},
)
def show_openapi(call: ReadCall) -> Response:
    """Show this OpenAPI document."""
    return make_json_response(call.request.app.state.document(call.service.access.needs_token()))


def _on_refusal(request: Request, error: Any) -> Response:
    return make_refusal_response(request.scope, error)


def _on_flag_refusal(request: Request, error: Any) -> Response:
    key = request.path_params.get("name")
    return make_json_response(write_flag_error(key, error.code, error.details), error.status)


def _on_error(request: Request, error: Any) -> Response:
    return make_refusal_response(request.scope, make_refusal(error))


def _on_invalid(request: Request, error: Any) -> Response:
    return make_refusal_response(
        request.scope, Refusal(INVALID, combine_errors(find_request_errors(error.errors())))
    )


def _on_http(request: Request, error: Any) -> Response:
    """Answer Starlette's own errors: unknown path, unknown method."""
    is_page, site = pages.wants_page(request), request.app.state.pages
    if error.status_code == 404:
        if (first := pages.redirect_bare_prefix(request)) is not None:
            return first
        if is_page:
            return pages.render_outside_refusal(request, site, Refusal(NOT_FOUND, _PAGE_NOT_FOUND))
        refusal = Refusal(NOT_FOUND, "This path does not exist.")
    elif error.status_code == 405:
        methods = ", ".join(_list_methods(request))
        detail = f"This path takes {methods}; got {request.method[:20]!r}."
        refusal = Refusal(NOT_ALLOWED, detail, {"Allow": methods})
        if is_page:
            refusal = Refusal(NOT_ALLOWED, _FORMS_ONLY, {"Allow": methods})
            return pages.render_outside_refusal(request, site, refusal)
    else:
        refusal = Refusal(UNREADABLE, "The request cannot be read.")
    return make_refusal_response(request.scope, refusal)


def _list_methods(request: Request) -> list[str]:
    """Return all methods that the path accepts, over all routes."""
    found: set[str] = set()
    for each in request.app.routes:
        match, _ = each.matches(dict(request.scope))
        if match is not Match.NONE and isinstance(each, Route):
            found |= each.methods or set()
    return sorted(found)
