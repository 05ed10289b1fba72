"""Errors in OFREP's own shape, below its own path; everything else is problem+json."""

from typing import Any, Final

from starlette.responses import Response
from starlette.types import Scope

from goodarm.service.answers import answer
from goodarm.service.problems import (
    NO_EXPERIMENT,
    NOT_FOUND,
    UNREADABLE,
    Refusal,
    headers_of,
    response_of,
)

PREFIX: Final = "/ofrep/v1"


class FlagRefusal(Exception):
    """A flag that has no value, by OFREP's code."""

    def __init__(self, code: str, details: str, status: int = 400) -> None:
        super().__init__(details)
        self.code, self.details, self.status = code, details, status


def is_ofrep(scope: Scope) -> bool:
    """Whether a request is one of OFREP's."""
    path: str = scope["path"]
    return path.removeprefix(scope.get("root_path", "")).startswith(f"{PREFIX}/")


def flag_error(key: str | None, code: str, details: str) -> dict[str, Any]:
    """An error as OFREP has it."""
    found = {} if key is None else {"key": key}
    return {**found, "errorCode": code, "errorDetails": details}


def code_of(refusal: Refusal) -> str:
    """OFREP's word for a refusal."""
    if refusal.kind in (NO_EXPERIMENT, NOT_FOUND):
        return "FLAG_NOT_FOUND"
    return "PARSE_ERROR" if refusal.kind is UNREADABLE else "GENERAL"


def refusal_response(scope: Scope, refusal: Refusal) -> Response:
    """The answer to what was refused, in the shape that its path has."""
    if not is_ofrep(scope):
        return response_of(refusal)
    key = scope.get("path_params", {}).get("name")
    document = flag_error(key, code_of(refusal), refusal.detail)
    return answer(document, refusal.kind.status, headers_of(refusal))
