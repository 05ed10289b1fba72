"""Axis for intervals, from 0 to 1, and the round numbers along it.

Text, HTML, SVG and pages all show arms on the same axis.
"""

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import Final, Literal, NamedTuple

import numpy as np

from goodarm.problem import Label
from goodarm.views.columns import ArmColumns, get_thresholds
from goodarm.views.numbers import format_setting

_MIN_PULLS_SHARE: Final = 0.05
"""Share of the largest number of pulls below which an arm does not set the scale."""
_TICKS: Final = 6
_LEAST: Final = 1e-12
_NARROW_POINTS: Final = 165.0
"""Smallest width of an axis in points, on a narrow phone."""
_WIDE_POINTS: Final = 380.0
"""Width of an axis in points, on wider screens."""
_DIGIT_POINTS: Final = 7.7
_COMMA_POINTS: Final = 4.0
"""Widths of characters in points, in a wide font."""
_BETWEEN: Final = 9.0
_EDGE: Final = 0.02
"""Distance from an end below which a number is aligned to it, not centred."""
_ASIDE: Final = 0.35
"""Distance from an end beyond which the threshold's name fits on both sides."""

Anchor = Literal["start", "middle", "end"]


class Tick(NamedTuple):
    """Number on the axis: its place, its text, and the part of the text that is at the place."""

    place: float
    text: str
    anchor: Anchor = "middle"
    is_spare: bool = False
    """True if it is left out where there is little room."""


class IntervalBar(NamedTuple):
    """Interval: its ends, its mean, and whether it continues beyond the edges."""

    label: Label
    left: float
    width: float
    mean: float | None
    is_cut_left: bool
    is_cut_right: bool


class Axis(NamedTuple):
    """Range of values that a picture shows, from its left end to its right."""

    low: float
    high: float
    threshold: float
    margin: float
    is_percent: bool = False

    def place(self, value: float) -> float:
        """Return the place of a value, from 0 to 1."""
        return min(max((value - self.low) / (self.high - self.low), 0.0), 1.0)

    @property
    def bar(self) -> float:
        """Place of the threshold."""
        return self.place(self.threshold)

    @property
    def slack(self) -> tuple[float, float] | None:
        """Place where the margin begins, and its width."""
        if not self.margin:
            return None
        left = self.place(self.threshold - self.margin)
        return left, self.place(self.threshold + self.margin) - left

    @property
    def ticks(self) -> list[Tick]:
        """Ticks at round numbers."""
        scale = 100.0 if self.is_percent else 1.0
        numbers = [
            (value / scale, f"{text} %" if self.is_percent else text)
            for value, text in round_numbers(scale * self.low, scale * self.high)
        ]
        return place_ticks((self.place(value), text) for value, text in numbers)

    @property
    def bar_text(self) -> str:
        """Text above the threshold."""
        return f"threshold {format_setting(self.threshold, percent=self.is_percent)}"

    @property
    def bar_anchor(self) -> Anchor:
        """Anchor of that text: the side with room for it."""
        return choose_anchor(self.bar, _ASIDE)

    def interval(
        self, label: Label, mean: float | None, lower: float | None, upper: float | None
    ) -> IntervalBar | None:
        """Return one arm's bar; None before its first pull."""
        if lower is None or upper is None:
            if mean is None:
                return None
            at = self.place(mean)
            return IntervalBar(label, at, 0.0, at, False, False)
        left, right = self.place(lower), self.place(upper)
        middle = None if mean is None else self.place(mean)
        width = max(right - left, 0.0)
        return IntervalBar(label, left, width, middle, lower < self.low, upper > self.high)


def make_axis(table: ArmColumns, positions: Sequence[int]) -> Axis:
    """Return the axis of some arms: the range that holds what matters.

    It holds their thresholds and means, and their intervals except those of arms with few pulls,
    which are wide and are cut; it ends at round numbers, within the range of rewards.
    """
    chosen = np.array(positions, np.intp)
    bars = get_thresholds(table)
    bars = bars[chosen] if len(chosen) else bars[:1]
    threshold = float(bars[0]) if len(bars) else 0.0
    bars = np.array([threshold]) if np.isnan(bars).all() else bars
    pulled = chosen[table.pulls[chosen] > 0]
    pulls = table.pulls[pulled]
    wide = pulled[pulls >= _MIN_PULLS_SHARE * pulls.max(initial=0)]
    found = np.concatenate(
        [
            bars - table.margin,
            bars + table.margin,
            table.mean[pulled],
            table.lower[wide],
            table.upper[wide],
        ]
    )
    ends = found[np.isfinite(found)]
    low, high = float(ends.min()), float(ends.max())
    room = max(high - low, _LEAST * max(abs(low), abs(high), 1.0))
    step = _step(room)
    least, most = find_reward_range(table.rewards, table.low, table.high)
    low = max(step * math.floor((low - 0.02 * room) / step), min(least, low))
    high = min(step * math.ceil((high + 0.02 * room) / step), max(most, high))
    return Axis(low, high, threshold, table.margin, table.is_percent)


