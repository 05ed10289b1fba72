"""Report to send: one experiment as one file, with nothing to load, ready to print."""

from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.results import Verdict
from goodarm.service.pages.overview import ORDERS, Row, facts_of, rows_of
from goodarm.service.pages.picture import Picture, picture_of
from goodarm.service.pages.rendering import HTML, hash_of, headers_of, static_file, text_of
from goodarm.service.pages.seen import Seen
from goodarm.service.pages.visit import Page, Visit
from goodarm.version import __version__
from goodarm.views.choice import choose_rows
from goodarm.views.problem_text import facts_of_problem, problem_question

_MOST_ROWS: Final = 500
"""Maximum number of arms in the table; with more, it shows some of each label."""
_EACH: Final = 100
_FOR_EXPERTS: Final = "The test is "
"""Beginning of the remark that names the test, which the report's question says already."""


@dataclass(frozen=True)
class ReportPage:
    """Content of the report."""

    seen: Seen
    verdict: Verdict
    question: str
    guarantee: tuple[str, ...]
    facts: list[tuple[str, str]]
    picture: Picture
    rows: list[Row]
    order: str
    left_out: int
    made_at: float
    version: str


def report_of(visit: Visit) -> ReportPage:
    """Return the content of the report as of now."""
    seen = visit.pages.looks.seen(visit.name, has_journal=True)
    most = None if len(seen.table) <= _MOST_ROWS else _EACH
    shown = choose_rows(seen.table, most=most)
    now, question = visit.pages.clock(), facts_of_problem(seen.problem)
    return ReportPage(
        seen=seen,
        verdict=seen.verdict,
        question=problem_question(question),
        guarantee=tuple(
            note for note in seen.table.remarks("arms_planned") if not note.startswith(_FOR_EXPERTS)
        ),
        facts=facts_of(seen, question),
        picture=picture_of(seen.table),
        rows=rows_of(seen, shown.positions, now),
        order=ORDERS["label"],
        left_out=sum(shown.left_out.values()),
        made_at=now,
        version=__version__,
    )


def show_report(visit: Visit) -> Response:
    """Show or save the report. Its style is inline, and allowed by its hash."""
    style = static_file("page.css").decode()
    text = text_of(visit, "report.html", shown=report_of(visit), style=style)
    headers = headers_of(hash_of(style))
    if visit.text("save") == "1":
        headers["Content-Disposition"] = f'attachment; filename="{visit.name}-report.html"'
    return Response(text, headers=headers, media_type=HTML)


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/report", "read", show_report, "downloads"),
)
