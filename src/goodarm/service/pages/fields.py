"""The fields of a new experiment: what they are called, and what is wrong with what they hold.

What is wrong is said at its field, in the words of the form. What the form holds becomes the body
of the API's own request; the library has the last word, and its sentence goes to the field too.
"""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final

from pydantic import ValidationError

from goodarm.arguments import MAX_SEED, MOST_DELTA, as_float, confidence_of, delta_of, fraction_of
from goodarm.errors import SpecError
from goodarm.service.models import NAME, CreateBody

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
"""The fields in their order, by what the form calls them."""
MORE: Final = tuple(TITLES)[tuple(TITLES).index("margin") :]
"""Those that are folded away at first."""
USUAL: Final[Mapping[str, str]] = {
    **dict.fromkeys(TITLES, ""),
    "delta": "0.05",
    "rewards": "bernoulli",
    "algorithm": "e-hdoc",
    "silence": "wait",
}
"""What stands in them at first."""
_NUMBERS: Final = ("threshold", "delta", "margin", "low", "high", "sigma", "gap")
_COUNTS: Final = ("until", "max_pulls", "pool", "arms_planned")
_SILENCE: Final = ("seconds", "otherwise")
_NUMBER: Final = "Write a number such as 0.05, with a point."
_WHOLE: Final = "Write a whole number such as 1000."
_SENTENCE: Final = re.compile(r"The '(\w+)' of [\w.]+ must (.*?)(?:; got .*)?$", re.DOTALL)

Wrongs = dict[str, str]
"""What is wrong, by field; what belongs to none stands under an empty name."""


class WrongFields(Exception):
    """A form that cannot be taken as it is."""

    def __init__(self, wrongs: Wrongs) -> None:
        super().__init__("; ".join(wrongs.values()))
        self.wrongs = wrongs


def wrong_of(error: SpecError) -> Wrongs:
    """A sentence of the library at the field that it is about.

    >>> wrong_of(SpecError("The 'until' of Problem must be at most 3, the arms; got 9. See x=y."))
    {'until': 'Until must be at most 3, the arms.'}
    """
    found = _SENTENCE.match(str(error))
    if found is None:
        return {"": str(error)}
    name, rule = found.groups()
    if name == "is_independent":
        why = "A reward that is lost has no worst case with these rewards or this algorithm."
        return {"silence": f"{why} Choose to wait for it."}
    if name not in TITLES:
        return {"": str(error)}
    return {name: f"{TITLES[name]} must {rule.rstrip('.')}."}


def number_of(text: str) -> float | None:
    """A number that somebody has typed; None if it is none."""
    try:
        found = as_float(float(text))
    except ValueError:
        return None
    return found if found is not None and abs(found) < float("inf") else None


def whole_of(text: str) -> int | None:
    """A whole number, with or without commas; None if it is none."""
    digits = text.replace(",", "").replace("_", "")
    is_one = digits.isascii() and digits.isdigit() and len(digits) <= 20
    return int(digits) if is_one else None


def arms_of(text: str) -> int | list[str]:
    """Names, one in a line; or one number, of arms named 0, 1, 2, ..."""
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    if len(lines) == 1 and lines[0].isascii() and lines[0].isdigit() and len(lines[0]) < 8:
        return int(lines[0])
    return lines


def body_of(fields: Mapping[str, str], most_arms: int) -> CreateBody:
    """The request that a form stands for."""
    wrongs = _wrongs(fields, most_arms)
    if wrongs:
        raise WrongFields({name: wrongs[name] for name in TITLES if name in wrongs})
    problem: dict[str, Any] = {"arms": arms_of(fields["arms"]), "rewards": fields["rewards"]}
    problem |= {name: number_of(fields[name]) for name in _NUMBERS if fields[name]}
    problem |= {name: whole_of(fields[name]) for name in _COUNTS if fields[name]}
    silence: dict[str, Any] = {"meaning": fields["silence"]}
    silence |= {name: number_of(fields[name]) for name in _SILENCE if fields[name]}
    document: dict[str, Any] = {
        "name": fields["name"],
        "problem": problem,
        "algorithm": fields["algorithm"],
        "silence": silence,
    }
    if fields["seed"]:
        document["seed"] = whole_of(fields["seed"])
    try:
        return CreateBody.model_validate(document)
    except ValidationError as error:
        found: Wrongs = {}
        for each in error.errors(include_url=False):
            last = next((part for part in reversed(each["loc"]) if part in TITLES), "")
            name = "silence" if "meaning" in each["loc"] else str(last)
            found[name] = f"This cannot be: {each['msg'][:1].lower()}{each['msg'][1:]}."
        raise WrongFields(found) from None


