"""Settings that all figures share: matplotlib's settings, and the looks of algorithms.

Colours are those of Okabe and Ito (grey for their yellow), distinct with any colour vision; markers
and line styles distinguish the algorithms in black and white too.
"""

from collections.abc import Iterable
from itertools import cycle
from typing import Any, Final, NamedTuple

SETTINGS: Final[dict[Any, Any]] = {
    "font.size": 10,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "grid.color": "#dddddd",
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "svg.hashsalt": "goodarm",
    "svg.fonttype": "none",
    "text.usetex": False,
}


class AlgorithmStyle(NamedTuple):
    """Colour, marker and line style of one algorithm."""

    colour: str
    marker: str
    line: str


STYLES: Final = (
    AlgorithmStyle("#0072B2", "o", "-"),
    AlgorithmStyle("#E69F00", "s", "--"),
    AlgorithmStyle("#D55E00", "D", "-."),
    AlgorithmStyle("#009E73", "^", ":"),
    AlgorithmStyle("#CC79A7", "v", "-"),
    AlgorithmStyle("#56B4E9", "P", "--"),
    AlgorithmStyle("#000000", "X", "-."),
    AlgorithmStyle("#7F7F7F", "<", ":"),
)


def choose_styles(algorithms: Iterable[str]) -> dict[str, AlgorithmStyle]:
    """Return a look for each name, in order of first mention; they repeat after eight."""
    return dict(zip(dict.fromkeys(algorithms), cycle(STYLES), strict=False))
