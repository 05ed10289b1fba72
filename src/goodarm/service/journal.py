"""Routes of journals: read in pages, download, verify."""

import json
from itertools import chain
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from goodarm.errors import SpecError, StoreTampered
from goodarm.service.open_experiments import read_state
from goodarm.service.problems import NOT_VERIFIED, Refusal
from goodarm.service.request_models import MAX_NUMBER, VerifyBody
from goodarm.service.response_models import JournalEntries, VerificationModel
from goodarm.service.responses import (
    has_current_etag,
    join_chunks,
    make_etag,
    make_etag_headers,
    make_etag_response,
    make_json_response,
)
from goodarm.service.routing import API, BodyCall, ExperimentName, ReadCall, RouteGroup
from goodarm.store import StoredExperiment

group = RouteGroup("journal", API)


class EntryQuery(BaseModel):
    """Query for a page of entries: at most ``limit`` after the number ``after``."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(0, ge=0, le=MAX_NUMBER, description="The number before the page.")
    limit: int = Field(1000, ge=1, le=10_000)


@group.route(
    "GET",
    "/experiments/{name:experiment}/journal",
    "read",
    answer=JournalEntries,
    problems=(404,),
    pool="downloads",
)
def read_journal(
    name: ExperimentName, call: ReadCall, page: Annotated[EntryQuery, Query()]
) -> Response:
    """List the events of the journal; the first one of a page is number `after` + 1."""

    def show(exp: StoredExperiment) -> Response:
        with read_state(exp) as view:
            tag, last = make_etag(call.request, view.version), view.state.last
        if has_current_etag(call.request, tag):
            return make_etag_response(call.request, tag, None)
        end = min(page.after + page.limit, last)
        found = list(exp.rows(page.after, end - page.after)) if end > page.after else []
        following = end if page.after < end < last else None
        document = {"entries": [json.loads(row.text) for row in found], "next": following}
        return make_etag_response(call.request, tag, document)

    return call.experiments.use(name, show)


@group.route(
    "GET",
    "/experiments/{name:experiment}/export.jsonl",
    "read",
    problems=(404,),
    also={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
    pool="downloads",
)
def export_journal(name: ExperimentName, call: ReadCall) -> Response:
    """Download the whole journal as JSON lines, which `Store.import_` reads.

    The first line says how many follow, so that a truncated download is detected.
    """
    version, lines = call.experiments.read_lines(name)
    tag = make_etag(call.request, version)
    if has_current_etag(call.request, tag):
        return make_etag_response(call.request, tag, None)
    headers = {
        **make_etag_headers(tag),
        "Content-Disposition": f'attachment; filename="{name}.jsonl"',
    }
    whole = call.service.downloads.stream(join_chunks(chain([next(lines)], lines)))
    return StreamingResponse(whole, headers=headers, media_type="application/x-ndjson")


@group.route(
    "POST",
    "/experiments/{name:experiment}:verify",
    "read",
    body=VerifyBody,
    answer=VerificationModel,
    problems=(404, 409),
    pool="replays",
)
def verify_journal(name: ExperimentName, call: BodyCall) -> Response:
    """Compute all labels, their evidence and the hashes again, and compare.

    With `head`, the hash of the last entry that you have kept elsewhere is compared, too.
    """
    head = call.body(VerifyBody).head
    try:
        verified = call.experiments.use(
            name, lambda exp: exp.verify(call.service.give_way, head=head)
        )
    except (SpecError, StoreTampered) as error:
        raise Refusal(NOT_VERIFIED, error) from None
    kept = {} if verified.kept_at is None else {"kept_at": verified.kept_at}
    return make_json_response({**verified._asdict(), "head": verified.head or None, **kept})
