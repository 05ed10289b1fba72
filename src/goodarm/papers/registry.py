"""Registry of papers by name. A paper's module, with its tables, is loaded on first access."""

from collections.abc import Iterator, Mapping
from importlib import import_module
from typing import Final

from goodarm.errors import invalid_choice
from goodarm.papers.paper import Paper

_MODULES: Final = {"lil-hdoc": "lil_hdoc", "cho2025": "cho2025", "goodarm": "goodarm"}
"""List of all papers: name to module, which declares ``PAPER``."""


class _Papers(Mapping[str, Paper]):
    """Mapping from names to papers. Listing, counting and ``in`` load no paper."""

    def __getitem__(self, name: str) -> Paper:
        paper: Paper = import_module(f"goodarm.papers.{_MODULES[name]}").PAPER
        return paper

    def __contains__(self, name: object) -> bool:
        return name in _MODULES

    def __iter__(self) -> Iterator[str]:
        return iter(_MODULES)

    def __len__(self) -> int:
        return len(_MODULES)


PAPERS: Final[Mapping[str, Paper]] = _Papers()


def find_paper(name: str) -> Paper:
    """Return the paper of this name, or raise an error that lists the names."""
    if name not in PAPERS:
        raise invalid_choice("paper", "reproduce", PAPERS, name)
    return PAPERS[name]
