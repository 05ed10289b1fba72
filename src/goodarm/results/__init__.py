"""What goodarm answers with: plain objects that know no rule."""

from goodarm.results.check_table import CheckTable
from goodarm.results.gate import GateResult
from goodarm.results.plan import Expected, Forecast, Plan
from goodarm.results.runs import Runs
from goodarm.results.summary import Summary, SummaryRow
from goodarm.results.verdict import ArmReport, ArmReports, Label, Pull, Verdict
from goodarm.results.waiting import Waiting

__all__ = [
    "ArmReport",
    "ArmReports",
    "CheckTable",
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
