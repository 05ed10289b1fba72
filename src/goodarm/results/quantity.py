"""Quantities that runs are measured by: pulls to the first, second, ... good arm, and to the end.

Only this module writes and reads their text: ``tau_3``, ``tau_stop``.
"""

import re
from dataclasses import dataclass
from functools import total_ordering
from typing import Final

from goodarm.arguments import check_count
from goodarm.errors import invalid_argument

_TEXT: Final = re.compile(r"(?:tau_)?(stop|[1-9][0-9]*)", re.ASCII)


@total_ordering
@dataclass(frozen=True, repr=False)
class Quantity:
    """Pulls to a number of good arms, ``tau(3)``, or to the end of a run, ``STOP``.

    They come in the order of a run, the end last.

    >>> sorted([STOP, tau(12), tau(3)])
    [tau(3), tau(12), STOP]
    >>> print(tau(3), STOP)
    tau_3 tau_stop
    """

    count: int | None

    def __str__(self) -> str:
        return f"tau_{'stop' if self.count is None else self.count}"

    def in_words(self, end: str = "until all decided") -> str:
        """Return the quantity for people; ``end`` is what the end of a run is called.

        >>> tau(1).in_words(), tau(3).in_words(), STOP.in_words()
        ('until first good', 'until 3 good', 'until all decided')
        """
        if self.count is None:
            return end
        return "until first good" if self.count == 1 else f"until {self.count:,} good"

    def __repr__(self) -> str:
        return "STOP" if self.count is None else f"tau({self.count})"

    def __lt__(self, other: object) -> bool:
        if not isinstance(other, Quantity):
            return NotImplemented
        if self.count is None:
            return False
        return other.count is None or self.count < other.count


STOP: Final = Quantity(None)
"""Quantity: pulls to the end of a run."""


def tau(count: int) -> Quantity:
    """Return the quantity "pulls until ``count`` good arms are identified"."""
    return Quantity(check_count("count", "tau", count))


def read_quantity(text: str) -> Quantity:
    """Parse the quantity that a text names; a file may leave ``tau_`` to the name of its column.

    >>> read_quantity("tau_3"), read_quantity("stop")
    (tau(3), STOP)
    """
    found = _TEXT.fullmatch(text)
    if found is None:
        raise invalid_argument("text", "read_quantity", "be tau_1, tau_2, ... or tau_stop", text)
    return STOP if found[1] == "stop" else tau(int(found[1]))


def check_quantity(argument: str, owner: str, given: object) -> None:
    """Raise an error if this is no Quantity, for example its text."""
    if not isinstance(given, Quantity):
        raise invalid_argument(argument, owner, "be a Quantity, such as tau(3) or STOP", given)
