"""Rules by name: those of goodarm, and those that other packages register.

A package registers a rule, a class or an object, under the entry point groups
``goodarm.sampling_rules`` and ``goodarm.identification_rules``. Its module is loaded when the rule
is asked for by name. A name of goodarm's own cannot be taken.
"""

from collections.abc import Iterable, Mapping
from importlib.metadata import EntryPoint, entry_points
from typing import Any, Final, TypeVar, cast

from goodarm.algorithm.identification import IDENTIFICATION_RULES, IdentificationRule
from goodarm.algorithm.sampling import SAMPLING_RULES, IndexRule, SamplingRule
from goodarm.errors import SpecError, must, must_be_one_of

Rule = TypeVar("Rule", SamplingRule, IdentificationRule)

SAMPLING_GROUP: Final = "goodarm.sampling_rules"
IDENTIFICATION_GROUP: Final = "goodarm.identification_rules"


def sampling_names() -> list[str]:
    """The names of all sampling rules, goodarm's own first."""
    return [*SAMPLING_RULES, *sorted(_registered(SAMPLING_GROUP, SAMPLING_RULES))]


def identification_names() -> list[str]:
    """The names of all identification rules, goodarm's own first."""
    return [*IDENTIFICATION_RULES, *sorted(_registered(IDENTIFICATION_GROUP, IDENTIFICATION_RULES))]


def sampling_rule(given: object, owner: str, **settings: Any) -> IndexRule | SamplingRule:
    """A sampling rule as it is, or the one that has this name."""
    if isinstance(given, SamplingRule):
        return checked_name(given, SAMPLING_RULES)
    if isinstance(given, IndexRule):
        if given not in SAMPLING_RULES.values():
            raise must_be_one_of("sampling", owner, SAMPLING_RULES, given.name)
        return given
    if isinstance(given, str) and given in SAMPLING_RULES and not settings:
        return SAMPLING_RULES[given]
    found = _registered(SAMPLING_GROUP, SAMPLING_RULES).get(str(given))
    if found is None:
        raise must_be_one_of("sampling", owner, sampling_names(), given)
    loaded = cast(SamplingRule, _load(found, SamplingRule, settings))
    return checked_name(loaded, SAMPLING_RULES)


def identification_rule(
    given: object, owner: str, *, argument: str = "identification", **settings: Any
) -> IdentificationRule:
    """An identification rule as it is, or the one that has this name, with these settings."""
    if isinstance(given, IdentificationRule):
        if type(given) in IDENTIFICATION_RULES.values():
            return given
        return checked_name(given, IDENTIFICATION_RULES)
    if isinstance(given, str) and given in IDENTIFICATION_RULES:
        return IDENTIFICATION_RULES[given](**settings)
    found = _registered(IDENTIFICATION_GROUP, IDENTIFICATION_RULES).get(str(given))
    if found is None:
        raise must_be_one_of(argument, owner, identification_names(), given)
    loaded = cast(IdentificationRule, _load(found, IdentificationRule, settings))
    return checked_name(loaded, IDENTIFICATION_RULES)


def checked_name(rule: Rule, taken: Mapping[str, Any]) -> Rule:
    """A rule of one's own needs a name that is its own."""
    name = getattr(rule, "name", None)
    if not isinstance(name, str) or not name:
        raise must("name", type(rule).__name__, "be a text that is not empty", name)
    if name in taken:
        raise must("name", type(rule).__name__, "not be that of one of goodarm's rules", name)
    return rule


def _registered(group: str, taken: Iterable[str]) -> dict[str, EntryPoint]:
    return {point.name: point for point in entry_points(group=group) if point.name not in taken}


def _load(point: EntryPoint, base: type, settings: Mapping[str, Any]) -> object:
    """What an entry point names: a class, made with the settings, or an object."""
    try:
        found = point.load()
    except Exception as error:
        what = f"The rule {point.name!r} ({point.value}) does not load"
        raise SpecError(f"{what}: {type(error).__name__}: {error}") from error
    if isinstance(found, type) and issubclass(found, base):
        return found(**settings)
    if isinstance(found, base):
        return found
    raise must(point.name, "the entry points of rules", f"be a {base.__name__}", found)
