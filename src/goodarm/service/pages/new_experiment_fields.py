"""Fields of the form for a new experiment: their titles, their parsing, and their errors.

Each error is shown at its field, in the words of the form. The form checks whether a text is a
number; the library validates its value. The fields become the body of the API's own request.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from goodarm.arguments import Percentage
from goodarm.arguments import parse_number as parse_typed
from goodarm.errors import SpecError, invalid_argument
from goodarm.service.request_models import CreateBody
from goodarm.service.validation import (
    find_body_errors,
    find_name_errors,
    find_problem_errors,
    find_seed_errors,
    find_silence_errors,
)
from goodarm.wording import FormWording

TITLES: Final[Mapping[str, str]] = {
    "name": "Name",
    "arms": "Arms",
    "threshold": "Threshold",
    "delta": "Delta",
    "rewards": "Rewards",
    "low": "Lowest reward",
    "high": "Highest reward",
    "sigma": "Sigma",
    "distance": "Distance from the threshold",
    "num_good": "Expected good arms",
    "margin": "Margin",
    "until": "Good arms to find",
    "max_pulls": "Maximum pulls",
    "pool": "Cases",
    "arms_planned": "Arms planned",
    "gap": "Gap hint",
    "cost": "Cost of a pull",
    "max_cost": "Maximum cost",
    "seed": "Seed",
    "algorithm": "Algorithm",
    "silence": "If a reward is missing",
    "seconds": "Timeout in seconds",
    "otherwise": "Default reward",
}
"""Titles of the fields, in their order."""
FOLDED_FIELDS: Final = tuple(TITLES)[tuple(TITLES).index("margin") :]
"""Fields that are folded away at first."""
DEFAULTS: Final[Mapping[str, str]] = {
    **dict.fromkeys(TITLES, ""),
    "delta": "0.05",
    "rewards": "bernoulli",
    "algorithm": "e-hdoc",
    "silence": "wait",
}
"""Initial values of the fields."""
_NUMBER_FIELDS: Final = (
    *("threshold", "delta", "margin", "low", "high", "sigma", "gap", "cost", "max_cost"),
)
_SCALE_FIELDS: Final = ("low", "high", "sigma", "cost", "max_cost")
_COUNT_FIELDS: Final = ("until", "max_pulls", "pool", "arms_planned")
_TIMEOUT_FIELDS: Final = ("seconds", "otherwise")
_NUMBER_NEEDED: Final = "Enter a number such as 0.05, with a decimal point."
_NO_PERCENT_SIGN: Final = "Enter a number without a percent sign."
_WHOLE_NUMBER_NEEDED: Final = "Enter a whole number such as 1000."
_MISSING_FIELD_ERRORS: Final = {
    "name": "Enter a name.",
    "arms": "Enter at least one arm.",
    "threshold": "Enter the mean reward that a good arm reaches.",
    "delta": "Enter the largest chance of a wrong label that you accept, such as 0.05.",
}
"""Errors for empty fields."""
_NO_WORST_CASE: Final = (
    "With these rewards or this algorithm, a lost reward has no worst case. Choose 'wait for it'."
)
FORM_WORDING: Final = FormWording(
    TITLES,
    {
        **dict.fromkeys(("identification", "sampling", "warmup"), "algorithm"),
        **dict.fromkeys(("meaning", "is_independent"), "silence"),
        "default": "otherwise",
    },
    lists=("arms",),
)
"""Wording of the form's errors."""

FieldErrors = dict[str, str]
"""Errors by field; those of no field are under an empty name."""


class InvalidForm(Exception):
    """Form with invalid fields."""

    def __init__(self, errors: FieldErrors) -> None:
        super().__init__("; ".join(errors.values()))
        self.errors = errors


def locate_error(error: SpecError, words: FormWording = FORM_WORDING) -> FieldErrors:
    """Return an error of the library under its field, in the words of the form.

    >>> locate_error(invalid_argument("until", "Problem", "be at most 3", 9))
    {'until': 'Good arms to find must be at most 3.'}
    """
    if error.argument == "is_independent":
        return {"silence": _NO_WORST_CASE}
    return {words.field(error): words.sentence(error)}


def parse_number(text: str) -> float | None:
    """Parse a finite number, such as 0.05, 0,05 or 5%; None if it is none."""
    found = parse_typed(text)
    return found if isinstance(found, float) and abs(found) < float("inf") else None


