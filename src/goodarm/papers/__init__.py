"""Papers are data: instances, algorithms, runs, delta, published rows, theory. They run nothing.

========== ========================================================================
registry   papers by name, loaded when they are named
paper      what a paper declares
theory     what it may declare as its theory
lil_theory the theory of lil'HDoC, and lower bounds
made_up    instances of rewards that are not plain 0/1 ones
========== ========================================================================

Every other file is a paper.
"""

from goodarm.papers.paper import Experiment, Footnote, Paper, PublishedRow
from goodarm.papers.registry import PAPERS, find_paper
from goodarm.papers.theory import Theory

__all__ = ["PAPERS", "Experiment", "Footnote", "Paper", "PublishedRow", "Theory", "find_paper"]
