"""Errors in request bodies, as errors of the library.

Models refuse a body before the library sees it. If the library refuses the same value, its error is
used, so that a wrong value has the same rule and remedy in Python and over HTTP; the rest is
translated from the fields of pydantic's errors, never from their texts.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Final

from goodarm.arguments import check_name, check_seed
from goodarm.errors import SpecError
from goodarm.live import TIMEOUT_KEYS, RewardTimeout
from goodarm.problem import Problem
from goodarm.service.json_wording import WORDING
from goodarm.wording import BODY, NOT_GIVEN, ErrorPlace

MAX_ERRORS: Final = 3
"""Maximum number of errors that are shown for one body."""
_PLACEHOLDER_ARMS: Final = 1000
_NON_BODY_PARTS: Final = ("query", "path", "header")
"""Parts of a request other than its body."""

_RULES: Final[Mapping[str, str]] = {
    "bool_parsing": "true or false",
    "bool_type": "true or false",
    "dict_type": "a JSON object",
    "finite_number": "a finite number",
    "float_parsing": "a number",
    "float_type": "a number",
    "greater_than": "above {gt}",
    "greater_than_equal": "at least {ge}",
    "int_from_float": "a whole number",
    "int_parsing": "a whole number",
    "int_parsing_size": "a whole number of fewer digits",
    "int_type": "a whole number",
    "less_than": "below {lt}",
    "less_than_equal": "at most {le}",
    "list_type": "a list",
    "literal_error": "one of {expected}",
    "missing": "given",
    "extra_forbidden": "left out: there is no such field",
    "model_attributes_type": "a JSON object",
    "model_type": "a JSON object",
    "string_pattern_mismatch": "a text that matches {pattern}",
    "string_too_long": "a text of at most {max_length} characters",
    "string_too_short": "a text of {min_length} or more characters",
    "string_type": "a text",
    "string_unicode": "a text in Unicode",
    "too_long": "a list of at most {max_length}",
    "too_short": "a list of at least {min_length}",
}
"""Wording of what a value must be, by the type of pydantic's error and its context."""
_UNKNOWN_RULE: Final = "as the OpenAPI document describes it"
_TYPES_WITHOUT_VALUE: Final = ("missing", "extra_forbidden")


def find_body_errors(
    found: Sequence[Any], document: object, owner: str, line: int | None = None
) -> list[SpecError]:
    """Return the errors of a body that its model refuses, one for each place.

    Args:
        found: pydantic's errors.
        document: the body.
        owner: the function of the library that the body is for.
        line: the number of the line in a body of JSON lines.
    """
    library = _find_library_errors(document)
    places: dict[str, list[Any]] = {}
    for each in found:
        places.setdefault(_make_pointer(each["loc"], document), []).append(each)
    errors: list[SpecError] = []
    for pointer, here in places.items():
        if not any(_is_at(pointer, WORDING.pointer(each)) for each in library):
            errors.append(_translate(pointer, here, owner))
    errors += library
    unique = {WORDING.sentence(each): each for each in errors}
    if line is None:
        return list(unique.values())
    places_of = [each.place or ErrorPlace() for each in unique.values()]
    return [
        each.replace_fields(place=place._replace(line=line))
        for each, place in zip(unique.values(), places_of, strict=True)
    ]


def find_request_errors(found: Sequence[Any]) -> list[SpecError]:
    """Return the errors of a path, a query or headers."""
    errors: list[SpecError] = []
    for each in found:
        where, *names = (str(part) for part in each["loc"])
        source = f"the {where}" if where in _NON_BODY_PARTS else "the request"
        errors.append(
            SpecError(
                argument=".".join(names),
                owner=source,
                rule=f"be {_describe_rule(each)}",
                value=_find_value([each]),
                place=ErrorPlace(source),
            )
        )
    return errors


def combine_errors(errors: Sequence[SpecError]) -> SpecError:
    """Combine errors into one; of many, it shows the first few."""
    if len(errors) == 1:
        return errors[0]
    more = len(errors) - MAX_ERRORS
    first = errors[0]
    return SpecError(
        argument=first.argument,
        owner=first.owner,
        rule=first.rule,
        value=first.value,
        place=first.place,
        remedy=f"There are {more} more errors." if more > 0 else "",
        errors=errors[:MAX_ERRORS],
    )


def find_problem_errors(fields: Mapping[str, Any]) -> list[SpecError]:
    """Return all errors in the arguments of a problem, one for each argument.

    After each error, the argument is replaced by a valid value to find the errors of the others.
    """
    names = set(Problem.__dataclass_fields__)
    given = {name: value for name, value in fields.items() if name in names}
    given.setdefault("arms", _PLACEHOLDER_ARMS)
    given.setdefault("delta", 0.05)
    if "threshold" not in given:
        given["threshold"] = _validate_threshold(given)
    errors: list[SpecError] = []
    while len(errors) <= len(names):
        try:
            Problem(**given)
        except SpecError as error:
            if any(error.argument == each.argument for each in errors):
                return errors
            errors.append(error)
            _replace_invalid(given, error.argument)
        except TypeError:
            return errors
        else:
            return errors
    return errors


