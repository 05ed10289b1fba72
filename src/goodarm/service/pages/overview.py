"""One experiment: its arms against the threshold, its labels, its pulls, what is left."""

import math
from collections import Counter
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.algorithm import algorithm_title
from goodarm.live import PullInProgress, flag_warning
from goodarm.results import ArmReport
from goodarm.results.choosing import SORTS, choose
from goodarm.results.names import printable
from goodarm.results.verdict import HELD_UP, format_needed
from goodarm.results.waiting import describe_waiting, waiting_notes
from goodarm.service.answers import is_known, tag_of
from goodarm.service.pages import digits
from goodarm.service.pages.actions import done_of
from goodarm.service.pages.paging import Part, part_of
from goodarm.service.pages.picture import Picture, picture_of
from goodarm.service.pages.rendering import page, plural
from goodarm.service.pages.seen import Fallen, Note, Seen
from goodarm.service.pages.verb_forms import FormLink, links_of
from goodarm.service.pages.visit import Page, Visit
from goodarm.store.chain import SHOWN_DIGITS

LABELS: Final = ("good", "undecided", "bad")
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
"""The order of ``CheckTable.ranked``."""


@dataclass(frozen=True)
class Row:
    """One arm of the table: its position, its numbers, and their texts."""

    position: int
    report: ArmReport
    cells: dict[str, str]
    share: float
    """of the pulls that the arm with the most has"""
    waits: str
    """what waits behind a missing reward, if it has for long"""


@dataclass(frozen=True)
class Choice:
    """The arms of one label, or all: how many there are, and where they are shown."""

    label: str
    count: int
    address: str
    is_chosen: bool


@dataclass(frozen=True)
class Overview:
    """All that the page of an experiment shows."""

    seen: Seen
    question: str
    remarks: tuple[str, ...]
    """what the labels guarantee"""
    warnings: list[str]
    """what holds the experiment up, with the remedy"""
    facts: list[tuple[str, str]]
    picture: Picture
    rows: Part[Row]
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
    def has_e_values(self) -> bool:
        """Whether the rule has e-values."""
        return any(report.e_good is not None for report in self.seen.reports)

    @property
    def order(self) -> str:
        """In which order the table has the arms, in words."""
        if self.sort != "label":
            return ORDERS[self.sort]
        return _WITHIN[self.only] if self.only else ORDERS["label"]


def overview_of(visit: Visit) -> Overview:
    """What the query asks for."""
    seen = visit.pages.looks.seen(visit.name, is_watched=visit.is_part)
    sort = visit.chosen("sort", SORTS, "label")
    only = visit.chosen("label", LABELS, "")
    search = visit.text("q").strip()
    table = seen.table
    found = choose(table, [], sort, most=None).positions
    if search:
        wanted = search.casefold()
        found = [k for k in found if wanted in printable(table.arms[k]).casefold()]
    positions = [k for k in found if only in ("", seen.reports[k].label)]

    def address(number: int, label: str = only) -> str:
        usual = None if sort == "label" else sort
        at = None if number == 1 else number
        return f"{visit.at(sort=usual, label=label, q=search, page=at)}#arms"

    labelled = Counter(seen.reports[k].label for k in found)
    counts = {"": len(found)} | {label: labelled[label] for label in LABELS}
    part = part_of(positions, visit.number("page"), _SIZE, address)
    most = max(int(table.pulls.max()), 1)
    now = visit.pages.clock()
    rows = [row_of(seen, position, most, now) for position in part.items]
    return Overview(
        seen=seen,
        question=question_of(seen),
        remarks=table.remarks("arms_planned"),
        warnings=warnings_of(seen, now),
        facts=facts_of(seen),
        picture=picture_of(table, seen.reports),
        rows=Part(rows, part.total, part.number, part.pages, part.first, part.address),
        choices=[
            Choice(label, count, address(1, label), label == only)
            for label, count in counts.items()
        ],
        fallen=visit.pages.looks.fallen(visit.name)[: -_MOST_FALLEN - 1 : -1],
        notes=notes_of(visit, seen)[:_MOST_NOTES],
        forms=[] if seen.status == "closed" else links_of(visit),
        out=part_of(
            seen.out, visit.number("out"), _MOST_OUT, lambda number: f"{visit.at(out=number)}#out"
        ),
        sort=sort,
        only=only,
        search=search,
    )


def notes_of(visit: Visit, seen: Seen) -> list[Note]:
    """Return the latest notes, newest first; none on arms that were added after the look."""
    found, count = visit.pages.looks.notes(visit.name), len(seen.reports)
    return [each for each in found if each.arm is None or each.arm < count]


