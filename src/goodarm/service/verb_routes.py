"""Routes of verbs, made from the table of verbs: one POST each, with the model of its body.

The routes of asking, telling and forgetting have special forms, and are written by hand in
``pulls``.
"""

from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Annotated, Any, ClassVar, Final

from pydantic import ConfigDict, create_model
from pydantic import Field as ModelField
from starlette.responses import Response

from goodarm.live import VERBS, ArmAdded, Field, FieldType, Verb
from goodarm.service.experiments import summarize_experiment
from goodarm.service.request_models import (
    Arm,
    Case,
    Cost,
    EmptyBody,
    PullBody,
    RequestModel,
    Reward,
    Text,
    make_whole_type,
)
from goodarm.service.response_models import Empty, Summary
from goodarm.service.responses import make_json_response
from goodarm.service.routing import API, ChangeCall, ExperimentName, RouteGroup
from goodarm.store import StoredExperiment

_TYPES: Final[Mapping[FieldType, tuple[Any, Any]]] = {
    "arm": (Arm, "red"),
    "cases": (list[Case], [0, 1]),
    "costs": (list[Cost | None], [0.02]),
    "count": (make_whole_type(), 1),
    "flag": (bool, True),
    "number": (float, 1.5),
    "pulls": (list[PullBody], [{"number": 1}]),
    "rewards": (list[Reward], [1, 0, 1]),
    "text": (Text, "Some words."),
}
"""Type of a field in a body, and an example of its value."""


def list_groups() -> tuple[RouteGroup, ...]:
    """Return the routes of all verbs in the table that have a path, by noun."""
    return _make_groups(tuple(VERBS.values()))


@lru_cache(maxsize=8)
def _make_groups(verbs: tuple[Verb, ...]) -> tuple[RouteGroup, ...]:
    """Build the routes of verbs once, since all apps of a process share them."""
    found: dict[str, RouteGroup] = {}
    for verb in verbs:
        if verb.path is not None:
            noun = verb.path.partition(":")[0] or "experiments"
            _declare_route(found.setdefault(noun, RouteGroup(noun, API)), verb)
    return tuple(found.values())


def _declare_route(group: RouteGroup, verb: Verb) -> None:
    body = make_body_model(verb)
    group.route(
        "POST",
        f"/experiments/{{name:experiment}}{verb.route}",
        verb.scope,
        body=body,
        answer=Summary if verb.shows_status else Empty,
        problems=(404, 409),
    )(_make_endpoint(verb, body))


def make_body_model(verb: Verb) -> type[RequestModel]:
    """Return the model of a verb's body, with exactly the fields of the table."""
    if not verb.fields:
        return EmptyBody
    fields: dict[str, Any] = {each.name: _make_model_field(each) for each in verb.fields}
    example = {
        each.name: each.example or _TYPES[each.type][1]
        for each in verb.fields
        if each.is_required or each.example
    }
    made: type[RequestModel] = create_model(
        f"{verb.name.title().replace('_', '')}Body",
        __base__=_make_base(verb, example),
        __doc__=_describe_verb(verb),
        __module__=__name__,
        **fields,
    )
    return made


def _make_base(verb: Verb, example: dict[str, Any]) -> type[RequestModel]:
    """Return a base model with the verb's example and owner.

    It is needed because ``create_model`` takes a base or settings, but not both.
    """

    class Body(RequestModel):
        model_config = ConfigDict(json_schema_extra={"examples": [example]})
        owner: ClassVar[str] = verb.name

    return Body


def _make_model_field(field: Field) -> tuple[Any, Any]:
    """Return the type of a field with its limits, and its default."""
    held, _ = _TYPES[field.type]
    least, most, words = field.least, field.most, field.help or None
    if field.type == "text":
        held = Annotated[held, ModelField(min_length=least, max_length=most)]
    elif field.type == "count":
        held = make_whole_type(least, most)
    elif field.type == "number":
        held = Annotated[held, ModelField(ge=least, le=most)]
    if field.is_required:
        return held, ModelField(description=words)
    if field.type == "flag":
        return held, ModelField(False, description=words)
    return held | None, ModelField(None, description=words)


def _make_endpoint(verb: Verb, body: type[RequestModel]) -> Callable[..., Response]:
    def do(name: ExperimentName, call: ChangeCall) -> Response:
        given = call.body(body)
        fields = {each.name: getattr(given, each.name) for each in verb.fields}
        for each in verb.fields:
            if each.type in ("pulls", "rewards"):
                call.check_size(each.name, len(fields[each.name] or ()))

        def act(exp: StoredExperiment) -> None:
            if verb.event is ArmAdded:
                most = call.service.settings.max_arms
                call.check_size("arms", exp.problem.num_arms + 1, most)
            exp.do(verb.name, call.key, **fields)

        call.change(name, act)
        return make_json_response(
            call.experiments.read(name, summarize_experiment) if verb.shows_status else {}
        )

    do.__name__ = do.__qualname__ = verb.operation or f"{verb.name}_experiment"
    do.__doc__ = _describe_verb(verb)
    return do


def _describe_verb(verb: Verb) -> str:
    """Return the description of a verb, from its function's docstring, for the API document."""
    return (verb.act.__doc__ or verb.name).replace("``", "`")