def find_silence_errors(fields: Mapping[str, Any]) -> Iterator[SpecError]:
    """Yield the errors in the arguments of the rule for missing rewards."""
    given = {TIMEOUT_KEYS[name]: each for name, each in fields.items() if name in TIMEOUT_KEYS}
    for _ in TIMEOUT_KEYS:
        try:
            RewardTimeout(**given)
        except SpecError as error:
            yield error
            _replace_invalid_silence(given, error.argument)
        except TypeError:
            return
        else:
            return


def find_name_errors(name: object) -> Iterator[SpecError]:
    """Yield the error in the name of an experiment, if there is one."""
    try:
        check_name("name", "Store.experiment", name)
    except SpecError as error:
        yield error


def find_seed_errors(seed: object) -> Iterator[SpecError]:
    """Yield the error in a seed, if there is one."""
    try:
        check_seed("Identifier", seed)
    except SpecError as error:
        yield error


def _find_library_errors(document: object) -> list[SpecError]:
    if not isinstance(document, Mapping):
        return []
    errors: list[SpecError] = []
    if isinstance(problem := document.get("problem"), Mapping):
        errors += find_problem_errors(problem)
    if isinstance(silence := document.get("silence"), Mapping):
        errors += find_silence_errors(silence)
    if "problem" in document and "name" in document:
        errors += find_name_errors(document["name"])
    if "problem" in document and "seed" in document:
        errors += find_seed_errors(document["seed"])
    return errors


def _replace_invalid(given: dict[str, Any], argument: str) -> None:
    """Replace an argument by a valid value."""
    if argument == "threshold":
        given["threshold"] = _validate_threshold(given)
    elif argument == "sigma" and given.get("rewards") == "gaussian":
        given["sigma"] = 1.0
    elif argument in ("arms", "delta"):
        given[argument] = {"arms": _PLACEHOLDER_ARMS, "delta": 0.05}[argument]
    elif argument == "rewards":
        for name in ("rewards", "low", "high", "sigma"):
            given.pop(name, None)
    else:
        given.pop(argument, None)


def _replace_invalid_silence(given: dict[str, Any], argument: str) -> None:
    meaning = given.get("meaning", "wait")
    if argument == "seconds" and meaning != "wait":
        given["seconds"] = 1.0
    elif argument == "default" and meaning == "reward":
        given["default"] = 0.0
    elif argument == "meaning":
        given.clear()
    else:
        given.pop(argument, None)


def _validate_threshold(given: Mapping[str, Any]) -> float:
    """Return a valid threshold for the given rewards."""
    if given.get("rewards") == "gaussian":
        return 0.0
    low, high = given.get("low", 0.0), given.get("high", 1.0)
    is_range = all(isinstance(each, int | float) for each in (low, high))
    return 0.5 * (low + high) if given.get("rewards") == "bounded" and is_range else 0.5


def _is_at(pointer: str, other: str) -> bool:
    """Return whether a pointer equals another or lies below it."""
    return pointer == other or pointer.startswith(f"{other}/")


def _make_pointer(location: Sequence[Any], document: object) -> str:
    """Convert pydantic's location to a JSON pointer.

    A location also names the members of unions, which are no keys of the body.
    """
    parts: list[str] = []
    here: Any = document
    for number, part in enumerate(location):
        is_last = number == len(location) - 1
        if isinstance(here, Mapping) and (part in here or (is_last and isinstance(part, str))):
            here = here.get(part)
        elif isinstance(here, list) and isinstance(part, int) and part < len(here):
            here = here[part]
        else:
            continue
        parts.append(str(part).replace("~", "~0").replace("/", "~1"))
    return "".join(f"/{part}" for part in parts)


def _translate(pointer: str, found: Sequence[Any], owner: str) -> SpecError:
    """Return one error for a place, from all of pydantic's errors there."""
    names = [part for part in pointer.split("/") if part and not part.isdigit()]
    whats = list(dict.fromkeys(map(_describe_rule, found)))
    return SpecError(
        argument=names[-1] if names else "body",
        owner=owner,
        rule=f"be {' or '.join(whats)}",
        value=_find_value(found),
        place=ErrorPlace(pointer=pointer or BODY),
    )


def _describe_rule(error: Any) -> str:
    form, context = _RULES.get(error["type"], _UNKNOWN_RULE), error.get("ctx", {})
    return form.format_map({name: _format_value(each) for name, each in context.items()})


def _format_value(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _find_value(found: Sequence[Any]) -> object:
    return NOT_GIVEN if found[0]["type"] in _TYPES_WITHOUT_VALUE else found[0]["input"]
