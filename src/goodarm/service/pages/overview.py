"""Page of one experiment: its arms against the threshold, its labels, and its pulls."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from starlette.responses import Response

from goodarm.algorithm import algorithm_title
from goodarm.live import PullInProgress, flag_warning
from goodarm.problem import CODES, LABELS
from goodarm.results import ArmReport, Label, describe_waiting
from goodarm.service.answers import is_known, tag_of
from goodarm.service.pages.actions import done_of
from goodarm.service.pages.paging import Part, part_of
from goodarm.service.pages.picture import Picture, picture_of
from goodarm.service.pages.rendering import page
from goodarm.service.pages.seen import Fallen, Note, Seen
from goodarm.service.pages.verb_forms import FormLink, links_of
from goodarm.service.pages.visit import Page, Visit
from goodarm.store import SHOWN_DIGITS
from goodarm.views.arms import format_rows, header_of
from goodarm.views.choice import SORTS, choose
from goodarm.views.names import printable
from goodarm.views.numbers import format_e_value, plural
from goodarm.views.question import Question, ask_in_words, list_facts, question_of

_LABELS: Final[tuple[Label, ...]] = ("good", "undecided", "bad")
_SIZE: Final = 50
_MOST_FALLEN: Final = 8
_MOST_NOTES: Final = 5
_MOST_OUT: Final = 10
_LARGEST_LOG: Final = 700.0
ORDERS: Final = {
    "label": "Bad arms first, then undecided, then good ones, as in goodarm check.",
    "arm": "By name.",
    "pulls": "The most pulls first.",
    "mean": "The largest mean first.",
    "needed": "The fewest pulls needed first.",
    "table": "As they were given.",
}
_WITHIN: Final = {
    "good": "The best first, by their lower bound.",
    "undecided": "Those first that need the fewest pulls.",
    "bad": "The worst first, by their upper bound.",
}
"""Order of arms within a label, as in ``ArmTable.ranked``."""


@dataclass(frozen=True)
class Row:
    """Arm in the table: its position, its numbers, and their texts."""

    position: int
    report: ArmReport
    cells: dict[str, str]
    share: float
    """its pulls as a share of those of the arm with the most"""
    waits: str
    """message about rewards that have long waited for a missing one; else empty"""


@dataclass(frozen=True)
class Choice:
    """Filter by label: the number of its arms, and its address."""

    label: str
    count: int
    address: str
    is_chosen: bool


@dataclass(frozen=True)
class Overview:
    """Content of an experiment's page."""

    seen: Seen
    question: str
    remarks: tuple[str, ...]
    """what the labels guarantee"""
    warnings: list[str]
    """what holds the experiment up, with the remedy"""
    facts: list[tuple[str, str]]
    has_e_values: bool
    picture: Picture
    rows: list[Row]
    part: Part[int]
    """positions of the rows, and addresses of the other parts"""
    choices: list[Choice]
    fallen: list[Fallen]
    notes: list[Note]
    """the latest ones, newest first"""
    forms: list[FormLink]
    """forms of verbs that the visitor may send"""
    out: Part[PullInProgress]
    sort: str
    only: str
    search: str

    @property
    def order(self) -> str:
        """Description of the order of the table."""
        if self.sort != "label":
            return ORDERS[self.sort]
        return _WITHIN[self.only] if self.only else ORDERS["label"]


