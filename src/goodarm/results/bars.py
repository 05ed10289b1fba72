"""An interval as a small picture for a cell of an HTML table."""

from typing import Final, NamedTuple

from goodarm.results.verdict import Label

WIDTH: Final = 180
HEIGHT: Final = 16
COLOURS: Final = {"good": "#0072B2", "bad": "#D55E00", "undecided": "#767676"}
"""From Okabe and Ito's palette: told apart by readers with any colour vision, on light and dark."""


class Axis(NamedTuple):
    """The range of values that a column of bars has in common, and the threshold in it."""

    low: float
    high: float
    threshold: float

    def place(self, value: float) -> float:
        """Where a value lies, in points from the left."""
        part = (value - self.low) / (self.high - self.low)
        return round(2 + (WIDTH - 4) * min(max(part, 0.0), 1.0), 2)


def interval_bar(axis: Axis, label: Label, mean: float, lower: float, upper: float) -> str:
    """An SVG: the interval as a line, the mean as a dot, the threshold as a dashed upright.

    What is not in the label's colour has that of the text around, be it light or dark.
    """
    colour, middle = COLOURS[label], HEIGHT / 2
    left, right, bar = axis.place(lower), axis.place(upper), axis.place(axis.threshold)
    return (
        f'<svg width="{WIDTH}" height="{HEIGHT}" role="img" '
        f'aria-label="{label}: {lower:.4g} to {upper:.4g}">'
        f'<line x1="{left}" x2="{right}" y1="{middle}" y2="{middle}" stroke="{colour}" '
        f'stroke-width="4"/>'
        f'<circle cx="{axis.place(mean)}" cy="{middle}" r="4" fill="{colour}" '
        f'stroke="currentColor" stroke-width="1"/>'
        f'<line x1="{bar}" x2="{bar}" y1="0" y2="{HEIGHT}" stroke="currentColor" '
        f'stroke-dasharray="2 2"/></svg>'
    )
