"""OpenAPI document: FastAPI's description of the routes, completed.

The service reads bodies itself, so their models are added here, with the problems that every route
may answer, the tokens, and the links from a pull to its reward.
"""

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI
from fastapi.openapi.utils import get_openapi
from pydantic import BaseModel
from pydantic.json_schema import JsonSchemaMode, models_json_schema

from goodarm.service.ofrep_errors import PREFIX
from goodarm.service.problems import KINDS, MEDIA_TYPE
from goodarm.service.request_bodies import JSON, JSON_LINES
from goodarm.service.request_models import TellLine
from goodarm.service.response_models import FlagError, ProblemDocument
from goodarm.service.routing import API, MEDIA_KEY, RouteDeclaration
from goodarm.version import __version__

_REF: Final = "#/components/schemas/{model}"
_TOKEN: Final = "token"
_SCHEMA_NAMES: Final[Mapping[str, str]] = {
    "ArmHistoryModel": "ArmHistory",
    "ArmReportModel": "Report",
    "ExperimentModel": "Shown",
    "HistoryMoment": "Moment",
    "JournalEntries": "JournalPage",
    "PullInProgressModel": "OutShape",
    "PullModel": "PullShape",
    "PullsInProgress": "Outs",
    "TellResult": "Told",
    "VerdictModel": "VerdictShape",
    "VerificationModel": "VerifiedShape",
    "WaitingModel": "WaitingShape",
}
"""Names in the document of models whose classes have other names. They never change, since clients
are generated from them."""
_DESCRIPTION: Final = """Which of these options are good enough? Ask for the next pull, tell its
reward, and stop as soon as the answer is certain.

Every change may carry an `Idempotency-Key`: the same request under the same key has the same
answer, and counts once. Reads have an `ETag`. Errors are problem+json with a stable `type`."""
"""Description of the API in the document."""


def build_document(
    app: FastAPI, routes: list[RouteDeclaration], *, needs_token: bool
) -> dict[str, Any]:
    """Build the OpenAPI document."""
    document = get_openapi(
        title="goodarm", version=__version__, description=_DESCRIPTION, routes=app.routes
    )
    bodies = {route.body for route in routes if route.body is not None} | {TellLine}
    answers = {route.answer for route in routes if route.answer is not None}
    schemas = document.setdefault("components", {}).setdefault("schemas", {})
    # Replace FastAPI's own schemas, too, since it leaves null out of their examples.
    schemas.update(_make_schemas(bodies, "validation"))
    schemas.update(_make_schemas(answers | {ProblemDocument, FlagError}, "serialization"))
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    operations = {
        operation["operationId"]: (path, operation)
        for path, methods in document["paths"].items()
        for operation in methods.values()
    }
    for route in routes:
        _complete(*operations[route.name], route, needs_token)
    if needs_token:
        scheme = {"type": "http", "scheme": "bearer", "bearerFormat": "ga_..."}
        document["components"]["securitySchemes"] = {_TOKEN: scheme}
    _add_links(document, routes)
    document["components"]["schemas"] = {
        _SCHEMA_NAMES.get(name, name): schema for name, schema in schemas.items()
    }
    _rename_schemas(document)
    return document


def _rename_schemas(node: Any) -> None:
    """Replace the names of classes by those of the document, in references and titles."""
    if isinstance(node, list):
        for each in node:
            _rename_schemas(each)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key in ("$ref", "title") and isinstance(value, str):
                before, slash, name = value.rpartition("/")
                node[key] = before + slash + _SCHEMA_NAMES.get(name, name)
            else:
                _rename_schemas(value)


def _make_schemas(models: set[type[BaseModel]], mode: JsonSchemaMode) -> dict[str, Any]:
    in_order = sorted(models, key=lambda model: model.__name__)
    _, found = models_json_schema([(model, mode) for model in in_order], ref_template=_REF)
    return dict(found["$defs"])


def _complete(
    path: str, operation: dict[str, Any], route: RouteDeclaration, needs_token: bool
) -> None:
    scope = route.scope
    del operation[MEDIA_KEY]
    if route.body is not None:
        operation["requestBody"] = _make_body(route.body, route.media)
    responses = operation["responses"]
    statuses = {code for code in responses if not responses[code].get("content")}
    statuses = {code for code in statuses if code.isdecimal() and int(code) >= 400}
    statuses |= _find_common_statuses(scope, operation, needs_token)
    shape = FlagError if path.startswith(PREFIX) else ProblemDocument
    for code in statuses:
        responses[code] = _make_problem(code, shape)
    if route.method == "GET" and scope != "none" and path.startswith(API):
        responses["304"] = {"description": "It is as the client has it."}
        responses["200"]["headers"] = {"ETag": {"schema": {"type": "string"}}}
    operation["responses"] = dict(sorted(responses.items()))
    if needs_token and scope != "none":
        operation["security"] = [{_TOKEN: []}]


def _find_common_statuses(scope: str, operation: dict[str, Any], needs_token: bool) -> set[str]:
    """Return the statuses of problems that any route of this kind may answer."""
    found = {"500", "503"}
    if scope != "none":
        found |= {"403", "406", "429"}
        if needs_token:
            found |= {"401"}
    if "requestBody" in operation:
        found |= {"400", "408", "413", "415"}
    if "requestBody" in operation or operation.get("parameters"):
        found |= {"422"}
    if scope in ("run", "admin"):
        found |= {"507", "410"}
    return found


def _make_problem(code: str, shape: type[BaseModel]) -> dict[str, Any]:
    titles = [kind.title for kind in KINDS if kind.status == int(code)]
    media = JSON if shape is FlagError else MEDIA_TYPE
    found: dict[str, Any] = {
        "description": "; ".join(titles) + ".",
        "content": {media: {"schema": {"$ref": _REF.format(model=shape.__name__)}}},
    }
    if any(kind.retry_after for kind in KINDS if kind.status == int(code)):
        found["headers"] = {"Retry-After": {"schema": {"type": "integer"}}}
    return found


def _make_body(model: type[BaseModel], media: tuple[str, ...]) -> dict[str, Any]:
    schema = {"$ref": _REF.format(model=model.__name__)}
    examples = model.model_json_schema().get("examples", [])
    content: dict[str, Any] = {JSON: {"schema": schema}}
    if examples:
        content[JSON]["examples"] = {
            f"example {number}": {"value": value} for number, value in enumerate(examples, 1)
        }
    if JSON_LINES in media:
        content[JSON_LINES] = {
            "schema": {"type": "array", "items": {"$ref": _REF.format(model="TellLine")}},
            "example": [{"pull": {"number": 1}, "reward": 1}],
        }
    needed = any(field.is_required() for field in model.model_fields.values())
    return {"required": needed, "content": content}


def _add_links(document: dict[str, Any], routes: list[RouteDeclaration]) -> None:
    """Add links from an experiment to its operations, and from a pull to its reward."""
    paths, base = document["paths"], f"{API}/experiments"
    named = [each.name for each in routes if "{name" in each.path and "{number" not in each.path]
    links = _make_links(named, name="$response.body#/name")
    for code in ("200", "201"):
        paths[base]["post"]["responses"][code]["links"] = links
    asked = paths[f"{base}/{{name}}/pulls:ask"]["post"]["responses"]["200"]
    same, number = "$request.path.name", "$response.body#/pulls/0/number"
    asked["links"] = _make_links(["tell_pull", "forget_pull"], name=same, number=number)


def _make_links(operations: list[str], **parameters: str) -> dict[str, Any]:
    return {each: {"operationId": each, "parameters": parameters} for each in operations}
