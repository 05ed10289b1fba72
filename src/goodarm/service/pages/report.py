"""Report to send: one experiment as one file, with nothing to load, ready to print."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.results import Verdict
from goodarm.service.pages.html_responses import (
    HTML,
    hash_style,
    make_headers,
    read_static_file,
    render_text,
)
from goodarm.service.pages.overview import ORDER_HINTS, ArmRow, list_settings, make_rows
from goodarm.service.pages.picture import Picture, make_picture
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.pages.snapshots import ExperimentSnapshot
from goodarm.version import __version__
from goodarm.views.choice import choose_rows
from goodarm.views.problem_text import describe_question, get_problem_facts

_MAX_ROWS: Final = 500
"""Maximum number of arms in the table; with more, it shows some of each label."""
_MAX_ROWS_PER_LABEL: Final = 100


@dataclass(frozen=True)
class ReportPage:
    """Content of the report."""

    snapshot: ExperimentSnapshot
    verdict: Verdict
    question: str
    guarantee: tuple[str, ...]
    facts: list[tuple[str, str]]
    picture: Picture
    rows: list[ArmRow]
    order: str
    left_out: int
    made_at: float
    version: str


def make_report(visit: Visit) -> ReportPage:
    """Return the content of the report as of now."""
    snapshot = visit.site.snapshots.get(visit.name, has_journal=True)
    most = None if len(snapshot.table) <= _MAX_ROWS else _MAX_ROWS_PER_LABEL
    shown = choose_rows(snapshot.table, most=most)
    now, question = visit.site.clock(), get_problem_facts(snapshot.problem)
    return ReportPage(
        snapshot=snapshot,
        verdict=snapshot.verdict,
        question=describe_question(question),
        guarantee=(
            *snapshot.table.describe_guarantee("arms_planned"),
            *filter(None, [snapshot.table.rewards_note]),
        ),
        facts=list_settings(snapshot, question),
        picture=make_picture(snapshot.table),
        rows=make_rows(snapshot, shown.positions, now),
        order=ORDER_HINTS["label"],
        left_out=sum(shown.left_out.values()),
        made_at=now,
        version=__version__,
    )


def show_report(visit: Visit) -> Response:
    """Show or save the report. Its style is inline, and allowed by its hash."""
    style = read_static_file("page.css").decode()
    text = render_text(visit, "report.html", shown=make_report(visit), style=style)
    headers = make_headers(hash_style(style))
    if visit.get_text("save") == "1":
        headers["Content-Disposition"] = f'attachment; filename="{visit.name}-report.html"'
    return Response(text, headers=headers, media_type=HTML)


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/report", "read", show_report, "downloads"),
)
