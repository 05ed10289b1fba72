"""Writers' turns in a database, and appends without a turn, by the driver's own calls.

Through SQLAlchemy a turn takes three times as long, mostly on the way to the driver. So only the
pool is SQLAlchemy's, and the statements are plain SQL: they are few, and contain no user input.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from sqlalchemy.exc import SQLAlchemyError

from goodarm.errors import StoreDown, StoreTampered
from goodarm.store.chain import hash_rows
from goodarm.store.dialects import Database, TurnConnection, get_driver_error
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import (
    ExperimentHead,
    JournalRow,
    Turn,
    check_rows,
    is_storable,
    make_moved_error,
)
from goodarm.store.tables import experiments, journal

PAGE_ROWS: Final = 2000
"""Rows that are read at a time: outside of turns, no transaction stays open while they are used."""

_WAIT: Final = f"SELECT last, {{hash}} FROM {experiments.name} WHERE id = ?"
_MOVE: Final = (
    f"UPDATE {experiments.name} SET last = ?{{set_hash}} WHERE id = ? AND last = ?{{is_hash}}"
)
_APPEND: Final = f"INSERT INTO {journal.name} (id, {{columns}}) VALUES (?, {{marks}})"
_AT_ONCE: Final = (
    f"WITH moved AS ({_MOVE} RETURNING id) INSERT INTO {journal.name} (id, {{columns}}) "
    "SELECT moved.id, added.* FROM moved, (VALUES {rows}) AS added"
)
_MAX_ROWS_AT_ONCE: Final = 16
"""Most rows that one statement appends: there is a statement for each number of them."""
_COMMIT: Final = "COMMIT"
_ROWS: Final = f"SELECT {{columns}} FROM {journal.name} WHERE id = ? AND"
_READ: Final = f"{_ROWS} number > ? AND number <= ? ORDER BY number LIMIT {PAGE_ROWS}"
_FIND: Final = f"{_ROWS} key = ?"


class Statements(NamedTuple):
    """SQL statements of a turn, for the driver."""

    wait: str
    move: str
    append: str
    read: str
    find: str
    at_once: tuple[str, ...]
    """statements that move and append 1, 2, 3, ... rows; none if the database cannot do both in
    one"""
    has_hashes: bool

    @classmethod
    def of(cls, database: Database, schema: int) -> "Statements":
        """Return the statements for a database and a schema."""
        has_hashes = schema > 1
        columns = ["number", "text", "key", "digest", *(["hash"] if has_hashes else [])]
        parts = {
            "hash": "hash" if has_hashes else "''",
            "set_hash": ", hash = ?" if has_hashes else "",
            "is_hash": " AND hash = ?" if has_hashes else "",
            "columns": ", ".join(columns),
            "marks": ", ".join("?" * len(columns)),
        }

        def write_out(template: str, rows: int = 0) -> str:
            values = ", ".join([f"({parts['marks']})"] * rows)
            return template.format(**parts, rows=values).replace("?", database.mark)

        counts = range(1, _MAX_ROWS_AT_ONCE + 1) if database.moves_and_appends else ()
        at_once = tuple(write_out(_AT_ONCE, count) for count in counts)
        return cls(
            wait=write_out(_WAIT + database.lock),
            move=write_out(_MOVE),
            append=write_out(_APPEND),
            read=write_out(_READ),
            find=write_out(_FIND),
            at_once=at_once,
            has_hashes=has_hashes,
        )

    def append_at_once(
        self, cursor: Any, head: ExperimentHead, rows: Sequence[JournalRow]
    ) -> ExperimentHead | None:
        """Append rows with one statement; return the new head, or None if the journal has moved."""
        new, compared, added = self._make_values(head, rows)
        values = [*compared, *(value for row in added for value in row[1:])]
        statement = self.at_once[len(rows) - 1]
        return new if cursor.execute(statement, values).rowcount == len(rows) else None

    def append_rows(
        self, cursor: Any, head: ExperimentHead, rows: Sequence[JournalRow]
    ) -> ExperimentHead | None:
        """Append rows in a transaction; return the new head, or None if the journal has moved."""
        if len(rows) <= len(self.at_once):
            at_once = self.append_at_once(cursor, head, rows)
            if at_once is None:
                return None
            new = at_once
            reach(Point.APPEND_MOVED)
        else:
            new, compared, added = self._make_values(head, rows)
            if cursor.execute(self.move, compared).rowcount != 1:
                return None
            reach(Point.APPEND_MOVED)
            if len(added) == 1:
                cursor.execute(self.append, added[0])
            else:
                cursor.executemany(self.append, added)
        reach(Point.APPEND_WRITTEN)
        return new

    def _make_values(
        self, head: ExperimentHead, rows: Sequence[JournalRow]
    ) -> tuple[ExperimentHead, tuple[Any, ...], list[tuple[Any, ...]]]:
        """Return the head after the rows, the values to compare and set, and those of the rows."""
        name, start, last, id_, hash_ = head
        new_last = last + len(rows)
        if not self.has_hashes:
            new = ExperimentHead(name, start, new_last, id_, hash_)
            return new, (new_last, id_, last), [(id_, *row[:4]) for row in rows]
        hashes = hash_rows(hash_, rows)
        added = [
            (id_, number, text, key, digest, each)
            for (number, text, key, digest, _), each in zip(rows, hashes, strict=True)
        ]
        new = ExperimentHead(name, start, new_last, id_, hashes[-1])
        return new, (new_last, hashes[-1], id_, last, hash_), added


class SqlTurn(Turn):
    """Transaction that holds the lock of the experiment's row."""

    def __init__(
        self, cursor: Any, head: ExperimentHead, place: str, statements: Statements
    ) -> None:
        self._cursor, self.head = cursor, head
        self._place, self._statements = place, statements
        self.rows: Sequence[JournalRow] = ()

    def read(self, after: int) -> Iterator[JournalRow]:
        """Implement `Turn.read`."""
        last = self.head.last
        while after < last:
            found = self._cursor.execute(
                self._statements.read, (self.head.id, after, last)
            ).fetchall()
            page = [JournalRow(*each) for each in found]
            check_page(page, after, last, self._place)
            yield from page
            after += len(page)

    def find(self, key: str) -> JournalRow | None:
        """Implement `Turn.find`."""
        if not is_storable(key):
            return None
        found = self._cursor.execute(self._statements.find, (self.head.id, key)).fetchone()
        return None if found is None else JournalRow(*found)

    def append(self, last: int, rows: Sequence[JournalRow]) -> None:
        """Implement `Turn.append`."""
        head = self.head._replace(last=last)
        check_rows(head, rows)
        self.rows = rows
        if last != self.head.last:
            raise make_moved_error(head, self.head.last)
        now = self._statements.append_rows(self._cursor, head, rows)
        if now is None:
            raise make_moved_error(head, self.head.last)
        self.head = now


