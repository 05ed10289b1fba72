"""A writer's turn in a database: what every request passes, in the driver's own words.

Through SQLAlchemy a turn takes three times as long, most of it on the way to the driver. So the
pool is its, and the statements are plain: they are few, and no word of them comes from a user.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import SQLAlchemyError

from goodarm.errors import StoreDown, StoreTampered
from goodarm.store.dialects import Database, driver_error
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import Head, Row, Turn, can_be_kept, check_rows, moved
from goodarm.store.tables import experiments, journal

PAGE: Final = 2000
"""Rows that are read at a time: outside of turns, no transaction stays open while they are used."""

_WAIT: Final = f"SELECT last FROM {experiments.name} WHERE id = ?"
_MOVE: Final = f"UPDATE {experiments.name} SET last = ? WHERE id = ? AND last = ?"
_COLUMNS: Final = "number, text, key, digest"
_APPEND: Final = f"INSERT INTO {journal.name} (id, {_COLUMNS}) VALUES (?, ?, ?, ?, ?)"
_BOTH: Final = (
    f"WITH moved AS ({_MOVE} RETURNING id) "
    f"INSERT INTO {journal.name} (id, {_COLUMNS}) SELECT id, ?, ?, ?, ? FROM moved"
)
_ROWS: Final = f"SELECT {_COLUMNS} FROM {journal.name} WHERE id = ? AND"
_READ: Final = f"{_ROWS} number > ? AND number <= ? ORDER BY number LIMIT {PAGE}"
_FIND: Final = f"{_ROWS} key = ?"


class Words(NamedTuple):
    """The statements of a turn, as a driver takes them."""

    wait: str
    move: str
    append: str
    read: str
    find: str
    both: str | None
    """moves and appends a row"""

    @classmethod
    def of(cls, database: Database) -> "Words":
        """With the database's mark for a value, and its way to hold off who would append."""
        plain = (_WAIT + database.lock, _MOVE, _APPEND, _READ, _FIND, _BOTH)
        found = cls(*(each.replace("?", database.mark) for each in plain))
        return found if database.moves_and_appends else found._replace(both=None)


class SqlTurn(Turn):
    """A transaction that has the experiment's row for itself."""

    def __init__(self, driver: Any, head: Head, place: str, words: Words) -> None:
        self._driver, self._head = driver, head
        self._place, self._words = place, words
        self.rows: Sequence[Row] = ()

    def read(self, after: int) -> Iterator[Row]:
        """As `Turn.read`."""
        last = self._head.last
        while after < last:
            found = self._driver.execute(self._words.read, (self._head.id, after, last)).fetchall()
            page = [Row(*each) for each in found]
            check_page(page, after, last, self._place)
            yield from page
            after += len(page)

    def find(self, key: str) -> Row | None:
        """As `Turn.find`."""
        if not can_be_kept(key):
            return None
        found = self._driver.execute(self._words.find, (self._head.id, key)).fetchone()
        return None if found is None else Row(*found)

    def append(self, last: int, rows: Sequence[Row]) -> None:
        """As `Turn.append`."""
        head = self._head._replace(last=last)
        check_rows(head, rows)
        self.rows = rows
        if len(rows) == 1 and self._words.both is not None:
            self._move_and_append(head, rows[0])
        else:
            seen = (rows[-1].number, head.id, last)
            if self._driver.execute(self._words.move, seen).rowcount != 1:
                raise moved(head, self._head.last)
            reach(Point.APPEND_MOVED)
            values = [(head.id, *row) for row in rows]
            self._driver.cursor().executemany(self._words.append, values)
        reach(Point.APPEND_WRITTEN)

    def _move_and_append(self, head: Head, row: Row) -> None:
        """In one statement, which spares a way over the network."""
        values = (row.number, head.id, head.last, *row)
        if self._driver.execute(self._words.both, values).rowcount != 1:
            raise moved(head, self._head.last)
        reach(Point.APPEND_MOVED)


def check_page(page: Sequence[Row], after: int, until: int, place: str) -> None:
    """Of the rows that were read none may be missing."""
    expected = range(after + 1, min(after + PAGE, until) + 1)
    if [row.number for row in page] != list(expected):
        raise StoreTampered(
            f"The store {place} is damaged: of the entries {expected[0]} to {expected[-1]} of an "
            f"experiment with {until} only {len(page)} are there. Take it from a backup."
        )


@contextmanager
def driving(database: Database, words: Words, head: Head) -> Iterator[tuple[Any, int | None]]:
    """A driver's connection in a transaction, which is committed at the end of the block.

    With the number of the experiment's last row, which is held; None if there is none.
    """
    pooled, last = _begun(database, words, head)
    driver: Any = pooled.driver_connection
    try:
        yield driver, last
        driver.commit()
    except BaseException as error:
        try:
            driver.rollback()
        except database.errors:
            pooled.invalidate()
        if isinstance(error, database.errors):
            raise database.translate(error) from error
        raise
    finally:
        pooled.close()


def _begun(
    database: Database, words: Words, head: Head, *, is_first: bool = True
) -> tuple[PoolProxiedConnection, int | None]:
    """A connection that has begun. Where it was dead, which is seen now, another one, once."""
    try:
        pooled = database.turns.raw_connection()
    except (SQLAlchemyError, database.errors) as error:
        raise database.translate(error) from driver_error(error)
    driver: Any = pooled.driver_connection
    try:
        if database.begin is not None:
            driver.execute(database.begin)
        reach(Point.APPEND_BEGUN)
        found = driver.execute(words.wait, (head.id,)).fetchone()
    except BaseException as error:
        pooled.invalidate()
        if not isinstance(error, database.errors):
            raise
        problem = database.translate(error)
        if not is_first or not isinstance(problem, StoreDown):
            raise problem from error
    else:
        return pooled, None if found is None else int(found[0])
    database.turns.dispose()  # the others may be as dead
    return _begun(database, words, head, is_first=False)
