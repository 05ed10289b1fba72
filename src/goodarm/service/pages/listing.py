"""Page with the list of all experiments."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.service.answers import as_json, is_known, tag_of
from goodarm.service.pages.paging import Part, part_of
from goodarm.service.pages.rendering import page
from goodarm.service.pages.seen import Short
from goodarm.service.pages.visit import Page, Visit

SORTS: Final = ("name", "change", "pulls", "left", "undecided")
STATES: Final = ("running", "paused", "done", "closed", "unreadable")
_SIZE: Final = 25


@dataclass(frozen=True)
class Listed:
    """Content of the page: a part of the list, and the filters that selected it."""

    part: Part[Short]
    total: int
    """experiments that the visitor may see"""
    search: str
    state: str
    sort: str

    @property
    def is_filtered(self) -> bool:
        """Whether the list is filtered."""
        return bool(self.search or self.state)


def listed(visit: Visit) -> Listed:
    """Return the experiments that the query asks for."""
    names = {kept.name for kept in visit.kept.store.experiments() if visit.caller.sees(kept.name)}
    search = visit.text("q").strip()
    state = visit.chosen("state", STATES, "")
    sort = visit.chosen("sort", SORTS, "name")
    wanted = {name for name in names if search.casefold() in name.casefold()}
    if not state and sort == "name":  # read only those shown
        ordered = sorted(wanted)
        whole = part_of(ordered, visit.number("page"), _SIZE, _address(visit, search, state, sort))
        shorts = {each.name: each for each in visit.pages.looks.shorts(set(whole.items))}
        items = [shorts[name] for name in whole.items if name in shorts]
        part = Part(items, whole.total, whole.number, whole.pages, whole.first, whole.address)
        return Listed(part, len(names), search, state, sort)
    found = [each for each in visit.pages.looks.shorts(wanted) if state in ("", each.status)]
    found.sort(key=lambda each: _key(each, sort))
    address = _address(visit, search, state, sort)
    return Listed(
        part_of(found, visit.number("page"), _SIZE, address), len(names), search, state, sort
    )


def _address(visit: Visit, search: str, state: str, sort: str) -> Callable[[int], str]:
    usual = None if sort == "name" else sort
    return lambda number: visit.url(
        "/", q=search, state=state, sort=usual, page=None if number == 1 else number
    )


def _key(short: Short, sort: str) -> tuple[float, str]:
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
    shown = listed(visit)
    if not visit.is_part:
        return page(visit, "list.html", shown=shown)
    tag = tag_of(visit.request, as_json([vars(each) for each in shown.part.items]))
    if is_known(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return page(visit, "list_live.html", headers=headers, shown=shown)


PAGES: Final = (Page("GET", "/", "read", show_list),)
