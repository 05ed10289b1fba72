"""Routes of all pages, added to the app beside the API."""

from typing import Final

from fastapi import FastAPI
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goodarm.service.calls import service_of
from goodarm.service.pages import (
    actions,
    arms,
    creating,
    downloads,
    entering,
    events,
    journal,
    listing,
    overview,
    reporting,
    tokens,
    verb_forms,
)
from goodarm.service.pages.door import endpoint, refusal_page, visit_of
from goodarm.service.pages.rendering import redirect
from goodarm.service.pages.shared import Shared
from goodarm.service.pages.visit import Page
from goodarm.service.problems import Refusal

_PAGES: Final[tuple[Page, ...]] = (
    *listing.PAGES,
    *creating.PAGES,
    *entering.PAGES,
    *tokens.PAGES,
    *downloads.PAGES,
    *events.PAGES,
    *journal.PAGES,
    *reporting.PAGES,
    *actions.PAGES,
    *arms.PAGES,
    *overview.PAGES,
)
_NOT_PAGES: Final = ("/api/", "/ofrep/", "/healthz", "/readyz", "/metrics", "/problems/")


class _Position(Convertor[int]):
    """Path converter for the position of an arm, from 0."""

    regex = "0|[1-9][0-9]{0,8}"

    def convert(self, value: str) -> int:
        return int(value)

    def to_string(self, value: int) -> str:
        return str(value)


class _Id(Convertor[str]):
    """Path converter for the id of a token."""

    regex = "[0-9a-f]{1,64}"

    def convert(self, value: str) -> str:
        return value

    def to_string(self, value: str) -> str:
        return value


class _Kind(_Id):
    """Path converter for the file type of a picture."""

    regex = "png|svg"


register_url_convertor("position", _Position())
register_url_convertor("hex", _Id())
register_url_convertor("picture", _Kind())


def declared() -> tuple[Page, ...]:
    """Return all pages, with the forms of the current table of verbs."""
    return (*_PAGES, *verb_forms.pages())


def join(app: FastAPI, shared: Shared) -> None:
    """Add the pages to an app."""
    for each in declared():
        app.router.routes.append(Route(each.path, endpoint(shared, each), methods=[each.method]))


def refusal_for(request: Request, shared: Shared, refusal: Refusal) -> Response:
    """Return the page for a refused request outside all pages."""
    return refusal_page(visit_of(shared, request), refusal)


def to_first_page(request: Request) -> Response | None:
    """Redirect the bare prefix of a proxy to the first page; None for other paths."""
    prefix = service_of(request).settings.root_path
    is_bare = prefix != "" and request.scope["path"] == prefix
    return redirect(f"{prefix}/") if is_bare else None


def wants_page(request: Request) -> bool:
    """Return whether a browser asks for an unknown path outside the API."""
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    is_page = not path.startswith(_NOT_PAGES)
    return is_page and "text/html" in request.headers.get("accept", "")
