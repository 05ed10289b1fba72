"""Routes of arms: numbers, verdict, histories and CSV export."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from goodarm.results import ArmTable
from goodarm.service.answers import answer, chunks, is_known, read_headers, tag_of, tagged
from goodarm.service.calls import API, Name, Reading, Room
from goodarm.service.kept import Look, looking
from goodarm.service.models import MOST_NUMBER
from goodarm.service.problems import TOO_MANY, Refusal
from goodarm.service.shapes import Histories, Reports, VerdictShape
from goodarm.store import StoredExperiment

room = Room("arms", API)

_MOST_MOMENTS = 100_000
"""Maximum number of moments in one history, over all arms."""


class ArmPage(BaseModel):
    """Query for a page of arms: at most ``limit`` after the first ``after``, or those named."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(0, ge=0, le=MOST_NUMBER, description="How many arms come before the page.")
    limit: int = Field(1000, ge=1, le=100_000)
    arm: list[str] = Field([], max_length=1000, description="Arms by their labels, in any order.")


class HistoryQuery(BaseModel):
    """Query for histories: the arms, and the number of moments of each."""

    model_config = ConfigDict(extra="forbid")
    arm: list[str] = Field([], max_length=1000, description="Arms by their labels; all if none.")
    points: int = Field(100, ge=1, le=1000)


@room.route(
    "GET",
    "/experiments/{name:experiment}/arms",
    "read",
    answer=Reports,
    problems=(404,),
    pool="arms",
)
def list_arms(name: Name, call: Reading, page: Annotated[ArmPage, Query()]) -> Response:
    """List the numbers and label of every arm, in arm order, a page at a time."""

    def show(exp: StoredExperiment, look: Look) -> tuple[str, list[dict[str, Any]], int | None]:
        problem, following = look.state.ident.problem, None
        if page.arm:
            places = [problem.position(arm, "arms") for arm in page.arm]
        else:
            end = min(page.after + page.limit, problem.num_arms)
            places = list(range(page.after, end))
            following = end if end < problem.num_arms else None
        rows = look.state.table(places) if places else ()
        return look.version, [row.to_dict() for row in rows], following

    version, reports, following = call.kept.look(name, show, is_long=True)
    document = {"reports": reports, "next": following}
    return tagged(call.request, tag_of(call.request, version), document)


@room.route(
    "GET",
    "/experiments/{name:experiment}/verdict",
    "read",
    answer=VerdictShape,
    problems=(404,),
    pool="arms",
)
def show_verdict(name: Name, call: Reading) -> Response:
    """Show the arms by their labels so far, valid at every moment."""

    def show(exp: StoredExperiment, look: Look) -> tuple[str, dict[str, Any]]:
        return look.version, dict(vars(look.state.ident.verdict))

    version, document = call.kept.look(name, show)
    return tagged(call.request, tag_of(call.request, version), document)


@room.route(
    "GET",
    "/experiments/{name:experiment}/history",
    "read",
    answer=Histories,
    problems=(404,),
    pool="replays",
)
def show_history(name: Name, call: Reading, query: Annotated[HistoryQuery, Query()]) -> Response:
    """Show how the arms' intervals narrowed, by a replay of the journal."""

    def show(exp: StoredExperiment) -> Response:
        with looking(exp) as look:
            version, count = look.version, look.state.ident.problem.num_arms
        tag = tag_of(call.request, version)
        if is_known(call.request, tag):
            return tagged(call.request, tag, None)
        if (len(query.arm) or count) * query.points > _MOST_MOMENTS:
            detail = f"A history has at most {_MOST_MOMENTS:,} moments. Name arms, or ask fewer."
            raise Refusal(TOO_MANY, detail)
        found = exp.history(query.arm or None, query.points, call.service.give_way)
        document = {"histories": [each.to_dict() for each in found]}
        with looking(exp) as look:
            is_same = look.version == version
        return tagged(call.request, tag, document) if is_same else answer(document)

    return call.kept.use(name, show)


@room.route(
    "GET",
    "/experiments/{name:experiment}/export.csv",
    "read",
    problems=(404,),
    also={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
    pool="downloads",
)
def export_arms(name: Name, call: Reading) -> Response:
    """Download the table of arms as CSV, safe to open in a spreadsheet."""

    def show(exp: StoredExperiment, look: Look) -> tuple[str, ArmTable]:
        return look.version, look.state.table()

    version, table = call.kept.look(name, show, is_long=True)
    tag = tag_of(call.request, version)
    if is_known(call.request, tag):
        return tagged(call.request, tag, None)
    headers = {
        **read_headers(tag),
        "Content-Disposition": f'attachment; filename="{name}.csv"',
    }
    lines = call.service.downloads.stream(chunks(table.csv_lines()))
    return StreamingResponse(lines, headers=headers, media_type="text/csv")
