"""Recorder that keeps journals in a database; writers' turns are in ``turns``."""

import logging
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from threading import local
from typing import Any, Final, NamedTuple

from sqlalchemy import Connection, Select, bindparam, delete, func, insert, select
from sqlalchemy.exc import SQLAlchemyError

from goodarm.errors import SpecError, StoreError, StoreTampered
from goodarm.store.chain import UNCHAINED, hash_start
from goodarm.store.dialects import Database, get_driver_error
from goodarm.store.faults import Point, reach
from goodarm.store.recorder import (
    ExperimentHead,
    JournalRow,
    Recorder,
    Turn,
    check_name,
    check_rows,
    compute_checksum,
    draw_id,
    is_storable,
    make_gone_error,
    make_key_taken_error,
)
from goodarm.store.sql_tokens import SqlTokens
from goodarm.store.tables import (
    SCHEMA_NUMBER,
    experiments,
    find_schema_number,
    journal,
    make_tables,
    snapshots,
    starts,
)
from goodarm.store.tokens import TokenRows
from goodarm.store.turns import (
    PAGE_ROWS,
    SqlTurn,
    Statements,
    append_without_turn,
    check_page,
    open_turn,
)

_log = logging.getLogger("goodarm.store")

_SIZES: Final = select(experiments.c.name, experiments.c.last)
_LAST: Final = select(experiments.c.last).where(experiments.c.id == bindparam("id"))
_TAKEN: Final = select(journal.c.key).where(
    journal.c.id == bindparam("id"), journal.c.key.in_(bindparam("keys", expanding=True))
)
# Holds off who would delete the experiment, and not who appends to it. SQLite has no such thing and
# needs none: its writers come one by one.
_STAY: Final = _LAST.with_for_update(read=True, key_share=True)
_SNAPSHOT: Final = select(snapshots.c.number, snapshots.c.data, snapshots.c.checksum).where(
    snapshots.c.id == bindparam("id")
)
_FORGET_SNAPSHOT: Final = delete(snapshots).where(
    snapshots.c.id == bindparam("whose"),
    snapshots.c.number == bindparam("seen"),
    snapshots.c.checksum == bindparam("expected"),
)


class _Queries(NamedTuple):
    """Queries that differ between schemas."""

    heads: Select[Any]
    head: Select[Any]
    read: Select[Any]
    find: Select[Any]

    @classmethod
    def of(cls, schema: int) -> "_Queries":
        has_hashes = schema > 1
        rows = select(*journal.c["number", "text", "key", "digest"])
        heads = select(experiments.c.name, starts.c.start, experiments.c.last, experiments.c.id)
        if has_hashes:
            rows = rows.add_columns(func.coalesce(journal.c.hash, UNCHAINED))
            heads = heads.add_columns(experiments.c.hash)
        heads = heads.join_from(experiments, starts, experiments.c.id == starts.c.id)
        is_its = journal.c.id == bindparam("id")
        behind = journal.c.number > bindparam("after"), journal.c.number <= bindparam("until")
        return cls(
            heads=heads,
            head=heads.where(experiments.c.name == bindparam("name")),
            read=rows.where(is_its, *behind).order_by(journal.c.number).limit(PAGE_ROWS),
            find=rows.where(is_its, journal.c.key == bindparam("key")),
        )


class _OneReading(local):
    """Read transaction that a thread shares among its reads."""

    stack: ExitStack | None = None
    """stack that ends the transaction; None outside a block"""
    connection: Connection | None = None
    """connection of the transaction; None before the first read"""


