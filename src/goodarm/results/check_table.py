"""What ``check`` returns: an ArmReport for each arm, as a table with labels and intervals."""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from functools import cached_property
from typing import Any, Final, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from goodarm.errors import must
from goodarm.hooks import plot_arms
from goodarm.problem import Arm
from goodarm.results.check_notes import asked_of, notes_of, subject_of
from goodarm.results.check_rows import Group, Row, cells_of, header_of, html_of, text_rows
from goodarm.results.frames import Backend, arm_column, to_frame
from goodarm.results.names import visible
from goodarm.results.notebook import plain
from goodarm.results.table import format_number, text_table
from goodarm.results.verdict import ArmReport, Label

Axes = TypeVar("Axes")

_LABELS: Final[dict[int, Label]] = {1: "good", -1: "bad", 0: "undecided"}
_CODES: Final = {label: code for code, label in _LABELS.items()}
_LARGEST_LOG: Final = 709.0
_HOW: Final = ("read_as", "is_planned", "advice")
"""Fields that say how numbers were found, and are no part of them."""
_ASKED: Final = (
    *("threshold", "delta", "control", "margin", "rewards", "low", "high", "arms_planned", "rule"),
)
_ASKED_LATER: Final = ("rule_parameters", "sigma", "gap", "pool", "case_order", "delta_listed")
"""Left out of documents where nothing was asked."""


