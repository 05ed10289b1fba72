"""Differences between databases: engines with their settings and events, and their errors."""

import os
import sqlite3
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from typing import Any, Final, NamedTuple
from weakref import WeakSet

from sqlalchemy import (
    URL,
    Connection,
    Engine,
    PoolProxiedConnection,
    Table,
    create_engine,
    event,
    text,
)
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.exc import DBAPIError

from goodarm.errors import (
    StoreDown,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTampered,
)
from goodarm.wording import PrivateText, phrase

CONNECT_PAUSES: Final = (0.1, 0.2, 0.4, 0.8, 1.5)
"""Seconds between attempts to reach a server: enough for one that restarts."""
TURN_SECONDS: Final = 5.0
"""Seconds that a writer on PostgreSQL may be idle in its turn. Then the server ends it, so that a
stopped process does not block the others."""
SCHEMA_LOCK: Final = 0x676F6F6461726D
"""Advisory lock for making the tables on PostgreSQL: the letters of goodarm."""

_SENTENCES: Final[dict[type[StoreError], tuple[str, str]]] = {
    StoreLocked: (
        "The store{place} was busy for more than {wait} seconds{said}.",
        "Try again. If that does not help, end the process that holds a transaction open.",
    ),
    StoreReadOnly: (
        "The store{place} cannot be written{said}.",
        "Check that you have write access to its file and folder, or to its server.",
    ),
    StoreFull: (
        "The store{place} has no room left{said}.",
        "Free some space and repeat the request: nothing of it was written.",
    ),
    StoreDown: (
        "The store{place} cannot be reached{said}.",
        "Check that it is running and that its address is right. You can then repeat a request "
        "that had a key.",
    ),
    StoreTampered: (
        "The store{place} is damaged{said}.",
        "Keep a copy, and restore the last good state from a backup.",
    ),
    StoreError: (
        "The store{place} failed{said}.",
        "The cause of this error has the database's own message.",
    ),
}


class TurnConnection:
    """Connection with a cursor that is kept from one turn to the next.

    A new cursor for each statement would take a fifth of the time of most statements.
    """

    def __init__(self, owner: "TurnConnections", pooled: PoolProxiedConnection) -> None:
        self._errors, self._idle, self.pooled = owner.errors, owner.idle, pooled
        driver: Any = pooled.driver_connection
        self.driver, self.cursor = driver, driver.cursor()

    def __enter__(self) -> Any:
        return self.cursor

    def __exit__(self, kind: type[BaseException] | None, *_: object) -> None:
        if kind is not None:
            try:
                self.driver.rollback()
            except self._errors:
                self.pooled.invalidate()
                return
        if len(self._idle) < _MAX_IDLE_CONNECTIONS:
            self._idle.append(self)
        else:
            self.pooled.close()


class TurnConnections:
    """Connections for writers, kept outside the engine's pool between transactions.

    Taking one from the pool and returning it takes as long as a turn's own statements.

    Args:
        engine: makes them.
        errors: what the driver raises.
        is_closed: whether the other side has closed a connection, as far as this side knows.
    """

    def __init__(
        self,
        engine: Engine,
        errors: type[Exception],
        is_closed: Callable[[Any], bool] | None = None,
    ) -> None:
        self.engine, self.errors, self._is_closed = engine, errors, is_closed
        self.idle: deque[TurnConnection] = deque()
        """connections without a transaction, for the next turn"""
        _TURNS.add(self)

    def take(self) -> TurnConnection:
        """Return an unused connection that is open as far as this side knows."""
        while True:
            try:
                found = self.idle.pop()
            except IndexError:
                found = TurnConnection(self, self.engine.raw_connection())
            if self._is_closed is None or not self._is_closed(found.driver):
                return found
            found.pooled.invalidate()

    def dispose(self) -> None:
        """Close the unused connections."""
        while self.idle:
            self.idle.pop().pooled.invalidate()
        self.engine.dispose()


