"""One run's answers: the pull asked for, one arm's numbers, the verdict on all arms."""

import math
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, NamedTuple

import numpy as np
from numpy.typing import NDArray

from goodarm.problem import Arm
from goodarm.results.frames import Backend, arm_column, to_frame
from goodarm.results.names import printable
from goodarm.results.notebook import html_table, plain
from goodarm.results.table import format_count, format_number, shorten, text_table
from goodarm.results.waiting import Waiting, waiting_notes

Label = Literal["good", "bad", "undecided"]

HELD_UP: Final = "waits"
"""In place of the pulls that an arm needs: its test waits for a missing reward."""
_ROWS_SHOWN = 40
_HEADER = ("arm", "label", "pulls", "mean", "lower", "upper", "labelled at", "pulls needed")


class Pull(NamedTuple):
    """One test to make: pull this arm and tell its reward under this number (the first is 1).

    ``case`` is the one of the arm's pool to make it on, from 0 to N - 1; None without a pool.
    """

    number: int
    arm: Arm
    case: int | None = None

    def __repr__(self) -> str:
        case = "" if self.case is None else f", case={self.case}"
        return f"Pull(number={self.number}, arm={self.arm!r}{case})"


@dataclass(frozen=True)
class Verdict:
    """Which arms are proven good (in order of identification), proven bad, and neither yet.

    ``pulls`` counts the rewards that have come in so far, and the pulls that were lost.
    """

    good: list[Arm]
    bad: list[Arm]
    undecided: list[Arm]
    pulls: int

    def to_dict(self) -> dict[str, Any]:
        """The verdict as a JSON document."""
        return {"kind": "verdict", "format": 1, **asdict(self)}


@dataclass(frozen=True)
class ArmReport:
    """One arm's numbers; once the arm is labelled they are those that decided, and stay.

    Args:
        arm: the label the user gave.
        pulls: rewards that entered the arm's test.
        mean: their average, without lost pulls; None before the first.
        lower, upper: the interval whose crossing of the threshold labels the arm. Each bound holds
            for all arms at once, at every moment, with probability 1 - delta, both together with
            1 - 2 delta. None before the first reward, and for rules that have none.
        e_good, e_bad: the e-values against "not good" and "not bad"; None for rules without them.
        label: "good", "bad" or "undecided".
        labelled_at: total pulls when the arm was labelled.
        pulls_needed: further pulls of this arm until a label, the median: as likely too many as too
            few if every mean was equally likely beforehand. 0 for a labelled arm; None before the
            first pull, and where it is unclear: above 100,000 and a thousand times the arm's pulls.
        pulls_needed_90: as many as are enough in 90 % of all cases.
        reason: why an arm without a label is out of play; None while it is not.
        waits: rewards that came in and are not among ``pulls``, because they wait behind a missing
            one; None if none do.
    """

    arm: Arm
    pulls: int
    mean: float | None
    lower: float | None
    upper: float | None
    e_good: float | None
    e_bad: float | None
    label: Label
    labelled_at: int | None
    pulls_needed: int | None
    pulls_needed_90: int | None = None
    reason: str | None = None
    waits: Waiting | None = None

    def to_dict(self) -> dict[str, Any]:
        """The report as a JSON-able dict; without a reason or rewards that wait it has no key."""
        fields = asdict(self)
        for name in ("reason", "waits"):
            if fields[name] is None:
                del fields[name]
        if self.waits is not None:
            fields["waits"] = self.waits.to_dict()
        return fields

    def to_row(self) -> dict[str, Any]:
        """The report as a row of CSV, with the same columns for all arms."""
        waits = self.waits
        return {
            **{name: value for name, value in self.to_dict().items() if name != "waits"},
            "reason": self.reason,
            "waits": 0 if waits is None else waits.rewards,
            "waits_behind": None if waits is None else waits.pull,
        }


class ArmReports(list[ArmReport]):
    """ArmReports in arm order: a list that is shown as a table."""

    def _rows(self) -> Sequence[Sequence[str]]:
        rows = [
            (
                printable(report.arm),
                report.label if report.reason is None else f"{report.label}: {report.reason}",
                format_count(report.pulls),
                format_number(report.mean),
                format_number(report.lower),
                format_number(report.upper),
                format_count(report.labelled_at),
                format_needed(report, report.pulls_needed),
            )
            for report in self
        ]
        return shorten(rows, _ROWS_SHOWN)

    def to_pandas(self) -> Any:
        """A pandas frame with a row for each arm; nan where there is no number.

        Pulls needed are infinite where they are unclear.
        """
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """A polars frame with a row for each arm."""
        return self._to_frame("polars")

    def _to_frame(self, backend: Backend) -> Any:
        return to_frame("ArmReports", backend, self._columns())

    def _columns(self) -> dict[str, Any]:
        return {
            "arm": arm_column(report.arm for report in self),
            "label": [report.label for report in self],
            "pulls": np.array([report.pulls for report in self], np.int64),
            "mean": self._numbers("mean"),
            "lower": self._numbers("lower"),
            "upper": self._numbers("upper"),
            "e_good": self._numbers("e_good"),
            "e_bad": self._numbers("e_bad"),
            "labelled_at": self._numbers("labelled_at"),
            "pulls_needed": self._needed("pulls_needed"),
            "pulls_needed_90": self._needed("pulls_needed_90"),
            "waits": np.array([r.waits.rewards if r.waits else 0 for r in self], np.int64),
        }

    def _needed(self, name: str) -> NDArray[np.float64]:
        values = [getattr(report, name) for report in self]
        return np.array([math.inf if value is None else value for value in values], np.float64)

    def _numbers(self, name: str) -> NDArray[np.float64]:
        return np.array([getattr(report, name) for report in self], np.float64)

    def __repr__(self) -> str:
        return "\n".join([text_table(_HEADER, self._rows()), *waiting_notes(self)])

    def _repr_html_(self) -> str:
        arms = "1 arm" if len(self) == 1 else f"{len(self):,} arms"
        notes = "".join(f"<p>{plain(note)}</p>" for note in waiting_notes(self))
        return html_table(arms, _HEADER, self._rows(), left=2) + notes


def format_needed(report: ArmReport, value: int | None) -> str:
    """Pulls that an arm still needs, for people; a dash for an arm that has not been pulled.

    Where more rewards wait than it is said to need, that number says nothing.
    """
    if report.waits is not None and report.waits.rewards > (value or 0):
        return HELD_UP
    return "unclear" if value is None and report.pulls else format_count(value)
