"""Reading of tables: files, streams, frames, dicts and arrays to each arm's counts or rewards.

It knows no rule and no statistics: single rewards go to a sink that the caller gives.

================= =====================================================================
inputs            what a table may be: files, streams, frames, dicts, arrays
requests          what a caller wants of a table, and who takes its single rewards
read_options      how a table is to be read, and notes on how it was read
text_reader       encodings, lines, and what comes before a header
csv_reader        CSV in chunks
json_reader       JSON lines in chunks
workbook_reader   sheets of a workbook
optional_formats  files that another library reads
engines           lazy and remote tables, and streams
pushdown          raw rewards counted inside an engine
counted_arms      counts of arms that were counted elsewhere, such as in logs
headers           which column is which
chunks            some rows of a table, as they were given
numerals          numbers as people write them
rates             a rate beside pulls as successes
arms              the arms in the order of first sight
per_arm_columns   each arm's own threshold, or number of cases
cases             cases that come again under one arm
counts            each arm's counts with one decimal sign
table_counts      the door: any table to each arm's counts
samples           any raw table to each arm's rewards
table_errors      all errors of a table at once
================= =====================================================================
"""

from goodarm.tables.counted_arms import COLUMNS, CountedArms
from goodarm.tables.read_options import Reading, ReadOptions, Repeats, Sign
from goodarm.tables.requests import (
    LogFactors,
    RewardRequest,
    RewardSink,
    TableRequest,
    ValueRequest,
)
from goodarm.tables.samples import Samples, read_samples
from goodarm.tables.table_counts import TableCounts, read_counts

__all__ = [
    "COLUMNS",
    "CountedArms",
    "LogFactors",
    "ReadOptions",
    "Reading",
    "Repeats",
    "RewardRequest",
    "RewardSink",
    "Samples",
    "Sign",
    "TableCounts",
    "TableRequest",
    "ValueRequest",
    "read_counts",
    "read_samples",
]
