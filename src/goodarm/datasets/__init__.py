"""Instances: the arm means of published experiments, with citations, and their rebuilding.

======== ===========================================================================
instance Instance: means, threshold, citation
shipped  the four instances of the lil'HDoC paper
raw      readers of the raw files
recipes  the shipped numbers computed again from raw files
======== ===========================================================================
"""

from goodarm.datasets.instance import Instance
from goodarm.datasets.recipes import Check, Rebuilt, rebuild
from goodarm.datasets.shipped import load, names

__all__ = ["Check", "Instance", "Rebuilt", "load", "names", "rebuild"]
