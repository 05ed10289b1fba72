"""Page of one experiment: its arms against the threshold, its labels, and its pulls."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from starlette.responses import Response

from goodarm.algorithm import make_algorithm_title
from goodarm.live import PullInProgress, find_flag_warning
from goodarm.problem import CODES, LABELS
from goodarm.results import ArmReport, Label, describe_waiting
from goodarm.service.pages.actions import find_done_message
from goodarm.service.pages.html_responses import render_page
from goodarm.service.pages.pagination import ListPage, get_page
from goodarm.service.pages.picture import Picture, make_picture
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.pages.snapshots import ExperimentNote, ExperimentSnapshot, LabelDecision
from goodarm.service.pages.verb_forms import FormLink, list_links
from goodarm.service.responses import has_current_etag, make_etag
from goodarm.store import SHOWN_DIGITS
from goodarm.views.arms import (
    EXPECTED,
    EXPECTED_90,
    NEEDED,
    NEEDED_90,
    format_rows,
    make_header,
)
from goodarm.views.choice import SORTS, choose_rows
from goodarm.views.names import printable
from goodarm.views.numbers import format_e_value, plural
from goodarm.views.problem_text import (
    ProblemFacts,
    describe_question,
    get_problem_facts,
    list_facts,
)

_LABELS: Final[tuple[Label, ...]] = ("good", "undecided", "bad")
_PAGE_ARMS: Final = 50
_MAX_DECISIONS: Final = 8
_MAX_NOTES: Final = 5
_PAGE_PULLS: Final = 10
_MAX_LOG_EVIDENCE: Final = 700.0
ORDER_HINTS: Final = {
    "label": "Bad arms first, then undecided, then good.",
    "arm": "Sorted by name.",
    "pulls": "Most pulls first.",
    "mean": "Largest mean first.",
    "needed": "Fewest pulls needed first.",
    "table": "In the original order.",
}
_LABEL_ORDER_HINTS: Final = {
    "good": "Largest lower bound first.",
    "undecided": "Fewest pulls needed first.",
    "bad": "Smallest upper bound first.",
}
"""Order of arms within a label, as in ``ArmTable.ranked``."""

_FORECASTS: Final = (NEEDED, NEEDED_90, EXPECTED, EXPECTED_90)
"""Columns on further pulls, of which there are none once an experiment has ended."""


@dataclass(frozen=True)
class ArmRow:
    """Arm in the table: its position, its numbers, and their texts."""

    position: int
    report: ArmReport
    cells: dict[str, str]
    share: float
    """its pulls as a share of those of the arm with the most"""
    waits: str
    """message about rewards that have long waited for a missing one; else empty"""


@dataclass(frozen=True)
class LabelFilter:
    """Filter by label: the number of its arms, and its address."""

    label: str
    count: int
    address: str
    is_chosen: bool


@dataclass(frozen=True)
class Overview:
    """Content of an experiment's page."""

    snapshot: ExperimentSnapshot
    question: str
    warnings: list[str]
    """what holds the experiment up, with the remedy"""
    facts: list[tuple[str, str]]
    has_e_values: bool
    picture: Picture
    rows: list[ArmRow]
    part: ListPage[int]
    """positions of the rows, and addresses of the other parts"""
    choices: list[LabelFilter]
    decisions: list[LabelDecision]
    notes: list[ExperimentNote]
    """the latest ones, newest first"""
    forms: list[FormLink]
    """forms of verbs that the visitor may send"""
    out: ListPage[PullInProgress]
    sort: str
    only: str
    search: str

    @property
    def order(self) -> str:
        """Description of the order of the table."""
        if self.sort != "label":
            return ORDER_HINTS[self.sort]
        return _LABEL_ORDER_HINTS[self.only] if self.only else ORDER_HINTS["label"]


