"""Routes of journals: read in pages, download, verify."""

import json
from itertools import chain
from typing import Annotated

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response, StreamingResponse

from goodarm.errors import SpecError, StoreTampered
from goodarm.service.answers import answer, chunks, is_known, read_headers, tag_of, tagged
from goodarm.service.calls import API, Name, Reading, Room, Sending
from goodarm.service.kept import looking, rows
from goodarm.service.models import MOST_NUMBER, VerifyBody
from goodarm.service.problems import NOT_VERIFIED, Refusal
from goodarm.service.shapes import JournalPage, VerifiedShape
from goodarm.store import StoredExperiment

room = Room("journal", API)


class EntryPage(BaseModel):
    """Query for a page of entries: at most ``limit`` after the number ``after``."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(0, ge=0, le=MOST_NUMBER, description="The number before the page.")
    limit: int = Field(1000, ge=1, le=10_000)


@room.route(
    "GET",
    "/experiments/{name:experiment}/journal",
    "read",
    answer=JournalPage,
    problems=(404,),
    pool="downloads",
)
def read_journal(name: Name, call: Reading, page: Annotated[EntryPage, Query()]) -> Response:
    """List the events of the journal; the first one of a page is number `after` + 1."""

    def show(exp: StoredExperiment) -> Response:
        with looking(exp) as look:
            tag, last = tag_of(call.request, look.version), look.state.last
        if is_known(call.request, tag):
            return tagged(call.request, tag, None)
        end = min(page.after + page.limit, last)
        found = rows(exp, page.after, end - page.after) if end > page.after else []
        following = end if page.after < end < last else None
        document = {"entries": [json.loads(row.text) for row in found], "next": following}
        return tagged(call.request, tag, document)

    return call.kept.use(name, show)


@room.route(
    "GET",
    "/experiments/{name:experiment}/export.jsonl",
    "read",
    problems=(404,),
    also={200: {"content": {"application/x-ndjson": {"schema": {"type": "string"}}}}},
    pool="downloads",
)
def export_journal(name: Name, call: Reading) -> Response:
    """Download the whole journal as JSON lines, which `Store.import_` reads.

    The first line says how many follow, so that a truncated download is detected.
    """
    version, lines = call.kept.lines(name)
    tag = tag_of(call.request, version)
    if is_known(call.request, tag):
        return tagged(call.request, tag, None)
    headers = {
        **read_headers(tag),
        "Content-Disposition": f'attachment; filename="{name}.jsonl"',
    }
    whole = call.service.downloads.stream(chunks(chain([next(lines)], lines)))
    return StreamingResponse(whole, headers=headers, media_type="application/x-ndjson")


@room.route(
    "POST",
    "/experiments/{name:experiment}:verify",
    "read",
    body=VerifyBody,
    answer=VerifiedShape,
    problems=(404, 409),
    pool="replays",
)
def verify_journal(name: Name, call: Sending) -> Response:
    """Compute all labels, their evidence and the hashes again, and compare.

    With `head`, the hash of the last entry that you have kept elsewhere is compared, too.
    """
    head = call.body(VerifyBody).head
    try:
        verified = call.kept.use(name, lambda exp: exp.verify(call.service.give_way, head=head))
    except (SpecError, StoreTampered) as error:
        raise Refusal(NOT_VERIFIED, error) from None
    return answer({**verified._asdict(), "head": verified.head or None})
