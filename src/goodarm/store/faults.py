"""Named points between the statements of a store, at which a test can stop or kill its process.

What was acknowledged must survive a crash anywhere. These are the places where a crash is worth a
try: a test listens, and at the point that it is after it does what it came for. A store that nobody
listens to compares a name with None at each point, and goes on.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum


class Point(Enum):
    """Where a process may die. Tests go through all of them: a new one is tried by itself."""

    TABLES_BEGUN = "a transaction will make the tables"
    TABLES_MADE = "the tables are made, and have no number"
    TABLES_NUMBERED = "the tables have their number, and are not committed"
    CREATE_BEGUN = "a transaction will create an experiment"
    CREATE_NAMED = "an experiment has its name, and no start"
    CREATE_WRITTEN = "an experiment has its start, and is not committed"
    CREATE_COMMITTED = "an experiment is committed, and nobody knows"
    APPEND_COMING = "a writer wants its turn"
    APPEND_BEGUN = "a writer has its transaction"
    APPEND_MOVED = "the compare-and-set is done, and no row is written"
    APPEND_WRITTEN = "the rows are written, and not committed"
    APPEND_COMMITTED = "the rows are committed, and the recorder has not said so"
    ANSWER_COMING = "all is committed, and who asked has no answer"
    DELETE_BEGUN = "a transaction will delete an experiment"
    DELETE_UNNAMED = "an experiment has no name any more, and its rows are there"
    DELETE_EMPTIED = "an experiment's rows are gone, and that is not committed"
    DELETE_COMMITTED = "an experiment is gone, and nobody knows"
    UPGRADE_WRITTEN = "the tables are changed, and that is not committed"
    UPGRADE_COMMITTED = "the tables are changed, and no journal has hashes"
    CHAIN_WRITTEN = "a journal has hashes, and they are not committed"
    CHAIN_COMMITTED = "a journal has hashes, and others may have none"
    SNAPSHOT_BEGUN = "a transaction will keep a snapshot"
    SNAPSHOT_WRITTEN = "a snapshot is written, and not committed"
    SNAPSHOT_COMMITTED = "a snapshot is committed"


Listener = Callable[[Point], None]

_listener: Listener | None = None


def reach(point: Point) -> None:
    """Say that a point is reached, to whoever listens."""
    if _listener is not None:
        _listener(point)


@contextmanager
def listening(listener: Listener) -> Iterator[None]:
    """Have a function called at each point, by the thread that reaches it, within the block."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before
