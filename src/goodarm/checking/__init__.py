"""A table of counts, judged at once.

======== ===============================================================================
check    what users call
asking   what is asked, from keywords or a Problem
form     what a reader is asked for, and what it found out
sources  what a table may be: files, streams, frames, dicts, arrays
engines  lazy and remote tables, and streams
pushdown raw rewards counted inside an engine
textfile encodings, lines, and what comes before a header
csvfile  CSV in chunks
jsonfile JSON lines in chunks
workbook sheets of a workbook
foreign  files that another library reads
headers  which column is which
chunk    some rows of a table, as they were given
numerals numbers as people write them
rates    a rate beside pulls as successes
arms     the arms in the order of first sight
own      each arm's own threshold, or number of cases
account  each arm's counts with one decimal sign
cases    cases that come again under one arm
spread   whether a sigma can be true
stakes   the bets on arms, and what they make
values   how often each value came, in little memory
ordered  scores out of a pool, in their order
faults   what is wrong, all of it at once
totals   chunks of rows, checked and added up to each arm's counts
samples  chunks of rows, checked and kept as each arm's rewards
judge    counts to labels, intervals, e-values and pulls needed
======== ===============================================================================
"""

from goodarm.checking.check import check

__all__ = ["check"]