def warnings_of(seen: Seen, now: float) -> list[str]:
    """Return what holds the experiment up, with the remedy; nothing once it has ended."""
    if seen.has_ended:
        return []
    of_flags = flag_warning(seen.silence, seen.serving)
    return [*waiting_notes(seen.reports, now), *([of_flags] if of_flags else [])]


def row_of(seen: Seen, position: int, most: int, now: float) -> Row:
    """One arm, with its numbers as the library has them."""
    report = seen.reports[position]
    cells = {
        "pulls": digits.count(report.pulls),
        "mean": digits.number(report.mean),
        "lower": digits.number(report.lower),
        "upper": digits.number(report.upper),
        "e good": digits.e_value(report.e_good),
        "e bad": digits.e_value(report.e_bad),
        "pulls needed": _needed(seen, report, report.pulls_needed),
        "90 %": _needed(seen, report, report.pulls_needed_90),
    }
    is_long = report.waits is not None and not seen.has_ended and report.waits.is_long(now)
    waits = describe_waiting(report.waits, now) if report.waits and is_long else ""
    return Row(position, report, cells, report.pulls / most, waits)


def _needed(seen: Seen, report: ArmReport, value: int | None) -> str:
    """Further pulls; none are made of an arm that keeps its label, or once all has ended."""
    if seen.has_ended:
        return "-"
    said = format_needed(report, value)
    return said if value is None or said == HELD_UP else digits.count(value)


def question_of(seen: Seen) -> str:
    """What is asked, in a sentence."""
    problem = seen.problem
    which = (
        "Is the mean reward of this arm"
        if problem.num_arms == 1
        else (f"Which of these {problem.num_arms:,} arms have a mean reward of")
    )
    slack = f", give or take {digits.setting(problem.margin)}" if problem.margin else ""
    pool = ""
    if isinstance(problem.pool, int):
        pool = f" over their {problem.pool:,} cases"
    elif problem.pool is not None:
        pool = f" over {min(problem.pool):,} to {max(problem.pool):,} cases each"
    return f"{which} at least {digits.setting(problem.threshold)}{pool}{slack}?"


def facts_of(seen: Seen) -> list[tuple[str, str]]:
    """What it was created with."""
    problem = seen.problem
    low, high = problem.low or 0.0, 1.0 if problem.high is None else problem.high
    rewards = {
        "bernoulli": "0 or 1",
        "bounded": f"from {digits.setting(low)} to {digits.setting(high)}",
        "gaussian": f"Gaussian, sigma {digits.setting(problem.sigma or 0.0)}",
    }
    found = [
        ("Threshold", digits.setting(problem.threshold)),
        ("Delta", digits.setting(problem.delta)),
        ("Rewards", rewards[problem.rewards]),
        ("Algorithm", algorithm_title(seen.algorithm.to_dict())),
    ]
    if problem.margin:
        found.append(("Margin", digits.setting(problem.margin)))
    if isinstance(problem.pool, int):
        found.append(("Pool", f"{plural(problem.pool, 'case')} of each arm"))
    elif problem.pool is not None:
        found.append(("Pool", f"{min(problem.pool):,} to {max(problem.pool):,} cases of each arm"))
    if problem.until is not None:
        found.append(("Until", plural(problem.until, "good arm")))
    if problem.max_pulls is not None:
        found.append(("At most", plural(problem.max_pulls, "pull")))
    if problem.arms_planned is not None:
        found.append(("Arms planned", f"{problem.arms_planned:,}"))
    if problem.gap is not None:
        found.append(("Hint of the gap", digits.setting(problem.gap)))
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
    """The e-value of a label that fell, from its logarithm.

    >>> evidence_of(3.0), evidence_of(1e6), evidence_of(None)
    ('20.09', '> 1e+300', '-')
    """
    return digits.e_value(None if log is None else math.exp(min(log, _LARGEST_LOG)))


def show_experiment(visit: Visit) -> Response:
    """The page, or what of it may have changed."""
    shown = overview_of(visit)
    if not visit.is_part:
        return page(
            visit, "experiment.html", shown=shown, evidence_of=evidence_of, done=done_of(visit)
        )
    version = f"{shown.seen.version}-{len(shown.warnings)}"  # time alone may bring a warning
    tag = tag_of(visit.request, version, visit.session.id)
    if is_known(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return page(
        visit, "experiment_live.html", headers=headers, shown=shown, evidence_of=evidence_of
    )


PAGES: Final = (Page("GET", "/experiments/{name:experiment}", "read", show_experiment, "arms"),)
