"""Results: plain objects that know no rule, and show themselves.

All follow the same conventions. ``summary`` is the outcome in a line, ``notes`` the lines below a
table; ``table()`` is the table of a result that is more than a table, ``header`` and ``rows()`` its
cells for people; ``to_dict`` is a JSON document, ``to_pandas`` and ``to_polars`` a frame, ``plot``
a figure. ``pulls`` are those of each arm where there are arms, and otherwise their total.
"""

from goodarm.problem import Label as Label
from goodarm.results.arm_table import ArmTable
from goodarm.results.boundary import (
    Boundary,
    BoundaryLines,
    BoundarySide,
    BoundaryVerdict,
    VerdictChances,
)
from goodarm.results.document_files import read_document as read_document
from goodarm.results.document_files import write_document as write_document
from goodarm.results.frames import to_frame as to_frame
from goodarm.results.gate import GateResult
from goodarm.results.gate import make_gate_fields as make_gate_fields
from goodarm.results.plan import CONFIDENCE as CONFIDENCE
from goodarm.results.plan import Begun, Expected, Forecast, GapHint, Plan
from goodarm.results.plan import estimate_share_error as estimate_share_error
from goodarm.results.quantity import STOP as STOP
from goodarm.results.quantity import Quantity as Quantity
from goodarm.results.quantity import check_quantity as check_quantity
from goodarm.results.quantity import read_quantity as read_quantity
from goodarm.results.quantity import tau as tau
from goodarm.results.runs import Documents as Documents
from goodarm.results.runs import Runs
from goodarm.results.runs_table import RunsRow, RunsTable
from goodarm.results.theory import Fact as Fact
from goodarm.results.theory import Widths as Widths
from goodarm.results.verdict import ArmReport, Pull, Verdict
from goodarm.results.waiting_rewards import LONG_SECONDS as LONG_SECONDS
from goodarm.results.waiting_rewards import REMEDY as REMEDY
from goodarm.results.waiting_rewards import Waiting
from goodarm.results.waiting_rewards import describe_waiting as describe_waiting

__all__ = [
    "ArmReport",
    "ArmTable",
    "Begun",
    "Boundary",
    "BoundaryLines",
    "BoundarySide",
    "BoundaryVerdict",
    "Expected",
    "Forecast",
    "GapHint",
    "GateResult",
    "Plan",
    "Pull",
    "Runs",
    "RunsRow",
    "RunsTable",
    "Verdict",
    "VerdictChances",
    "Waiting",
]
"""Public names; what else is imported here is for other packages of goodarm."""
