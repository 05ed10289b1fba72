"""Report of a rule's check, and its failures."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

ROUNDING: Final = 1e-9
"""Tolerance of evidence, as a part of itself.

It is for rounding only: sums of a few hundred logs are off by some 1e-12. A rule that is wrong by
less than this costs less than a billionth of delta at each pull.
"""

E_VALUES: Final = "e-values: they may be used for FDR"
BOUND: Final = "a bound: no e-values, no FDR"
ANY_IN_RANGE: Final = "any rewards in a known range"
ZERO_ONE: Final = "0/1 rewards only"
GAUSSIAN: Final = "Gaussian rewards with known sigma"


@dataclass(frozen=True)
class RuleReport:
    """Report of what a rule has passed. Printed, it is a short text.

    Args:
        rule: its name.
        checked: the properties that were tried, in words.
        follows: what the rule may be used for.
        limit: what passing does not say.
        most_pulls: up to how many pulls counts were tried; None for sampling rules.

    >>> from goodarm.rules import Mixture
    >>> from goodarm.testing import check_identification_rule
    >>> report = check_identification_rule(Mixture(), most_pulls=20)
    >>> report.rule, report.most_pulls
    ('mixture', 20)
    """

    rule: str
    checked: tuple[str, ...]
    follows: tuple[str, ...]
    limit: str
    most_pulls: int | None = None

    def __str__(self) -> str:
        lines = [f"The {self.rule} rule passes.", *(f"  checked: {what}" for what in self.checked)]
        lines += [f"  follows: {what}" for what in self.follows]
        return "\n".join([*lines, self.limit])


Sentence = str | Callable[[], str]
"""Message of a failure, or a function that makes it: formatting takes longer than most checks."""


def expect(holds: object, otherwise: Sentence) -> None:
    """Raise an AssertionError with this message unless ``holds``; unlike assert, under -O too."""
    if not holds:
        raise AssertionError(_format_value(otherwise))


def _format_value(sentence: Sentence) -> str:
    return sentence if isinstance(sentence, str) else sentence()


@contextmanager
def report_failure(what: Sentence) -> Iterator[None]:
    """Turn any error in the block into an AssertionError: a failure of the rule."""
    try:
        yield
    except AssertionError:
        raise
    except Exception as error:
        raise AssertionError(f"{_format_value(what)}: {type(error).__name__}: {error}") from error
