"""Page with the list of all experiments."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.service.pages.html_responses import render_page
from goodarm.service.pages.pagination import ListPage, get_page
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.pages.snapshots import ExperimentSummary
from goodarm.service.responses import dump_json, has_current_etag, make_etag

SORTS: Final = ("name", "change", "pulls", "left", "undecided")
STATES: Final = ("running", "paused", "done", "closed", "unreadable")
_PAGE_EXPERIMENTS: Final = 25


@dataclass(frozen=True)
class ExperimentList:
    """Content of the page: a part of the list, and the filters that selected it."""

    part: ListPage[ExperimentSummary]
    total: int
    """experiments that the visitor may see"""
    search: str
    state: str
    sort: str


def list_experiments(visit: Visit) -> ExperimentList:
    """Return the experiments that the query asks for."""
    names = {
        each.name
        for each in visit.experiments.store.experiments()
        if visit.caller.can_see(each.name)
    }
    search = visit.get_text("q").strip()
    state = visit.get_choice("state", STATES, "")
    sort = visit.get_choice("sort", SORTS, "name")
    wanted = {name for name in names if search.casefold() in name.casefold()}
    if not state and sort == "name":  # read only those shown
        ordered = sorted(wanted)
        whole = get_page(
            ordered,
            visit.get_number("page"),
            _PAGE_EXPERIMENTS,
            _make_address_builder(visit, search, state, sort),
        )
        summaries = {each.name: each for each in visit.site.snapshots.summaries(set(whole.items))}
        items = [summaries[name] for name in whole.items if name in summaries]
        part = ListPage(items, whole.total, whole.number, whole.pages, whole.first, whole.address)
        return ExperimentList(part, len(names), search, state, sort)
    found = [each for each in visit.site.snapshots.summaries(wanted) if state in ("", each.status)]
    found.sort(key=lambda each: _make_sort_key(each, sort))
    address = _make_address_builder(visit, search, state, sort)
    return ExperimentList(
        get_page(found, visit.get_number("page"), _PAGE_EXPERIMENTS, address),
        len(names),
        search,
        state,
        sort,
    )


def _make_address_builder(visit: Visit, search: str, state: str, sort: str) -> Callable[[int], str]:
    usual = None if sort == "name" else sort
    return lambda number: visit.make_url(
        "/", q=search, state=state, sort=usual, page=None if number == 1 else number
    )


def _make_sort_key(short: ExperimentSummary, sort: str) -> tuple[float, str]:
    values = {
        "name": 0.0,
        "change": -(short.changed_at or 0.0),
        "pulls": -float(short.pulls),
        "left": -float(short.left.likely),
        "undecided": -float(short.undecided),
    }
    return values[sort], short.name


def show_list(visit: Visit) -> Response:
    """Show the list, or the part of it that may have changed."""
    shown = list_experiments(visit)
    if not visit.is_part:
        return render_page(visit, "list.html", shown=shown)
    tag = make_etag(visit.request, dump_json([vars(each) for each in shown.part.items]))
    if has_current_etag(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return render_page(visit, "list_live.html", headers=headers, shown=shown)


PAGES: Final = (Page("GET", "/", "read", show_list),)
