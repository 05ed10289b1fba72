"""Readers of other tools' result files, which count each arm's pulls and successes.

============ =========================================================================
read         the function that users call
files        paths and globs resolved to files, each log once
registry     readers by name, goodarm's own and those of other packages
reader       the reader interface, and the options a reader gets
attempt      the attempts that a reader yields
count        attempts added up to each arm's counts
log_table    result of ``read_logs``: counts that ``tables`` accepts directly
scores       scores converted to outcomes
jsontext     JSON and JSON lines of limited size and depth
junit        JUnit XML: pytest, Surefire, Gradle and other tools
junit_case   outcome of a test case
junit_suites test suites, and a check of their totals
junit_names  repeat numbers that plugins add to test names
promptfoo    exports of promptfoo
inspect_log  logs of Inspect
lm_eval      samples of lm-eval
jsonl        one JSON object per line
============ =========================================================================
"""

from goodarm.logs.attempt import Attempt, Note, Outcome
from goodarm.logs.inspect_scores import outcome_of_scores
from goodarm.logs.log_table import LogTable
from goodarm.logs.read import read_logs
from goodarm.logs.reader import Options, Reader
from goodarm.logs.registry import formats

__all__ = [
    "Attempt",
    "LogTable",
    "Note",
    "Options",
    "Outcome",
    "Reader",
    "formats",
    "outcome_of_scores",
    "read_logs",
]
