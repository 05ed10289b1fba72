"""The words that options take: what a shell offers, and what is refused."""

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
    """The word that was typed, or the error that lists all of them.

    >>> chosen("control", "check", CONTROLS, "fdr")
    'fdr'
    """
    for word in words:
        if word == value:
            return word
    raise invalid_choice(argument, owner, words, value)


def listed(words: Iterable[str]) -> str:
    """The words as a usage line shows them.

    >>> listed(["fwer", "fdr"])
    '[fwer|fdr]'
    """
    return f"[{'|'.join(words)}]"


def one_of(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Offer the words that begin as the value does."""

    def offer(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return offer


def some_of(words: Iterable[str], alone: Iterable[str] = ()) -> Callable[[str], list[str]]:
    """The same for words with commas; those that stand alone are offered first only."""

    def offer(incomplete: str) -> list[str]:
        return _after_comma(words, alone, incomplete)

    return offer


def algorithm(incomplete: str) -> list[str]:
    """Offer the algorithms' names."""
    return one_of(_algorithms())(incomplete)


def rule(incomplete: str) -> list[str]:
    """Offer the names of the rules that can judge a table."""
    return one_of(_rules())(incomplete)


def paper(incomplete: str) -> list[str]:
    """Offer the papers' names."""
    return one_of(_papers())(incomplete)


def some_algorithms(incomplete: str) -> list[str]:
    """Offer the algorithms' names, with commas."""
    return _after_comma(_algorithms(), (), incomplete)


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
"""Metavars whose words are listed in help alone: loading them would keep a shell waiting."""


def _after_comma(words: Iterable[str], alone: Iterable[str], incomplete: str) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    given = before.split(",") if comma else []
    offered = [*words] if comma else [*words, *alone]
    start = f"{before}," if comma else ""
    return [start + word for word in offered if word.startswith(last) and word not in given]
