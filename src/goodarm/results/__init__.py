"""What goodarm answers with: plain objects that know no rule."""

from goodarm.problem.labels import Label
from goodarm.results.arm_table import ArmTable
from goodarm.results.gate import GateResult
from goodarm.results.plan import Expected, Forecast, Plan
from goodarm.results.runs import Runs
from goodarm.results.summary import Summary, SummaryRow
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
    "Summary",
    "SummaryRow",
    "Verdict",
    "Waiting",
]
