"""Lookup of rules by name: goodarm's own, and those that other packages register.

A package registers a rule (a class or an object) under the entry point group
``goodarm.sampling_rules`` or ``goodarm.identification_rules``. Its module is loaded when the rule
is looked up. The names of goodarm's own rules are reserved.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar, cast

from goodarm.algorithm.identification import IDENTIFICATION_RULES, IdentificationRule
from goodarm.algorithm.sampling import SAMPLING_RULES, IndexRule, SamplingRule
from goodarm.errors import SpecError, invalid_argument, invalid_choice
from goodarm.wording import third_party_message

Rule = TypeVar("Rule", SamplingRule, IdentificationRule)

SAMPLING_GROUP: Final = "goodarm.sampling_rules"
IDENTIFICATION_GROUP: Final = "goodarm.identification_rules"


def find_sampling_rule(
    given: object, owner: str, settings: Mapping[str, Any] | None = None
) -> IndexRule | SamplingRule:
    """Return the sampling rule of this name, with these settings; return a rule unchanged."""
    if isinstance(given, SamplingRule):
        return check_rule_name(given, SAMPLING_RULES)
    if isinstance(given, IndexRule) and given in SAMPLING_RULES.values():
        return given
    if isinstance(given, str) and given in SAMPLING_RULES and not settings:
        return SAMPLING_RULES[given]
    if isinstance(given, str) and given in SAMPLING_RULES:
        raise invalid_argument(
            "sampling", owner, f"give the rule {given} no settings", dict(settings or {})
        )
    found = _find(given, "sampling", owner, SAMPLING_GROUP, SAMPLING_RULES, SAMPLING_RULES)
    return check_rule_name(cast(SamplingRule, _load(found, SamplingRule, settings)), SAMPLING_RULES)


def find_identification_rule(
    given: object,
    owner: str,
    settings: Mapping[str, Any] | None = None,
    *,
    argument: str = "identification",
    offered: Iterable[str] = IDENTIFICATION_RULES,
) -> IdentificationRule:
    """Return the identification rule of this name, with these settings; return a rule unchanged.

    ``offered`` are the names that the error for an unknown name lists.
    """
    if type(given) in IDENTIFICATION_RULES.values():
        return cast(IdentificationRule, given)
    if isinstance(given, IdentificationRule):
        return check_rule_name(given, IDENTIFICATION_RULES)
    if isinstance(given, str) and given in IDENTIFICATION_RULES:
        return IDENTIFICATION_RULES[given](**(settings or {}))
    found = _find(given, argument, owner, IDENTIFICATION_GROUP, IDENTIFICATION_RULES, offered)
    loaded = cast(IdentificationRule, _load(found, IdentificationRule, settings))
    return check_rule_name(loaded, IDENTIFICATION_RULES)


def _find(
    given: object,
    argument: str,
    owner: str,
    group: str,
    taken: Mapping[str, Any],
    offered: Iterable[str],
) -> EntryPoint:
    """Return the entry point of this name, or raise an error that lists all names."""
    if isinstance(given, type):
        remedy = f"Pass {given.__name__}()."
        raise invalid_argument(argument, owner, "be a rule or its name, not a class", given, remedy)
    registered = _find_registered(group, taken)
    if str(given) not in registered:
        raise invalid_choice(argument, owner, [*offered, *sorted(registered)], given)
    return registered[str(given)]


def check_rule_name(rule: Rule, taken: Mapping[str, Any]) -> Rule:
    """Return a user's rule, or raise an error if its name is missing or reserved."""
    name = getattr(rule, "name", None)
    if not isinstance(name, str) or not name:
        raise invalid_argument("name", type(rule).__name__, "be a text that is not empty", name)
    if name in taken:
        raise invalid_argument(
            "name", type(rule).__name__, "not be that of one of goodarm's rules", name
        )
    return rule


def _find_registered(group: str, taken: Iterable[str]) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group) if point.name not in taken}


def _load(point: EntryPoint, base: type, settings: Mapping[str, Any] | None) -> object:
    """Load the rule of an entry point; create it with the settings if that is a class."""
    try:
        found = point.load()
    except Exception as error:
        statement = f"The rule {point.name!r} ({point.value}) does not load"
        raise SpecError(
            f"{statement}: {type(error).__name__}: {third_party_message(error)}",
            argument=point.name,
            owner="the entry points of rules",
            rule="load",
            value=point.value,
        ) from error
    if isinstance(found, type) and issubclass(found, base):
        return found(**(settings or {}))
    if isinstance(found, base):
        return found
    raise invalid_argument(point.name, "the entry points of rules", f"be a {base.__name__}", found)
