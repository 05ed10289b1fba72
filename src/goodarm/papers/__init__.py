"""Papers are data: instances, algorithms, runs, delta and published rows. They run nothing."""

from goodarm.errors import must_be_one_of
from goodarm.papers import cho2025, goodarm, lil_hdoc
from goodarm.papers.paper import Experiment, Footnote, Paper, PublishedRow

PAPERS: dict[str, Paper] = {
    module.PAPER.name: module.PAPER for module in (lil_hdoc, cho2025, goodarm)
}


def find_paper(name: str) -> Paper:
    """The paper of this name."""
    if name not in PAPERS:
        raise must_be_one_of("paper", "reproduce", PAPERS, name)
    return PAPERS[name]


__all__ = ["PAPERS", "Experiment", "Footnote", "Paper", "PublishedRow", "find_paper"]