def find_narrowing_range(
    reached: Sequence[float], last: Sequence[float], threshold: float, margin: float
) -> tuple[float, float]:
    """Return the range of values that a picture of narrowing intervals shows.

    It holds where they ended, and as much again around that: the first intervals reach far beyond,
    and only their narrowing is of interest.

    Args:
        reached: all bounds, including the first ones.
        last: bounds and means at the end.
        threshold: the value they are compared with.
        margin: the slack around the threshold.
    """
    ends = [threshold - margin, threshold + margin, *last]
    low, high = min(ends), max(ends)
    room = max(high - low, 1e-9 * max(abs(low), abs(high), 1.0))
    bottom, top = max(low - room, min([*reached, low])), min(high + room, max([*reached, high]))
    edge = 0.04 * max(top - bottom, room)
    return bottom - edge, top + edge


def find_reward_range(rewards: str, low: float | None, high: float | None) -> tuple[float, float]:
    """Return the smallest and the largest reward, by their kind.

    >>> find_reward_range("bernoulli", None, None), find_reward_range("gaussian", None, None)
    ((0.0, 1.0), (-inf, inf))
    """
    if rewards == "gaussian":
        return -math.inf, math.inf
    return 0.0 if low is None else low, 1.0 if high is None else high


def round_numbers(low: float, high: float) -> list[tuple[float, str]]:
    """Return about six round numbers in a range, each with its text.

    >>> round_numbers(0.0, 1.0)
    [(0.0, '0'), (0.2, '0.2'), (0.4, '0.4'), (0.6, '0.6'), (0.8, '0.8'), (1.0, '1')]
    """
    step = _step(high - low)
    first, last = math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9)
    digits = max(0, -math.floor(math.log10(step) + 1e-9))
    values = [round(k * step, digits) for k in range(first, last + 1)]
    texts = [f"{value:,.{digits}f}" for value in values]
    if digits:  # drop trailing zeros
        texts = [text.rstrip("0").rstrip(".") for text in texts]
    return list(zip(values, texts, strict=True))


def choose_anchor(place: float, edge: float = _EDGE) -> Anchor:
    """Return the text anchor at a place, so that the text stays within the ends."""
    return "start" if place < edge else "end" if place > 1 - edge else "middle"


def place_ticks(
    numbers: Iterable[tuple[float, str]], narrow: float = _NARROW_POINTS, wide: float = _WIDE_POINTS
) -> list[Tick]:
    """Return the numbers at equal distances that do not overlap, some marked spare if it is narrow.

    >>> ticks = place_ticks((k / 4, f"{k},000,000") for k in range(5))
    >>> [(tick.text, tick.is_spare) for tick in ticks]
    [('1,000,000', False), ('2,000,000', True), ('3,000,000', False)]
    """
    ticks = _thin_out_ticks(
        [Tick(place, text, choose_anchor(place)) for place, text in numbers], wide
    )
    shown_places = {tick.place for tick in _thin_out_ticks(ticks, narrow)}
    return [tick._replace(is_spare=tick.place not in shown_places) for tick in ticks]


_Reach = tuple[Tick, float, float]
"""Tick, and where its text begins and ends, in points."""


def _thin_out_ticks(ticks: list[Tick], width: float) -> list[Tick]:
    """Return all ticks, or every second and so on, without ends that have no room.

    It keeps as many as fit, and tries the densest first.
    """
    reaches = []
    for tick in ticks:
        size = sum(_COMMA_POINTS if sign in ",." else _DIGIT_POINTS for sign in tick.text)
        left = width * tick.place - {"start": 0.0, "middle": size / 2, "end": size}[tick.anchor]
        reaches.append((tick, left, left + size))
    best: list[_Reach] = []
    for stride in range(1, len(ticks) + 1):
        if len(best) * stride >= len(ticks):  # no wider stride has more
            break
        for first in range(stride):
            chosen = reaches[first::stride]
            if _has_overlap(chosen):
                chosen = _drop_ends(chosen)
            if len(chosen) > len(best) and not _has_overlap(chosen):
                best = chosen
    return [tick for tick, _, _ in best]


def _drop_ends(reaches: list[_Reach]) -> list[_Reach]:
    inner = reaches[1:] if reaches[:1] and _has_overlap(reaches[:2]) else reaches
    return inner[:-1] if _has_overlap(inner[-2:]) else inner


def _has_overlap(reaches: Sequence[_Reach]) -> bool:
    pairs = pairwise(reaches)
    return any(right + _BETWEEN > left for (_, _, right), (_, left, _) in pairs)


def _step(room: float) -> float:
    """Return the distance of round numbers: 1, 2 or 5 times a power of ten."""
    rough = room / _TICKS
    power = 10.0 ** math.floor(math.log10(rough))
    return float(next(step * power for step in (1, 2, 5, 10) if step * power >= rough * 0.999))
