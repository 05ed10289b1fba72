"""What goodarm answers with: plain objects that know no rule."""

from goodarm.results.check_table import CheckTable
from goodarm.results.runs import Runs
from goodarm.results.summary import Summary, SummaryRow
from goodarm.results.verdict import ArmReport, Label, Pull, Verdict

__all__ = ["ArmReport", "CheckTable", "Label", "Pull", "Runs", "Summary", "SummaryRow", "Verdict"]
