"""Table of arms: label and numbers of each, as columns that are computed once."""

import math
import os
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from pathlib import Path
from typing import Any, Final, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_document
from goodarm.errors import invalid_argument
from goodarm.problem import CODES, LABELS, MONEY_UNITS, Arm, Label, add_money
from goodarm.results import notes as words
from goodarm.results.arm_document import read_columns
from goodarm.results.data_notes import describe_finished_pool, describe_threshold_source
from goodarm.results.document_files import write_document
from goodarm.results.frames import Backend, make_arm_column, to_frame
from goodarm.results.verdict import ArmReport
from goodarm.results.waiting_rewards import Waiting, describe_waiting_rewards
from goodarm.views.arms import format_rows, make_header, make_html_arms, make_text_rows
from goodarm.views.choice import choose_rows, rank_arms
from goodarm.views.columns import get_differing_columns
from goodarm.views.csv_lines import format_csv_lines
from goodarm.views.html import escape_html
from goodarm.views.names import printable, visible
from goodarm.views.numbers import format_money, format_percent, name_some, plural
from goodarm.views.problem_text import ProblemFacts, describe_bars
from goodarm.views.text import make_text_table

Axes = TypeVar("Axes")

_LARGEST_LOG: Final = 709.0
_DESCRIPTIVE_FIELDS: Final = (
    *("read_as", "is_planned", "advice", "rewards_note", "rule_title", "is_percent"),
)
"""Fields that say how numbers were found, or describe them; equality ignores them."""
_PROBLEM_FIELDS: Final = (
    *("threshold", "delta", "control", "margin", "rewards", "low", "high", "arms_planned", "rule"),
)
_OPTIONAL_PROBLEM_FIELDS: Final = (
    "rule_parameters",
    "sigma",
    "gap",
    "pool",
    "case_order",
    "unit",
    "delta_listed",
    "looks",
)
"""Optional fields: left out of documents where they are None."""
_DERIVED_KEYS: Final = (
    *("num_good", "num_bad", "num_undecided", "advice", "rewards_note"),
    *("read_as", "exit_code", "exit_reason"),
)
"""Keys of documents, of the command line too, that say how or repeat what the others say."""
_ARRAY_FIELDS: Final = (
    *("pulls", "labels", "mean", "lower", "upper", "log_good", "log_bad", "needed", "needed_90"),
    *("thresholds", "pools", "labelled_at", "labelled_pulls", "p_good", "p_bad", "lost"),
    *("cost", "spent"),
)
_MAPPINGS: Final = ("reasons", "waits", "memory")
"""Fields with an entry for some arms, by position."""
_LOGS: Final = {"log_good": "e_good", "log_bad": "e_bad"}
_MONEY_COLUMNS: Final = ("cost", "spent", "expected", "expected_90")
"""Columns of tables whose pulls have a cost."""
_NULLABLE_COLUMNS: Final = (
    *("mean", "lower", "upper", "e_good", "e_bad", "p_good", "p_bad"),
    *_MONEY_COLUMNS,
)
"""Columns that have None in place of nan."""
_LIVE_CSV_COLUMNS: Final = (
    *("arm", "pulls", "mean", "lower", "upper", "e_good", "e_bad", "label", "labelled_at"),
    *("pulls_needed", "pulls_needed_90", "reason", "waits", "waits_behind"),
)
"""Columns of the CSV file of a live experiment, beside those of its rewards."""


