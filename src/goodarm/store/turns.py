"""A writer's turn in a database, by the driver's own calls.

Through SQLAlchemy a turn takes three times as long, most of it on the way to the driver. So only
the pool is SQLAlchemy's, and the statements are plain: they are few, and no word of them comes from
a user.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final, NamedTuple

from sqlalchemy import PoolProxiedConnection
from sqlalchemy.exc import SQLAlchemyError

from goodarm.errors import StoreDown, StoreTampered
from goodarm.store.chain import chain_rows
from goodarm.store.dialects import Database, driver_error
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import Head, Row, Turn, can_be_kept, check_rows, moved
from goodarm.store.tables import experiments, journal

PAGE: Final = 2000
"""Rows that are read at a time: outside of turns, no transaction stays open while they are used."""

_WAIT: Final = f"SELECT last, {{hash}} FROM {experiments.name} WHERE id = ?"
_MOVE: Final = f"UPDATE {experiments.name} SET last = ?{{set_hash}} WHERE id = ? AND last = ?"
_APPEND: Final = f"INSERT INTO {journal.name} (id, {{columns}}) VALUES (?, {{marks}})"
_BOTH: Final = (
    f"WITH moved AS ({_MOVE} RETURNING id) "
    f"INSERT INTO {journal.name} (id, {{columns}}) SELECT id, {{marks}} FROM moved"
)
_ROWS: Final = f"SELECT {{columns}} FROM {journal.name} WHERE id = ? AND"
_READ: Final = f"{_ROWS} number > ? AND number <= ? ORDER BY number LIMIT {PAGE}"
_FIND: Final = f"{_ROWS} key = ?"


class Statements(NamedTuple):
    """Statements of a turn, as a driver takes them."""

    wait: str
    move: str
    append: str
    read: str
    find: str
    both: str | None
    """moves and appends a row"""
    has_hashes: bool

    @classmethod
    def of(cls, database: Database, schema: int) -> "Statements":
        """Return them for a database, with its mark for a value and its lock, and a schema."""
        has_hashes = schema > 1
        columns = ["number", "text", "key", "digest", *(["hash"] if has_hashes else [])]
        parts = {
            "hash": "hash" if has_hashes else "''",
            "set_hash": ", hash = ?" if has_hashes else "",
            "columns": ", ".join(columns),
            "marks": ", ".join("?" * len(columns)),
        }
        plain = (_WAIT + database.lock, _MOVE, _APPEND, _READ, _FIND, _BOTH)
        wait, move, append, read, find, both = (
            each.format(**parts).replace("?", database.mark) for each in plain
        )
        one_statement = both if database.moves_and_appends else None
        return cls(wait, move, append, read, find, one_statement, has_hashes)


class SqlTurn(Turn):
    """A transaction that has the experiment's row for itself."""

    def __init__(self, driver: Any, head: Head, place: str, statements: Statements) -> None:
        self._driver, self._head = driver, head
        self._place, self._statements = place, statements
        self.rows: Sequence[Row] = ()

    def read(self, after: int) -> Iterator[Row]:
        """As `Turn.read`."""
        last = self._head.last
        while after < last:
            found = self._driver.execute(
                self._statements.read, (self._head.id, after, last)
            ).fetchall()
            page = [Row(*each) for each in found]
            check_page(page, after, last, self._place)
            yield from page
            after += len(page)

    def find(self, key: str) -> Row | None:
        """As `Turn.find`."""
        if not can_be_kept(key):
            return None
        found = self._driver.execute(self._statements.find, (self._head.id, key)).fetchone()
        return None if found is None else Row(*found)

    def append(self, last: int, rows: Sequence[Row]) -> None:
        """As `Turn.append`."""
        head = self._head._replace(last=last)
        check_rows(head, rows)
        self.rows = rows
        if last != self._head.last:
            raise moved(head, self._head.last)
        chained, hash_ = chain_rows(head.hash, rows)
        has_hashes = self._statements.has_hashes
        values = [(*row,) if has_hashes else row[:4] for row in chained]
        seen = (rows[-1].number, *([hash_] if has_hashes else []), head.id, last)
        if len(rows) == 1 and self._statements.both is not None:
            # In one statement, which spares a way over the network.
            if self._driver.execute(self._statements.both, (*seen, *values[0])).rowcount != 1:
                raise moved(head, self._head.last)
            reach(Point.APPEND_MOVED)
        else:
            if self._driver.execute(self._statements.move, seen).rowcount != 1:
                raise moved(head, self._head.last)
            reach(Point.APPEND_MOVED)
            every = [(head.id, *each) for each in values]
            self._driver.cursor().executemany(self._statements.append, every)
        reach(Point.APPEND_WRITTEN)


def check_page(page: Sequence[Row], after: int, until: int, place: str) -> None:
    """Of the rows that were read none may be missing."""
    expected = range(after + 1, min(after + PAGE, until) + 1)
    if [row.number for row in page] != list(expected):
        raise StoreTampered(
            f"The store {place} is damaged: of the entries {expected[0]} to {expected[-1]} of an "
            f"experiment with {until} only {len(page)} are there. Take it from a backup."
        )


@contextmanager
def driving(
    database: Database, statements: Statements, head: Head
) -> Iterator[tuple[Any, Head | None]]:
    """Yield a driver's connection in a transaction, which is committed at the end of the block.

    With the experiment's head, whose row is locked; None if there is none.
    """
    pooled, now = _begun(database, statements, head)
    driver: Any = pooled.driver_connection
    try:
        yield driver, now
        driver.commit()
    except BaseException as error:
        try:
            driver.rollback()
        except database.errors:
            pooled.invalidate()
        else:
            database.turns.give_back(pooled)
        if isinstance(error, database.errors):
            raise database.translate(error) from error
        raise
    database.turns.give_back(pooled)


def _begun(
    database: Database, statements: Statements, head: Head, *, is_first: bool = True
) -> tuple[PoolProxiedConnection, Head | None]:
    """Return a connection that has begun; another one, once, if it turns out to be dead."""
    try:
        pooled = database.turns.take()
    except (SQLAlchemyError, database.errors) as error:
        raise database.translate(error) from driver_error(error)
    driver: Any = pooled.driver_connection
    try:
        if database.begin is not None:
            driver.execute(database.begin)
        reach(Point.APPEND_BEGUN)
        found = driver.execute(statements.wait, (head.id,)).fetchone()
    except BaseException as error:
        pooled.invalidate()
        if not isinstance(error, database.errors):
            raise
        problem = database.translate(error)
        if not is_first or not isinstance(problem, StoreDown):
            raise problem from error
    else:
        return pooled, None if found is None else head._replace(last=int(found[0]), hash=found[1])
    database.turns.dispose()  # the others may be as dead
    return _begun(database, statements, head, is_first=False)
