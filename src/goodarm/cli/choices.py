"""Words that options accept: their validation, and their completion in a shell."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from goodarm.errors import invalid_choice

if TYPE_CHECKING:
    from goodarm.judging import Control
    from goodarm.problem import CaseOrder, Rewards
    from goodarm.simulation import Engine
    from goodarm.tables import Repeats, Sign

CONTROLS: "Final[tuple[Control, ...]]" = ("fwer", "fdr", "per-arm")
REWARDS: "Final[tuple[Rewards, ...]]" = ("bernoulli", "bounded", "gaussian")
CASE_ORDERS: "Final[tuple[CaseOrder, ...]]" = ("same", "own")
ENGINES: "Final[tuple[Engine, ...]]" = ("auto", "reference", "fast")
SIGNS: "Final[tuple[Sign, ...]]" = (".", ",")
REPEATS: "Final[tuple[Repeats, ...]]" = ("refuse", "attempts")
REBUILT: Final = ("covertype", "jester", "movielens")

_Word = TypeVar("_Word", bound=str)


def chosen(argument: str, owner: str, words: Iterable[_Word], value: str) -> _Word:
    """Return the word if it is one of those allowed; else raise an error that lists them.

    >>> chosen("control", "check", CONTROLS, "fdr")
    'fdr'
    """
    for word in words:
        if word == value:
            return word
    raise invalid_choice(argument, owner, words, value)


def listed(words: Iterable[str]) -> str:
    """Return the words as a usage line shows them.

    >>> listed(["fwer", "fdr"])
    '[fwer|fdr]'
    """
    return f"[{'|'.join(words)}]"


def one_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a completion function that offers one of the words."""

    def offer(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return offer


def some_of(words: Iterable[str], alone: Iterable[str] = ()) -> Callable[[str], list[str]]:
    """Return a completion function for words with commas; ``alone`` is offered only at first."""

    def offer(incomplete: str) -> list[str]:
        return _after_comma(words, alone, incomplete)

    return offer


def algorithm(incomplete: str) -> list[str]:
    """Complete the name of an algorithm."""
    return one_of(_algorithms())(incomplete)


def rule(incomplete: str) -> list[str]:
    """Complete the name of a rule that can judge a table."""
    return one_of(_rules())(incomplete)


def paper(incomplete: str) -> list[str]:
    """Complete the name of a paper."""
    return one_of(_papers())(incomplete)


def _algorithms() -> list[str]:
    from goodarm.algorithm import algorithms

    return list(algorithms())


def _rules() -> list[str]:
    from goodarm.algorithm import TABLE_RULES

    return list(TABLE_RULES)


def _papers() -> list[str]:
    from goodarm.papers import PAPERS

    return list(PAPERS)


HELP_ONLY: Final[Mapping[str, Callable[[], list[str]]]] = {
    "RULE": _rules,
    "PAPER": lambda: [*_papers(), "MODULE:NAME"],
}
"""Metavars whose words are listed only in help: loading them would slow shell completion."""


def _after_comma(words: Iterable[str], alone: Iterable[str], incomplete: str) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    given = before.split(",") if comma else []
    offered = [*words] if comma else [*words, *alone]
    start = f"{before}," if comma else ""
    return [start + word for word in offered if word.startswith(last) and word not in given]
