"""Fields of the form for a new experiment: their titles, their parsing, and their errors.

Each error is shown at its field, in the words of the form. The form checks whether a text is a
number; the library validates its value. The fields become the body of the API's own request.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from pydantic import ValidationError

from goodarm.arguments import Percentage, parse_number, refuse_large_delta
from goodarm.errors import SpecError, invalid_argument
from goodarm.service.models import CreateBody
from goodarm.service.validation import (
    body_errors,
    name_errors,
    problem_errors,
    seed_errors,
    silence_errors,
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
    "num_good": "Good arms",
    "margin": "Margin",
    "until": "Until",
    "max_pulls": "Pulls at most",
    "pool": "Cases",
    "arms_planned": "Arms planned",
    "gap": "Hint of the gap",
    "seed": "Seed",
    "algorithm": "Algorithm",
    "silence": "If a reward does not come",
    "seconds": "Seconds of silence",
    "otherwise": "The reward it counts as",
}
"""Titles of the fields, in their order."""
MORE: Final = tuple(TITLES)[tuple(TITLES).index("margin") :]
"""Fields that are folded away at first."""
USUAL: Final[Mapping[str, str]] = {
    **dict.fromkeys(TITLES, ""),
    "delta": "0.05",
    "rewards": "bernoulli",
    "algorithm": "e-hdoc",
    "silence": "wait",
}
"""Initial values of the fields."""
_NUMBERS: Final = ("threshold", "delta", "margin", "low", "high", "sigma", "gap")
_SCALES: Final = ("low", "high", "sigma")
_COUNTS: Final = ("until", "max_pulls", "pool", "arms_planned")
_SILENCE: Final = ("seconds", "otherwise")
_NUMBER: Final = "Write a number such as 0.05, with a point."
_NO_SHARE: Final = "Write a number without a percent sign."
_WHOLE: Final = "Write a whole number such as 1000."
_MISSING: Final = {
    "name": "Give it a name.",
    "arms": "Name at least one arm.",
    "threshold": "Say what the mean of a good arm reaches.",
    "delta": "Say which probability of a wrong label is allowed, such as 0.05.",
}
"""Errors for empty fields."""
_NO_WORST_CASE: Final = (
    "A reward that is lost has no worst case with these rewards or this algorithm. Choose to wait "
    "for it."
)
FORM: Final = FormWording(
    TITLES,
    {
        **dict.fromkeys(("identification", "sampling", "warmup"), "algorithm"),
        **dict.fromkeys(("meaning", "is_independent"), "silence"),
    },
    lists=("arms",),
)
"""Wording of the form's errors."""

Wrongs = dict[str, str]
"""Errors by field; those of no field are under an empty name."""


class WrongFields(Exception):
    """Form with invalid fields."""

    def __init__(self, wrongs: Wrongs) -> None:
        super().__init__("; ".join(wrongs.values()))
        self.wrongs = wrongs


def wrong_of(error: SpecError, words: FormWording = FORM) -> Wrongs:
    """Return an error of the library under its field, in the words of the form.

    >>> wrong_of(invalid_argument("until", "Problem", "be at most 3", 9))
    {'until': 'Until must be at most 3.'}
    """
    if error.argument == "is_independent":
        return {"silence": _NO_WORST_CASE}
    return {words.field(error): words.sentence(error)}


def number_of(text: str) -> float | None:
    """Parse a finite number, such as 0.05, 0,05 or 5%; None if it is none."""
    found = parse_number(text)
    return found if isinstance(found, float) and abs(found) < float("inf") else None


def whole_of(text: str) -> int | None:
    """Parse a whole number, with or without commas; None if it is none."""
    digits = text.replace(",", "").replace("_", "")
    is_one = digits.isascii() and digits.isdigit() and len(digits) <= 20
    return int(digits) if is_one else None


def arms_of(text: str) -> int | list[str]:
    """Parse the names of arms, one in a line; or one number, for arms named 0, 1, 2, ..."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and lines[0].isascii() and lines[0].isdigit() and len(lines[0]) < 8:
        return int(lines[0])
    return lines


def body_of(fields: Mapping[str, str], most_arms: int) -> CreateBody:
    """Return the request body for a form; raise one error with all that is wrong."""
    wrongs = _unreadable(fields, most_arms)
    document = _document(fields)
    for error in (*_errors(document), *_plan_errors(fields, document)):
        for name, wrong in wrong_of(error).items():
            wrongs.setdefault(name, wrong)
    if wrongs:
        raise WrongFields({name: wrongs[name] for name in (*TITLES, "") if name in wrongs})
    try:
        return CreateBody.model_validate(document)
    except ValidationError as error:
        found: Wrongs = {}
        for each in body_errors(error.errors(include_url=False), document, CreateBody.owner):
            found |= wrong_of(each)
        raise WrongFields(found) from None


def _document(fields: Mapping[str, str]) -> dict[str, Any]:
    """Return the request body, without what cannot be parsed."""
    problem: dict[str, Any] = {"arms": arms_of(fields["arms"]), "rewards": fields["rewards"]}
    problem |= {name: number_of(fields[name]) for name in _NUMBERS}
    problem |= {name: whole_of(fields[name]) for name in _COUNTS}
    silence: dict[str, Any] = {"meaning": fields["silence"]}
    silence |= {name: number_of(fields[name]) for name in _SILENCE}
    document: dict[str, Any] = {
        "name": fields["name"],
        "problem": _given(problem),
        "algorithm": fields["algorithm"],
        "silence": _given(silence),
        "seed": whole_of(fields["seed"]),
    }
    return _given(document)


def _given(values: Mapping[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in values.items() if value is not None}


def _unreadable(fields: Mapping[str, str], most_arms: int) -> Wrongs:
    """Return the errors for fields that are missing, no number, or above this service's limits."""
    found: Wrongs = {}
    for name in (*_NUMBERS, *_SILENCE, "distance"):
        if fields[name] and number_of(fields[name]) is None:
            found[name] = _NUMBER
    for name in (*_SCALES, *_SILENCE):
        if isinstance(number_of(fields[name]), Percentage):
            found[name] = _NO_SHARE
    for name in (*_COUNTS, "num_good", "seed"):
        if fields[name] and whole_of(fields[name]) is None:
            found[name] = _WHOLE
    for name, wrong in _MISSING.items():
        if not fields[name]:
            found[name] = wrong
    arms = arms_of(fields["arms"])
    count = arms if isinstance(arms, int) else len(arms)
    if count > most_arms:
        found["arms"] = f"An experiment has at most {most_arms:,} arms; these are {count:,}."
    return found


def _errors(document: Mapping[str, Any]) -> Iterator[SpecError]:
    """Yield all errors of the library about the experiment."""
    yield from name_errors(document["name"])
    problem = document["problem"]
    yield from problem_errors(problem)
    try:
        refuse_large_delta("Problem", problem.get("delta", 0), "")
    except SpecError as error:
        yield error
    yield from seed_errors(document.get("seed"))
    yield from silence_errors(document["silence"])


def _plan_errors(fields: Mapping[str, str], document: Mapping[str, Any]) -> Iterator[SpecError]:
    """Yield the errors in the fields that only the plan uses."""
    distance, good = number_of(fields["distance"]), whole_of(fields["num_good"])
    if distance is not None and distance <= 0:
        yield invalid_argument("distance", "plan", "be a number above 0", distance)
    arms = document["problem"]["arms"]
    count = arms if isinstance(arms, int) else len(arms)
    if good is not None and good > count:
        rule = f"be at most {count:,}, the number of arms"
        yield invalid_argument("num_good", "plan", rule, good)
