"""Titles of rules and algorithms: names with the settings that differ from the defaults."""

from collections.abc import Mapping
from functools import cache
from typing import Any, Final

from goodarm.algorithm.identification import IDENTIFICATION_RULES
from goodarm.views.names import ELLIPSIS, visible

_MAX_SETTINGS_CHARACTERS: Final = 60


def make_rule_title(document: Mapping[str, Any]) -> str:
    """Return the title of a rule, from its JSON document: name and non-default settings.

    >>> make_rule_title({"rule": "betting", "gamblers": 10, "most": 0.95, "tilt": 0.5, "tail": 5})
    'betting (10 gamblers, tilt 0.5, tail 5)'
    """
    name, settings = visible(str(document["rule"])), _format_settings(document)
    return f"{name} ({settings})" if settings else name


def make_algorithm_title(document: Mapping[str, Any]) -> str:
    """Return the title of an algorithm, from its JSON document: name, rules and settings.

    >>> make_algorithm_title({"name": "hdoc", "sampling": {"rule": "hdoc"},
    ...                  "identification": {"rule": "hoeffding"}})
    'hdoc (hdoc + hoeffding)'
    """
    name = visible(str(document["name"]))
    parts = [document[part] for part in ("sampling", "identification") if part in document]
    rules = [visible(str(part["rule"])) for part in parts]
    settings = [
        _format_settings(_resolve(part, document.get("parameters") or {})) for part in parts
    ]
    if name == "+".join(rules):
        shown = ", ".join(filter(None, settings))
    else:
        pairs = zip(rules, settings, strict=True)
        shown = " + ".join(f"{rule}, {words}" if words else rule for rule, words in pairs)
    return f"{name} ({shown})" if shown else name


def _resolve(part: Mapping[str, Any], numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Replace settings by the numbers that they resolve to; words such as "paper" stay.

    With a gap, one weight or scale replaces several.
    """
    found = dict(part)
    for key, value in part.items():
        one = key.removesuffix("s")
        if isinstance(value, str):
            continue
        if one != key and one in numbers:
            found[key] = [numbers[one]]
        elif key in numbers:
            found[key] = numbers[key]
    return found


@cache
def _find_default_settings(name: str) -> Mapping[str, Any]:
    """Return the settings that a rule's title leaves out; none for rules of other packages."""
    rule = IDENTIFICATION_RULES.get(name)
    if rule is None:
        return {}
    settings = rule().to_dict()
    return {key: value for key, value in settings.items() if key not in rule.always_shown}


def _format_settings(document: Mapping[str, Any]) -> str:
    """Return the settings that differ from the defaults, as text."""
    name = str(document["rule"])
    rule, defaults = IDENTIFICATION_RULES.get(name), _find_default_settings(name)
    hidden = ("rule", *(() if rule is None else rule.never_shown))
    shown = [
        _format_setting(key, value)
        for key, value in document.items()
        if key not in hidden and (key not in defaults or value != defaults[key])
    ]
    text = visible(", ".join(shown))
    limit = _MAX_SETTINGS_CHARACTERS
    return text if len(text) <= limit else f"{text[: limit - 1]}{ELLIPSIS}"


def _format_setting(key: str, value: object) -> str:
    name = key.replace("_", " ")
    if isinstance(value, int) and not isinstance(value, bool) and name.endswith("s"):
        return f"{value} {name.removesuffix('s') if value == 1 else name}"
    if isinstance(value, list | tuple):
        name = name.removesuffix("s") if len(value) == 1 else name
        return f"{name} {'/'.join(map(_shorten_number, value))}"
    return f"{name} {_shorten_number(value)}"


def _shorten_number(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