def _wrongs(fields: Mapping[str, str], most_arms: int) -> Wrongs:
    """What is wrong at first sight."""
    found: Wrongs = {}

    def expect(name: str, holds: bool, otherwise: str) -> None:
        if not holds:
            found.setdefault(name, otherwise)

    _check_name_and_arms(fields, most_arms, expect)
    numbers = {name: number_of(fields[name]) for name in (*_NUMBERS, *_SILENCE, "distance")}
    for name, value in numbers.items():
        expect(name, value is not None or not fields[name], _NUMBER)
    counts = {name: whole_of(fields[name]) for name in (*_COUNTS, "num_good", "seed")}
    for name, count in counts.items():
        expect(name, count is not None or not fields[name], _WHOLE)
        expect(name, count != 0 or name in ("num_good", "seed"), "Write a number of at least 1.")
    expect("threshold", bool(fields["threshold"]), "Say what the mean of a good arm reaches.")
    delta = numbers["delta"]
    inside = f"Write a number above 0 and below 1, such as 0.05. {delta_of(delta or 0)}".rstrip()
    expect("delta", delta is not None and 0 < delta < 1, inside)
    if delta is not None and delta > MOST_DELTA:
        expect("delta", False, f"{confidence_of(delta)} Write at most {MOST_DELTA}.")
    expect("margin", (numbers["margin"] or 0) >= 0, "Write 0 or more.")
    for name in ("gap", "seconds", "distance", "sigma"):
        value = numbers[name]
        expect(name, value is None or value > 0, "Write a number above 0.")
    _check_rewards(fields, numbers, expect)
    arms = arms_of(fields["arms"])
    count = arms if isinstance(arms, int) else len(arms)
    few = f"There are {count:,} arms: write that or more."
    expect("arms_planned", (counts["arms_planned"] or count) >= count, few)
    many = f"There are {count:,} arms: write that or less."
    expect("num_good", (counts["num_good"] or 0) <= count, many)
    expect("until", (counts["until"] or 0) <= count, many)
    expect("seed", (counts["seed"] or 0) <= MAX_SEED, f"Write at most {MAX_SEED:,}.")
    _check_silence(fields, expect)
    return found


_Expect = Callable[[str, bool, str], None]


def _check_name_and_arms(fields: Mapping[str, str], most: int, expect: _Expect) -> None:
    name = fields["name"]
    expect("name", bool(name), "Give it a name.")
    rule = "Use letters, digits, dots, dashes and underscores only, at most 64 of them"
    is_name = re.fullmatch(NAME, name, re.ASCII) is not None
    expect("name", is_name, f"{rule}, and begin with a letter or a digit.")
    arms = arms_of(fields["arms"])
    count = arms if isinstance(arms, int) else len(arms)
    expect("arms", count > 0, "Name at least one arm.")
    expect("arms", count <= most, f"An experiment has at most {most:,} arms; these are {count:,}.")
    if isinstance(arms, list) and len(set(arms)) < count:
        twice = next(arm for number, arm in enumerate(arms) if arm in arms[:number])
        expect("arms", False, f"{twice[:80]} stands there twice: each arm has a name of its own.")


def _check_rewards(
    fields: Mapping[str, str], numbers: Mapping[str, float | None], expect: _Expect
) -> None:
    """Threshold, margin and distance within the rewards; nothing that other rewards have."""
    rewards = fields["rewards"]
    if rewards != "bounded":
        for name in ("low", "high"):
            wrong = "This is for numbers in a range: choose them above, or leave it empty."
            expect(name, not fields[name], wrong)
    if rewards != "gaussian":
        wrong = "This is for numbers with known spread: choose them above, or leave it empty."
        expect("sigma", not fields["sigma"], wrong)
    else:
        wrong = "Say how far the rewards of one arm spread: their standard deviation."
        expect("sigma", bool(fields["sigma"]), wrong)
        return
    low, high = (0.0, 1.0)
    if rewards == "bounded":
        low = 0.0 if numbers["low"] is None else numbers["low"]
        high = 1.0 if numbers["high"] is None else numbers["high"]
        expect("high", low < high, f"Write a number above the lowest reward, {low:g}.")
    threshold = numbers["threshold"]
    if threshold is None or not low < high:
        return
    between = f"Rewards lie between {low:g} and {high:g}"
    meant = fraction_of(threshold) if (low, high) == (0.0, 1.0) else ""
    wrong = f"{between}, and so must the threshold. {meant}".rstrip()
    expect("threshold", low < threshold < high, wrong)
    room = min(threshold - low, high - threshold)
    if room > 0:
        is_far = (numbers["margin"] or 0) >= room
        expect("margin", not is_far, f"{between}: write less than {room:g}.")


def _check_silence(fields: Mapping[str, str], expect: _Expect) -> None:
    meaning = fields["silence"]
    if meaning == "wait":
        wrong = "Rewards are waited for: choose another meaning of silence, or leave this empty."
        expect("seconds", not fields["seconds"], wrong)
    else:
        expect("seconds", bool(fields["seconds"]), "Say how long a reward is waited for.")
    if meaning == "reward":
        expect("otherwise", bool(fields["otherwise"]), "Say which reward silence counts as.")
    else:
        wrong = "This is for silence that counts as a reward: choose that, or leave this empty."
        expect("otherwise", not fields["otherwise"], wrong)
