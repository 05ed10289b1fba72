"""Routes of experiments: create, list, show, delete."""

from typing import Annotated, Any

from fastapi import Query
from pydantic import BaseModel, ConfigDict, Field
from starlette.responses import Response

from goodarm.errors import Gone, SpecError
from goodarm.live import check_flag_rule
from goodarm.service.answers import answer, as_json, tag_of, tagged
from goodarm.service.calls import API, EXPERIMENT, Call, Changing, Name, Reading, Room
from goodarm.service.kept import Look, looking, no_experiment
from goodarm.service.models import CreateBody, EmptyBody
from goodarm.service.problems import DIFFERENT, Refusal
from goodarm.service.shapes import Experiments, Shown, Summary
from goodarm.store import StoredExperiment

room = Room("experiments", API)


class NamePage(BaseModel):
    """Query for a page of experiments: at most ``limit`` after the name ``after``."""

    model_config = ConfigDict(extra="forbid")
    after: str = Field("", max_length=64, description="The name that stands before the page.")
    limit: int = Field(100, ge=1, le=1000)


def summary_of(exp: StoredExperiment, look: Look) -> dict[str, Any]:
    """Return a summary of an experiment."""
    state = look.state
    verdict = state.ident.verdict
    return {
        "name": exp.name,
        "status": look.status,
        "entries": state.last,
        "pulls": verdict.pulls,
        "changed_at": state.at if state.last else None,
        "good": len(verdict.good),
        "bad": len(verdict.bad),
        "undecided": len(verdict.undecided),
    }


@room.route(
    "POST",
    "/experiments",
    "admin",
    body=CreateBody,
    answer=Summary,
    status=201,
    problems=(409,),
    also={200: {"model": Summary, "description": "The same experiment was there."}},
)
def create_experiment(call: Changing) -> Response:
    """Create an experiment, or find the one that was created with the same.

    It may be made again without a key: the same request has the same experiment. The journal says
    whose token has created it.
    """
    body = call.body(CreateBody)
    call.caller.check("admin", body.name)
    arms, most = body.problem.arms, call.service.settings.max_arms
    call.check_size("arms", arms if isinstance(arms, int) else len(arms), most)
    start = body.start()
    was_there = call.kept.has(body.name)
    if not was_there:
        check_flag_rule(start.reward_timeout, None if body.serving is None else start.flag_policy)
    try:
        exp = call.kept.create(body.name, start, body.seed, call.caller.name)
    except SpecError as error:
        raise Refusal(DIFFERENT, error) from None
    with looking(exp) as look:
        document = summary_of(exp, look)
    return answer(document, 200 if was_there else 201, {EXPERIMENT: exp.id})


@room.route("GET", "/experiments", "read", answer=Experiments)
def list_experiments(call: Reading, page: Annotated[NamePage, Query()]) -> Response:
    """List the experiments that the token is for, by name, a page at a time."""
    names = [kept.name for kept in call.kept.store.experiments()]
    seen = [name for name in names if name > page.after and call.caller.sees(name)]
    found = [each for name in seen[: page.limit] if (each := _summary(call, name)) is not None]
    following = seen[page.limit - 1] if len(seen) > page.limit else None
    document = {"experiments": found, "next": following}
    return tagged(call.request, tag_of(call.request, as_json(document)), document)


def _summary(call: Call, name: str) -> dict[str, Any] | None:
    """Return a summary; None if the experiment was deleted meanwhile."""
    try:
        return call.kept.look(name, summary_of)
    except (Refusal, Gone):
        return None


@room.route("GET", "/experiments/{name:experiment}", "read", answer=Shown, problems=(404,))
def show_experiment(name: Name, call: Reading) -> Response:
    """Show an experiment, with what it was created with and the arms that have joined."""

    def show(exp: StoredExperiment, look: Look) -> Response:
        document = {
            **summary_of(exp, look),
            "problem": look.state.ident.problem.to_dict(),
            "algorithm": exp.algorithm.to_dict(),
            "seed": exp.seed,
            "silence": exp.reward_timeout.to_dict(),
            "serving": exp.flag_policy.to_dict(),
            "head": exp.hash_at(look.state.last) or None,
        }
        shown = tagged(call.request, tag_of(call.request, look.version), document)
        shown.headers[EXPERIMENT] = exp.id
        return shown

    return call.kept.look(name, show)


@room.route("DELETE", "/experiments/{name:experiment}", "admin", status=204, problems=(404,))
def delete_experiment(name: Name, call: Changing) -> Response:
    """Take an experiment and its journal away for good."""
    call.body(EmptyBody)
    if not call.kept.delete(name):
        raise no_experiment(name)
    return Response(status_code=204)
