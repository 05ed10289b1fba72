"""Routes of experiments: create, list, show, delete."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from goodarm.errors import Gone, SpecError
from goodarm.live import check_flag_rule
from goodarm.service.open_experiments import VersionedState, make_unknown_experiment, read_state
from goodarm.service.problems import DIFFERENT, Refusal
from goodarm.service.request_models import CreateBody, EmptyBody
from goodarm.service.response_models import ExperimentModel, Experiments, Summary
from goodarm.service.responses import dump_json, make_etag, make_etag_response, make_json_response
from goodarm.service.routing import (
    API,
    EXPERIMENT_HEADER,
    Call,
    ChangeCall,
    ExperimentName,
    ReadCall,
    RouteGroup,
)
from goodarm.store import StoredExperiment

group = RouteGroup("experiments", API)


class ExperimentQuery(BaseModel):
    """Query for a page of experiments: at most ``limit`` after the name ``after``."""

    model_config = ConfigDict(extra="forbid")
    after: str = Field("", max_length=64, description="The name that stands before the page.")
    limit: int = Field(100, ge=1, le=1000)


def summarize_experiment(exp: StoredExperiment, view: VersionedState) -> dict[str, Any]:
    """Return a summary of an experiment."""
    state = view.state
    verdict = state.ident.verdict
    return {
        "name": exp.name,
        "status": view.state.status,
        "entries": state.last,
        "pulls": verdict.pulls,
        "changed_at": state.at if state.last else None,
        "good": len(verdict.good),
        "bad": len(verdict.bad),
        "undecided": len(verdict.undecided),
    }


@group.route(
    "POST",
    "/experiments",
    "admin",
    body=CreateBody,
    answer=Summary,
    status=201,
    problems=(409,),
    also={200: {"model": Summary, "description": "The same experiment was there."}},
)
def create_experiment(call: ChangeCall) -> Response:
    """Create an experiment, or find the one that was created with the same.

    It may be made again without a key: the same request has the same experiment. The journal says
    whose token has created it.
    """
    body = call.body(CreateBody)
    call.caller.check("admin", body.name)
    arms, most = body.problem.arms, call.service.settings.max_arms
    call.check_size("arms", arms if isinstance(arms, int) else len(arms), most)
    start = body.make_settings()
    was_there = call.experiments.has_experiment(body.name)
    if not was_there:
        check_flag_rule(start.reward_timeout, None if body.serving is None else start.flag_policy)
    try:
        exp = call.experiments.create(body.name, start, body.seed, call.caller.name)
    except SpecError as error:
        raise Refusal(DIFFERENT, error) from None
    with read_state(exp) as view:
        document = summarize_experiment(exp, view)
    return make_json_response(document, 200 if was_there else 201, {EXPERIMENT_HEADER: exp.id})


@group.route("GET", "/experiments", "read", answer=Experiments)
def list_experiments(call: ReadCall, page: Annotated[ExperimentQuery, Query()]) -> Response:
    """List the experiments that the token is for, by name, a page at a time."""
    names = [each.name for each in call.experiments.store.experiments()]
    visible_names = [name for name in names if name > page.after and call.caller.can_see(name)]
    found = [
        each
        for name in visible_names[: page.limit]
        if (each := _summarize_by_name(call, name)) is not None
    ]
    following = visible_names[page.limit - 1] if len(visible_names) > page.limit else None
    document = {"experiments": found, "next": following}
    return make_etag_response(call.request, make_etag(call.request, dump_json(document)), document)


def _summarize_by_name(call: Call, name: str) -> dict[str, Any] | None:
    """Return a summary; None if the experiment was deleted meanwhile."""
    try:
        return call.experiments.read(name, summarize_experiment)
    except (Refusal, Gone):
        return None


@group.route(
    "GET", "/experiments/{name:experiment}", "read", answer=ExperimentModel, problems=(404,)
)
def show_experiment(name: ExperimentName, call: ReadCall) -> Response:
    """Show an experiment, with what it was created with and the arms that have joined."""

    def show(exp: StoredExperiment, view: VersionedState) -> Response:
        document = {
            **summarize_experiment(exp, view),
            "problem": view.state.ident.problem.to_dict(),
            "algorithm": exp.algorithm.to_dict(),
            "seed": exp.seed,
            "silence": exp.reward_timeout.to_dict(),
            "serving": exp.flag_policy.to_dict(),
            "head": exp.hash_at(view.state.last) or None,
        }
        shown = make_etag_response(call.request, make_etag(call.request, view.version), document)
        shown.headers[EXPERIMENT_HEADER] = exp.id
        return shown

    return call.experiments.read(name, show)


@group.route("DELETE", "/experiments/{name:experiment}", "admin", status=204, problems=(404,))
def delete_experiment(name: ExperimentName, call: ChangeCall) -> Response:
    """Take an experiment and its journal away for good."""
    call.body(EmptyBody)
    if not call.experiments.delete(name):
        raise make_unknown_experiment(name)
    return Response(status_code=204)
