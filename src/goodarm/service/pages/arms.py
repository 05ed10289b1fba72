"""Page of one arm: its numbers, and how its interval narrowed."""

import math
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.live import ArmHistory, Moment
from goodarm.results import REMEDY, ArmReport
from goodarm.service.pages.actions import find_done_message
from goodarm.service.pages.html_responses import render_page
from goodarm.service.pages.overview import ArmRow, format_evidence, make_rows
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.pages.snapshots import ExperimentNote, ExperimentSnapshot, LabelDecision
from goodarm.service.pages.verb_forms import FormLink, list_links
from goodarm.service.problems import NOT_FOUND, Refusal
from goodarm.service.responses import has_current_etag, make_etag
from goodarm.views.axis import (
    Axis,
    Tick,
    find_narrowing_range,
    make_axis,
    place_ticks,
    round_numbers,
)

_MAX_LINEAR_PULLS: Final = 20
"""Maximum number of pulls with a linear scale, as in ``goodarm show --history``."""
_SIDE_UNITS: Final = 1000.0
"""Width and height of the drawing, in its units."""
_NARROW_POINTS: Final = 250.0
_WIDE_POINTS: Final = 560.0
"""Width of the drawing in points, on phones and on wider screens."""


@dataclass(frozen=True)
class HistoryCurve:
    """History as paths in a square, with the ticks of its axes."""

    band: str
    lower: str
    upper: str
    mean: str
    end: tuple[float, float] | None
    """position of the mark, from 0 to 1"""
    threshold: float
    slack: tuple[float, float] | None
    across: list[Tick]
    upwards: list[Tick]


@dataclass(frozen=True)
class ArmPage:
    """Content of an arm's page."""

    snapshot: ExperimentSnapshot
    row: ArmRow
    remedy: str
    """what to do about a missing reward, if one holds up the arm's test"""
    axis: Axis
    history: ArmHistory
    curve: HistoryCurve | None
    decision: LabelDecision | None
    notes: list[ExperimentNote]
    """notes on the arm, newest first"""
    forms: list[FormLink]
    """forms of verbs about the arm that the visitor may send"""
    before: str | None
    after: str | None

    @property
    def report(self) -> ArmReport:
        """Numbers of the arm."""
        return self.row.report


def make_arm_page(visit: Visit) -> ArmPage:
    """Return the content of the page for the arm whose position the path names."""
    snapshot = visit.site.snapshots.get(visit.name, is_watched=visit.is_part, has_journal=True)
    position = int(visit.request.path_params["arm"])
    count = len(snapshot.table)
    if position >= count:
        raise Refusal(NOT_FOUND, f"The experiment has no arm at position {position}.")
    history = visit.site.snapshots.history(visit.name, position, snapshot.version)
    problem = snapshot.problem
    decisions = [each for each in snapshot.decisions if each.arm == position]
    (row,) = make_rows(snapshot, [position], visit.site.clock())
    return ArmPage(
        snapshot=snapshot,
        row=row,
        remedy=REMEDY if row.waits else "",
        axis=make_axis(snapshot.table, [position]),
        history=history,
        curve=draw_curve(history.moments, problem.threshold, problem.margin),
        decision=decisions[-1] if decisions else None,
        notes=[each for each in snapshot.notes if each.arm == position],
        forms=[] if snapshot.status == "closed" else list_links(visit, position),
        before=visit.make_experiment_url("arms", position - 1) if position else None,
        after=visit.make_experiment_url("arms", position + 1) if position + 1 < count else None,
    )


def draw_curve(moments: tuple[Moment, ...], threshold: float, margin: float) -> HistoryCurve | None:
    """Draw a history: the mean and its interval upwards, the pulls to the right."""
    known = [m for m in moments if m.lower is not None and m.upper is not None]
    if len(known) < 2:
        return None
    axis = _make_vertical_axis(known, threshold, margin)
    is_log = known[-1].pulls > _MAX_LINEAR_PULLS
    least, most = _scale_pulls(known[0].pulls, is_log), _scale_pulls(known[-1].pulls, is_log)

    def x(moment: Moment) -> float:
        return _SIDE_UNITS * (_scale_pulls(moment.pulls, is_log) - least) / (most - least)

    def line(values: list[tuple[float, float]]) -> str:
        return "M" + "L".join(
            f"{across:.1f} {_scale_value(axis, value):.1f}" for across, value in values
        )

    lower = [(x(m), m.lower) for m in known if m.lower is not None]
    upper = [(x(m), m.upper) for m in known if m.upper is not None]
    mean = [(x(m), m.mean) for m in known if m.mean is not None]
    end = None
    if mean:
        end = mean[-1][0] / _SIDE_UNITS, _scale_value(axis, mean[-1][1]) / _SIDE_UNITS
    slack = axis.slack
    return HistoryCurve(
        band=f"{line([*lower, *upper[::-1]])}Z",
        lower=line(lower),
        upper=line(upper),
        mean=line(mean) if mean else "",
        end=end,
        threshold=1 - axis.bar,
        slack=None if slack is None else (1 - slack[0] - slack[1], slack[1]),
        across=_make_pull_ticks(known[0].pulls, known[-1].pulls, is_log),
        upwards=[
            Tick(1 - axis.place(value), text) for value, text in round_numbers(axis.low, axis.high)
        ],
    )


def _scale_value(axis: Axis, value: float) -> float:
    """Return the y coordinate of a value, downwards; beyond the edges, the frame clips it."""
    part = (value - axis.low) / (axis.high - axis.low)
    return _SIDE_UNITS * (1 - min(max(part, -9.0), 10.0))


def _make_vertical_axis(known: list[Moment], threshold: float, margin: float) -> Axis:
    """Return the vertical axis of the picture."""
    last = known[-1]
    ends = [v for v in (last.lower, last.upper, last.mean) if v is not None]
    reached = [v for m in known for v in (m.lower, m.upper) if v is not None]
    return Axis(*find_narrowing_range(reached, ends, threshold, margin), threshold, margin)


def _scale_pulls(number: int, is_log: bool) -> float:
    return math.log(number) if is_log else float(number)


def _make_pull_ticks(least: int, most: int, is_log: bool) -> list[Tick]:
    if not is_log:
        values = [(v, t) for v, t in round_numbers(least, most) if v.is_integer()]
        places = [((value - least) / (most - least), text) for value, text in values]
        return place_ticks(places, _NARROW_POINTS, _WIDE_POINTS)
    factors = (1,) if most > 100 * least else (1, 2, 5)
    numbers = [f * 10**power for power in range(19) for f in factors]
    places = [
        (math.log(n / least) / math.log(most / least), f"{n:,}")
        for n in numbers
        if least <= n <= most
    ]
    return place_ticks(places, _NARROW_POINTS, _WIDE_POINTS)


def show_arm(visit: Visit) -> Response:
    """Show the page, or the part of it that may have changed."""
    shown = make_arm_page(visit)
    if not visit.is_part:
        done = find_done_message(visit, shown.snapshot)
        return render_page(
            visit, "arm.html", shown=shown, format_evidence=format_evidence, done=done
        )
    version = (
        f"{shown.snapshot.version}-{bool(shown.row.waits)}"  # which may change with time alone
    )
    tag = make_etag(visit.request, version, visit.session.id)
    if has_current_etag(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return render_page(
        visit, "arm_live.html", headers=headers, shown=shown, format_evidence=format_evidence
    )


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/arms/{arm:position}", "read", show_arm, "replays"),
)
