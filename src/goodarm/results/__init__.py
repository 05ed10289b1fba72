"""What goodarm answers with: Pull, Verdict, ArmReport, Runs. Plain objects that know no rule."""

from goodarm.results.runs import Runs
from goodarm.results.summary import Summary, SummaryRow
from goodarm.results.verdict import ArmReport, Label, Pull, Verdict

__all__ = ["ArmReport", "Label", "Pull", "Runs", "Summary", "SummaryRow", "Verdict"]