def parse_whole(text: str) -> int | None:
    """Parse a whole number, with or without commas; None if it is none."""
    digits = text.replace(",", "").replace("_", "")
    is_one = digits.isascii() and digits.isdigit() and len(digits) <= 20
    return int(digits) if is_one else None


def parse_arms(text: str) -> int | list[str]:
    """Parse the names of arms, one in a line; or one number, for arms named 0, 1, 2, ..."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and lines[0].isascii() and lines[0].isdigit() and len(lines[0]) < 8:
        return int(lines[0])
    return lines


def make_body(fields: Mapping[str, str], most_arms: int) -> CreateBody:
    """Return the request body for a form; raise one error with all that is wrong."""
    errors = _find_unreadable(fields, most_arms)
    document = _make_document(fields)
    for error in (*_find_errors(document), *_find_plan_errors(fields, document)):
        for name, message in locate_error(error).items():
            errors.setdefault(name, message)
    if errors:
        raise InvalidForm({name: errors[name] for name in (*TITLES, "") if name in errors})
    try:
        return CreateBody.model_validate(document)
    except ValidationError as error:
        found: FieldErrors = {}
        for each in find_body_errors(error.errors(include_url=False), document, CreateBody.owner):
            found |= locate_error(each)
        raise InvalidForm(found) from None


def _make_document(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the request body, without what cannot be parsed."""
    problem: dict[str, Any] = {"arms": parse_arms(fields["arms"]), "rewards": fields["rewards"]}
    problem |= {name: parse_number(fields[name]) for name in _NUMBER_FIELDS}
    problem |= {name: parse_whole(fields[name]) for name in _COUNT_FIELDS}
    silence: dict[str, Any] = {"meaning": fields["silence"]}
    silence |= {name: parse_number(fields[name]) for name in _TIMEOUT_FIELDS}
    document: dict[str, Any] = {
        "name": fields["name"],
        "problem": _drop_missing(problem),
        "algorithm": fields["algorithm"],
        "silence": _drop_missing(silence),
        "seed": parse_whole(fields["seed"]),
    }
    return _drop_missing(document)


def _drop_missing(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _find_unreadable(fields: Mapping[str, str], most_arms: int) -> FieldErrors:
    """Return the errors for fields that are missing, no number, or above this service's limits."""
    found: FieldErrors = {}
    for name in (*_NUMBER_FIELDS, *_TIMEOUT_FIELDS, "distance"):
        if fields[name] and parse_number(fields[name]) is None:
            found[name] = _NUMBER_NEEDED
    for name in (*_SCALE_FIELDS, *_TIMEOUT_FIELDS):
        if isinstance(parse_number(fields[name]), Percentage):
            found[name] = _NO_PERCENT_SIGN
    for name in (*_COUNT_FIELDS, "num_good", "seed"):
        if fields[name] and parse_whole(fields[name]) is None:
            found[name] = _WHOLE_NUMBER_NEEDED
    for name, message in _MISSING_FIELD_ERRORS.items():
        if not fields[name]:
            found[name] = message
    arms = parse_arms(fields["arms"])
    count = arms if isinstance(arms, int) else len(arms)
    if count > most_arms:
        found["arms"] = f"This service allows at most {most_arms:,} arms; got {count:,}."
    return found


def _find_errors(document: Mapping[str, Any]) -> Iterator[SpecError]:
    """Yield all errors of the library about the experiment."""
    yield from find_name_errors(document["name"])
    problem = document["problem"]
    yield from find_problem_errors(problem)
    yield from find_seed_errors(document.get("seed"))
    yield from find_silence_errors(document["silence"])


def _find_plan_errors(
    fields: Mapping[str, str], document: Mapping[str, Any]
) -> Iterator[SpecError]:
    """Yield the errors in the fields that only the plan uses."""
    distance, good = parse_number(fields["distance"]), parse_whole(fields["num_good"])
    if distance is not None and distance <= 0:
        yield invalid_argument("distance", "plan", "be a number above 0", distance)
    arms = document["problem"]["arms"]
    count = arms if isinstance(arms, int) else len(arms)
    if good is not None and good > count:
        rule = f"be at most {count:,}, the number of arms"
        yield invalid_argument("num_good", "plan", rule, good)
