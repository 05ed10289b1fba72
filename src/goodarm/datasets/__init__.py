"""Instances of published experiments: arm means with citations, and how to rebuild them.

========= ==========================================================================
instance  Instance: means, threshold, citation
registry  the four instances of the lil'HDoC paper
raw_files readers for the raw files
recipes   the shipped numbers, recomputed from raw files and compared
========= ==========================================================================
"""

from goodarm.datasets.instance import Instance
from goodarm.datasets.recipes import NumberCheck, RebuildReport, rebuild
from goodarm.datasets.registry import list_names, load

__all__ = ["Instance", "NumberCheck", "RebuildReport", "list_names", "load", "rebuild"]
