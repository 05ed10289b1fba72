"""Readers of other tools' result files, which count each arm's pulls and successes.

=============== ==========================================================================
loader          function ``read_logs``, which users call
log_files       paths and globs resolved to files, each log once
registry        readers by name, goodarm's own and those of other packages
reader          the reader interface, and the options a reader gets
attempts        the attempts that a reader yields
attempt_counter attempts added up to each arm's counts
log_table       result of ``read_logs``: counts that ``tables`` accepts directly
scores          scores converted to outcomes
json_text       JSON and JSON lines of limited size and depth
junit           JUnit XML: pytest, Surefire, Gradle and other tools
junit_case      outcome of a test case
junit_suites    test suites, and a check of their totals
junit_names     repeat numbers that plugins add to test names
promptfoo       exports of promptfoo
inspect_log     logs of Inspect
inspect_scores  scores of an Inspect sample converted to one outcome
lm_eval         samples of lm-eval
pytest_json     reports of pytest-json-report
lerobot         evaluations of LeRobot
phoenix         experiments of Phoenix
langfuse        exports of Langfuse
traces          answers that were copied
jsonl           one JSON object per line
=============== ==========================================================================
"""

from goodarm.logs.attempts import Attempt, LogNote, Outcome
from goodarm.logs.inspect_scores import find_scores_outcome
from goodarm.logs.loader import read_logs
from goodarm.logs.log_table import LogTable
from goodarm.logs.reader import LogOptions, Reader
from goodarm.logs.registry import find_format, list_formats

__all__ = [
    "Attempt",
    "LogNote",
    "LogOptions",
    "LogTable",
    "Outcome",
    "Reader",
    "find_format",
    "find_scores_outcome",
    "list_formats",
    "read_logs",
]
