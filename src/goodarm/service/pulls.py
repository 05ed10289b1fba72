"""Routes of pulls: ask, tell, forget, and list those in progress."""

from collections.abc import Sequence
from itertools import islice
from typing import Annotated, Any

from fastapi import Path, Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from goodarm.errors import SpecError, invalid_argument
from goodarm.live import make_no_pulls_left_error
from goodarm.service.json_wording import WORDING
from goodarm.service.open_experiments import VersionedState, read_state, resolve_pulls
from goodarm.service.request_bodies import JSON, JSON_LINES, check_media_type, parse_lines
from goodarm.service.request_models import (
    MAX_NUMBER,
    AskBody,
    ForgetBody,
    PullBody,
    TellBody,
    TellLine,
    TellOneBody,
)
from goodarm.service.response_models import Empty, Pulls, PullsInProgress, TellResult
from goodarm.service.responses import make_etag, make_etag_response, make_json_response
from goodarm.service.routing import API, Call, ChangeCall, ExperimentName, ReadCall, RouteGroup
from goodarm.store import StoredExperiment
from goodarm.wording import ErrorPlace

group = RouteGroup("pulls", API)

Number = Annotated[int, Path(ge=1, le=MAX_NUMBER, description="The pull's number.")]


class PullQuery(BaseModel):
    """Query for a page of pulls: at most ``limit`` after the number ``after``."""

    model_config = ConfigDict(extra="forbid")
    after: int = Field(0, ge=0, le=MAX_NUMBER, description="The number before the page.")
    limit: int = Field(1000, ge=1, le=100_000)


@group.route(
    "POST",
    "/experiments/{name:experiment}/pulls:ask",
    "run",
    body=AskBody,
    answer=Pulls,
    problems=(404, 409),
)
def ask_pulls(name: ExperimentName, call: ChangeCall) -> Response:
    """Ask for pulls to make.

    A worker gets the same ones again until it has told them. An empty list says that nothing is
    left to ask: then `status` and `why` say the reason.
    """
    body = call.body(AskBody)
    call.check_size("pulls", body.count)

    def ask(exp: StoredExperiment) -> dict[str, Any]:
        pulls = exp.ask_many(body.count, body.worker, body.lease, key=call.key)
        if pulls:
            return {"pulls": [pull._asdict() for pull in pulls], "status": None, "why": None}
        with read_state(exp) as view:
            return {
                "pulls": [],
                "status": view.state.status,
                "why": WORDING.sentence(make_no_pulls_left_error(view.state)),
            }

    return make_json_response(call.change(name, ask))


@group.route(
    "POST",
    "/experiments/{name:experiment}/pulls:tell",
    "run",
    body=TellBody,
    media=(JSON, JSON_LINES),
    answer=TellResult,
    problems=(404, 409),
)
def tell_pulls(name: ExperimentName, call: ChangeCall) -> Response:
    """Tell the rewards of pulls, in one commit: all of them or none.

    As JSON lines, each line is `{"pull": {"number": 1}, "reward": 1}`.
    """
    given, rewards, costs = _read_rewards(call)

    def tell(exp: StoredExperiment) -> None:
        numbers = [each.number for each in given]
        pulls = resolve_pulls(exp, numbers, [each.known_fields for each in given])
        try:
            exp.do("tell", call.key, pulls=pulls, rewards=rewards, costs=costs)
        except SpecError as error:
            part = "/costs" if error.argument in ("cost", "costs") else "/rewards"
            raise error.replace_fields(place=ErrorPlace(pointer=part)) from None

    call.change(name, tell)
    return make_json_response({"told": len(rewards)})


def _read_rewards(
    call: Call,
) -> tuple[list[PullBody], list[float], Sequence[float | None] | None]:
    """Read pulls, rewards and costs, None if there are none, from a body of JSON or JSON lines."""
    most = call.service.settings.max_batch
    if call.raw and check_media_type(call.request, JSON, JSON_LINES) == JSON_LINES:
        told = list(islice(parse_lines(TellLine, call.raw), most + 1))
        call.check_size("rewards", len(told))
        costs = [line.cost for line in told]
        has_costs = any(cost is not None for cost in costs)
        return (
            [line.pull for line in told],
            [line.reward for line in told],
            costs * has_costs or None,
        )
    body = call.body(TellBody)
    call.check_size("pulls", len(body.pulls))
    if len(body.pulls) != len(body.rewards):
        rule = f"have one reward for each of {len(body.pulls)} pulls"
        raise invalid_argument("rewards", "tell", rule, len(body.rewards))
    if body.costs is not None and len(body.costs) != len(body.pulls):
        rule = f"have one cost for each of {len(body.pulls)} pulls"
        raise invalid_argument("costs", "tell", rule, len(body.costs))
    return body.pulls, body.rewards, body.costs


@group.route(
    "POST",
    "/experiments/{name:experiment}/pulls/{number:number}:tell",
    "run",
    body=TellOneBody,
    answer=TellResult,
    problems=(404, 409),
)
def tell_pull(name: ExperimentName, number: Number, call: ChangeCall) -> Response:
    """Tell the reward of a pull. The same value again changes nothing, another one is refused."""
    body = call.body(TellOneBody)

    def tell(exp: StoredExperiment) -> None:
        pulls = resolve_pulls(exp, [number], [body.known_fields])
        costs = None if body.cost is None else [body.cost]
        exp.do("tell", call.key, pulls=pulls, rewards=[body.reward], costs=costs)

    call.change(name, tell)
    return make_json_response({"told": 1})


@group.route(
    "POST",
    "/experiments/{name:experiment}/pulls/{number:number}:forget",
    "run",
    body=ForgetBody,
    answer=Empty,
    problems=(404, 409),
)
def forget_pull(name: ExperimentName, number: Number, call: ChangeCall) -> Response:
    """Give up a pull whose reward will not come: as the worst case, or as never made."""
    body = call.body(ForgetBody)

    def forget(exp: StoredExperiment) -> None:
        pulls = resolve_pulls(exp, [number], [body.known_fields])
        is_independent = body.loss_is_independent
        exp.do("forget", call.key, pulls=pulls, loss_is_independent=is_independent)

    call.change(name, forget)
    return make_json_response({})


@group.route(
    "GET",
    "/experiments/{name:experiment}/pulls",
    "read",
    answer=PullsInProgress,
    problems=(404,),
)
def list_pulls(
    name: ExperimentName, call: ReadCall, page: Annotated[PullQuery, Query()]
) -> Response:
    """List the pulls that are out, by number: who has them, since when and until when."""

    def show(exp: StoredExperiment, view: VersionedState) -> tuple[str, dict[str, Any]]:
        state = view.state
        numbers = sorted(number for number in state.asked_at if number > page.after)
        found = []
        for number in numbers[: page.limit]:
            lease = state.leases.get(number)
            found.append(
                {
                    "pull": state.pull(number)._asdict(),
                    "worker": None if lease is None else lease.worker,
                    "asked_at": state.asked_at[number],
                    "until": None if lease is None else lease.until,
                }
            )
        following = numbers[page.limit - 1] if len(numbers) > page.limit else None
        return view.version, {"out": found, "next": following}

    version, document = call.experiments.read(name, show)
    return make_etag_response(call.request, make_etag(call.request, version), document)