_TURNS: Final[WeakSet[TurnConnections]] = WeakSet()
_MAX_IDLE_CONNECTIONS: Final = 4


class Database(NamedTuple):
    """Database with its dialect's settings. ``place`` is its address without secrets."""

    place: str
    writer: Engine
    reader: Engine
    snapshots: Engine
    """Engine for readers whose transaction sees the database as of its first read."""
    turns: TurnConnections
    """Connections for writers in autocommit mode: each statement is a transaction, unless ``begin``
    comes first."""
    insert: Callable[[Table], Any]
    """INSERT with ON CONFLICT, which standard SQL does not have."""
    mark: str
    """Placeholder for a value in the driver's SQL."""
    begin: str
    """Statement that begins a transaction which will write."""
    lock: str
    """Clause after a SELECT of the experiment's row that blocks other writers."""
    moves_and_appends: bool
    """True if one statement can change the experiment's row and append to its journal. With a
    server, one is quicker than two and needs no transaction around it."""
    errors: type[Exception]
    """Base class of the driver's errors."""
    wait_for_others: Callable[[Connection], None]
    """Take turns with other processes at making the tables, until the transaction ends."""
    classify: Callable[[BaseException], type[StoreError]]
    wait: float
    secrets: tuple[str, ...] = ()

    def translate(self, error: Exception) -> StoreError:
        """Return the StoreError for a driver's error."""
        driver = get_driver_error(error)
        kind = self.classify(driver)
        lines = str(driver).strip().splitlines() or [type(driver).__name__]
        message = lines[0].strip().rstrip(".")
        for secret in self.secrets:
            message = message.replace(secret, "***")
        statement, remedy = _SENTENCES[kind]
        text = phrase(
            statement,
            place=PrivateText(f" {self.place}", ""),
            wait=f"{self.wait:g}",
            said=PrivateText(f": {message}", ""),
        )
        return kind(text, remedy=remedy)


def get_driver_error(error: Exception) -> BaseException:
    """Return the driver's own error, without the statement that SQLAlchemy adds."""
    return error.orig if isinstance(error, DBAPIError) and error.orig else error


_BEGIN: Final = "BEGIN IMMEDIATE"


def open_sqlite(path: str, wait: float) -> Database:
    """Open an SQLite file: write-ahead log, every commit on disk, one writer at a time."""
    writer = _make_sqlite_engine(path, wait, writes=True)
    reader = _make_sqlite_engine(path, wait, writes=False)
    return Database(
        place=repr(path),
        writer=writer,
        reader=reader,
        snapshots=reader,  # every transaction that reads is one
        turns=TurnConnections(writer, sqlite3.Error),
        insert=sqlite.insert,
        mark="?",
        begin=_BEGIN,
        lock="",  # once a writer has begun nobody else can
        moves_and_appends=False,
        errors=sqlite3.Error,
        wait_for_others=lambda connection: None,  # BEGIN IMMEDIATE did
        classify=_classify_sqlite,
        wait=wait,
    )


def _make_sqlite_engine(path: str, wait: float, *, writes: bool) -> Engine:
    engine = create_engine(
        URL.create("sqlite", database=path),
        connect_args={"timeout": wait},
        pool_timeout=wait,
        hide_parameters=True,
    )

    def settle(connection: sqlite3.Connection, _record: object) -> None:
        # The driver would begin by itself, late and never IMMEDIATE.
        connection.isolation_level = None
        connection.execute("PRAGMA synchronous=FULL")
        if writes:
            _use_write_ahead_log(connection, wait)
        else:
            connection.execute("PRAGMA query_only=ON")

    def begin(connection: Connection) -> None:
        # A transaction that reads first and writes later fails at once if another one wrote in
        # between, however long the timeout: who will write says so at the beginning.
        connection.exec_driver_sql(_BEGIN if writes else "BEGIN")

    event.listen(engine, "connect", settle)
    event.listen(engine, "begin", begin)
    return _close_at_fork(engine)


