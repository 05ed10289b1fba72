"""Page of one arm: its numbers, and how its interval narrowed."""

import math
from dataclasses import dataclass
from typing import Final

from starlette.responses import Response

from goodarm.live import ArmHistory, Moment
from goodarm.results import REMEDY, ArmReport
from goodarm.service.answers import is_known, tag_of
from goodarm.service.pages.actions import done_of
from goodarm.service.pages.overview import Row, evidence_of, rows_of
from goodarm.service.pages.rendering import page
from goodarm.service.pages.seen import Fallen, Note, Seen
from goodarm.service.pages.verb_forms import FormLink, links_of
from goodarm.service.pages.visit import Page, Visit
from goodarm.service.problems import NOT_FOUND, Refusal
from goodarm.views.axis import Axis, Tick, axis_of, narrowing_range, round_numbers, spaced

_MOST_LINEAR: Final = 20
"""Maximum number of pulls with a linear scale, as in ``goodarm show --history``."""
_SIDE: Final = 1000.0
"""Width and height of the drawing, in its units."""
_NARROW: Final = 250.0
_WIDE: Final = 560.0
"""Width of the drawing in points, on phones and on wider screens."""


@dataclass(frozen=True)
class Curve:
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

    seen: Seen
    row: Row
    remedy: str
    """what to do about a missing reward, if one holds up the arm's test"""
    axis: Axis
    history: ArmHistory
    curve: Curve | None
    fallen: Fallen | None
    notes: list[Note]
    """notes on the arm, newest first"""
    forms: list[FormLink]
    """forms of verbs about the arm that the visitor may send"""
    before: str | None
    after: str | None

    @property
    def report(self) -> ArmReport:
        """Numbers of the arm."""
        return self.row.report


def arm_of(visit: Visit) -> ArmPage:
    """Return the content of the page for the arm whose position the path names."""
    seen = visit.pages.looks.seen(visit.name, is_watched=visit.is_part, has_journal=True)
    position = int(visit.request.path_params["arm"])
    count = len(seen.table)
    if position >= count:
        raise Refusal(NOT_FOUND, f"The experiment has no arm at position {position}.")
    history = visit.pages.looks.history(visit.name, position, seen.version)
    problem = seen.problem
    fallen = [each for each in seen.fallen if each.arm == position]
    (row,) = rows_of(seen, [position], visit.pages.clock())
    return ArmPage(
        seen=seen,
        row=row,
        remedy=REMEDY if row.waits else "",
        axis=axis_of(seen.table, [position]),
        history=history,
        curve=curve_of(history.moments, problem.threshold, problem.margin),
        fallen=fallen[-1] if fallen else None,
        notes=[each for each in seen.notes if each.arm == position],
        forms=[] if seen.status == "closed" else links_of(visit, position),
        before=visit.at("arms", position - 1) if position else None,
        after=visit.at("arms", position + 1) if position + 1 < count else None,
    )


def curve_of(moments: tuple[Moment, ...], threshold: float, margin: float) -> Curve | None:
    """Draw a history: the mean and its interval upwards, the pulls to the right."""
    known = [m for m in moments if m.lower is not None and m.upper is not None]
    if len(known) < 2:
        return None
    axis = _heights(known, threshold, margin)
    is_log = known[-1].pulls > _MOST_LINEAR
    least, most = _pulls(known[0].pulls, is_log), _pulls(known[-1].pulls, is_log)

    def x(moment: Moment) -> float:
        return _SIDE * (_pulls(moment.pulls, is_log) - least) / (most - least)

    def line(values: list[tuple[float, float]]) -> str:
        return "M" + "L".join(f"{across:.1f} {_y(axis, value):.1f}" for across, value in values)

    lower = [(x(m), m.lower) for m in known if m.lower is not None]
    upper = [(x(m), m.upper) for m in known if m.upper is not None]
    mean = [(x(m), m.mean) for m in known if m.mean is not None]
    end = None
    if mean:
        end = mean[-1][0] / _SIDE, _y(axis, mean[-1][1]) / _SIDE
    slack = axis.slack
    return Curve(
        band=f"{line([*lower, *upper[::-1]])}Z",
        lower=line(lower),
        upper=line(upper),
        mean=line(mean) if mean else "",
        end=end,
        threshold=1 - axis.bar,
        slack=None if slack is None else (1 - slack[0] - slack[1], slack[1]),
        across=_across(known[0].pulls, known[-1].pulls, is_log),
        upwards=[
            Tick(1 - axis.place(value), text) for value, text in round_numbers(axis.low, axis.high)
        ],
    )


def _y(axis: Axis, value: float) -> float:
    """Return the y coordinate of a value, downwards; beyond the edges, the frame clips it."""
    part = (value - axis.low) / (axis.high - axis.low)
    return _SIDE * (1 - min(max(part, -9.0), 10.0))


def _heights(known: list[Moment], threshold: float, margin: float) -> Axis:
    """Return the vertical axis of the picture."""
    last = known[-1]
    ends = [v for v in (last.lower, last.upper, last.mean) if v is not None]
    reached = [v for m in known for v in (m.lower, m.upper) if v is not None]
    return Axis(*narrowing_range(reached, ends, threshold, margin), threshold, margin)


def _pulls(number: int, is_log: bool) -> float:
    return math.log(number) if is_log else float(number)


def _across(least: int, most: int, is_log: bool) -> list[Tick]:
    if not is_log:
        values = [(v, t) for v, t in round_numbers(least, most) if v.is_integer()]
        places = [((value - least) / (most - least), text) for value, text in values]
        return spaced(places, _NARROW, _WIDE)
    factors = (1,) if most > 100 * least else (1, 2, 5)
    numbers = [f * 10**power for power in range(19) for f in factors]
    places = [
        (math.log(n / least) / math.log(most / least), f"{n:,}")
        for n in numbers
        if least <= n <= most
    ]
    return spaced(places, _NARROW, _WIDE)


def show_arm(visit: Visit) -> Response:
    """Show the page, or the part of it that may have changed."""
    shown = arm_of(visit)
    if not visit.is_part:
        done = done_of(visit, shown.seen)
        return page(visit, "arm.html", shown=shown, evidence_of=evidence_of, done=done)
    version = f"{shown.seen.version}-{bool(shown.row.waits)}"  # which may change with time alone
    tag = tag_of(visit.request, version, visit.session.id)
    if is_known(visit.request, tag):
        return Response(status_code=304, headers={"ETag": tag})
    headers = {"ETag": tag, "Cache-Control": "private, no-cache"}
    return page(visit, "arm_live.html", headers=headers, shown=shown, evidence_of=evidence_of)


PAGES: Final = (
    Page("GET", "/experiments/{name:experiment}/arms/{arm:position}", "read", show_arm, "replays"),
)
