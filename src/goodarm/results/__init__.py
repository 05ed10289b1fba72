"""Results: plain objects that know no rule, and show themselves.

All follow the same conventions. ``summary`` is the outcome in a line, ``notes`` the lines below a
table; ``table()`` is the table of a result that is more than a table, ``header`` and ``rows()`` its
cells for people; ``to_dict`` is a JSON document, ``to_pandas`` and ``to_polars`` a frame, ``plot``
a figure. ``pulls`` are those of each arm where there are arms, and otherwise their total.
"""

from goodarm.problem import Label
from goodarm.results.arm_table import ArmTable
from goodarm.results.frames import to_frame
from goodarm.results.gate import GateResult, gate_fields
from goodarm.results.plan import CONFIDENCE, Expected, Forecast, GapHint, Plan
from goodarm.results.quantity import STOP, Quantity, check_quantity, read_quantity, tau
from goodarm.results.runs import Documents, Runs
from goodarm.results.runs_table import RunsRow, RunsTable
from goodarm.results.theory import Fact, Widths
from goodarm.results.verdict import ArmReport, Pull, Verdict
from goodarm.results.waiting_rewards import LONG_SECONDS, REMEDY, Waiting, describe_waiting

__all__ = [
    "CONFIDENCE",
    "LONG_SECONDS",
    "REMEDY",
    "STOP",
    "ArmReport",
    "ArmTable",
    "Documents",
    "Expected",
    "Fact",
    "Forecast",
    "GapHint",
    "GateResult",
    "Label",
    "Plan",
    "Pull",
    "Quantity",
    "Runs",
    "RunsRow",
    "RunsTable",
    "Verdict",
    "Waiting",
    "Widths",
    "check_quantity",
    "describe_waiting",
    "gate_fields",
    "read_quantity",
    "tau",
    "to_frame",
]