def make_overview(visit: Visit) -> Overview:
    """Return the content of the page for the query."""
    snapshot = visit.site.snapshots.get(visit.name, is_watched=visit.is_part, has_journal=True)
    sort = visit.get_choice("sort", SORTS, "label")
    only = visit.get_choice("label", _LABELS, "")
    search = visit.get_text("q").strip()
    table = snapshot.table
    found = choose_rows(table, sort=sort, most=None).positions
    if search:
        wanted = search.casefold()
        found = [k for k in found if wanted in printable(table.arms[k]).casefold()]
    labels = table.labels.tolist()
    positions = [k for k in found if only in ("", LABELS[labels[k]])]

    def address(number: int, label: str = only) -> str:
        usual = None if sort == "label" else sort
        at = None if number == 1 else number
        return f"{visit.make_experiment_url(sort=usual, label=label, q=search, page=at)}#arms"

    labelled = Counter(labels[k] for k in found)
    counts = {"": len(found)} | {label: labelled[CODES[label]] for label in _LABELS}
    part = get_page(positions, visit.get_number("page"), _PAGE_ARMS, address)
    now = visit.site.clock()
    question = get_problem_facts(snapshot.problem)
    return Overview(
        snapshot=snapshot,
        question=describe_question(question),
        warnings=list_warnings(snapshot, now),
        facts=list_settings(snapshot, question),
        has_e_values=not np.isnan(table.log_good).all(),
        picture=make_picture(table),
        rows=make_rows(snapshot, part.items, now),
        part=part,
        choices=[
            LabelFilter(label, count, address(1, label), label == only)
            for label, count in counts.items()
        ],
        decisions=list(snapshot.decisions[: -_MAX_DECISIONS - 1 : -1]),
        notes=list(snapshot.notes[:_MAX_NOTES]),
        forms=[] if snapshot.status == "closed" else list_links(visit),
        out=get_page(
            snapshot.out,
            visit.get_number("out"),
            _PAGE_PULLS,
            lambda number: f"{visit.make_experiment_url(out=number)}#out",
        ),
        sort=sort,
        only=only,
        search=search,
    )


def list_warnings(snapshot: ExperimentSnapshot, now: float) -> list[str]:
    """Return warnings with their remedies.

    Those about what delays the experiment end with it; that another kind of rewards fits stays.
    """
    kind = filter(None, [snapshot.table.rewards_note])
    if snapshot.has_ended:
        return list(kind)
    of_flags = find_flag_warning(snapshot.reward_timeout, snapshot.flag_policy)
    return [*snapshot.table.waiting_notes(now), *([of_flags] if of_flags else []), *kind]


def make_rows(snapshot: ExperimentSnapshot, positions: Sequence[int], now: float) -> list[ArmRow]:
    """Return the rows at these positions, with the cells that the library shows."""
    table, has_ended = snapshot.table, snapshot.has_ended
    most = max(int(table.pulls.max()), 1)
    header, texts = make_header(table), format_rows(table, positions)
    rows = []
    for position, report, row in zip(positions, table.reports(positions), texts, strict=True):
        cells, waits = dict(zip(header, row, strict=True)), ""
        if has_ended:  # no further pulls are made
            cells |= {name: "-" for name in _FORECASTS if name in cells}
        elif report.waits is not None and report.waits.is_long(now):
            waits = describe_waiting(report.waits, now)
        rows.append(ArmRow(position, report, cells, report.pulls / most, waits))
    return rows


def list_settings(snapshot: ExperimentSnapshot, question: ProblemFacts) -> list[tuple[str, str]]:
    """Return the settings of the experiment, as titles and texts."""
    common, others = list_facts(question)
    found = [*common, ("Algorithm", make_algorithm_title(snapshot.algorithm.to_dict())), *others]
    timeout = snapshot.reward_timeout
    if timeout.meaning == "reward":
        shown = f"{timeout.default:g} after {timeout.seconds:g} s"
        found.append(("Missing reward", shown))
    elif timeout.meaning == "lost":
        found.append(("Missing reward", f"lost after {timeout.seconds:g} s"))
    found += [
        ("Seed", str(snapshot.seed)),
        ("Journal", plural(snapshot.entries, "entry", "entries")),
    ]
    return [
        *found,
        ("Journal head", snapshot.head[:SHOWN_DIGITS] or "none: the journal has no hashes"),
    ]


def format_evidence(log: float | None) -> str:
    """Return the e-value of a label that fell, from its logarithm.

    >>> format_evidence(3.0), format_evidence(1e6), format_evidence(None)
    ('20.09', '> 1e+300', '-')
    """
    return format_e_value(None if log is None else math.exp(min(log, _MAX_LOG_EVIDENCE)))


def show_experiment(visit: Visit) -> Response:
    """Show the page, or the part of it that may have changed."""
    shown = make_overview(visit)
    if not visit.is_part:
        done = find_done_message(visit, shown.snapshot)
        return render_page(
            visit, "experiment.html", shown=shown, format_evidence=format_evidence, done=done
        )
    version = f"{shown.snapshot.version}-{len(shown.warnings)}"  # they may change with time alone
    tag = make_etag(visit.request, version, visit.session.id)
    if has_current_etag(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return render_page(
        visit, "experiment_live.html", headers=headers, shown=shown, format_evidence=format_evidence
    )


PAGES: Final = (Page("GET", "/experiments/{name:experiment}", "read", show_experiment, "arms"),)
