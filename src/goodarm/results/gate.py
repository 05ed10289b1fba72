"""Result of a gate: one arm compared with its threshold, as a yes or no for a pipeline."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, get_args

from goodarm.arguments import check_count, check_document
from goodarm.errors import invalid_choice
from goodarm.old_names import RefusesOldNames
from goodarm.problem import Label
from goodarm.results.arm_table import ArmTable
from goodarm.results.verdict import ArmReport
from goodarm.views.names import printable
from goodarm.views.numbers import format_bound, format_count, format_money

_REPORTED: Final = (
    "arm",
    "pulls",
    "mean",
    "lower",
    "upper",
    "e_good",
    "e_bad",
    "label",
    "labelled_at",
    "pulls_needed",
    "pulls_needed_90",
)
"""Fields of a document that are those of an ArmReport; ``reason`` may be among them."""
_GATE_FIELDS: Final = {
    "passes": "passes",
    "lost": "lost",
    "threshold": "threshold",
    "delta": "delta",
    "margin": "margin",
    "max_pulls": "max_runs",
    "pool": "pool",
}
"""Other keys of a document, and the attributes that they hold."""
_MONEY_KEYS: Final = ("cost", "spent", "max_cost")
"""Keys of a document whose runs have a cost."""
_OTHER_KEYS: Final = ("reason", "waits", *_MONEY_KEYS, "error", "skipped", "delta_asked")
"""Keys that a document may have; the last three are added by the report of the pytest plugin."""
_PROBLEM_FIELDS: Final = ("threshold", "delta", "margin", "pool")


@dataclass(frozen=True, repr=False)
class GateResult(RefusesOldNames):
    """Verdict on a pass rate; in ``if result:`` it is true only if the label is good.

    Args:
        arm_table: the table of its one arm, which ``table()`` returns.
        passes: runs that passed.
        lost: runs that have no outcome, and count as the worst in both tests.
        max_runs: the most runs that were allowed; None without a limit.
        max_cost: the most money that was allowed, if any was: ``max_runs`` are no more than that
            pays for.

    >>> import goodarm as ga
    >>> result = ga.prove(lambda: True, threshold=0.9)
    >>> bool(result), result.label, result.failures
    (True, 'good', 0)
    """

    arm_table: ArmTable
    passes: int
    lost: int
    max_runs: int | None = None
    max_cost: float | None = None

    def table(self) -> ArmTable:
        """Return the arm's numbers as a table of one row, as ``check`` returns them."""
        return self.arm_table

    @cached_property
    def report(self) -> ArmReport:
        """Numbers of the arm: label, pulls, mean, interval, e-values, pulls needed."""
        return self.arm_table[0]

    @property
    def threshold(self) -> float:
        """Threshold that was asked."""
        return float(self.arm_table.threshold or 0.0)

    @property
    def delta(self) -> float:
        """Delta that was asked."""
        return self.arm_table.delta

    @property
    def margin(self) -> float:
        """Margin that was asked."""
        return self.arm_table.margin

    @property
    def pool(self) -> int | None:
        """Number of cases, where runs are cases of a fixed set."""
        return self.arm_table.pool

    @property
    def label(self) -> Label:
        """Label: good, bad or undecided."""
        return self.report.label

    @property
    def pulls(self) -> int:
        """Runs that count, lost ones among them."""
        return self.report.pulls

    @property
    def spent(self) -> float | None:
        """Money of all runs that were begun; None if a run has no cost."""
        return self.report.spent

    @property
    def failures(self) -> int:
        """Runs that failed."""
        return self.pulls - self.passes - self.lost

    @property
    def interval(self) -> tuple[float, float] | None:
        """Bounds of the pass rate; the label follows when they cross the threshold."""
        if self.report.lower is None or self.report.upper is None:
            return None
        return self.report.lower, self.report.upper

    @property
    def pulls_needed(self) -> int | None:
        """Further runs until a label, the median; None where that is unclear."""
        return self.report.pulls_needed

    @property
    def sentence(self) -> str:
        """Verdict in words: what is proven, by which runs, and what would still be needed."""
        runs = "case" if self.pool is not None else "run"
        if not self.pulls:
            return f"undecided: no {runs} has finished yet."
        lost = f", {self.lost} lost" if self.lost else ""
        runs += "s" if self.pulls > 1 else ""
        counts = f"{format_count(self.passes)} of {format_count(self.pulls)} {runs} passed{lost}"
        money = "" if self.spent is None else f"; spent {format_money(self.spent)}"
        return f"{self.label}: {counts}; {self._describe_proof()}{money}."

    def _describe_proof(self) -> str:
        bounds = (self.report.lower, self.report.upper)
        low, high = (format_bound(bound, self.threshold) for bound in bounds)
        good, bad = (f"{self.threshold + side * self.margin:.12g}" for side in (-1, 1))
        if self.label == "good":
            return f"the pass rate is at least {good} (interval {low} to {high})"
        if self.label == "bad":
            return f"the pass rate is below {bad} (interval {low} to {high})"
        interval = f"the interval {low} to {high}"
        return f"{self.threshold:.12g} lies within {interval}; {self._describe_needed()}"

    def _describe_needed(self) -> str:
        """Describe how many more runs a label would take."""
        if self.report.reason is not None:
            return self.report.reason
        needed, most = self.report.pulls_needed, self.report.pulls_needed_90
        if needed is None:
            return "how many more are needed is unclear, because the pass rate is so close to it"
        nine = "" if most is None else f" ({format_count(most)} in 9 of 10 cases)"
        return f"a label needs about {format_count(needed)} more{nine}"

    def __bool__(self) -> bool:
        """Return whether the pass rate is proven to reach the threshold."""
        return self.label == "good"

    def __repr__(self) -> str:
        return f"<GateResult of {printable(self.report.arm)}: {self.sentence}>"

    def to_dict(self) -> dict[str, Any]:
        """Return the result as a flat JSON document."""
        fields = {key: getattr(self, name) for key, name in _GATE_FIELDS.items()}
        if self.max_cost is not None:
            fields["max_cost"] = self.max_cost
        return {"kind": "gate", "format": 1, **self.report.to_dict(), **fields}

    @classmethod
    def from_dict(cls, document: object) -> "GateResult":
        """Return the result that ``to_dict`` wrote.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the document is not a gate's, or its numbers do not go together.
        """
        fields: Mapping[str, Any] = check_document(
            document, "gate", (*_REPORTED, *_GATE_FIELDS), _OTHER_KEYS
        )
        owner = "the gate document"
        pulls = check_count("pulls", owner, fields["pulls"], least=0)
        passes = check_count("passes", owner, fields["passes"], least=0, most=pulls)
        check_count("lost", owner, fields["lost"], least=0, most=pulls - passes)
        if fields["label"] not in get_args(Label):
            raise invalid_choice("label", owner, get_args(Label), fields["label"])
        return cls.from_fields(fields)

    @classmethod
    def from_fields(cls, fields: Mapping[str, Any]) -> "GateResult":
        """Return the result with these fields of a document; a missing one is None.

        Args:
            fields: keys and values of a gate's document.
        """
        names = (*_REPORTED, "reason", "lost", "cost", "spent")
        report: dict[str, Any] = {name: fields.get(name) for name in names}
        asked = make_gate_fields(**{name: fields.get(name) for name in _PROBLEM_FIELDS})
        table = ArmTable.from_reports([ArmReport(**report)], **asked)
        numbers: dict[str, Any] = {name: fields.get(name) for name in ("passes", "lost")}
        numbers |= {"max_runs": fields.get("max_pulls"), "max_cost": fields.get("max_cost")}
        return cls(table, **numbers)


def make_gate_fields(threshold: Any, delta: Any, margin: Any, pool: Any) -> dict[str, Any]:
    """Return the fields of an ArmTable that say what was asked of a gate."""
    return {
        "threshold": threshold,
        "delta": delta,
        "control": "fwer",
        "margin": margin,
        "rewards": "bernoulli",
        "low": None,
        "high": None,
        "arms_planned": 1,
        "pool": pool,
        "is_planned": True,
    }
