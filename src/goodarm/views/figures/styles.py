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


class Look(NamedTuple):
    """Colour, marker and line style of one algorithm."""

    colour: str
    marker: str
    line: str


LOOKS: Final = (
    Look("#0072B2", "o", "-"),
    Look("#E69F00", "s", "--"),
    Look("#D55E00", "D", "-."),
    Look("#009E73", "^", ":"),
    Look("#CC79A7", "v", "-"),
    Look("#56B4E9", "P", "--"),
    Look("#000000", "X", "-."),
    Look("#7F7F7F", "<", ":"),
)


def looks_of(algorithms: Iterable[str]) -> dict[str, Look]:
    """Return a look for each name, in order of first mention; they repeat after eight."""
    return dict(zip(dict.fromkeys(algorithms), cycle(LOOKS), strict=False))