@dataclass(frozen=True, eq=False, repr=False)
class CheckTable(Sequence[ArmReport]):
    """The arms of a table of counts, in its order; shown sorted: bad, undecided, good.

    A sequence of ArmReports; two tables are equal if what was asked and all numbers are. The
    numbers are arrays too:

    Args:
        arms: the arms' labels.
        pulls: rewards of each arm.
        labels: 1 good, -1 bad, 0 undecided.
        mean, lower, upper: nan for arms without rewards. An arm is good when its lower bound
            reaches threshold - margin, bad when its upper bound is at most threshold + margin, or
            below it in a pool; where both are so, good when its mean reaches the threshold. Of 0/1
            rewards in a pool both are whole numbers out of its cases.
        log_good, log_bad: logs of the e-values.
        needed, needed_90: further pulls until a label, the median and enough in 90 % of all cases
            if every mean was equally likely beforehand; infinite where unclear.
        threshold, delta, control, margin, rewards, low, high, arms_planned, rule: what was asked;
            the threshold is None where arms have their own.
        rule_parameters: the settings of that rule, as a gap makes them; without those that differ
            among arms' thresholds.
        sigma, gap, pool, case_order: likewise, None where nothing was asked.
        thresholds, pools: each arm's own threshold and number of cases, None where they do not
            differ.
        delta_listed: the smaller delta of the lists, where a pool's order asks for it under fdr.
        is_planned: whether the number of arms was fixed beforehand, and not found in the table.
        read_as: how the table was read, where it was not in the documented form.
        advice: another rule, for the next experiment, if that would have needed far fewer pulls.
        rule_title: the rule's name with the settings that are not its defaults; its name if empty.
    """

    arms: tuple[Arm, ...]
    pulls: NDArray[np.int64]
    labels: NDArray[np.int8]
    mean: NDArray[np.float64]
    lower: NDArray[np.float64]
    upper: NDArray[np.float64]
    log_good: NDArray[np.float64]
    log_bad: NDArray[np.float64]
    needed: NDArray[np.float64]
    needed_90: NDArray[np.float64]
    threshold: float | None
    delta: float
    control: str
    margin: float
    rewards: str
    low: float | None
    high: float | None
    arms_planned: int
    rule: str = "mixture"
    rule_parameters: Mapping[str, Any] | None = None
    sigma: float | None = None
    gap: float | None = None
    pool: int | None = None
    case_order: str | None = None
    thresholds: NDArray[np.float64] | None = None
    pools: NDArray[np.int64] | None = None
    delta_listed: float | None = None
    is_planned: bool = False
    read_as: str = ""
    advice: str = ""
    rule_title: str = ""

    def __len__(self) -> int:
        return len(self.arms)

    def __eq__(self, other: object) -> bool:
        """Whether all that was asked and all numbers are the same; a missing one equals another.

        How the tables were read does not matter.
        """
        if not isinstance(other, CheckTable):
            return NotImplemented
        names = [field.name for field in fields(self) if field.name not in _HOW]
        pairs = ((getattr(self, name), getattr(other, name)) for name in names)
        return all(
            np.array_equal(mine, theirs, equal_nan=True)
            if isinstance(mine, np.ndarray)
            else mine == theirs
            for mine, theirs in pairs
        )

    @overload
    def __getitem__(self, position: int) -> ArmReport: ...

    @overload
    def __getitem__(self, position: slice) -> list[ArmReport]: ...

    def __getitem__(self, position: int | slice) -> ArmReport | list[ArmReport]:
        if isinstance(position, slice):
            return [self[index] for index in range(*position.indices(len(self)))]
        return ArmReport(
            arm=self.arms[position],
            pulls=int(self.pulls[position]),
            mean=_number(self.mean[position]),
            lower=_number(self.lower[position]),
            upper=_number(self.upper[position]),
            e_good=_number(self.e_good[position]),
            e_bad=_number(self.e_bad[position]),
            label=_LABELS[int(self.labels[position])],
            labelled_at=None,
            pulls_needed=_whole(self.needed[position]),
            pulls_needed_90=_whole(self.needed_90[position]),
        )

    def __iter__(self) -> Iterator[ArmReport]:
        return (self[position] for position in range(len(self)))

    def explain(self, arm: Arm) -> ArmReport:
        """The report of one arm, by its label."""
        position = self._positions.get(str(arm))
        if position is None or isinstance(arm, bool):
            raise must("arm", "CheckTable.explain", "be one of the arms of the table", arm)
        return self[position]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {str(arm): position for position, arm in enumerate(self.arms)}

    @cached_property
    def e_good(self) -> NDArray[np.float64]:
        """The e-values against "not good", cut off at the largest number there is."""
        return np.asarray(np.exp(np.minimum(self.log_good, _LARGEST_LOG)))

    @cached_property
    def e_bad(self) -> NDArray[np.float64]:
        """The e-values against "not bad"."""
        return np.asarray(np.exp(np.minimum(self.log_bad, _LARGEST_LOG)))

    @property
    def good(self) -> list[Arm]:
        """The arms proven good, in the table's order."""
        return self._labelled("good")

    @property
    def bad(self) -> list[Arm]:
        """The arms proven bad."""
        return self._labelled("bad")

    @property
    def undecided(self) -> list[Arm]:
        """The arms that are neither yet."""
        return self._labelled("undecided")

    def _labelled(self, label: Label) -> list[Arm]:
        return [self.arms[position] for position in np.flatnonzero(self.labels == _CODES[label])]

    def ranked(self, label: Label) -> NDArray[np.intp]:
        """Positions of the arms with a label, first what matters most.

        Bad arms by their upper bound, the worst first; undecided ones by the pulls they still need,
        the soonest first; good ones by their lower bound, the best first.
        """
        keys = {"bad": self.upper, "undecided": self.needed, "good": -self.lower}
        chosen = np.flatnonzero(self.labels == _CODES[label])
        return np.asarray(chosen[np.argsort(keys[label][chosen], kind="stable")])

    @property
    def summary(self) -> str:
        """The outcome in a line."""
        counts = ", ".join(
            f"{int((self.labels == code).sum()):,} {label}" for code, label in _LABELS.items()
        )
        return f"{subject_of(asked_of(self))}: {counts}."

    @property
    def notes(self) -> tuple[str, ...]:
        """What is promised, why looking every day is allowed, and what is needed of the data."""
        return notes_of(asked_of(self))

    def remarks(self, planned: str) -> tuple[str, ...]:
        """The notes for a reader who says how many arms there may be by this option."""
        return notes_of(asked_of(self), planned)

    def to_dict(self) -> dict[str, Any]:
        """Everything as a JSON document, the arms in the table's order."""
        asked = {name: getattr(self, name) for name in _ASKED}
        later = {name: getattr(self, name) for name in _ASKED_LATER}
        asked |= {name: value for name, value in later.items() if value is not None}
        return {
            "kind": "check",
            "format": 1,
            **asked,
            "num_good": int((self.labels == 1).sum()),
            "num_bad": int((self.labels == -1).sum()),
            "num_undecided": int((self.labels == 0).sum()),
            **({"advice": self.advice} if self.advice else {}),
            "arms": self._entries(),
        }

    def _entries(self) -> list[dict[str, Any]]:
        """Every report as ``to_dict`` gives it, with its successes or sum besides, at once."""
        columns = {
            name: column.tolist() if isinstance(column, np.ndarray) else column
            for name, column in self.columns().items()
        }
        for name in ("mean", "lower", "upper", "e_good", "e_bad"):
            columns[name] = list(map(_number, columns[name]))
        for name in ("pulls_needed", "pulls_needed_90"):
            columns[name] = list(map(_whole, columns[name]))
        columns["labelled_at"] = [None] * len(self)
        rows = zip(*columns.values(), strict=True)
        return [dict(zip(columns, row, strict=True)) for row in rows]

    def columns(self) -> dict[str, Any]:
        """The reports as columns, in the table's order; ``check`` reads them again.

        The fourth column is successes, or sum for other rewards; then come the arms' own
        thresholds and pools, where they differ.
        """
        counted = "successes" if self.rewards == "bernoulli" else "sum"
        return {
            "arm": list(self.arms),
            "label": [_LABELS[int(code)] for code in self.labels],
            "pulls": self.pulls,
            counted: self._sums(),
            **self._own,
            "mean": self.mean,
            "lower": self.lower,
            "upper": self.upper,
            "e_good": self.e_good,
            "e_bad": self.e_bad,
            "pulls_needed": self.needed,
            "pulls_needed_90": self.needed_90,
        }

    @property
    def _own(self) -> dict[str, NDArray[Any]]:
        """What arms have of their own, by the names of the columns."""
        own = {"threshold": self.thresholds, "pool": self.pools}
        return {name: values for name, values in own.items() if values is not None}

    def _sums(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """Successes of each arm, or the sum of its rewards; 0 before the first."""
        sums = np.where(self.pulls > 0, np.nan_to_num(self.mean) * self.pulls, 0.0)
        return np.rint(sums).astype(np.int64) if self.rewards == "bernoulli" else sums

    def to_pandas(self) -> Any:
        """A pandas frame with a row for each arm; infinite pulls needed where unclear."""
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """A polars frame with a row for each arm."""
        return self._to_frame("polars")

    def _to_frame(self, backend: Backend) -> Any:
        columns = self.columns() | {"arm": arm_column(self.arms)}
        return to_frame("CheckTable", backend, columns)

    @overload
    def plot(self, ax: None = None) -> Any: ...

    @overload
    def plot(self, ax: Axes) -> Axes: ...

    def plot(self, ax: Any = None) -> Any:
        """Draw each arm's interval against the threshold, as ``goodarm check --plot`` does.

        Args:
            ax: matplotlib's Axes to draw into, which are returned; those of a new figure, which a
                notebook shows, unless given.
        """
        return plot_arms(self, ax)

    def _shown(self) -> list[Group]:
        """Each label that there is: how many arms have it, and the first of them."""
        labels: tuple[Label, ...] = ("bad", "undecided", "good")
        ranked = [(label, self.ranked(label)) for label in labels]
        return [Group.of(label, found.tolist(), self._row) for label, found in ranked if len(found)]

    def _row(self, position: int) -> Row:
        bar = self.threshold if self.thresholds is None else self.thresholds[position]
        own = tuple(format_number(float(values[position])) for values in self._own.values())
        return Row(self[position], math.nan if bar is None else float(bar), own)

    def cells(self, position: int) -> tuple[str, ...]:
        """The cells of one row of the table for people."""
        return cells_of(self._row(position))

    def rows(self) -> list[tuple[str, ...]]:
        """The cells of the table for people; labels with many arms are cut short."""
        return text_rows(self._shown())

    @property
    def _remarks(self) -> list[str]:
        """The notes, and how the table was read where that is worth a line."""
        read = f"How the table was read: {visible(self.read_as)}."
        return [*self.notes, read] if self.read_as else [*self.notes]

    @property
    def header(self) -> tuple[str, ...]:
        """The names of the table's columns for people."""
        return header_of(tuple(self._own))

    def __repr__(self) -> str:
        return "\n".join([self.summary, text_table(self.header, self.rows()), *self._remarks])

    def _repr_html_(self) -> str:
        notes = "<br>".join(map(plain, self._remarks))
        return f"{html_of(self.summary, self.header, self._shown())}<p>{notes}</p>"


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _whole(value: float) -> int | None:
    return int(value) if math.isfinite(value) else None
