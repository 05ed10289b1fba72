"""Named points between the statements of a store, where a test can stop or kill the process.

What was acknowledged must survive a crash anywhere. A crash is tried at these points: a test
listens, and acts at the one that it is about. Without a listener a point costs one comparison with
None.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum


class Point(Enum):
    """Point where a process may die. Tests go through all of them, new ones included."""

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
    """Report to the listener, if any, that a point is reached."""
    if _listener is not None:
        _listener(point)


@contextmanager
def listen_to_points(listener: Listener) -> Iterator[None]:
    """Call a function at each point within the block, in the thread that reaches the point."""
    global _listener
    before, _listener = _listener, listener
    try:
        yield
    finally:
        _listener = before
