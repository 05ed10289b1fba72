"""Routes of arms: numbers, verdict, histories and CSV export."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from goodarm.results import ArmTable
from goodarm.service.open_experiments import VersionedState, read_state
from goodarm.service.problems import TOO_MANY, Refusal
from goodarm.service.request_models import MAX_NUMBER
from goodarm.service.response_models import Histories, Reports, VerdictModel
from goodarm.service.responses import (
    has_current_etag,
    join_chunks,
    make_etag,
    make_etag_headers,
    make_etag_response,
    make_json_response,
)
from goodarm.service.routing import API, ExperimentName, ReadCall, RouteGroup
from goodarm.store import StoredExperiment

group = RouteGroup("arms", API)

_MAX_MOMENTS = 100_000
"""Maximum number of moments in one history, over all arms."""


class ArmQuery(BaseModel):
    """Query for a page of arms: at most ``limit`` after the first ``after``, or those named."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(0, ge=0, le=MAX_NUMBER, description="How many arms come before the page.")
    limit: int = Field(1000, ge=1, le=100_000)
    arm: list[str] = Field([], max_length=1000, description="Arms by their labels, in any order.")


class HistoryQuery(BaseModel):
    """Query for histories: the arms, and the number of moments of each."""

    model_config = ConfigDict(extra="forbid")
    arm: list[str] = Field([], max_length=1000, description="Arms by their labels; all if none.")
    points: int = Field(100, ge=1, le=1000)


@group.route(
    "GET",
    "/experiments/{name:experiment}/arms",
    "read",
    answer=Reports,
    problems=(404,),
    pool="arms",
)
def list_arms(name: ExperimentName, call: ReadCall, page: Annotated[ArmQuery, Query()]) -> Response:
    """List the numbers and label of every arm, in arm order, a page at a time."""

    def show(
        exp: StoredExperiment, view: VersionedState
    ) -> tuple[str, list[dict[str, Any]], int | None]:
        problem, following = view.state.ident.problem, None
        if page.arm:
            places = [problem.position(arm, "arms") for arm in page.arm]
        else:
            end = min(page.after + page.limit, problem.num_arms)
            places = list(range(page.after, end))
            following = end if end < problem.num_arms else None
        rows = view.state.table(places) if places else ()
        return view.version, [row.to_dict() for row in rows], following

    version, reports, following = call.experiments.read(name, show, is_long=True)
    document = {"reports": reports, "next": following}
    return make_etag_response(call.request, make_etag(call.request, version), document)


@group.route(
    "GET",
    "/experiments/{name:experiment}/verdict",
    "read",
    answer=VerdictModel,
    problems=(404,),
    pool="arms",
)
def show_verdict(name: ExperimentName, call: ReadCall) -> Response:
    """Show the arms by their labels so far, valid at every moment."""

    def show(exp: StoredExperiment, view: VersionedState) -> tuple[str, dict[str, Any]]:
        found = view.state.ident.verdict.to_dict()
        return view.version, {k: each for k, each in found.items() if k not in ("kind", "format")}

    version, document = call.experiments.read(name, show)
    return make_etag_response(call.request, make_etag(call.request, version), document)


@group.route(
    "GET",
    "/experiments/{name:experiment}/history",
    "read",
    answer=Histories,
    problems=(404,),
    pool="replays",
)
def show_history(
    name: ExperimentName, call: ReadCall, query: Annotated[HistoryQuery, Query()]
) -> Response:
    """Show how the arms' intervals narrowed, by a replay of the journal."""

    def show(exp: StoredExperiment) -> Response:
        with read_state(exp) as view:
            version, count = view.version, view.state.ident.problem.num_arms
        tag = make_etag(call.request, version)
        if has_current_etag(call.request, tag):
            return make_etag_response(call.request, tag, None)
        if (len(query.arm) or count) * query.points > _MAX_MOMENTS:
            detail = (
                f"A history can have at most {_MAX_MOMENTS:,} moments. Name fewer arms or points."
            )
            raise Refusal(TOO_MANY, detail)
        found = exp.history(query.arm or None, query.points, call.service.give_way)
        document = {"histories": [each.to_dict() for each in found]}
        with read_state(exp) as view:
            is_same = view.version == version
        return (
            make_etag_response(call.request, tag, document)
            if is_same
            else make_json_response(document)
        )

    return call.experiments.use(name, show)


@group.route(
    "GET",
    "/experiments/{name:experiment}/export.csv",
    "read",
    problems=(404,),
    also={200: {"content": {"text/csv": {"schema": {"type": "string"}}}}},
    pool="downloads",
)
def export_arms(name: ExperimentName, call: ReadCall) -> Response:
    """Download the table of arms as CSV, safe to open in a spreadsheet."""

    def show(exp: StoredExperiment, view: VersionedState) -> tuple[str, ArmTable]:
        return view.version, view.state.table()

    version, table = call.experiments.read(name, show, is_long=True)
    tag = make_etag(call.request, version)
    if has_current_etag(call.request, tag):
        return make_etag_response(call.request, tag, None)
    headers = {
        **make_etag_headers(tag),
        "Content-Disposition": f'attachment; filename="{name}.csv"',
    }
    lines = call.service.downloads.stream(join_chunks(table.csv_lines()))
    return StreamingResponse(lines, headers=headers, media_type="text/csv")
