"""Gate: the labels that fail, the exit code, and its reason in words."""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from goodarm.errors import invalid_argument, invalid_choice
from goodarm.views.numbers import plural

EXIT_CODES: Final = {"bad": 1, "undecided": 3}
"""Exit codes of labels that may fail; the first label that an arm has decides."""
FAIL_ON_NONE: Final = "none"
DEFAULT_FAIL_ON: Final = "bad,undecided"


class GateExit(NamedTuple):
    """Exit code and its reason."""

    code: int
    reason: str


def parse_fail_on(text: str) -> frozenset[str]:
    """Parse the labels that fail, separated by commas.

    >>> sorted(parse_fail_on("undecided, bad"))
    ['bad', 'undecided']
    """
    words = parse_words("--fail-on", text, (*EXIT_CODES, FAIL_ON_NONE))
    if FAIL_ON_NONE in words and len(set(words)) > 1:
        raise invalid_argument(
            "--fail-on", "check", "be 'none' alone, or name labels without it", text
        )
    return frozenset(words) - {FAIL_ON_NONE}


def parse_words(option: str, text: str, known: Iterable[str]) -> list[str]:
    """Parse one or more known words, separated by commas."""
    words = [word.strip() for word in text.split(",")]
    for word in words:
        if word not in known:
            raise invalid_choice(option, "check", known, word)
    return words


def choose_exit(counts: Mapping[Any, int], fail_on: frozenset[str]) -> GateExit:
    """Return the exit code and its reason for ``counts``, the number of arms of each label.

    >>> choose_exit({"good": 2, "bad": 1, "undecided": 0}, parse_fail_on("bad"))
    GateExit(code=1, reason='1 of 3 arms is bad')
    """
    total = sum(counts.values())
    arms = plural(total, "arm")
    for label, code in EXIT_CODES.items():
        if label in fail_on and counts[label]:
            verb = "is" if counts[label] == 1 else "are"
            return GateExit(code, f"{counts[label]:,} of {arms} {verb} {label}")
    if counts["good"] == total:
        return GateExit(0, "the arm is good" if total == 1 else f"all {arms} are good")
    if not fail_on:
        return GateExit(0, "--fail-on is none")
    return GateExit(0, f"none of {arms} is {' or '.join(sorted(fail_on))}")
