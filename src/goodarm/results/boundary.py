"""Boundary: the numbers at which a test of 0/1 outcomes labels, written down before the first run.

The test depends on counts alone. With the rarer outcome as index it is two tables: with failures,
good from run ``good_at[failures + lost]`` on, and bad up to run ``bad_until[failures]``. Beyond the
tables, straight lines may go on.
"""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, Literal, NamedTuple, TypeVar, overload

import numpy as np
from numpy.typing import NDArray

from goodarm.arguments import check_count, check_document, check_list, check_number
from goodarm.errors import invalid_argument
from goodarm.problem import Label
from goodarm.results.frames import Backend, to_frame
from goodarm.views.boundary_texts import SqlRow, make_javascript, make_sql
from goodarm.views.csv_lines import format_csv_lines
from goodarm.views.html import make_html_table
from goodarm.views.numbers import format_count, format_number, plural
from goodarm.views.text import make_text_table

Axes = TypeVar("Axes")
Ints = NDArray[np.int64]
Cap = Literal["hard", "soft"]

_NEGLIGIBLE: Final = 1e-30
"""Chance of a number of outcomes that is left out at either end."""
_MAX_CHANCES_RUNS: Final = 100_000
_MAX_RUNS_SHOWN: Final = 10_000
"""Last run in tables without a cap."""
_KEYS: Final = (
    *("threshold", "delta", "arms", "max_runs", "margin", "cap", "in_a_row", "rate", "counts"),
    *("good", "bad", "lines", "rules", "hash"),
)
_TABLES: Final = {"failures": ("good_at", "bad_until"), "passes": ("bad_at", "good_until")}
NO_LABEL_CAN_COME: Final = "no label can come any more within max_runs"


class BoundarySide(NamedTuple):
    """Side of one label.

    Args:
        bar: the pass rate of one run that the label is about.
        level: the level of the evidence up to max_runs.
        error: the exact chance of this label within max_runs if the rate is the bar; None without
            a cap, where delta / arms bounds it.
        later_level: the level after max_runs; None for a hard cap.

    >>> BoundarySide(0.9, 7.68, 0.0499).later_level is None
    True
    """

    bar: float
    level: float
    error: float | None
    later_level: float | None = None


class BoundaryLines(NamedTuple):
    """Straight lines for the runs after the tables.

    A label is proven if scale * hits > intercept + slope * runs for one of its lines, in whole
    numbers. Hits are passes for good, and failures for bad.

    Args:
        after: the runs that the tables end with.
        until: the last run that the lines are for.
        scale: what hits are multiplied by.
        good: intercept and slope of each line.
        bad: those for bad.

    >>> BoundaryLines(300, 1_000_000, 10**9, ((10**9, 9 * 10**8),), ()).after
    300
    """

    after: int
    until: int
    scale: int
    good: tuple[tuple[int, int], ...]
    bad: tuple[tuple[int, int], ...]


class BoundaryVerdict(NamedTuple):
    """Verdict on a log of runs.

    Args:
        label: good, bad or undecided.
        runs: the runs that count: up to the label.
        passes: those that passed.
        failures: those that failed.
        lost: those without an outcome.
        reason: why an undecided verdict is final; None otherwise.

    >>> import goodarm as ga
    >>> ga.boundary(threshold=0.9).judge([True] * 50)[:3]
    ('good', 41, 41)
    """

    label: Label
    runs: int
    passes: int
    failures: int
    lost: int
    reason: str | None = None


class VerdictChances(NamedTuple):
    """Exact chances of each verdict at a true pass rate.

    Args:
        rate: the true pass rate of one run.
        good: the chance of good.
        bad: the chance of bad.
        undecided: the chance of neither, within the runs.
        runs: the mean number of runs up to the label or the last run.
        runs_if_stopped: the same if you stop once no label can come any more; None if one always
            can.

    >>> import goodarm as ga
    >>> (at,) = ga.boundary(threshold=0.9).chances([0.95])
    >>> round(at.good, 4), round(at.runs, 1)
    (0.8629, 156.2)
    """

    rate: float
    good: float
    bad: float
    undecided: float
    runs: float
    runs_if_stopped: float | None


class _Edges(NamedTuple):
    """Counts of the rarer outcome at which labels fall, by runs."""

    most: Ints
    """the most with which the first label holds; -1 if none"""
    least: Ints
    """the least with which the second label holds"""