def append_without_turn(
    database: Database, statements: Statements, head: ExperimentHead, rows: Sequence[JournalRow]
) -> ExperimentHead | None:
    """Commit rows after the head and return the new head; None if the journal has moved.

    On PostgreSQL this is one statement, and so one round trip.
    """
    try:
        with database.turns.take() as cursor:
            if len(rows) <= len(statements.at_once):
                reach(Point.APPEND_BEGUN)
                return statements.append_at_once(cursor, head, rows)
            cursor.execute(database.begin)
            reach(Point.APPEND_BEGUN)
            new = statements.append_rows(cursor, head, rows)
            cursor.execute(_COMMIT)
            return new
    except (SQLAlchemyError, database.errors) as error:
        raise database.translate(error) from get_driver_error(error)


def check_page(page: Sequence[JournalRow], after: int, until: int, place: str) -> None:
    """Raise an error if a row is missing from a page that was read."""
    expected = range(after + 1, min(after + PAGE_ROWS, until) + 1)
    if [row.number for row in page] != list(expected):
        raise StoreTampered(
            f"The store {place} is damaged: of the entries {expected[0]} to {expected[-1]} of an "
            f"experiment with {until} only {len(page)} are there. Restore it from a backup."
        )


@contextmanager
def open_turn(
    database: Database, statements: Statements, head: ExperimentHead
) -> Iterator[tuple[Any, ExperimentHead | None]]:
    """Yield a driver's cursor in a transaction, which is committed at the end of the block.

    It comes with the experiment's head, whose row is locked; None if there is none.
    """
    try:
        connection, now = _begin(database, statements, head)
        with connection as cursor:
            yield cursor, now
            cursor.execute(_COMMIT)
    except (SQLAlchemyError, database.errors) as error:
        raise database.translate(error) from get_driver_error(error)


def _begin(
    database: Database, statements: Statements, head: ExperimentHead, *, is_first: bool = True
) -> tuple[TurnConnection, ExperimentHead | None]:
    """Begin on a connection and return it; take another one, once, if it turns out to be dead."""
    connection = database.turns.take()
    cursor = connection.cursor
    try:
        cursor.execute(database.begin)
        reach(Point.APPEND_BEGUN)
        found = cursor.execute(statements.wait, (head.id,)).fetchone()
    except BaseException as error:
        connection.pooled.invalidate()
        if not is_first or not isinstance(error, database.errors):
            raise
        if not isinstance(database.translate(error), StoreDown):
            raise
    else:
        now = None if found is None else head._replace(last=int(found[0]), hash=found[1])
        return connection, now
    database.turns.dispose()  # the others may be as dead
    return _begin(database, statements, head, is_first=False)