def _use_write_ahead_log(connection: sqlite3.Connection, wait: float) -> None:
    """Switch to the write-ahead log, once per file; wait for others, as SQLite does not here."""
    deadline = time.monotonic() + wait
    while connection.execute("PRAGMA journal_mode").fetchone()[0] != "wal":
        try:
            mode = connection.execute("PRAGMA journal_mode=WAL").fetchone()[0]
        except sqlite3.OperationalError as error:
            if _classify_sqlite(error) is not StoreLocked or time.monotonic() > deadline:
                raise
            time.sleep(0.01)
        else:
            if mode != "wal":
                return  # a file system without shared memory: slower, as safe


_SQLITE_KINDS: Final[dict[int, type[StoreError]]] = {
    sqlite3.SQLITE_ERROR: StoreTampered,  # our SQL is fixed: a table is not what it was
    sqlite3.SQLITE_PERM: StoreReadOnly,
    sqlite3.SQLITE_BUSY: StoreLocked,
    sqlite3.SQLITE_LOCKED: StoreLocked,
    sqlite3.SQLITE_READONLY: StoreReadOnly,
    sqlite3.SQLITE_IOERR: StoreDown,
    sqlite3.SQLITE_CORRUPT: StoreTampered,
    sqlite3.SQLITE_FULL: StoreFull,
    sqlite3.SQLITE_CANTOPEN: StoreDown,
    sqlite3.SQLITE_CONSTRAINT: StoreTampered,
    sqlite3.SQLITE_NOTADB: StoreTampered,
}


def _classify_sqlite(error: BaseException) -> type[StoreError]:
    code = getattr(error, "sqlite_errorcode", None)
    if code is None:
        return _classify_other(error)
    return _SQLITE_KINDS.get(code & 0xFF, StoreError)  # the rest of the code has the details


def open_postgres(url: URL, wait: float) -> Database:
    """Open a PostgreSQL database. Compare-and-set decides who writes, at default isolation."""
    import psycopg

    engine = _make_postgres_engine(url, wait)
    password = url.password or url.query.get("password")
    return Database(
        place=_format_postgres_place(url),
        writer=engine,
        reader=engine,
        snapshots=engine.execution_options(
            isolation_level="REPEATABLE READ", postgresql_readonly=True
        ),
        turns=TurnConnections(
            _make_postgres_engine(url, wait, is_for_turns=True), psycopg.Error, _has_closed
        ),
        insert=postgresql.insert,
        mark="%s",
        begin="BEGIN",
        lock=" FOR UPDATE",
        moves_and_appends=True,
        errors=psycopg.Error,
        wait_for_others=_take_schema_lock,
        classify=_classify_postgres,
        wait=wait,
        secrets=(str(password),) if password else (),
    )


def _has_closed(connection: Any) -> bool:
    """Return whether the server has closed an idle psycopg connection.

    The first read may get the server's last message, and the second the end of the connection.
    """
    try:
        connection.pgconn.consume_input()
        connection.pgconn.consume_input()
    except connection.OperationalError:
        return True
    return False


def _make_postgres_engine(url: URL, wait: float, *, is_for_turns: bool = False) -> Engine:
    """Make an engine that tests each connection before use, except those for turns."""
    engine = create_engine(
        url,
        connect_args={} if "connect_timeout" in url.query else {"connect_timeout": 10},
        isolation_level="AUTOCOMMIT" if is_for_turns else "READ COMMITTED",
        pool_pre_ping=not is_for_turns,
        pool_timeout=wait,
        hide_parameters=True,
        use_native_hstore=False,
    )
    milliseconds = str(max(1, round(1000 * wait)))
    turn = str(max(1, round(1000 * min(wait, TURN_SECONDS))))

    def connect(dialect: Any, _record: object, args: Any, options: Any) -> Any:
        return _connect_with_retries(lambda: dialect.connect(*args, **options), wait)

    def settle(connection: Any, _record: object) -> None:
        with connection.cursor() as cursor:
            cursor.execute(_POSTGRES_SETTINGS, {"wait": milliseconds, "turn": turn})
        connection.commit()

    event.listen(engine, "do_connect", connect)
    event.listen(engine, "connect", settle)
    return _close_at_fork(engine)


