"""Table reader: each arm's counts or rewards from files, streams, frames, dicts and arrays.

This package knows no rules or statistics: single rewards go to a sink that the caller gives.

================= =====================================================================
inputs            inputs of any kind: files, streams, frames, dicts, arrays
requests          requests to a table, and the interface of a sink for single rewards
read_options      options for reading a table, and notes on how it was read
text_reader       encodings, lines, and lines before the header
csv_reader        CSV, in chunks
json_reader       JSON lines, in chunks
workbook_reader   sheets of a workbook
optional_formats  file formats that need another library
row_lists         lists of dicts or tuples
pandas_tables     pandas frames and Series, whose index may hold the arms
wide_tables       tables with a column for each arm
engines           lazy and remote tables, and streams
pushdown          raw rewards counted inside an engine
arm_counts        counts from elsewhere, such as logs
headers           matching of column names to meanings
column_names      names of failures, and of what should be small
chunks            blocks of rows, as they were given
numerals          numbers as people write them
rates             successes from rates and pulls
arms              arms in the order of appearance
per_arm_columns   each arm's own threshold, or pool size
cases             repeated cases under one arm
units             rewards averaged by case, question or person
counts            each arm's counts under one decimal sign
table_counts      entry point: each arm's counts from any table
samples           each arm's rewards from any raw table
table_errors      all errors of a table at once
================= =====================================================================
"""

from goodarm.tables.arm_counts import ArmCounts
from goodarm.tables.column_names import is_cost_name, is_failure_name
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
from goodarm.tables.units import (
    RepeatRange,
    UnitAverages,
    average_units,
    count_repeats,
    find_unfinished,
    make_unequal_repeats_error,
)

__all__ = [
    "ArmCounts",
    "LogFactors",
    "ReadOptions",
    "Reading",
    "RepeatRange",
    "Repeats",
    "RewardRequest",
    "RewardSink",
    "Samples",
    "Sign",
    "TableCounts",
    "TableRequest",
    "UnitAverages",
    "ValueRequest",
    "average_units",
    "count_repeats",
    "find_unfinished",
    "is_cost_name",
    "is_failure_name",
    "make_unequal_repeats_error",
    "read_counts",
    "read_samples",
]
