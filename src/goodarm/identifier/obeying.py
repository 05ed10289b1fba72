"""An identifier that does what was written down: it neither chooses arms nor finds labels itself.

So a journal gives the same state on any machine and under any later version, though arithmetic
may differ in its last digit there.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from goodarm.identifier.identifier import Identifier
from goodarm.identifier.ledger import Block
from goodarm.kernels.asking import ask_these
from goodarm.kernels.live import DROPPED

Labels = Mapping[int, tuple[int, int]]
"""By arm: the label, and the pulls in its test when it fell."""


def ask_as_written(ident: Identifier, arms: Sequence[int], cases: Sequence[int] | None) -> range:
    """Ask pulls of these arms, on these cases; returns their numbers."""
    parts = ident._parts()
    standings, start = parts.standings, parts.standings.asked
    done = 0
    while done < len(arms):
        room = standings.make_room(len(arms) - done)
        ask_these(standings.live, np.array(arms[done : done + room], np.int64))
        done += room
    numbers = range(start + 1, start + 1 + len(arms))
    if cases is not None:
        parts.cases.take(numbers, arms, cases)
    return numbers


@contextmanager
def labels_as_written(
    ident: Identifier, labels: Labels, dropped: Sequence[int] = ()
) -> Iterator[None]:
    """Within it these labels fall, each at its pulls, and no others.

    ``dropped`` are pulls that are given up within, and count as never made.
    """
    ledger = ident._parts().ledger
    for arm, (_, pulls) in labels.items():
        behind = _place(ident, arm, pulls, set(dropped))
        if behind is not None:
            ledger.stop(arm, behind)
    ident._intake.obeyed = {(arm, pulls): label for arm, (label, pulls) in labels.items()}
    try:
        yield
    finally:
        ident._intake.obeyed = None


def _place(ident: Identifier, arm: int, pulls: int, dropped: set[int]) -> int | None:
    """The pull that is the so-manieth in the arm's test; None if a block makes them full."""
    standings, ledger = ident._parts().standings, ident._parts().ledger
    count, states = int(standings.pulls[arm]), standings.log("state")
    for item in ledger.queue(arm):
        if isinstance(item, Block):
            count += item.size
        elif item not in dropped and states[item - 1] != DROPPED:
            count += 1
            if count == pulls:
                return int(item)
        if count >= pulls:
            break
    return None
