"""Routes of all pages, added to the app beside the API."""

from typing import Final

from fastapi import FastAPI
from starlette.convertors import Convertor, register_url_convertor
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from goodarm.service.pages import (
    actions,
    arms,
    downloads,
    event_stream,
    experiment_list,
    journal,
    login,
    new_experiment,
    overview,
    report,
    tokens,
    verb_forms,
)
from goodarm.service.pages.auth import make_endpoint, make_visit, render_refusal
from goodarm.service.pages.html_responses import redirect
from goodarm.service.pages.request_context import Page
from goodarm.service.pages.site_state import SiteState
from goodarm.service.problems import Refusal
from goodarm.service.routing import get_service

_PAGES: Final[tuple[Page, ...]] = (
    *experiment_list.PAGES,
    *new_experiment.PAGES,
    *login.PAGES,
    *tokens.PAGES,
    *downloads.PAGES,
    *event_stream.PAGES,
    *journal.PAGES,
    *report.PAGES,
    *actions.PAGES,
    *arms.PAGES,
    *overview.PAGES,
)
_API_PREFIXES: Final = ("/api/", "/ofrep/", "/healthz", "/readyz", "/metrics", "/problems/")


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


def list_pages() -> tuple[Page, ...]:
    """Return all pages, with the forms of the current table of verbs."""
    return (*_PAGES, *verb_forms.list_form_pages())


def add_pages(app: FastAPI, site: SiteState) -> None:
    """Add the pages to an app."""
    for each in list_pages():
        app.router.routes.append(Route(each.path, make_endpoint(site, each), methods=[each.method]))


def render_outside_refusal(request: Request, site: SiteState, refusal: Refusal) -> Response:
    """Return the page for a refused request outside all pages."""
    return render_refusal(make_visit(site, request), refusal)


def redirect_bare_prefix(request: Request) -> Response | None:
    """Redirect the bare prefix of a proxy to the first page; None for other paths."""
    prefix = get_service(request).settings.root_path
    is_bare = prefix != "" and request.scope["path"] == prefix
    return redirect(f"{prefix}/") if is_bare else None


def wants_page(request: Request) -> bool:
    """Return whether a browser asks for an unknown path outside the API."""
    path = request.url.path.removeprefix(request.scope.get("root_path", ""))
    is_page = not path.startswith(_API_PREFIXES)
    return is_page and "text/html" in request.headers.get("accept", "")
