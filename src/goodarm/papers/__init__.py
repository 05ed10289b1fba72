"""Papers as data: instances, algorithms, runs, delta, published rows, theory. Nothing runs here.

================= ========================================================================
registry          papers by name, each loaded when it is looked up
paper             Paper and its parts: experiments, published rows, footnotes
theory            Theory: lower bounds, facts and widths that a paper declares
lil_theory        the theory of lil'HDoC, and lower bounds
example_instances invented instances whose rewards are not plain 0/1 ones
================= ========================================================================

Every other file declares a paper.
"""

from goodarm.papers.paper import Footnote, Paper, PaperExperiment, PublishedRow
from goodarm.papers.registry import PAPERS, find_paper
from goodarm.papers.theory import Theory

__all__ = ["PAPERS", "Footnote", "Paper", "PaperExperiment", "PublishedRow", "Theory", "find_paper"]
