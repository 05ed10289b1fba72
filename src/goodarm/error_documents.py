"""Errors as JSON, so that a client can word a service's error for its own users."""

import json
from collections.abc import Mapping, Sequence
from typing import Any, Final, TypeVar

from goodarm.errors import GoodArmError
from goodarm.wording import (
    MAX_SHOWN,
    NOT_GIVEN,
    PYTHON,
    Arg,
    EdgeText,
    Function,
    Phrase,
    PrivateText,
    SettingVerb,
    Symbol,
    Text,
    Value,
    show_value,
)

_TEXTS: Final = ("statement", "rule", "remedy")

_Error = TypeVar("_Error", bound=GoodArmError)


def write_error(error: GoodArmError) -> dict[str, Any]:
    """Return the fields of an error that are not empty.

    A text that mentions arguments is a list of texts and references.

    >>> from goodarm.errors import invalid_argument
    >>> write_error(invalid_argument("delta", "Problem", "be a number", "x"))
    {'argument': 'delta', 'owner': 'Problem', 'rule': 'be a number', 'value': 'x'}
    """
    found: dict[str, Any] = {
        "argument": error.argument,
        "owner": error.owner,
        "statement": _write_text(error.statement),
        "rule": _write_text(error.rule),
        **_write_value(error.value),
        "remedy": _write_text(error.remedy),
        "reason": error.reason,
    }
    return {name: each for name, each in found.items() if each != "" or name in ("value",)}


def read_error(document: Mapping[str, Any], made: type[_Error]) -> _Error:
    """Restore the error that ``write_error`` wrote."""
    fields: dict[str, Any] = {
        name: document[name]
        for name in ("argument", "owner", "reason")
        if isinstance(document.get(name), str)
    }
    fields |= {name: _read_text(document[name]) for name in _TEXTS if name in document}
    if "value" in document:
        fields["value"] = document["value"]
    elif isinstance(document.get("shown"), str):
        fields["value"] = Symbol(document["shown"])
    return made(**fields)


def _write_value(value: object) -> dict[str, Any]:
    """Return a value as it is if it is short JSON; otherwise, its beginning as text."""
    if value is NOT_GIVEN:
        return {}
    try:
        text = json.dumps(value, allow_nan=False)
    except (TypeError, ValueError):
        return {"shown": show_value(value)}
    return {"value": value} if len(text) <= MAX_SHOWN else {"shown": show_value(value)}


def _write_text(text: Text) -> str | list[Any]:
    return text if isinstance(text, str) else [_write_part(part) for part in text.parts]


def _write_part(part: Any) -> Any:
    if isinstance(part, Arg):
        given = {} if part.value is NOT_GIVEN else _write_value(part.value)
        return {"argument": part.name, "owner": part.owner, **given}
    if isinstance(part, Value):
        return _write_value(part.value)
    if isinstance(part, SettingVerb):
        return {"verb": part.value}
    if isinstance(part, Function):
        return {"function": part.name}
    if isinstance(part, EdgeText):
        texts = {"text": _write_text(part.text), "otherwise": _write_text(part.otherwise)}
        return {"only": part.edge, **texts}
    if isinstance(part, PrivateText):
        return part.public
    return part if isinstance(part, str) else PYTHON.sentence(part)


def _read_text(written: Any) -> Text:
    if isinstance(written, str):
        return written
    if not isinstance(written, Sequence):
        return ""
    return Phrase(tuple(part for part in map(_read_part, written) if part is not None))


def _read_part(written: Any) -> Any:
    """Restore a part of a text; return None for a kind that only later versions know."""
    if isinstance(written, str):
        return written
    if not isinstance(written, Mapping):
        return None
    value = written.get("value", NOT_GIVEN)
    if isinstance(written.get("shown"), str):
        value = Symbol(written["shown"])
    if "argument" in written:
        return Arg(str(written["argument"]), value, str(written.get("owner", "")))
    if "verb" in written:
        return next((verb for verb in SettingVerb if verb.value == written["verb"]), None)
    if "function" in written:
        return Function(str(written["function"]))
    if "only" in written:
        texts = (_read_text(written.get(name, "")) for name in ("text", "otherwise"))
        return EdgeText(str(written["only"]), *texts)
    return None if value is NOT_GIVEN else Value(value)
