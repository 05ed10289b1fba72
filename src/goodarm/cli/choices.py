"""Words that options accept: their validation, and their completion in a shell."""

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Final, TypeVar

from goodarm.errors import invalid_choice

if TYPE_CHECKING:
    from goodarm.checking import Looks
    from goodarm.judging import Control
    from goodarm.planning import Split
    from goodarm.problem import CaseOrder, Rewards
    from goodarm.simulation import Engine
    from goodarm.tables import Repeats, Sign

CONTROLS: "Final[tuple[Control, ...]]" = ("fwer", "fdr", "per-arm")
REWARDS: "Final[tuple[Rewards, ...]]" = ("bernoulli", "bounded", "gaussian")
LOOKS: "Final[tuple[Looks, ...]]" = ("any", "once")
CASE_ORDERS: "Final[tuple[CaseOrder, ...]]" = ("same", "own")
ENGINES: "Final[tuple[Engine, ...]]" = ("auto", "reference", "fast")
SPLITS: "Final[tuple[Split, ...]]" = ("adaptive", "even")
DECIMAL_SIGNS: "Final[tuple[Sign, ...]]" = (".", ",")
REPEATS: "Final[tuple[Repeats, ...]]" = ("refuse", "attempts", "fixed")
RAW_DATA_SETS: Final = ("covertype", "jester", "movielens")

_Word = TypeVar("_Word", bound=str)


def validate_choice(argument: str, owner: str, words: Iterable[_Word], value: str) -> _Word:
    """Return the word if it is one of those allowed; else raise an error that lists them.

    ``owner`` is the command that the error names.

    >>> validate_choice("control", "check", CONTROLS, "fdr")
    'fdr'
    """
    for word in words:
        if word == value:
            return word
    raise invalid_choice(argument, owner, words, value)


def format_choices(words: Iterable[str]) -> str:
    """Return the words as a usage line shows them.

    >>> format_choices(["fwer", "fdr"])
    '[fwer|fdr]'
    """
    return f"[{'|'.join(words)}]"


def make_completer(words: Iterable[str]) -> Callable[[str], list[str]]:
    """Return a completion function that offers one of the words."""

    def offer(incomplete: str) -> list[str]:
        return [word for word in words if word.startswith(incomplete)]

    return offer


def make_list_completer(
    words: Iterable[str], exclusive: Iterable[str] = ()
) -> Callable[[str], list[str]]:
    """Return a completion function for words with commas.

    The words of ``exclusive`` are offered only at first, and nothing is offered after them.
    """

    def offer(incomplete: str) -> list[str]:
        return _complete_after_comma(words, exclusive, incomplete)

    return offer


def complete_algorithm(incomplete: str) -> list[str]:
    """Complete the name of an algorithm."""
    return make_completer(_list_algorithms())(incomplete)


def complete_rule(incomplete: str) -> list[str]:
    """Complete the name of a rule that can judge a table."""
    return make_completer(_list_rules())(incomplete)


def complete_paper(incomplete: str) -> list[str]:
    """Complete the name of a paper."""
    return make_completer(_list_papers())(incomplete)


def _list_algorithms() -> list[str]:
    from goodarm.algorithm import algorithms

    return list(algorithms())


def _list_rules() -> list[str]:
    from goodarm.algorithm import TABLE_RULES

    return list(TABLE_RULES)


def _list_papers() -> list[str]:
    from goodarm.papers import PAPERS

    return list(PAPERS)


WORDS_OF_METAVAR: Final[Mapping[str, Callable[[], list[str]]]] = {
    "RULE": _list_rules,
    "PAPER": lambda: [*_list_papers(), "MODULE:NAME"],
}
"""Words that help lists in place of a metavar: to load them takes too long before that.

MODULE:NAME stands for a paper of the user's own, which a shell cannot complete.
"""


def _complete_after_comma(
    words: Iterable[str], exclusive: Iterable[str], incomplete: str
) -> list[str]:
    before, comma, last = incomplete.rpartition(",")
    given = before.split(",") if comma else []
    if not set(exclusive).isdisjoint(given):
        return []
    offered = [*words] if comma else [*words, *exclusive]
    start = f"{before}," if comma else ""
    return [start + word for word in offered if word.startswith(last) and word not in given]
