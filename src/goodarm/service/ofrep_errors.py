"""Errors in OFREP's format for its paths, and as problem+json for all others."""

from typing import Any, Final

from starlette.responses import Response
from starlette.types import Scope

from goodarm.service.problems import (
    NO_EXPERIMENT,
    NOT_FOUND,
    UNREADABLE,
    Refusal,
    make_problem_response,
    make_refusal_headers,
)
from goodarm.service.responses import make_json_response

PREFIX: Final = "/ofrep/v1"


class FlagRefusal(Exception):
    """Flag without a value, with OFREP's error code."""

    def __init__(self, code: str, details: str, status: int = 400) -> None:
        super().__init__(details)
        self.code, self.details, self.status = code, details, status


def is_ofrep(scope: Scope) -> bool:
    """Return whether a request is for an OFREP path."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).startswith(f"{PREFIX}/")


def write_flag_error(key: str | None, code: str, details: str) -> dict[str, Any]:
    """Return an error document in OFREP's format."""
    found = {} if key is None else {"key": key}
    return {**found, "errorCode": code, "errorDetails": details}


def find_code(refusal: Refusal) -> str:
    """Return OFREP's error code for a refusal."""
    if refusal.kind in (NO_EXPERIMENT, NOT_FOUND):
        return "FLAG_NOT_FOUND"
    return "PARSE_ERROR" if refusal.kind is UNREADABLE else "GENERAL"


def make_refusal_response(scope: Scope, refusal: Refusal) -> Response:
    """Return the response to a refused request, in the format of its path."""
    if not is_ofrep(scope):
        return make_problem_response(refusal)
    key = scope.get("path_params", {}).get("name")
    document = write_flag_error(key, find_code(refusal), refusal.detail)
    return make_json_response(document, refusal.kind.status, make_refusal_headers(refusal))
