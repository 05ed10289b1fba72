"""Reproduction: runs any paper, and knows none.

======= ==========================================================================
runner  reproduce: every instance with every algorithm
fitting which algorithms take an instance's rewards
compare whether our number and a published one agree
section what the report says of one instance
======= ==========================================================================
"""

from goodarm.reproduce.runner import reproduce

__all__ = ["reproduce"]
