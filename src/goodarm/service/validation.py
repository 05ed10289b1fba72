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
from goodarm.wording import NOT_GIVEN, Place

MAX_ERRORS: Final = 3
"""Maximum number of errors that are shown for one body."""
_MANY_ARMS: Final = 1000
_OUTSIDE: Final = ("query", "path", "header")
"""Parts of a request other than its body."""

_BE: Final[Mapping[str, str]] = {
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
    "extra_forbidden": "left out, since nothing of this name is known here",
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
_UNKNOWN: Final = "of the form that the API document describes"
_WITHOUT_VALUE: Final = ("missing", "extra_forbidden")


def body_errors(
    found: Sequence[Any], document: object, owner: str, line: int | None = None
) -> list[SpecError]:
    """Return the errors of a body that its model refuses, one for each place.

    Args:
        found: pydantic's errors.
        document: the body.
        owner: the function of the library that the body is for.
        line: the number of the line in a body of JSON lines.
    """
    library = _library_errors(document)
    places: dict[str, list[Any]] = {}
    for each in found:
        places.setdefault(_pointer(each["loc"], document), []).append(each)
    errors: list[SpecError] = []
    for pointer, here in places.items():
        if not any(_is_at(pointer, WORDING.pointer(each)) for each in library):
            errors.append(_translated(pointer, here, owner))
    errors += library
    unique = {WORDING.sentence(each): each for each in errors}
    if line is None:
        return list(unique.values())
    places_of = [each.place or Place() for each in unique.values()]
    return [
        each.replaced(place=place._replace(line=line))
        for each, place in zip(unique.values(), places_of, strict=True)
    ]


def request_errors(found: Sequence[Any]) -> list[SpecError]:
    """Return the errors of a path, a query or headers."""
    errors: list[SpecError] = []
    for each in found:
        where, *names = (str(part) for part in each["loc"])
        source = f"the {where}" if where in _OUTSIDE else "the request"
        errors.append(
            SpecError(
                argument=".".join(names),
                owner=source,
                rule=f"be {_what(each)}",
                value=_value([each]),
                place=Place(source),
            )
        )
    return errors


def one_error(errors: Sequence[SpecError]) -> SpecError:
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
        remedy=f"There are {more} errors more." if more > 0 else "",
        errors=errors[:MAX_ERRORS],
    )


def problem_errors(fields: Mapping[str, Any]) -> list[SpecError]:
    """Return all errors in the arguments of a problem, one for each argument.

    After each error, the argument is replaced by a valid value to find the errors of the others.
    """
    names = set(Problem.__dataclass_fields__)
    given = {name: value for name, value in fields.items() if name in names}
    given.setdefault("arms", _MANY_ARMS)
    given.setdefault("delta", 0.05)
    if "threshold" not in given:
        given["threshold"] = _middle(given)
    errors: list[SpecError] = []
    while len(errors) <= len(names):
        try:
            Problem(**given)
        except SpecError as error:
            if any(error.argument == each.argument for each in errors):
                return errors
            errors.append(error)
            _mend(given, error.argument)
        except TypeError:
            return errors
        else:
            return errors
    return errors


def silence_errors(fields: Mapping[str, Any]) -> Iterator[SpecError]:
    """Yield the errors in the arguments of the rule for missing rewards."""
    given = {TIMEOUT_KEYS[name]: each for name, each in fields.items() if name in TIMEOUT_KEYS}
    for _ in TIMEOUT_KEYS:
        try:
            RewardTimeout(**given)
        except SpecError as error:
            yield error
            _mend_silence(given, error.argument)
        except TypeError:
            return
        else:
            return


def name_errors(name: object) -> Iterator[SpecError]:
    """Yield the error in the name of an experiment, if there is one."""
    try:
        check_name("name", "Store.experiment", name)
    except SpecError as error:
        yield error


def seed_errors(seed: object) -> Iterator[SpecError]:
    """Yield the error in a seed, if there is one."""
    try:
        check_seed("Identifier", seed)
    except SpecError as error:
        yield error


def _library_errors(document: object) -> list[SpecError]:
    if not isinstance(document, Mapping):
        return []
    errors: list[SpecError] = []
    if isinstance(problem := document.get("problem"), Mapping):
        errors += problem_errors(problem)
    if isinstance(silence := document.get("silence"), Mapping):
        errors += silence_errors(silence)
    if "problem" in document and "name" in document:
        errors += name_errors(document["name"])
    if "problem" in document and "seed" in document:
        errors += seed_errors(document["seed"])
    return errors


def _mend(given: dict[str, Any], argument: str) -> None:
    """Replace an argument by a valid value."""
    if argument == "threshold":
        given["threshold"] = _middle(given)
    elif argument == "sigma" and given.get("rewards") == "gaussian":
        given["sigma"] = 1.0
    elif argument in ("arms", "delta"):
        given[argument] = {"arms": _MANY_ARMS, "delta": 0.05}[argument]
    elif argument == "rewards":
        for name in ("rewards", "low", "high", "sigma"):
            given.pop(name, None)
    else:
        given.pop(argument, None)


def _mend_silence(given: dict[str, Any], argument: str) -> None:
    meaning = given.get("meaning", "wait")
    if argument == "seconds" and meaning != "wait":
        given["seconds"] = 1.0
    elif argument == "default" and meaning == "reward":
        given["default"] = 0.0
    elif argument == "meaning":
        given.clear()
    else:
        given.pop(argument, None)


def _middle(given: Mapping[str, Any]) -> float:
    """Return a valid threshold for the given rewards."""
    if given.get("rewards") == "gaussian":
        return 0.0
    low, high = given.get("low", 0.0), given.get("high", 1.0)
    is_range = all(isinstance(each, int | float) for each in (low, high))
    return 0.5 * (low + high) if given.get("rewards") == "bounded" and is_range else 0.5


def _is_at(pointer: str, other: str) -> bool:
    """Return whether a pointer equals another or lies below it."""
    return pointer == other or pointer.startswith(f"{other}/")


def _pointer(location: Sequence[Any], document: object) -> str:
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


def _translated(pointer: str, found: Sequence[Any], owner: str) -> SpecError:
    """Return one error for a place, from all of pydantic's errors there."""
    names = [part for part in pointer.split("/") if part and not part.isdigit()]
    whats = list(dict.fromkeys(map(_what, found)))
    return SpecError(
        argument=names[-1] if names else "body",
        owner=owner,
        rule=f"be {' or '.join(whats)}",
        value=_value(found),
        place=Place(pointer=pointer or "/"),
    )


def _what(error: Any) -> str:
    form, context = _BE.get(error["type"], _UNKNOWN), error.get("ctx", {})
    return form.format_map({name: _shown(each) for name, each in context.items()})


def _shown(value: Any) -> str:
    return f"{value:g}" if isinstance(value, float) else str(value)


def _value(found: Sequence[Any]) -> object:
    return NOT_GIVEN if found[0]["type"] in _WITHOUT_VALUE else found[0]["input"]