@dataclass(frozen=True, repr=False)
class Boundary:
    """Boundary of a test of 0/1 outcomes: a table anyone can run.

    Args:
        threshold: the pass rate that was asked; of ``in_a_row`` runs in a row, if more than one.
        delta: the probability allowed for any wrong label.
        arms: how many questions share delta.
        max_runs: the most runs of each; None without a cap.
        margin: the slack around the threshold.
        cap: ``"hard"``, ``"soft"``, or None.
        in_a_row: how many runs in a row must pass.
        rate: the threshold of the pass rate of one run.
        counts: the outcome that is the index of the tables: ``"failures"`` or ``"passes"``.
        first: ``good_at``, or ``bad_at`` where passes are counted.
        second: ``bad_until``, or ``good_until`` where passes are counted.
        good: bar, level and error of the label good.
        bad: those of bad.
        lines: the rule after the tables; None for a hard cap.

    >>> import goodarm as ga
    >>> table = ga.boundary(threshold=0.9, max_runs=300)
    >>> table.good_at[:3], table.bad_until[:6]
    ((41, 62, 80), (0, 0, 0, 0, 6, 11))
    """

    threshold: float
    delta: float
    arms: int
    max_runs: int | None
    margin: float
    cap: Cap | None
    in_a_row: int
    rate: float
    counts: Literal["failures", "passes"]
    first: tuple[int, ...]
    second: tuple[int, ...]
    good: BoundarySide
    bad: BoundarySide
    lines: BoundaryLines | None = None

    @property
    def good_at(self) -> tuple[int, ...] | None:
        """First good run by failures and lost runs; None where passes are counted."""
        return self.first if self.counts == "failures" else None

    @property
    def bad_until(self) -> tuple[int, ...] | None:
        """Last bad run by failures, 0 if there is none; None where passes are counted."""
        return self.second if self.counts == "failures" else None

    @property
    def bad_at(self) -> tuple[int, ...] | None:
        """First bad run by passes and lost runs; None where failures are counted."""
        return self.first if self.counts == "passes" else None

    @property
    def good_until(self) -> tuple[int, ...] | None:
        """Last good run by passes, 0 if there is none; None where failures are counted."""
        return self.second if self.counts == "passes" else None

    @property
    def last_run(self) -> int:
        """Last run after which a label can fall."""
        return self.lines.until if self.lines is not None else self.max_runs or 0

    @property
    def runs_if_all_pass(self) -> int | None:
        """Runs until good if all pass; None if good is never proven."""
        found = self._find_first_run("good")
        return None if found > self.last_run else found

    @property
    def runs_if_all_fail(self) -> int | None:
        """Runs until bad if all fail; None if bad is never proven."""
        found = self._find_first_run("bad")
        return None if found > self.last_run else found

    def _find_first_run(self, label: Label) -> int:
        is_good = label == "good"

        def is_proven(n: int) -> bool:
            return self.label(n if is_good else 0, 0 if is_good else n) == label

        # After a soft cap the level is another one.
        cap = self.max_runs or 0
        low, high = (0, cap) if is_proven(cap) else (cap, self.last_run + 1)
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (low, middle) if is_proven(middle) else (middle, high)
        return high

    def label(self, passes: int, failures: int, lost: int = 0) -> Label:
        """Return the label that counts prove, if no earlier counts proved one.

        Args:
            passes: runs that passed.
            failures: runs that failed.
            lost: runs without an outcome: failures for good, passes for bad.
        """
        n = passes + failures + lost
        good = bad = False
        if n <= (self.max_runs or 0):
            count = failures if self.counts == "failures" else passes
            second = bool(self.second) and n <= self.second[min(count, len(self.second) - 1)]
            first = count + lost < len(self.first) and n >= self.first[count + lost]
            good, bad = (first, second) if self.counts == "failures" else (second, first)
        elif self.lines is not None and n <= self.lines.until:
            scale = self.lines.scale
            good = any(scale * passes > a + b * n for a, b in self.lines.good)
            bad = any(scale * failures > a + b * n for a, b in self.lines.bad)
        if good and bad:  # a margin allows both
            return "good" if passes >= self.rate * (passes + failures) else "bad"
        return "good" if good else "bad" if bad else "undecided"

    def can_label(self, passes: int, failures: int, lost: int = 0) -> bool:
        """Return whether a label can still come after these counts, which proved none.

        Args:
            passes: runs that passed.
            failures: runs that failed.
            lost: runs without an outcome.
        """
        n = passes + failures + lost
        if self.lines is not None:
            return n < self.lines.until
        left = (self.max_runs or 0) - n
        if left <= 0:
            return False
        ends = (passes + left, failures, lost), (passes, failures + left, lost)
        return any(self.label(*end) != "undecided" for end in ends)

    def judge(self, outcomes: Iterable[bool | int | None]) -> BoundaryVerdict:
        """Judge a log of runs, in the order in which they were started; the first label is final.

        Args:
            outcomes: True or 1 for a run that passed, False or 0 for one that failed, None for one
                without an outcome.

        Returns:
            The first label with its run; undecided once no label can come any more.

        Raises:
            SpecError: an outcome is something else.

        >>> import goodarm as ga
        >>> ga.boundary(threshold=0.9).judge([0, 1, 0, 0, None, 0]).label
        'bad'
        """
        passes = failures = lost = 0
        for outcome in _read_outcomes(outcomes):
            if outcome is None:
                lost += 1
            else:
                passes, failures = passes + outcome, failures + 1 - outcome
            label = self.label(passes, failures, lost)
            counts = passes + failures + lost, passes, failures, lost
            if label != "undecided":
                return BoundaryVerdict(label, *counts)
            if not self.can_label(passes, failures, lost):
                return BoundaryVerdict("undecided", *counts, NO_LABEL_CAN_COME)
        return BoundaryVerdict("undecided", passes + failures + lost, passes, failures, lost)

    def edges(self, runs: int) -> tuple[Ints, Ints]:
        """Return, for 0 to ``runs`` runs, the least passes that are good and the most that are bad.

        Without lost runs. Passes above the runs, or below 0, mean that no counts are.

        Args:
            runs: the last run; at most ``last_run``.
        """
        found, n = self._find_edges(runs), np.arange(runs + 1)
        if self.counts == "failures":
            return np.minimum(n - found.most, n + 1), np.maximum(n - found.least, -1)
        return np.minimum(found.least, n + 1), np.minimum(found.most, n)

    def _find_edges(self, runs: int) -> _Edges:
        """Return the edges by the rarer outcome, up to a run."""
        n = np.arange(runs + 1)
        most = np.searchsorted(np.array(self.first, np.int64), n, side="right") - 1
        least = np.searchsorted(np.array(self.second, np.int64), n, side="left")
        least[least == len(self.second)] = runs + 1
        least[0] = runs + 1
        if self.lines is not None and runs > self.lines.after:
            later = n[self.lines.after + 1 :]
            pair = self.lines.good, self.lines.bad
            first, second = pair if self.counts == "failures" else pair[::-1]
            most[self.lines.after + 1 :] = later - _find_least_hits(first, later, self.lines.scale)
            least[self.lines.after + 1 :] = _find_least_hits(second, later, self.lines.scale)
        return _Edges(np.maximum(most, -1).astype(np.int64), least.astype(np.int64))

    def chances(
        self, rates: float | Iterable[float], runs: int | None = None
    ) -> tuple[VerdictChances, ...]:
        """Compute the chance of each verdict and the mean number of runs, exactly.

        Args:
            rates: true pass rates of one run.
            runs: the last run; max_runs if not given.

        Returns:
            The chances at each rate.

        Raises:
            SpecError: a rate is not from 0 to 1, or ``runs`` is not given where there is no cap.
        """
        owner = "Boundary.chances"
        if isinstance(rates, int | float):
            rates = [rates]
        given = [
            check_number("rates", owner, each)
            for each in check_list("rates", owner, rates, "numbers")
        ]
        for rate in given:
            if not 0.0 <= rate <= 1.0:
                raise invalid_argument("rates", owner, "be from 0 to 1", rate)
        most = min(self.last_run, _MAX_CHANCES_RUNS)
        asked = self.max_runs if runs is None else runs
        last = check_count("runs", owner, asked, most=most)
        edges = self._find_edges(last)
        return tuple(self._compute_chances(edges, rate, last) for rate in given)

    def _compute_chances(self, edges: _Edges, rate: float, runs: int) -> VerdictChances:
        """Walk all paths at once, by the number of the rarer outcome."""
        share = 1.0 - rate if self.counts == "failures" else rate
        is_hard = self.lines is None and runs == self.max_runs
        chances = np.zeros(runs + 2)
        chances[0] = 1.0
        low = high = 0
        first = second = total = saved = 0.0
        end_most, end_least = int(edges.most[runs]), int(edges.least[runs])
        for n in range(1, runs + 1):
            total += 1.0 - first - second
            part = chances[low : high + 2]
            moved = share * part[:-1]
            part *= 1.0 - share
            part[1:] += moved
            high += 1
            if (most := min(int(edges.most[n]), high)) >= low:
                first += float(chances[low : most + 1].sum())
                low = most + 1
            if (least := max(int(edges.least[n]), low)) <= high:
                second += float(chances[least : high + 1].sum())
                chances[least : high + 1] = 0.0
                high = least - 1
            while low <= high and chances[low] < _NEGLIGIBLE:
                low += 1
            while high >= low and chances[high] < _NEGLIGIBLE:
                chances[high] = 0.0
                high -= 1
            if low > high:
                break
            if n < runs:
                end = max(min(end_least - (runs - n), high + 1), 0)
                out = chances[max(low, end_most + 1) : end]
                saved += float(out.sum()) if len(out) else 0.0
        good, bad = (first, second) if self.counts == "failures" else (second, first)
        undecided = max(1.0 - good - bad, 0.0)
        stopped = total - saved if is_hard else None
        return VerdictChances(rate, good, bad, undecided, total, stopped)

    @property
    def summary(self) -> str:
        """Question in a line."""
        what = f"pass rate of at least {self.threshold:.12g}"
        if self.in_a_row > 1:
            what = f"{self.in_a_row} runs in a row pass with probability at least "
            what += f"{self.threshold:.12g}"
        margin = f", margin {self.margin:.12g}" if self.margin else ""
        arms = f" over {plural(self.arms, 'arm')}" if self.arms > 1 else ""
        most = (
            f", {self.cap} cap of {plural(self.max_runs, 'run')}" if self.max_runs else ", no cap"
        )
        return f"Boundary: {what}{margin}, delta {self.delta:.12g}{arms}{most}"

    @property
    def header(self) -> tuple[str, ...]:
        """Names of the table's columns for people."""
        return "runs", "good from", "bad up to"

    def rows(self) -> list[Sequence[str]]:
        """Return the cells of the table for people: passes, at some numbers of runs."""
        last = self.max_runs or _MAX_RUNS_SHOWN
        good, bad = self.edges(last)
        starts = [each for each in (self.runs_if_all_fail, self.runs_if_all_pass) if each]
        steps = [lead * 10**power for power in range(7) for lead in (1, 2, 5)]
        least = min(starts, default=last)
        shown = sorted({n for n in (*starts, *steps, self.max_runs or 1) if least <= n <= last})
        return [
            (
                format_count(n),
                f"{format_count(int(good[n]))} passes" if good[n] <= n else "-",
                f"{format_count(int(bad[n]))} passes" if bad[n] >= 0 else "-",
            )
            for n in shown
        ]

    @property
    def notes(self) -> tuple[str, ...]:
        """Notes on what few runs can prove, and on the error."""
        lines = []
        if self.runs_if_all_pass is None:
            lines.append("So few runs cannot prove good, even if all pass.")
        else:
            lines.append(f"Good takes {plural(self.runs_if_all_pass, 'run')} if all pass.")
        if self.runs_if_all_fail is None:
            lines.append("So few runs cannot prove bad, even if all fail.")
        if self.in_a_row > 1:
            lines.append(f"For one run, the threshold is {format_number(self.rate)}.")
        if self.good.error is not None and self.bad.error is not None:
            allowed = format_number(self.delta / self.arms)
            errors = [format_number(side.error) for side in (self.good, self.bad)]
            lines.append(
                f"The exact chance of a wrong good within the cap is at most {errors[0]}, of a "
                f"wrong bad {errors[1]}; allowed is {allowed}."
            )
        return tuple(lines)

    @property
    def rules(self) -> tuple[str, ...]:
        """Rules in words, which the guarantee needs."""
        index = self.counts
        at, until = _TABLES[self.counts]
        one, two = at.partition("_")[0], until.partition("_")[0]
        most = self.max_runs
        tables = [
            f"Up to run {most}: {one} if the number of runs is at least {at}[{index} + lost runs]; "
            f"past the end of {at} never.",
            f"Up to run {most}: {two} if the number of runs is at most {until}[{index}]; past the "
            f"end of {until} its last number counts; an empty list means never.",
        ]
        later = f"Nothing is decided after run {most}."
        if self.lines is not None:
            _, until_run, scale, *_ = self.lines
            later = (
                f"From run {self.lines.after + 1} to {until_run}: good if {scale} * passes > "
                f"intercept + slope * runs for one of lines.good; bad if {scale} * failures > "
                "intercept + slope * runs for one of lines.bad; after that never."
            )
        both = (
            "If both labels hold at once: good if passes >= rate * (passes + failures), otherwise "
            "bad."
        )
        return (
            "Fix this document before the first run. It is for "
            f"{plural(self.arms, 'question')}, each with its own counts.",
            "Runs count in the order in which they were started; behind a run that is not over, "
            "later ones wait.",
            "Each run counts once: no retries inside a run.",
            "A lost run counts as a failure for good, and as a pass for bad; it counts as a run.",
            *(tables if most else []),
            later,
            *([both] if self.margin else []),
            "The first label is final. If runs come in blocks, test at the end of each block only.",
            "Each run passes, fails or is lost, nothing in between. The guarantee holds if the "
            "chance of a pass, given all that came before, does not change.",
        )

    def to_dict(self) -> dict[str, Any]:
        """Return the boundary as a JSON document, with a hash over its content."""
        at, until = _TABLES[self.counts]
        lines = (
            None
            if self.lines is None
            else {
                "after": self.lines.after,
                "until": self.lines.until,
                "scale": self.lines.scale,
                "good": [list(line) for line in self.lines.good],
                "bad": [list(line) for line in self.lines.bad],
            }
        )
        content = {
            "kind": "boundary",
            "format": 1,
            "threshold": self.threshold,
            "delta": self.delta,
            "arms": self.arms,
            "max_runs": self.max_runs,
            "margin": self.margin,
            "cap": self.cap,
            "in_a_row": self.in_a_row,
            "rate": self.rate,
            "counts": self.counts,
            at: list(self.first),
            until: list(self.second),
            "good": self.good._asdict(),
            "bad": self.bad._asdict(),
            "lines": lines,
            "rules": list(self.rules),
        }
        return {**content, "hash": _hash(content)}

    @classmethod
    def from_dict(cls, document: object) -> "Boundary":
        """Return the boundary that ``to_dict`` wrote.

        Args:
            document: what ``to_dict`` returned.

        Raises:
            SpecError: the document is not a boundary's, or its content does not match its hash.
        """
        owner = "the boundary document"
        names = [name for pair in _TABLES.values() for name in pair]
        fields: Mapping[str, Any] = check_document(document, "boundary", _KEYS, names)
        content = {key: value for key, value in fields.items() if key != "hash"}
        if fields["hash"] != _hash(content):
            remedy = "It was changed after it was written. Write it anew."
            raise invalid_argument("hash", owner, "match the content", fields["hash"], remedy)
        at, until = _TABLES[fields["counts"]]
        lines = fields["lines"]
        return cls(
            **{key: fields[key] for key in _KEYS[:9]},
            first=tuple(fields[at]),
            second=tuple(fields[until]),
            good=BoundarySide(**fields["good"]),
            bad=BoundarySide(**fields["bad"]),
            lines=None
            if lines is None
            else BoundaryLines(
                lines["after"],
                lines["until"],
                lines["scale"],
                *(tuple((a, b) for a, b in lines[side]) for side in ("good", "bad")),
            ),
        )

    def to_csv(self) -> str:
        """Return ``columns`` as CSV: for each run, the passes that are good or bad."""
        return "".join(format_csv_lines(self.columns()))

    def to_sql(self) -> str:
        """Return a script that makes a table of the boundary, for ``judge.sql`` of the examples."""
        rows: list[SqlRow] = []
        ones = ("good", "bad") if self.counts == "failures" else ("bad", "good")
        cap, scale = self.max_runs or 0, 1
        for k, (start, end) in enumerate(pairwise((*self.first, cap + 1))):
            rows.append((ones[0], start, end - 1, scale, -k - 1, 1, self.rate))
        for k, (start, end) in enumerate(pairwise((0, *self.second))):
            if end > start:
                rows.append((ones[1], start + 1, end, scale, k - 1, 0, self.rate))
        if self.lines is not None:
            after, until, scale, *sides = self.lines
            for label, lines in zip(("good", "bad"), sides, strict=True):
                rows += [(label, after + 1, until, scale, a, b, self.rate) for a, b in lines]
        return make_sql(rows, self.summary)

    def to_javascript(self) -> str:
        """Return a JavaScript module with the boundary and a function that judges outcomes."""
        return make_javascript(self.to_dict())

    def to_pandas(self) -> Any:
        """Return a pandas frame with a row for each run, up to 10,000 without a cap.

        Raises:
            MissingExtra: pandas is not installed.
        """
        return self._to_frame("pandas")

    def to_polars(self) -> Any:
        """Return a polars frame with a row for each run, up to 10,000 without a cap.

        Raises:
            MissingExtra: polars is not installed.
        """
        return self._to_frame("polars")

    def _to_frame(self, backend: Backend) -> Any:
        return to_frame("Boundary", backend, self.columns())

    def columns(self) -> dict[str, list[int | None]]:
        """Return, for each run, the least passes that are good and the most that are bad.

        None where no counts are. The runs end at max_runs, or at 10,000 without a cap.
        """
        last = self.max_runs or _MAX_RUNS_SHOWN
        good, bad = (edge[1:].tolist() for edge in self.edges(last))
        runs = range(1, last + 1)
        return {
            "runs": list(runs),
            "good_from": [at if at <= n else None for n, at in zip(runs, good, strict=True)],
            "bad_up_to": [at if at >= 0 else None for at in bad],
        }

    @overload
    def plot(self, outcomes: Iterable[Any] | None = None, ax: None = None) -> Any: ...

    @overload
    def plot(self, outcomes: Iterable[Any] | None, ax: Axes) -> Axes: ...

    def plot(self, outcomes: Iterable[Any] | None = None, ax: Any = None) -> Any:
        """Draw the boundary, and the path of a log of runs.

        Args:
            outcomes: those of runs, as for ``judge``; they are drawn up to the label, a lost
                one as one of those that are counted.
            ax: matplotlib's Axes to draw into, which are returned; those of a new figure, which a
                notebook shows, unless given.
        """
        from goodarm.views.figures.boundaries import plot_boundary  # it loads matplotlib

        edges = self._find_edges(self.max_runs or 1000)
        path = None
        if outcomes is not None:
            read = list(_read_outcomes(outcomes))
            read = read[: self.judge(read).runs]
            counted = 0 if self.counts == "failures" else 1
            path = np.cumsum([0, *(each is None or each == counted for each in read)]).tolist()
        labels = ("good", "bad") if self.counts == "failures" else ("bad", "good")
        return plot_boundary(edges, labels, self.counts, path, self.summary, ax, "Boundary.plot")

    def __repr__(self) -> str:
        return "\n".join([self.summary, make_text_table(self.header, self.rows()), *self.notes])

    def _repr_html_(self) -> str:
        return make_html_table(f"{self.summary}. {' '.join(self.notes)}", self.header, self.rows())


def _find_least_hits(lines: tuple[tuple[int, int], ...], runs: Ints, scale: int) -> Ints:
    """Return the least hits that are above one of the lines; more than the runs if none are."""
    least = runs + 1
    for intercept, slope in lines:
        least = np.minimum(least, (intercept + slope * runs) // scale + 1)
    return least


def _read_outcomes(outcomes: Iterable[object]) -> Iterator[int | None]:
    """Yield 1, 0 or None for each run."""
    for outcome in outcomes:
        if outcome is None:
            yield None
        elif isinstance(outcome, bool | int | np.bool_ | np.integer) and outcome in (0, 1):
            yield int(outcome)
        else:
            rule = "be True or 1, False or 0, or None for a lost run"
            raise invalid_argument("outcomes", "Boundary.judge", rule, outcome)


def _hash(content: Mapping[str, Any]) -> str:
    """Return the SHA-256 of a document without its hash: sorted keys, no spaces."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), allow_nan=False)
    return f"sha256:{hashlib.sha256(text.encode()).hexdigest()}"
