"""A table of counts, judged at once.

======= ===============================================================================
check   what users call
sources what a table may be: files, streams, frames, dicts, arrays
csvfile CSV in chunks
tally   chunks of rows, checked and added up to each arm's counts
judge   counts to labels, intervals, e-values and pulls needed
======= ===============================================================================
"""

from goodarm.checking.check import check

__all__ = ["check"]
