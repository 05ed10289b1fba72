"""Argument checks: each returns the clean value or raises the SpecError that names the rule."""

import math
import re
import secrets
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Set
from numbers import Integral, Real
from typing import Any, Final

from goodarm.errors import SpecError, invalid_argument
from goodarm.version import __version__
from goodarm.wording import Arg, EdgeText, Value, join, phrase

MAX_SEED: Final = 2**64 - 1
NAME: Final = r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}"
"""Pattern of the names of experiments and workers: safe in a URL, a file name and a shell."""


_COMMA: Final = re.compile(r"[+-]?\d*,\d+")
_THOUSANDS: Final = re.compile(r"[+-]?[1-9]\d{0,2},\d{3}")
"""Texts such as 1,500, which may be 1500 or 1.5."""


class Percentage(float):
    """Share that was written with a percent sign.

    >>> Percentage(0.6), f"{Percentage(0.6):.1f}", Percentage(0.6) == 0.6
    (60%, '60.0%', True)
    """

    __slots__ = ()

    def __repr__(self) -> str:
        return format(self, "")

    def __format__(self, spec: str) -> str:
        return f"{100 * self:{spec or '.12g'}}%"


def parse_number(value: object) -> object:
    """Parse a number as people write it: 0.05, 0,05 or 5%; return anything else unchanged.

    A text that may be two numbers, such as 1,500, is unchanged too.

    >>> parse_number("0,05"), parse_number("5 %"), parse_number("1,500"), parse_number(0.5)
    (0.05, 5%, '1,500', 0.5)
    """
    if not isinstance(value, str):
        return value
    text = value.strip()
    is_percentage = text.endswith("%")
    text = text.removesuffix("%").rstrip()
    if _COMMA.fullmatch(text) and not _THOUSANDS.fullmatch(text):
        text = text.replace(",", ".")
    try:
        # The exponent in place of a division: 28.9% is the float that 0.289 is.
        return Percentage(f"{text}e-2") if is_percentage else float(text)
    except ValueError:
        return value


def parse_share(
    argument: str, owner: str, value: object, limits: tuple[float, float] | None
) -> Any:
    """Parse a number as people write it; reject a percentage unless the limits are 0 and 1."""
    found = parse_number(value)
    if isinstance(found, Percentage) and limits != (0.0, 1.0):
        rule = "be a number on the scale of the rewards, without a percent sign"
        raise invalid_argument(argument, owner, rule, value)
    return found


def as_float(value: object) -> float | None:
    """Convert a number to float: infinity if it is too large, None if it is not a number."""
    if type(value) is float:
        return value
    if type(value) is not int and (not isinstance(value, Real) or isinstance(value, bool)):
        return None
    try:
        return float(value)
    except OverflowError:
        return math.inf


def check_number(argument: str, owner: str, value: object) -> float:
    """Return a finite number as a float; reject bools and text, accept numpy scalars."""
    number = as_float(value)
    if number is not None and math.isfinite(number):
        return number
    remedy = suggest_two_readings(value)
    raise invalid_argument(argument, owner, "be a finite number", value, remedy)


def suggest_two_readings(value: object) -> str:
    """Return the remedy for a text that may be two numbers; "" for anything else.

    >>> suggest_two_readings("1,500"), suggest_two_readings("abc")
    ('Write 1500 or 1.5.', '')
    """
    text = value.strip() if isinstance(value, str) else ""
    if not _THOUSANDS.fullmatch(text):
        return ""
    return f"Write {text.replace(',', '')} or {float(text.replace(',', '.')):g}."


def check_between(argument: str, owner: str, value: object, low: float, high: float) -> float:
    """Return a number that lies strictly between two limits."""
    rule = f"be a number strictly between {low:g} and {high:g}"
    number = as_float(value)
    if number is not None and low < number < high:
        return number
    raise invalid_argument(argument, owner, rule, value)


def suggest_fraction(value: float) -> str:
    """Suggest the fraction where a percentage was given for one; return "" otherwise.

    >>> suggest_fraction(85.0), suggest_fraction(5), suggest_fraction(1.3)
    ('Did you mean 0.85?', 'Did you mean 0.05?', '')
    """
    return f"Did you mean {value / 100:g}?" if 2 <= value < 100 else ""


MAX_DELTA: Final = 0.5
"""Largest delta accepted without a flag: a larger one was probably meant as the confidence."""


def suggest_delta(value: float) -> str:
    """Suggest the delta where a percentage was given for one; return "" otherwise.

    >>> suggest_delta(5), suggest_delta(95), suggest_delta(1.3)
    ('Did you mean 0.05?', '95 % confidence is delta 0.05.', '')
    """
    if 100 * MAX_DELTA < value < 100:
        return suggest_confidence(value / 100)
    return suggest_fraction(value)


def check_delta(owner: str, value: object) -> float:
    """Return a delta; it must be strictly between 0 and 1."""
    typed = parse_number(value)
    number = as_float(typed)
    if number is not None and 0.0 < number < 1.0:
        if isinstance(value, str) and isinstance(typed, Percentage) and number > MAX_DELTA:
            remedy = suggest_confidence(number)
            raise invalid_argument("delta", owner, f"be at most {MAX_DELTA}", value, remedy)
        return number
    remedy = "" if number is None else suggest_delta(number)
    raise invalid_argument("delta", owner, "be a number strictly between 0 and 1", value, remedy)