# A writer that was stopped in its turn must not hold up the others for long; and what is answered
# must be on the disk, even where a server has been told to be quick.
_POSTGRES_SETTINGS: Final = """
    SELECT set_config('default_transaction_isolation', 'read committed', false),
           set_config('lock_timeout', %(wait)s, false),
           set_config('idle_in_transaction_session_timeout', %(turn)s, false),
           set_config('synchronous_commit',
                      CASE current_setting('synchronous_commit')
                      WHEN 'off' THEN 'on' ELSE current_setting('synchronous_commit') END, false)
"""


def _take_schema_lock(connection: Connection) -> None:
    connection.execute(text("SELECT pg_advisory_xact_lock(:lock)"), {"lock": SCHEMA_LOCK})


def _format_postgres_place(url: URL) -> str:
    """Return the address without user, password and options.

    >>> from sqlalchemy import make_url
    >>> _format_postgres_place(make_url("postgresql+psycopg://me:secret@db.example:5432/lab?sslmode=require"))
    "'lab' at db.example:5432"
    """
    host = url.host or url.query.get("host") or "localhost"
    port = f":{url.port}" if url.port else ""
    return f"{url.database or ''!r} at {host}{port}"


def _connect_with_retries(connect: Callable[[], Any], wait: float) -> Any:
    """Connect, and retry for a while if the server may be starting."""
    deadline = time.monotonic() + wait
    for pause in CONNECT_PAUSES:
        try:
            return connect()
        except Exception as error:
            # A password that was asked for and sent was refused: the next one would be, too.
            refused = getattr(getattr(error, "pgconn", None), "used_password", False)
            kind = _classify_postgres(error)
            if kind is not StoreDown or refused or time.monotonic() + pause > deadline:
                raise
        time.sleep(pause)
    return connect()


_POSTGRES_KINDS: Final[dict[str, type[StoreError]]] = {
    "08": StoreDown,  # connection exceptions
    "23": StoreTampered,  # constraints
    "25006": StoreReadOnly,  # a read-only transaction: a standby
    "25P03": StoreDown,  # idle in a transaction for too long
    "40P01": StoreLocked,  # deadlock
    "42501": StoreReadOnly,  # not allowed
    "42703": StoreTampered,  # no such column
    "42P01": StoreTampered,  # no such table
    "53100": StoreFull,
    "53300": StoreDown,  # too many connections
    "55P03": StoreLocked,  # lock not available in time
    "57P": StoreDown,  # shut down, crashed, starting up
    "XX001": StoreTampered,  # data corrupted
    "XX002": StoreTampered,  # index corrupted
}


def _classify_postgres(error: BaseException) -> type[StoreError]:
    state = getattr(error, "sqlstate", None)
    if state is None:
        return _classify_other(error)
    found = (_POSTGRES_KINDS.get(state[:length]) for length in (5, 3, 2))
    return next((kind for kind in found if kind), StoreError)


def _classify_other(error: BaseException) -> type[StoreError]:
    """Classify errors without a code: a failed connection, or an exhausted pool."""
    if type(error).__name__ == "TimeoutError":
        return StoreLocked
    return StoreDown if type(error).__name__ == "OperationalError" else StoreError


_ENGINES: Final[WeakSet[Engine]] = WeakSet()


def _close_at_fork(engine: Engine) -> Engine:
    """Close the engine's idle connections before a fork: two processes cannot share one."""
    _watch_forks()
    _ENGINES.add(engine)
    return engine


@cache
def _watch_forks() -> None:
    if hasattr(os, "register_at_fork"):  # not on Windows, which does not fork
        os.register_at_fork(before=_close_connections)


def _close_connections() -> None:
    for turns in list(_TURNS):
        turns.dispose()
    for engine in list(_ENGINES):
        engine.dispose()
