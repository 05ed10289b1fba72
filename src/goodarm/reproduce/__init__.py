"""Reproduction of papers: runs any paper's experiments, and contains nothing about one of them.

================ ==========================================================================
runner           ``reproduce``: every instance with every algorithm
algorithm_choice choice of the algorithms that can take an instance's rewards
agreement        test of whether our number and a published one agree
section          section of the report on one instance
================ ==========================================================================
"""

from goodarm.reproduce.runner import reproduce

__all__ = ["reproduce"]
