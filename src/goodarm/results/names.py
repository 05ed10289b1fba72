"""Names of rules and algorithms as people see them, with settings that are not the usual ones."""

from collections.abc import Mapping
from typing import Any, Final

from goodarm.views.names import ELLIPSIS, visible

_USUAL: Final[Mapping[str, Mapping[str, Any]]] = {
    "betting": {"most": 0.95, "tilt": 0.0},
    "half-normal": {"scales": [2.0**-j for j in range(10)]},
    "lil": {"epsilon": "paper"},
    "mixture": {"weights": [1.0, 4.0, 16.0, 64.0]},
}
"""Settings of goodarm's rules that go without saying. How many bet is always said: two tests of
goodarm differ in that."""
_UNSAID: Final = ("rule", "widen")
"""The name stands before; what widening makes of a number of gamblers is said as that number."""
_MOST_WORDS: Final = 60
"""Characters that the settings of a rule may take."""


def rule_title(document: Mapping[str, Any]) -> str:
    """A rule's name with its settings, but for the usual ones, from its JSON document.

    >>> rule_title({"rule": "betting", "gamblers": 10, "most": 0.95, "tilt": 0.5, "tail": 5})
    'betting (10 gamblers, tilt 0.5, tail 5)'
    """
    name, settings = visible(str(document["rule"])), _settings(document)
    return f"{name} ({settings})" if settings else name


def algorithm_title(document: Mapping[str, Any]) -> str:
    """An algorithm's name with its rules and their settings, from its JSON document.

    >>> algorithm_title({"name": "hdoc", "sampling": {"rule": "hdoc"},
    ...                  "identification": {"rule": "hoeffding"}})
    'hdoc (hdoc + hoeffding)'
    """
    name = visible(str(document["name"]))
    parts = [document[part] for part in ("sampling", "identification") if part in document]
    rules = [visible(str(part["rule"])) for part in parts]
    settings = [_settings(_resolved(part, document.get("parameters") or {})) for part in parts]
    if name == "+".join(rules):
        said = ", ".join(filter(None, settings))
    else:
        pairs = zip(rules, settings, strict=True)
        said = " + ".join(f"{rule}, {words}" if words else rule for rule, words in pairs)
    return f"{name} ({said})" if said else name


def _resolved(part: Mapping[str, Any], numbers: Mapping[str, Any]) -> dict[str, Any]:
    """Settings with the numbers that a problem makes of others; words, as "paper", stay.

    A gap leaves one of several weights, or scales.
    """

    def of(key: str, value: Any) -> Any:
        if isinstance(value, str):
            return value
        one = key.removesuffix("s")
        return [numbers[one]] if one != key and one in numbers else numbers.get(key, value)

    return {key: of(key, value) for key, value in part.items()}


def _settings(document: Mapping[str, Any]) -> str:
    """What a rule is set to, but for the usual, in a few words."""
    usual = _USUAL.get(str(document["rule"]), {})
    said = [
        _setting(key, value)
        for key, value in document.items()
        if key not in _UNSAID and (key not in usual or value != usual[key])
    ]
    text = visible(", ".join(said))
    return text if len(text) <= _MOST_WORDS else f"{text[: _MOST_WORDS - 1]}{ELLIPSIS}"


def _setting(key: str, value: object) -> str:
    if key == "gamblers":
        return "1 gambler" if value == 1 else f"{value} gamblers"
    name = key.replace("_", " ")
    if isinstance(value, list | tuple):
        name = name.removesuffix("s") if len(value) == 1 else name
        return f"{name} {'/'.join(map(_short, value))}"
    return f"{name} {_short(value)}"


def _short(value: object) -> str:
    return f"{value:.6g}" if isinstance(value, float) else str(value)