def overview_of(visit: Visit) -> Overview:
    """Return the content of the page for the query."""
    seen = visit.pages.looks.seen(visit.name, is_watched=visit.is_part, has_journal=True)
    sort = visit.chosen("sort", SORTS, "label")
    only = visit.chosen("label", _LABELS, "")
    search = visit.text("q").strip()
    table = seen.table
    found = choose(table, sort=sort, most=None).positions
    if search:
        wanted = search.casefold()
        found = [k for k in found if wanted in printable(table.arms[k]).casefold()]
    labels = table.labels.tolist()
    positions = [k for k in found if only in ("", LABELS[labels[k]])]

    def address(number: int, label: str = only) -> str:
        usual = None if sort == "label" else sort
        at = None if number == 1 else number
        return f"{visit.at(sort=usual, label=label, q=search, page=at)}#arms"

    labelled = Counter(labels[k] for k in found)
    counts = {"": len(found)} | {label: labelled[CODES[label]] for label in _LABELS}
    part = part_of(positions, visit.number("page"), _SIZE, address)
    now = visit.pages.clock()
    question = question_of(seen.problem)
    return Overview(
        seen=seen,
        question=ask_in_words(question),
        remarks=table.remarks("arms_planned"),
        warnings=warnings_of(seen, now),
        facts=facts_of(seen, question),
        has_e_values=not np.isnan(table.log_good).all(),
        picture=picture_of(table),
        rows=rows_of(seen, part.items, now),
        part=part,
        choices=[
            Choice(label, count, address(1, label), label == only)
            for label, count in counts.items()
        ],
        fallen=list(seen.fallen[: -_MOST_FALLEN - 1 : -1]),
        notes=list(seen.notes[:_MOST_NOTES]),
        forms=[] if seen.status == "closed" else links_of(visit),
        out=part_of(
            seen.out, visit.number("out"), _MOST_OUT, lambda number: f"{visit.at(out=number)}#out"
        ),
        sort=sort,
        only=only,
        search=search,
    )


def warnings_of(seen: Seen, now: float) -> list[str]:
    """Return warnings about what delays the experiment, with the remedy; none once it has ended."""
    if seen.has_ended:
        return []
    of_flags = flag_warning(seen.silence, seen.serving)
    return [*seen.table.waiting_notes(now), *([of_flags] if of_flags else [])]


def rows_of(seen: Seen, positions: Sequence[int], now: float) -> list[Row]:
    """Return the rows at these positions, with the cells that the library shows."""
    table, has_ended = seen.table, seen.has_ended
    most = max(int(table.pulls.max()), 1)
    header, texts = header_of(table), format_rows(table, positions)
    rows = []
    for position, report, row in zip(positions, table.reports(positions), texts, strict=True):
        cells, waits = dict(zip(header, row, strict=True)), ""
        if has_ended:  # no further pulls are made
            cells |= {"pulls needed": "-", "needed (9 of 10)": "-"}
        elif report.waits is not None and report.waits.is_long(now):
            waits = describe_waiting(report.waits, now)
        rows.append(Row(position, report, cells, report.pulls / most, waits))
    return rows


def facts_of(seen: Seen, question: Question) -> list[tuple[str, str]]:
    """Return the settings of the experiment, as titles and texts."""
    common, others = list_facts(question)
    found = [*common, ("Algorithm", algorithm_title(seen.algorithm.to_dict())), *others]
    silence = seen.silence
    if silence.meaning == "reward":
        found.append(("Silence", f"a reward of {silence.otherwise:g} after {silence.seconds:g} s"))
    elif silence.meaning == "lost":
        found.append(("Silence", f"a pull is lost after {silence.seconds:g} s"))
    found += [("Seed", str(seen.seed)), ("Journal", plural(seen.entries, "entry", "entries"))]
    return [
        *found,
        ("Head of the journal", seen.head[:SHOWN_DIGITS] or "none: the journal is unchained"),
    ]


def evidence_of(log: float | None) -> str:
    """Return the e-value of a label that fell, from its logarithm.

    >>> evidence_of(3.0), evidence_of(1e6), evidence_of(None)
    ('20.09', '> 1e+300', '-')
    """
    return format_e_value(None if log is None else math.exp(min(log, _LARGEST_LOG)))


def show_experiment(visit: Visit) -> Response:
    """Show the page, or the part of it that may have changed."""
    shown = overview_of(visit)
    if not visit.is_part:
        done = done_of(visit, shown.seen)
        return page(visit, "experiment.html", shown=shown, evidence_of=evidence_of, done=done)
    version = f"{shown.seen.version}-{len(shown.warnings)}"  # they may change with time alone
    tag = tag_of(visit.request, version, visit.session.id)
    if is_known(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return page(
        visit, "experiment_live.html", headers=headers, shown=shown, evidence_of=evidence_of
    )


PAGES: Final = (Page("GET", "/experiments/{name:experiment}", "read", show_experiment, "arms"),)