@dataclass(frozen=True, eq=False, repr=False)
class ArmTable(Sequence[ArmReport]):
    """Arms in their order, with label, interval, e-values and pulls needed.

    ``check``, ``table()`` of every experiment and ``table()`` of a gate's result return it.

    It is a sequence of ArmReports. An int is always a position, a text always the label of an arm:
    ``table[3]`` is the fourth row, ``table["3"]`` the arm labelled 3 or "3", ``table[:3]`` a table
    of the first three. ``in`` asks for labels: ``"red" in table``, ``3 in table``. Two tables are
    equal if what was asked and all numbers are. People see it sorted: bad, undecided, good.

    The numbers are arrays over arms:

    Args:
        arms: the arms' labels.
        pulls: rewards that entered each arm's test.
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
        unit: what each pull is, such as a question, if its rewards were averaged; None if each
            reward is a pull.
        thresholds, pools: each arm's own threshold and number of cases, None where they do not
            differ.
        delta_listed: the smaller delta of the lists, where a pool's order asks for it under fdr.
        labelled_at: total pulls when each arm was labelled, 0 without a label; None for counts,
            which do not know it.
        reasons: why arms without a label are out of play, by position.
        waits: rewards that wait behind a missing one, by position.
        lost: how many of each arm's pulls have no reward, and count as the worst case in both
            tests; None for counts that do not say.
        is_planned: whether the number of arms was fixed beforehand, and not found in the table.
        read_as: how the table was read, where it was not in the documented form.
        advice: another rule, for the next experiment, if that would have needed far fewer pulls.
        rewards_note: the kind of rewards that fits those seen, if it is not the declared one.
        rule_title: the rule's name with the settings that are not its defaults; its name if empty.
        is_percent: show means, bounds, thresholds and the margin in percent, as the question was
            asked; for people only.
        looks: "once" if the labels hold for a single look; None if for any number of looks.
        p_good, p_bad: p-values against "not good" and "not bad", if they are for one look; there
            are no e-values and no pulls needed then.
        labelled_pulls: the arm's pulls at the look that labelled it first, 0 without a label; None
            unless labels are kept between looks.
        memory: by position, what became of arms since the previous look: "kept" (the label is of an
            earlier look), "opposed" (so it is, and today's counts prove the opposite), "new",
            "absent" (not in today's table; its row is that of the previous look).
        cost: what a pull of each arm costs, as declared, or its average in the table; nan where it
            is not known, None without costs.
        spent: the money spent on each arm's pulls.

    >>> import goodarm as ga
    >>> table = ga.check({"a": (500, 460), "b": (500, 300)}, threshold=0.8)
    >>> table.good, table["b"].label, len(table)
    (['a'], 'bad', 2)
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
    unit: str | None = None
    thresholds: NDArray[np.float64] | None = None
    pools: NDArray[np.int64] | None = None
    delta_listed: float | None = None
    labelled_at: NDArray[np.int64] | None = None
    reasons: Mapping[int, str] = field(default_factory=dict)
    waits: Mapping[int, Waiting] = field(default_factory=dict)
    lost: NDArray[np.int64] | None = None
    is_planned: bool = False
    read_as: str = ""
    advice: str = ""
    rewards_note: str = ""
    rule_title: str = ""
    looks: str | None = None
    p_good: NDArray[np.float64] | None = None
    p_bad: NDArray[np.float64] | None = None
    labelled_pulls: NDArray[np.int64] | None = None
    memory: Mapping[int, str] = field(default_factory=dict)
    is_percent: bool = False
    cost: NDArray[np.float64] | None = None
    spent: NDArray[np.float64] | None = None

    @classmethod
    def from_reports(cls, reports: Iterable[ArmReport], **asked: Any) -> "ArmTable":
        """Return the table of these rows; ``asked`` are the fields that say what was asked.

        Args:
            reports: the rows, in arm order.
            asked: the fields of ArmTable that say what was asked, such as threshold and delta.
        """
        rows = list(reports)
        waits = {k: row.waits for k, row in enumerate(rows) if row.waits is not None}
        reasons = {k: row.reason for k, row in enumerate(rows) if row.reason is not None}
        e_values = {
            name: _make_floats([getattr(row, name) for row in rows]) for name in _LOGS.values()
        }
        has_lost = all(row.lost is not None for row in rows)
        has_money = any(row.spent is not None for row in rows)
        return cls(
            cost=_make_floats([row.cost for row in rows]) if has_money else None,
            spent=_make_floats([row.spent for row in rows]) if has_money else None,
            arms=tuple(row.arm for row in rows),
            pulls=np.array([row.pulls for row in rows], np.int64),
            labels=np.array([CODES[row.label] for row in rows], np.int8),
            mean=_make_floats([row.mean for row in rows]),
            lower=_make_floats([row.lower for row in rows]),
            upper=_make_floats([row.upper for row in rows]),
            log_good=_log(e_values["e_good"]),
            log_bad=_log(e_values["e_bad"]),
            needed=_make_floats([row.pulls_needed for row in rows], math.inf),
            needed_90=_make_floats([row.pulls_needed_90 for row in rows], math.inf),
            labelled_at=np.array([row.labelled_at or 0 for row in rows], np.int64),
            reasons=reasons,
            waits=waits,
            lost=np.array([row.lost for row in rows], np.int64) if has_lost else None,
            **asked,
        )._keep_e_values(e_values)

    def _keep_e_values(self, e_values: Mapping[str, NDArray[np.float64]]) -> "ArmTable":
        """Keep e-values as they were stored: the log of one may round it."""
        self.__dict__.update(e_values)
        return self

    def __len__(self) -> int:
        return len(self.arms)

    def __eq__(self, other: object) -> bool:
        """Return whether all that was asked and all numbers are the same.

        A missing number equals another. How the tables were read does not matter.
        """
        if not isinstance(other, ArmTable):
            return NotImplemented
        names = (each.name for each in fields(self) if each.name not in _DESCRIPTIVE_FIELDS)
        shown = (_LOGS.get(name, name) for name in names)
        return all(_is_same(getattr(self, name), getattr(other, name)) for name in shown)

    @overload
    def __getitem__(self, key: int | str) -> ArmReport: ...

    @overload
    def __getitem__(self, key: slice) -> "ArmTable": ...

    def __getitem__(self, key: int | str | slice) -> "ArmReport | ArmTable":
        if isinstance(key, slice):
            return self.take(range(*key.indices(len(self))))
        if isinstance(key, str):
            if key not in self._positions:
                raise KeyError(f"{key}: the table has no such arm")
            key = self._positions[key]
        try:
            position = range(len(self))[key]
        except IndexError:
            raise IndexError(f"{key}: the table has {plural(len(self), 'arm')}") from None
        return next(self.reports([position]))

    def __iter__(self) -> Iterator[ArmReport]:
        return self.reports(range(len(self)))

    def __contains__(self, arm: object) -> bool:
        """Return whether an arm has this label; or, of an ArmReport, whether it is a row."""
        if isinstance(arm, ArmReport):
            position = self._positions.get(str(arm.arm))
            return position is not None and self[position] == arm
        is_label = isinstance(arm, str | int) and not isinstance(arm, bool)
        return is_label and str(arm) in self._positions

    def reports(self, positions: Sequence[int]) -> Iterator[ArmReport]:
        """Yield the rows at these positions; each column is converted once.

        Args:
            positions: positions in the table, in any order.
        """
        chosen = slice(None) if positions == range(len(self)) else np.array(positions, np.intp)
        labels = [LABELS[code] for code in self.labels[chosen].tolist()]
        at: Iterable[int] = (0,) * len(labels)
        if self.labelled_at is not None:
            at = self.labelled_at[chosen].tolist()
        lost = [None] * len(labels) if self.lost is None else self.lost[chosen].tolist()
        numbers = (self.mean, self.lower, self.upper, self.e_good, self.e_bad)
        columns = zip(
            positions,
            self.pulls[chosen].tolist(),
            *(_replace_nan(each[chosen].tolist()) for each in numbers),
            labels,
            at,
            lost,
            _make_counts(self.needed[chosen]),
            _make_counts(self.needed_90[chosen]),
            strict=True,
        )
        for position, pulls, mean, lower, upper, good, bad, label, moment, gone, *needed in columns:
            since = None if self.labelled_pulls is None else int(self.labelled_pulls[position])
            yield ArmReport(
                arm=self.arms[position],
                pulls=pulls,
                mean=mean,
                lower=lower,
                upper=upper,
                e_good=good,
                e_bad=bad,
                label=label,
                labelled_at=moment or None,
                pulls_needed=needed[0],
                pulls_needed_90=needed[1],
                reason=self.reasons.get(position),
                waits=self.waits.get(position),
                p_good=None if self.p_good is None else _number(self.p_good[position]),
                p_bad=None if self.p_bad is None else _number(self.p_bad[position]),
                labelled_pulls=since or None,
                memory=self.memory.get(position),
                lost=gone,
                cost=None if self.cost is None else _number(self.cost[position]),
                spent=None if self.spent is None else _number(self.spent[position]),
            )

    def take(self, positions: Iterable[int]) -> "ArmTable":
        """Return the table of the arms at these positions, in this order.

        Args:
            positions: positions in the table, in any order.
        """
        chosen = np.fromiter(positions, np.intp)
        columns: dict[str, Any] = {name: getattr(self, name) for name in _ARRAY_FIELDS}
        columns |= {n: column[chosen] for n, column in columns.items() if column is not None}
        places = {int(position): place for place, position in enumerate(chosen)}
        for name in _MAPPINGS:
            known = getattr(self, name).items()
            columns[name] = {places[k]: each for k, each in known if k in places}
        taken = replace(
            self,
            arms=tuple(self.arms[position] for position in chosen),
            **columns,
        )
        kept = {name: self.__dict__[name] for name in _LOGS.values() if name in self.__dict__}
        return taken._keep_e_values({name: each[chosen] for name, each in kept.items()})

    def explain(self, arm: Arm) -> ArmReport:
        """Return one arm's row, by its label, be it text or a number.

        Args:
            arm: the arm's label, never its position.

        Raises:
            SpecError: no arm has this label; the nearest one is suggested.
        """
        position = self._positions.get(str(arm))
        if position is None or isinstance(arm, bool):
            raise invalid_argument(
                "arm", "ArmTable.explain", "be one of the arms of the table", arm
            )
        return self[position]

    @cached_property
    def _positions(self) -> dict[str, int]:
        return {str(arm): position for position, arm in enumerate(self.arms)}

    @cached_property
    def e_good(self) -> NDArray[np.float64]:
        """E-values against "not good", capped at the largest finite number."""
        return np.asarray(np.exp(np.minimum(self.log_good, _LARGEST_LOG)))

    @cached_property
    def e_bad(self) -> NDArray[np.float64]:
        """E-values against "not bad"."""
        return np.asarray(np.exp(np.minimum(self.log_bad, _LARGEST_LOG)))

    @property
    def expected(self) -> NDArray[np.float64]:
        """Money that each arm's pulls needed cost, the median; nan where unclear, or no cost."""
        return self._price(self.needed)

    @property
    def expected_90(self) -> NDArray[np.float64]:
        """Money that is enough in 90 % of all cases."""
        return self._price(self.needed_90)

    def _price(self, needed: NDArray[np.float64]) -> NDArray[np.float64]:
        cost = np.full(len(self), math.nan) if self.cost is None else self.cost
        is_known = np.isfinite(needed)
        units = np.where(is_known, needed, 0.0) * np.rint(cost * MONEY_UNITS)
        return np.where(is_known, units / MONEY_UNITS, math.nan)

    @property
    def total_spent(self) -> float | None:
        """Money spent on all arms, added up exactly; None without costs."""
        return None if self.spent is None else add_money(self.spent.tolist())

    @property
    def good(self) -> list[Arm]:
        """Arms proven good, in the table's order."""
        return self._list_labelled("good")

    @property
    def bad(self) -> list[Arm]:
        """Arms proven bad."""
        return self._list_labelled("bad")

    @property
    def undecided(self) -> list[Arm]:
        """Arms without a label yet."""
        return self._list_labelled("undecided")

    def _list_labelled(self, label: Label) -> list[Arm]:
        return [self.arms[position] for position in np.flatnonzero(self.labels == CODES[label])]

    @cached_property
    def num_by_label(self) -> dict[Label, int]:
        """Number of arms with each label."""
        return {label: int((self.labels == code).sum()) for code, label in LABELS.items()}

    def ranked(self, label: Label) -> NDArray[np.intp]:
        """Return the positions of the arms with a label, the most important first.

        Bad arms by their upper bound, the worst first; undecided ones by the pulls they still need,
        the soonest first; good ones by their lower bound, the best first.

        Args:
            label: ``"good"``, ``"bad"`` or ``"undecided"``.
        """
        return rank_arms(self, label)

    @property
    def summary(self) -> str:
        """Outcome in a line."""
        counts = ", ".join(f"{count:,} {label}" for label, count in self.num_by_label.items())
        return f"{describe_bars(self.question)}: {counts}."

    @property
    def question(self) -> ProblemFacts:
        """Question that was asked of the arms."""
        bars = [self.threshold or 0.0] if self.thresholds is None else self.thresholds
        sizes = self.pools if self.pool is None else [self.pool]
        return ProblemFacts(
            num_arms=len(self),
            thresholds=(float(min(bars)), float(max(bars))),
            delta=self.delta,
            margin=self.margin,
            rewards=self.rewards,
            low=self.low,
            high=self.high,
            sigma=self.sigma,
            pools=None if sizes is None else (int(min(sizes)), int(max(sizes))),
            gap=self.gap,
            is_percent=self.is_percent,
        )

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on the guarantee, on why looking every day is allowed, and on the data."""
        return self.remarks("arms_planned")

    @property
    def promise(self) -> str:
        """The guarantee of the labels, as a sentence: the first of the notes.

        >>> import goodarm as ga
        >>> ga.check({"a": (50, 48)}, threshold=0.8).promise
        'The chance that any of these labels is wrong is at most 5 %.'
        """
        return words.PROMISES[self.control].format(delta=format_percent(self.delta))

    @property
    def looking(self) -> str:
        """Sentence that says when you may look: one of the notes."""
        if self.looks == "once":
            return words.LOOKING_ONCE
        is_list = self.control == "fdr" and self.labelled_pulls is None
        if is_list:
            return words.LOOKING_FDR
        return words.LOOKING_COUNTS if self.labelled_at is None else words.LOOKING

    def remarks(self, planned: str) -> tuple[str, ...]:
        """Return the notes; ``planned`` names the option for the number of arms.

        Args:
            planned: the option as the reader knows it, such as ``--arms-planned``.
        """
        notes = list(self.describe_guarantee(planned))
        test = self.rule_title or self.rule
        if self.rewards == "bounded" and self.rule == "mixture" and not self.advice:
            notes.append(words.TEST_SUMS.format(rule=test))
        elif self.rewards != "bernoulli" or test != "mixture":
            notes.append(words.TEST.format(rule=test))
        notes += filter(None, (self.rewards_note, self.advice, self.money_note))
        return tuple(notes)

    @property
    def money_note(self) -> str:
        """Sentence on the money spent and expected; empty without costs."""
        if self.total_spent is None:
            return ""
        spent = f"Spent: {format_money(self.total_spent)}."
        is_open = self.labels == CODES["undecided"]
        is_open[list(self.reasons)] = False
        if not is_open.any() or self.p_good is not None:
            return spent
        expected = self.expected[is_open]
        known = expected[~np.isnan(expected)]
        unclear = len(expected) - len(known)
        if not len(known):
            return f"{spent} What more is needed is unclear."
        more = f"Expected until all are labelled: {format_money(float(known.sum()))} more"
        arms = f", and what {plural(unclear, 'arm')} cost is unclear" if unclear else ""
        return f"{spent} {more}{arms}."

    def describe_guarantee(self, planned: str) -> tuple[str, ...]:
        """Return the notes on the guarantee and when it holds, without those on the test.

        Args:
            planned: the option as the reader knows it, such as ``--arms-planned``.
        """
        notes = [self.promise, *self._memory_notes]
        if not self.is_planned and self.control != "per-arm":
            notes.append(words.PLANNED.format(planned=planned))
        elif self.arms_planned > len(self) and self.control != "per-arm":
            notes.append(words.ALL_PLANNED.format(arms=plural(self.arms_planned, "arm")))
        if self.thresholds is not None:
            notes.append(words.OWN_BARS)
        if self.delta_listed is not None and self.looks == "once":
            notes.append(words.ANY_DEPENDENCE.format(delta=self.delta_listed))
        elif self.delta_listed is not None:
            notes.append(words.ONE_ORDER.format(delta=self.delta_listed))
        is_rate = self.rewards == "bernoulli"
        needs = words.NEEDS.format(
            mean="rate" if is_rate else "mean",
            rewards="successes and failures" if is_rate else "high and low rewards",
        )
        has_pool = self.pool is not None or self.pools is not None
        if has_pool:
            once = words.RUN_ONCE if self.unit is None else words.COUNTED_ONCE
            needs = words.NEEDS_POOL.format(what="success rate" if is_rate else "mean", once=once)
        notes += [self.looking, needs]
        if self.unit is not None:
            unit = words.UNIT_IN_POOL if has_pool else words.UNIT
            notes.append(unit.format(unit=printable(self.unit)))
        if all_cases := describe_finished_pool(self, self.pool):
            notes.append(all_cases)
        if self.labelled_at is None and (source := describe_threshold_source(self)):
            notes.append(source)
        if self.rewards == "gaussian":
            notes.append(words.NEEDS_GAUSSIAN if self.looks == "once" else words.NEEDS_SIGMA)
        return tuple(filter(None, [*notes, self.lost_note]))

    @property
    def _memory_notes(self) -> list[str]:
        """Notes on the arms whose rows are of an earlier look, or new."""
        found = []
        since = [0] * len(self) if self.labelled_pulls is None else self.labelled_pulls.tolist()
        for what, sentence in words.MEMORY[self.control == "fdr"].items():
            names = [
                printable(self.arms[k])
                + (
                    f" ({LABELS[int(self.labels[k])]} at {plural(since[k], 'pull')})"
                    * (since[k] > 0)
                )
                for k, each in sorted(self.memory.items())
                if each == what
            ]
            if names:
                found.append(sentence.format(arms=name_some(names)))
        return found

    def waiting_notes(self, now: float | None = None) -> list[str]:
        """Describe the arms whose rewards have waited for long, and the remedy.

        Args:
            now: the time in seconds since 1970; the clock's if None.
        """
        return describe_waiting_rewards(self.reports(sorted(self.waits)), now) if self.waits else []

    @property
    def lost_note(self) -> str:
        """Note on the pulls that have no reward, and how they count; empty if there are none."""
        if self.lost is None or not self.lost.any():
            return ""
        some = [f"{self.lost[k]:,} of {printable(self.arms[k])}" for k in np.flatnonzero(self.lost)]
        total = int(self.lost.sum())
        return words.LOST.format(pulls=plural(total, "pull"), counts=name_some(some))

    @property
    def reason_notes(self) -> tuple[str, ...]:
        """Notes on the arms without a label that are out of play, and why."""
        arms: dict[str, list[str]] = {}
        for position, reason in sorted(self.reasons.items()):
            arms.setdefault(reason, []).append(printable(self.arms[position]))
        return tuple(f"No more pulls ({why}): {name_some(names)}." for why, names in arms.items())

    def to_dict(self) -> dict[str, Any]:
        """Return everything as a JSON document, the arms in the table's order."""
        asked = {name: getattr(self, name) for name in _PROBLEM_FIELDS}
        later = {name: getattr(self, name) for name in _OPTIONAL_PROBLEM_FIELDS}
        asked |= {name: value for name, value in later.items() if value is not None}
        return {
            "kind": "check",
            "format": 1,
            **asked,
            **{f"num_{label}": self.num_by_label[label] for label in CODES},
            **{name: text for name, text in self._texts.items() if text},
            "arms": self._make_entries(),
        }

    @property
    def _texts(self) -> dict[str, str]:
        """Sentences that a document keeps, if there are any."""
        return {"advice": self.advice, "rewards_note": self.rewards_note}

    @classmethod
    def from_dict(cls, document: object) -> "ArmTable":
        """Return the table that ``to_dict``, or ``goodarm check --json``, wrote.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the document is not that of a table.
        """
        found = check_document(
            document,
            "check",
            (*_PROBLEM_FIELDS, "arms"),
            (*_OPTIONAL_PROBLEM_FIELDS, *_DERIVED_KEYS),
        )
        columns = read_columns(found["arms"], found["threshold"], found.get("pool"))
        e_values = {name: columns.pop(name) for name in _LOGS.values()}
        columns |= {log: _log(e_values[name]) for log, name in _LOGS.items()}
        asked: dict[str, Any] = {
            name: found.get(name) for name in (*_PROBLEM_FIELDS, *_OPTIONAL_PROBLEM_FIELDS)
        }
        table = cls(
            **asked,
            **columns,
            is_planned=columns["labelled_at"] is not None
            or columns["labelled_pulls"] is not None
            or found["arms_planned"] != len(columns["arms"]),
            read_as=found.get("read_as", ""),
            advice=found.get("advice", ""),
            rewards_note=found.get("rewards_note", ""),
        )
        return table._keep_e_values(e_values)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the document of ``to_dict`` to a file, atomically; ``check(previous=)`` reads it.

        After a crash either the old file or the new one is there, whole.

        Args:
            path: the file, which is replaced if it exists.

        Raises:
            SpecError: the file cannot be written.
        """
        write_document(self.to_dict(), path, "path", "ArmTable.save")

    def _make_entries(self) -> list[dict[str, Any]]:
        """Return every row as ``ArmReport.to_dict`` does, with successes or sum."""
        columns = self._make_plain_columns()
        if self.labelled_at is not None:  # a live document has none, by which it is known as one
            columns.pop(self._counted, None)
        at = [None] * len(self) if self.labelled_at is None else self.labelled_at.tolist()
        columns["labelled_at"] = [moment or None for moment in at]
        if self.looks == "once":
            columns |= dict.fromkeys(("e_good", "e_bad", "pulls_needed", "pulls_needed_90"), at)
        names = tuple(columns)
        rows = [dict(zip(names, row, strict=True)) for row in zip(*columns.values(), strict=True)]
        for position, reason in self.reasons.items():
            rows[position]["reason"] = reason
        for position, waits in self.waits.items():
            rows[position]["waits"] = waits.to_dict()
        if self.labelled_pulls is not None:
            for row, since in zip(rows, self.labelled_pulls.tolist(), strict=True):
                row["labelled_pulls"] = since or None
        for position, what in self.memory.items():
            rows[position]["memory"] = what
        return rows

    def _make_measured_columns(self) -> dict[str, Any]:
        """Return the columns that tables of counts and of live experiments share.

        The fourth column is successes, or sum for other rewards, and the fifth, of a live
        experiment, the pulls among the third that were lost. Then come the arms' own thresholds and
        pools. A table for one look ends with p-values.
        """
        counted = {} if self._has_unknown_sums else {self._counted: self._get_sums()}
        lost = {} if self.lost is None else {"lost": self.lost}
        found = {
            "arm": list(self.arms),
            "label": [LABELS[code] for code in self.labels.tolist()],
            "pulls": self.pulls,
            **counted,
            **lost,
            **get_differing_columns(self),
            "mean": self.mean,
            "lower": self.lower,
            "upper": self.upper,
        }
        if self.p_good is not None and self.p_bad is not None:
            found |= {"p_good": self.p_good, "p_bad": self.p_bad}
        else:
            found |= {
                "e_good": self.e_good,
                "e_bad": self.e_bad,
                "pulls_needed": self.needed,
                "pulls_needed_90": self.needed_90,
            }
        if self.cost is not None and self.spent is not None:
            found |= {"cost": self.cost, "spent": self.spent}
            if self.p_good is None:
                found |= {"expected": self.expected, "expected_90": self.expected_90}
        return found

    def _make_plain_columns(self) -> dict[str, list[Any]]:
        """Return the shared columns as Python's own values, None where there is none."""
        found = {
            name: column.tolist() if isinstance(column, np.ndarray) else column
            for name, column in self._make_measured_columns().items()
        }
        for name in _NULLABLE_COLUMNS:
            if name in found:
                found[name] = _replace_nan(found[name])
        for name in ("pulls_needed", "pulls_needed_90"):
            if name in found:
                found[name] = _make_counts(found[name])
        return found

    @property
    def _has_unknown_sums(self) -> bool:
        """True if rows of a live experiment do not say how many of their pulls were lost."""
        return self.labelled_at is not None and self.lost is None

    @property
    def _counted(self) -> str:
        return "successes" if self.rewards == "bernoulli" else "sum"

    def columns(self) -> dict[str, Any]:
        """Return the rows as columns, in the table's order; ``check`` reads them again.

        The table of a live experiment has the columns lost, labelled_at and waits, too.
        """
        found = self._make_measured_columns()
        if self.labelled_at is None:
            return found
        needed = {name: found.pop(name) for name in ("pulls_needed", "pulls_needed_90")}
        moments = np.where(self.labelled_at > 0, self.labelled_at, math.nan)
        waits = np.zeros(len(self), np.int64)
        for position, each in self.waits.items():
            waits[position] = each.rewards
        return {**found, "labelled_at": moments, **needed, "waits": waits}

    def _get_sums(self) -> NDArray[np.int64] | NDArray[np.float64]:
        """Return the successes of each arm, or the sum of its rewards; 0 before the first."""
        told = self.pulls if self.lost is None else self.pulls - self.lost
        sums = np.where(told > 0, np.nan_to_num(self.mean) * told, 0.0)
        return np.rint(sums).astype(np.int64) if self.rewards == "bernoulli" else sums

    def to_pandas(self) -> Any:
        """Return a pandas frame with a row for each arm; infinite pulls needed where unclear.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """Return a polars frame with a row for each arm.

        Raises:
            MissingExtra: polars is not installed.
        """
        return self._to_frame("polars")

    def _to_frame(self, backend: Backend) -> Any:
        columns = self.columns() | {"arm": make_arm_column(self.arms)}
        return to_frame("ArmTable", backend, columns)

    def to_csv(self, path: str | Path | None = None) -> str | None:
        """Return the table as CSV that is safe in a spreadsheet, or write it to a file.

        Args:
            path: the file to write; the text is returned if None.

        Returns:
            The text, or None if it was written to a file.
        """
        text = "".join(self.csv_lines())
        if path is None:
            return text
        Path(path).write_text(text, encoding="utf-8", newline="")
        return None

    def csv_lines(self, positions: Sequence[int] | None = None) -> Iterator[str]:
        """Yield lines of CSV, a header first: all rows, or those at these positions.

        Args:
            positions: the rows to yield; all if None.
        """
        columns = self._make_csv_columns()
        if positions is not None:
            columns = {name: [each[k] for k in positions] for name, each in columns.items()}
        return format_csv_lines(columns)

    def _make_csv_columns(self) -> dict[str, list[Any]]:
        """Return the columns of a CSV file; a live experiment has more."""
        found = self._make_plain_columns()
        if self.labelled_at is None:
            return found
        waits = [self.waits.get(position) for position in range(len(self))]
        found["labelled_at"] = [moment or None for moment in self.labelled_at.tolist()]
        found["reason"] = [self.reasons.get(position) for position in range(len(self))]
        found["waits"] = [0 if each is None else each.rewards for each in waits]
        found["waits_behind"] = [None if each is None else each.pull for each in waits]
        counted = [name for name in (self._counted, "lost") if name in found]
        names = (*_LIVE_CSV_COLUMNS[:2], *counted, *_LIVE_CSV_COLUMNS[2:])
        money = [name for name in _MONEY_COLUMNS if name in found]
        return {name: found[name] for name in (*names, *money)}

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
        from goodarm.views.figures.arms import plot_arms  # it loads matplotlib

        return plot_arms(self, ax, "ArmTable.plot")

    def cells(self, position: int) -> tuple[str, ...]:
        """Return the cells of one row of the table for people.

        Args:
            position: the row's position in the table.
        """
        return format_rows(self, [position])[0]

    def rows(self) -> list[Sequence[str]]:
        """Return the cells of the table for people; labels with many arms are shortened."""
        return make_text_rows(self, choose_rows(self))

    @property
    def _remarks(self) -> list[str]:
        """Notes, reasons and waiting rewards, and how the table was read if that is not obvious."""
        read = f"How the table was read: {visible(self.read_as)}."
        remarks = [*self.notes, *self.reason_notes, *self.waiting_notes()]
        return [*remarks, read] if self.read_as else remarks

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the table's columns for people."""
        return make_header(self)

    def __repr__(self) -> str:
        return "\n".join([self.summary, make_text_table(self.header, self.rows()), *self._remarks])

    def _repr_html_(self) -> str:
        notes = "<br>".join(map(escape_html, self._remarks))
        return f"{make_html_arms(self, choose_rows(self))}<p>{notes}</p>"


def _is_same(mine: object, theirs: object) -> bool:
    if isinstance(mine, np.ndarray) and isinstance(theirs, np.ndarray):
        return np.array_equal(mine, theirs, equal_nan=mine.dtype.kind == "f")
    if isinstance(mine, np.ndarray) or isinstance(theirs, np.ndarray):
        return False
    return mine == theirs


def _make_floats(values: Sequence[float | None], missing: float = math.nan) -> NDArray[np.float64]:
    return np.array([missing if value is None else value for value in values], np.float64)


def _log(values: NDArray[np.float64]) -> NDArray[np.float64]:
    with np.errstate(divide="ignore"):
        return np.asarray(np.log(values))


def _number(value: float) -> float | None:
    return None if math.isnan(value) else float(value)


def _replace_nan(values: Iterable[float]) -> list[float | None]:
    return [value if value == value else None for value in values]


def _make_counts(values: Iterable[float]) -> list[int | None]:
    """Return numbers of pulls; None where they are unclear."""
    return [int(value) if math.isfinite(value) else None for value in values]
