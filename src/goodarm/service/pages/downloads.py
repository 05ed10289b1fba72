"""Downloads: the table, the journal, and pictures. Only this module uses matplotlib."""

import io
from itertools import chain
from threading import Lock
from typing import Final

from starlette.responses import Response, StreamingResponse

from goodarm.service.pages.html_responses import STATIC, make_headers, read_static_file
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.problems import NOT_FOUND, Refusal
from goodarm.service.responses import join_chunks

_MEDIA_TYPES: Final = {"png": "image/png", "svg": "image/svg+xml"}
_CACHE_ONE_MONTH: Final = "public, max-age=2592000, immutable"
_drawing = Lock()
"""Lock to draw one picture at a time, since each takes a core and much memory."""


def _make_attachment_headers(visit: Visit, ending: str) -> dict[str, str]:
    name = f'attachment; filename="{visit.name}.{ending}"'
    return {**make_headers(), "Content-Disposition": name}


def send_table(visit: Visit) -> Response:
    """Send the table of arms as CSV."""
    table = visit.site.snapshots.get(visit.name).table
    lines = visit.service.downloads.stream(join_chunks(table.csv_lines()))
    return StreamingResponse(
        lines, headers=_make_attachment_headers(visit, "csv"), media_type="text/csv"
    )


def send_journal(visit: Visit) -> Response:
    """Send the whole journal as JSON lines."""
    _, lines = visit.experiments.read_lines(visit.name)
    whole = visit.service.downloads.stream(join_chunks(chain([next(lines)], lines)))
    headers = _make_attachment_headers(visit, "jsonl")
    return StreamingResponse(whole, headers=headers, media_type="application/x-ndjson")


def send_picture(visit: Visit) -> Response:
    """Send the picture that ``goodarm show --plot`` draws."""
    from goodarm.views.figures.arms import draw_arms
    from goodarm.views.figures.pictures import write_picture

    kind = visit.request.path_params["kind"]
    table = visit.site.snapshots.get(visit.name).table
    drawn = io.BytesIO()
    with _drawing:
        write_picture(draw_arms(table), drawn, f".{kind}")
    return Response(
        drawn.getvalue(),
        headers=_make_attachment_headers(visit, kind),
        media_type=_MEDIA_TYPES[kind],
    )


def send_static(visit: Visit) -> Response:
    """Send a static file, to be cached for long: its address changes with its content."""
    name = visit.request.path_params.get("file", "mark.svg")
    if name not in STATIC:
        raise Refusal(NOT_FOUND, "This path does not exist.")
    headers = {**make_headers(), "Cache-Control": _CACHE_ONE_MONTH}
    del headers["Vary"]
    return Response(read_static_file(name), headers=headers, media_type=STATIC[name])


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/arms.csv", "read", send_table, "downloads"),
    Page("GET", "/experiments/{name:experiment}/journal.jsonl", "read", send_journal, "downloads"),
    Page(
        "GET",
        "/experiments/{name:experiment}/picture.{kind:picture}",
        "read",
        send_picture,
        "downloads",
    ),
    Page("GET", "/static/{file}", "none", send_static),
    Page("GET", "/favicon.ico", "none", send_static),
)
