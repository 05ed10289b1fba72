"""Results: plain objects that know no rule, and show themselves.

All follow the same conventions. ``summary`` is the outcome in a line, ``notes`` the lines below a
table; ``table()`` is the table of what is more than a table, ``header`` and ``rows()`` its cells
for people; ``to_dict`` is a JSON document, ``to_pandas`` and ``to_polars`` a frame, ``plot`` a
picture. ``pulls`` are those of each arm where there are arms, and one number for all together.
"""

from goodarm.problem.labels import Label
from goodarm.results.arm_table import ArmTable
from goodarm.results.gate import GateResult
from goodarm.results.plan import Expected, Forecast, Plan
from goodarm.results.runs import Runs
from goodarm.results.runs_table import RunsRow, RunsTable
from goodarm.results.verdict import ArmReport, Pull, Verdict
from goodarm.results.waiting import Waiting

__all__ = [
    "ArmReport",
    "ArmTable",
    "Expected",
    "Forecast",
    "GateResult",
    "Label",
    "Plan",
    "Pull",
    "Runs",
    "RunsRow",
    "RunsTable",
    "Verdict",
    "Waiting",
]
