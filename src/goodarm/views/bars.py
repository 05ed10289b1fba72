"""Intervals as small pictures: SVG for a cell of HTML, letters for a terminal."""

import math
from typing import Final

from goodarm.problem import Label
from goodarm.views.axis import Axis
from goodarm.views.numbers import format_number

WIDTH: Final = 180
HEIGHT: Final = 16
COLOURS: Final = {"good": "#0072B2", "bad": "#D55E00", "undecided": "#767676"}
"""Colours of Okabe and Ito's palette: distinct with any colour vision, on light and dark."""


def draw_interval_bar(axis: Axis, label: Label, mean: float, lower: float, upper: float) -> str:
    """Return an SVG: the interval as a line, the mean as a dot, the threshold as a dashed upright.

    It is empty where there is no interval. Parts that do not have the label's colour have the
    colour of the surrounding text, be it light or dark.
    """
    if math.isnan(mean + lower + upper):
        return ""

    def place(value: float) -> float:
        return round(2 + (WIDTH - 4) * axis.place(value), 2)

    colour, middle = COLOURS[label], HEIGHT / 2
    left, right, bar = place(lower), place(upper), place(axis.threshold)
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{label}: {format_number(lower, percent=axis.is_percent)} to '
        f'{format_number(upper, percent=axis.is_percent)}">'
        f'<line x1="{left}" x2="{right}" y1="{middle}" y2="{middle}" stroke="{colour}" '
        f'stroke-width="4"/>'
        f'<circle cx="{place(mean)}" cy="{middle}" r="4" fill="{colour}" '
        f'stroke="currentColor" stroke-width="1"/>'
        f'<line x1="{bar}" x2="{bar}" y1="0" y2="{HEIGHT}" stroke="currentColor" '
        f'stroke-dasharray="2 2"/></svg>'
    )


def format_letter_bar(axis: Axis, width: int, mean: float, lower: float, upper: float) -> str:
    """Return an interval against the threshold, in letters; pass nan for a missing number.

    >>> format_letter_bar(Axis(0, 1, 0.6, 0.0), 21, 0.7, 0.5, 0.9)
    '          ├─┃─●───┤  '
    """

    def place(value: float) -> int:
        return round(axis.place(value) * (width - 1))

    signs = [" "] * width
    if not math.isnan(lower + upper):
        left, right = place(lower), place(upper)
        signs[left : right + 1] = "─" * (right - left + 1)
        signs[left], signs[right] = "├", "┤"
    signs[place(axis.threshold)] = "┃"
    if not math.isnan(mean):
        signs[place(mean)] = "●"
    return "".join(signs)
