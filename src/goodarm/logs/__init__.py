"""Other tools' files to arms, pulls and successes.

============ =========================================================================
read         what users call
files        paths and globs to files, each log once
registry     the readers by name, goodarm's own and those of other packages
reader       what a reader is, and the choices that it is given
attempt      what a reader yields
count        attempts to each arm's counts
log_table    what ``read`` returns: counts that ``tables`` takes as they are
scores       the scores that tools write, to outcomes
jsontext     JSON and JSON lines of limited size and depth
junit        JUnit XML: pytest, Surefire, Gradle, and whatever else writes it
junit_case   how a test case went
junit_suites its suites, and whether their totals fit
junit_names  numbers that plugins put into the names of tests
promptfoo    the exports of promptfoo
inspect_log  the logs of Inspect
lm_eval      the samples of lm-eval
jsonl        one JSON object a line
============ =========================================================================
"""

from goodarm.logs.attempt import Attempt, Note, Outcome
from goodarm.logs.inspect_scores import outcome_of_scores
from goodarm.logs.log_table import LogTable
from goodarm.logs.read import read
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
    "read",
]