_ALLOW: Final = phrase("If you mean it, {pass} {allow}, too.", allow=Arg("allow_large_delta", True))


def refuse_large_delta(owner: str, delta: float, given: object) -> None:
    """Raise an error for a delta above ``MAX_DELTA``: it was probably meant as the confidence.

    ``given`` is the delta as it was written.
    """
    if MAX_DELTA < delta < 1.0:
        insist = phrase("{insist}", insist=EdgeText("form", "", _ALLOW))
        remedy = join(suggest_confidence(delta), insist)
        raise invalid_argument("delta", owner, f"be at most {MAX_DELTA}", given, remedy)


def suggest_confidence(delta: float) -> str:
    """Say which delta is meant by one that looks like a confidence.

    >>> suggest_confidence(0.95)
    '95 % confidence is delta 0.05.'
    """
    return f"{100 * delta:.6g} % confidence is delta {1.0 - delta:.6g}."


def check_count(
    argument: str, owner: str, value: object, least: int = 1, most: int | None = None
) -> int:
    """Return a whole number of at least ``least`` and, if given, at most ``most``."""
    if isinstance(value, Integral) and not isinstance(value, bool):
        whole = int(value)
        if least <= whole and (most is None or whole <= most):
            return whole
    limits = f"of at least {least}" if most is None else f"from {least} to {most}"
    raise invalid_argument(argument, owner, f"be a whole number {limits}", value)


def check_seed(owner: str, seed: object) -> int:
    """Return the seed, or draw one if it is None."""
    if seed is None:
        return secrets.randbits(63)
    return check_count("seed", owner, seed, least=0, most=MAX_SEED)


def check_list(argument: str, owner: str, values: object, what: str) -> list[Any]:
    """Return any iterable with a fixed order as a list; reject text, bytes, sets and mappings."""
    if isinstance(values, Iterable) and not isinstance(values, str | bytes | Set | Mapping):
        try:
            return list(values)
        except TypeError:  # a numpy array without dimensions
            pass
    raise invalid_argument(argument, owner, f"be a list of {what}", values)


def check_flag(argument: str, owner: str, value: object) -> bool:
    """Return a bool; reject everything else, 0 and 1 too."""
    if isinstance(value, bool):
        return value
    raise invalid_argument(
        argument, owner, phrase("be {yes} or {no}", yes=Value(True), no=Value(False)), value
    )


def check_name(argument: str, owner: str, value: object, remedy: str = "") -> str:
    """Return a valid name of an experiment or worker."""
    if isinstance(value, str) and re.fullmatch(NAME, value):
        return value
    rule = "be 1 to 64 letters, digits, '.', '_' and '-', the first a letter or digit"
    raise invalid_argument(argument, owner, rule, value, remedy)


def reject_duplicate_keys(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """Build a JSON object; raise ValueError if a key appears twice.

    Made for ``object_pairs_hook`` of ``json.loads``, which would silently keep the last value.
    """
    found = dict(pairs)
    if len(found) < len(pairs):
        twice, _ = Counter(key for key, _ in pairs).most_common(1)[0]
        raise ValueError(f"the key {twice!r} comes twice in one object")
    return found


def check_document(
    document: object, kind: str, keys: tuple[str, ...], optional: Collection[str] | None = None
) -> Mapping[str, Any]:
    """Return a JSON document of this kind after checking its format, 1, and its keys.

    Args:
        document: the document.
        kind: the kind that it must have.
        keys: the keys that it must have.
        optional: the other keys that it may have; None if unknown keys are allowed.
    """
    if not isinstance(document, Mapping):
        raise invalid_argument("document", kind, "be a JSON object", document)
    if document.get("kind") != kind:
        raise invalid_argument("kind", f"the {kind} document", f"be {kind!r}", document.get("kind"))
    if document.get("format") != 1:
        remedy = "It may come from a newer goodarm: upgrade and try again."
        raise invalid_argument(
            "format", f"the {kind} document", "be 1", document.get("format"), remedy
        )
    missing = [key for key in keys if key not in document]
    if missing:
        raise SpecError(
            f"The {kind} document lacks {', '.join(map(repr, missing))}.",
            argument=missing[0],
            owner=f"the {kind} document",
            rule="be given",
        )
    if optional is not None:
        known = ("kind", "format", *keys, *optional)
        refuse_unknown_keys(document, known, f"the {kind} document")
    return document


def refuse_unknown_keys(document: Mapping[str, Any], known: Collection[str], owner: str) -> None:
    """Raise an error if a document has a key that this version does not know.

    Later versions add keys, and one may change what the others mean: a cost, a baseline, a single
    look. A reader that ignores it would say something else than was found.
    """
    unknown = [key for key in document if key not in known]
    if not unknown:
        return
    names = ", ".join(repr(str(key)) for key in unknown)
    raise SpecError(
        f"{owner[0].upper()}{owner[1:]} has keys unknown to goodarm {__version__}: {names}.",
        argument=str(unknown[0]),
        owner=owner,
        rule="be known to this version",
        value=document[unknown[0]],
        remedy="Keys may change what the numbers mean. If a newer goodarm wrote it, upgrade.",
    )