class SqlRecorder(Recorder):
    """Recorder that keeps journals in a database. Missing tables are made, if allowed."""

    def __init__(self, database: Database, *, must_exist: bool = False) -> None:
        self.database = database
        self.place = database.place
        self._one = _OneReading()
        try:
            self.schema = self._prepare(must_exist)
        except BaseException:
            self.close()
            raise
        self._statements = Statements.of(database, self.schema)
        self._queries = _Queries.of(self.schema)

    def __repr__(self) -> str:
        return f"SqlRecorder({self.place})"

    def _prepare(self, must_exist: bool) -> int:
        """Return the schema number of the tables; make them if there are none."""
        with self.reading() as connection:
            found = find_schema_number(connection, self.place)
        if found is not None:
            return found
        if must_exist:
            raise SpecError(
                f"There is no goodarm store in {self.place}: its tables are missing.",
                argument="url",
                owner="open_store",
                rule="be that of a store",
                remedy="To create the store, create an experiment in it.",
            )
        with self.writing() as connection:
            reach(Point.TABLES_BEGUN)
            make_tables(connection, self.place, self.database.wait_for_others)
        return SCHEMA_NUMBER

    @contextmanager
    def reading(self) -> Iterator[Connection]:
        """Yield a connection in a read transaction: the block's, within ``one_reading``."""
        one = self._one
        try:
            if one.stack is None:
                with self.database.reader.begin() as connection:
                    yield connection
                return
            if one.connection is None:
                one.connection = one.stack.enter_context(self.database.snapshots.begin())
            yield one.connection
        except SQLAlchemyError as error:
            raise self.database.translate(error) from get_driver_error(error)

    @contextmanager
    def one_reading(self) -> Iterator[None]:
        """Implement `Recorder.one_reading`; a block within another one is part of it."""
        one = self._one
        if one.stack is not None:
            yield
            return
        try:
            with ExitStack() as one.stack:
                yield
        except SQLAlchemyError as error:
            raise self.database.translate(error) from get_driver_error(error)
        finally:
            one.stack = one.connection = None

    @contextmanager
    def writing(self) -> Iterator[Connection]:
        """Yield a connection in a transaction that is committed at the end of the block."""
        try:
            with self.database.writer.begin() as connection:
                yield connection
        except SQLAlchemyError as error:
            raise self.database.translate(error) from get_driver_error(error)

    def create(self, name: str, start: str, *, is_chained: bool = True) -> ExperimentHead:
        """Implement `Recorder.create`."""
        check_name(name, start)
        new: dict[str, Any] = {"name": name, "id": draw_id(), "last": 0}
        if self.schema > 1:
            new["hash"] = hash_start(start) if is_chained else UNCHAINED
        unless_there = (
            self.database.insert(experiments)
            .on_conflict_do_nothing(index_elements=[experiments.c.name])
            .returning(experiments.c.id)
        )
        while True:
            found = self.head(name)
            if found is not None:
                return found
            with self.writing() as connection:
                reach(Point.CREATE_BEGUN)
                if connection.execute(unless_there, new).one_or_none() is not None:
                    reach(Point.CREATE_NAMED)
                    connection.execute(insert(starts), {"id": new["id"], "start": start})
                    reach(Point.CREATE_WRITTEN)
            reach(Point.CREATE_COMMITTED)
            # Another one may have been first, and yet another may have deleted that: look again.

    def head(self, name: str) -> ExperimentHead | None:
        """Implement `Recorder.head`."""
        if not is_storable(name):
            return None
        with self.reading() as connection:
            found = connection.execute(self._queries.head, {"name": name}).one_or_none()
            return None if found is None else ExperimentHead(*found)

    def heads(self) -> list[ExperimentHead]:
        """Implement `Recorder.heads`."""
        with self.reading() as connection:
            found = [ExperimentHead(*each) for each in connection.execute(self._queries.heads)]
        return sorted(found)  # here, for databases order letters in ways of their own

    def sizes(self) -> list[tuple[str, int]]:
        """Implement `Recorder.sizes`."""
        with self.reading() as connection:
            return sorted((name, last) for name, last in connection.execute(_SIZES))

    @contextmanager
    def turn(self, head: ExperimentHead) -> Iterator[Turn]:
        """Implement `Recorder.turn`."""
        turn = None
        reach(Point.APPEND_COMING)
        try:
            with open_turn(self.database, self._statements, head) as (cursor, now):
                if now is None:
                    raise make_gone_error(head.name)
                turn = SqlTurn(cursor, now, self.place, self._statements)
                yield turn
        except StoreTampered as error:
            if turn is not None:
                self._check_keys(head, turn.rows, error)
            raise
        reach(Point.APPEND_COMMITTED)

    def append(self, head: ExperimentHead, rows: Sequence[JournalRow]) -> ExperimentHead:
        """Implement `Recorder.append`, without a turn if the head is still the journal's."""
        check_rows(head, rows)
        if not rows:
            return head
        reach(Point.APPEND_COMING)
        try:
            new = append_without_turn(self.database, self._statements, head, rows)
        except StoreTampered as error:
            self._check_keys(head, rows, error)
            raise
        if new is None:
            return super().append(head, rows)  # it reads the head, and says what is wrong with it
        reach(Point.APPEND_COMMITTED)
        return new

    def _check_keys(
        self, head: ExperimentHead, rows: Sequence[JournalRow], error: StoreTampered
    ) -> None:
        """Raise an error if a row was not written because its key is in the journal already."""
        key = self._find_taken_key(head, rows)
        if key is not None:
            raise make_key_taken_error(head, key) from error.__cause__

    def _find_taken_key(self, head: ExperimentHead, rows: Sequence[JournalRow]) -> str | None:
        """Return the first of the rows' keys that is in the journal, which never loses keys."""
        keys = [row.key for row in rows if row.key is not None]
        taken: set[str | None] = set()
        with self.reading() as connection:
            for first in range(0, len(keys), PAGE_ROWS):
                some = {"id": head.id, "keys": keys[first : first + PAGE_ROWS]}
                taken.update(connection.execute(_TAKEN, some).scalars())
        return next((key for key in keys if key in taken), None)

    def read(self, head_id: str, after: int, most: int | None = None) -> Iterator[JournalRow]:
        """Implement `Recorder.read`."""
        last = self._find_last_number(head_id)
        after = max(after, 0)
        until = last if most is None else min(last, after + most)
        return self._read_in_pages(head_id, after, until)

    def _find_last_number(self, head_id: str) -> int:
        with self.reading() as connection:
            last = connection.execute(_LAST, {"id": head_id}).scalar_one_or_none()
        if last is None:
            raise make_gone_error(head_id)
        return int(last)

    def _read_in_pages(self, head_id: str, after: int, until: int) -> Iterator[JournalRow]:
        while after < until:
            with self.reading() as connection:
                try:
                    bounds = {"id": head_id, "after": after, "until": until}
                    page = [
                        JournalRow(*each) for each in connection.execute(self._queries.read, bounds)
                    ]
                    check_page(page, after, until, self.place)
                except StoreTampered:
                    self._find_last_number(
                        head_id
                    )  # it may have been deleted, which is another error
                    raise
            yield from page
            after += len(page)

    def find(self, head_id: str, key: str) -> JournalRow | None:
        """Implement `Recorder.find`."""
        if not is_storable(key):
            return None
        with self.reading() as connection:
            found = connection.execute(
                self._queries.find, {"id": head_id, "key": key}
            ).one_or_none()
            return None if found is None else JournalRow(*found)

    def delete(self, name: str) -> bool:
        """Implement `Recorder.delete`."""
        if not is_storable(name):
            return False
        first = delete(experiments).where(experiments.c.name == name).returning(experiments.c.id)
        with self.writing() as connection:
            reach(Point.DELETE_BEGUN)
            whose = connection.execute(first).scalar_one_or_none()
            reach(Point.DELETE_UNNAMED)
            if whose is not None:
                for table in (starts, journal, snapshots):
                    connection.execute(delete(table).where(table.c.id == whose))
            reach(Point.DELETE_EMPTIED)
        reach(Point.DELETE_COMMITTED)
        return whose is not None

    def save_snapshot(self, head_id: str, number: int, data: bytes) -> None:
        """Implement `Recorder.save_snapshot`."""
        new = self.database.insert(snapshots)
        same = ("number", "checksum", "data")
        upsert = new.on_conflict_do_update(
            index_elements=[snapshots.c.id],
            set_={name: new.excluded[name] for name in same},
            where=snapshots.c.number <= new.excluded.number,
        )
        values = (head_id, number, compute_checksum(head_id, number, data), data)
        try:
            with self.writing() as connection:
                reach(Point.SNAPSHOT_BEGUN)
                if connection.execute(_STAY, {"id": head_id}).one_or_none() is not None:
                    connection.execute(upsert, dict(zip(("id", *same), values, strict=True)))
                reach(Point.SNAPSHOT_WRITTEN)
            reach(Point.SNAPSHOT_COMMITTED)
        except StoreError as error:
            _log.warning("Cannot write a snapshot. Opening the experiment takes longer: %s", error)

    def load_snapshot(self, head_id: str) -> tuple[int, bytes] | None:
        """Implement `Recorder.load_snapshot`."""
        with self.reading() as connection:
            found = connection.execute(_SNAPSHOT, {"id": head_id}).one_or_none()
        if found is None:
            return None
        number, data, expected = found
        if isinstance(data, bytes) and compute_checksum(head_id, number, data) == expected:
            return number, data
        _log.warning("A snapshot is damaged and was deleted. The journal is replayed instead.")
        seen = {"whose": head_id, "seen": number, "expected": expected}
        try:
            with self.writing() as connection:
                connection.execute(_FORGET_SNAPSHOT, seen)
        except StoreError as error:
            _log.warning("Cannot delete a damaged snapshot: %s", error)
        return None

    @property
    def tokens(self) -> TokenRows:
        """Tokens in the database; implements `Recorder.tokens`."""
        return SqlTokens(self.reading, self.writing, has_changes=self.schema > 1)

    def close(self) -> None:
        """Implement `Recorder.close`."""
        self.database.turns.dispose()
        for engine in (self.database.writer, self.database.reader):
            engine.dispose()
