"""What databases do wrong: each has its error, its remedy and the driver's error as its cause."""

import contextlib
import logging
import pickle
import re
import sqlite3
from types import SimpleNamespace

import psycopg
import pytest
from sqlalchemy import event, text

from goodarm import errors
from goodarm.errors import (
    KeyTaken,
    Moved,
    StoreDown,
    StoreError,
    StoreFull,
    StoreLocked,
    StoreReadOnly,
    StoreTampered,
    StoreTooNew,
)
from goodarm.installation import upgrade_command
from goodarm.store import JournalRow, dialects, open_recorder
from goodarm.store.faults import Point, listen_to_points
from store.recorder_contract import bare, contents

ROW = JournalRow(1, "{}", "key", "hash")


def run(recorder, statement, **values):
    """Does to the database what goodarm never would."""
    with recorder.database.writer.begin() as connection:
        connection.execute(text(statement), values)


def on_connect(recorder, pragma):
    """Sets something on every connection that writes to SQLite from now on."""
    writer = recorder.database.writer
    recorder.database.turns.dispose()
    event.listen(writer, "connect", lambda connection, _: connection.execute(pragma))


@pytest.fixture
def recorder(opener, url):
    return opener(url, wait=0.2)


@pytest.fixture
def head(recorder):
    return recorder.create("banners", "{}")


def test_a_writer_that_waits_too_long_is_told(recorder, head, url, opener):
    other = opener(url)
    with other.database.writer.begin() as connection:
        connection.execute(text("UPDATE goodarm_experiments SET last = last"))
        with pytest.raises(
            StoreLocked, match="busy for more than 0.2 seconds.*Try again"
        ) as caught:
            recorder.append(head, [ROW])
        assert type(caught.value.__cause__).__module__.partition(".")[0] in ("sqlite3", "psycopg")
        assert list(recorder.read(head.id, 0)) == []  # who reads does not wait
    recorder.append(head, [ROW])


def test_all_connections_in_use(recorder, head):
    with contextlib.ExitStack() as stack:
        for _ in range(15):
            stack.enter_context(recorder.database.reader.connect())
        with pytest.raises(StoreLocked, match="busy for more than 0.2 seconds"):
            recorder.read(head.id, 0)
    assert list(recorder.read(head.id, 0)) == []


def test_a_later_schema_is_refused(recorder, url):
    run(recorder, "UPDATE goodarm_schema SET number = 3")
    with pytest.raises(StoreTooNew, match=re.escape(upgrade_command())) as caught:
        open_recorder(url)
    assert "schema 3. This version of goodarm supports at most 2" in str(caught.value)


def test_a_schema_without_a_number_is_refused(recorder, url):
    run(recorder, "DELETE FROM goodarm_schema")
    with pytest.raises(StoreTampered, match="at least 1; it holds none"):
        open_recorder(url)


def test_the_schema_number_zero_is_refused_with_its_value(recorder, url):
    run(recorder, "UPDATE goodarm_schema SET number = 0")
    with pytest.raises(StoreTampered, match="at least 1; it holds 0"):
        open_recorder(url)


@pytest.mark.parametrize("number", [1, 3, 5])
def test_rows_that_were_taken_out_are_missed(recorder, head, number):
    recorder.append(head, [JournalRow(n, "{}", None, None) for n in range(1, 6)])
    run(recorder, "DELETE FROM goodarm_journal WHERE number = :number", number=number)
    with pytest.raises(StoreTampered, match="1 to 5 of an experiment with 5 only 4 are there"):
        list(recorder.read(head.id, 0))


def test_rows_that_were_put_in_are_noticed(recorder, head):
    run(
        recorder,
        "INSERT INTO goodarm_journal (id, number, text) VALUES (:id, 1, '{}')",
        id=head.id,
    )
    with pytest.raises(StoreTampered, match="is damaged"):
        recorder.append(head, [ROW])
    assert recorder.head("banners") == head


def test_a_table_that_was_taken_away(recorder, head):
    run(recorder, "DROP TABLE goodarm_journal")
    with pytest.raises(StoreTampered, match="goodarm_journal.*backup"):
        recorder.append(head, [ROW])


@pytest.mark.parametrize(
    "damage", ["data = :other", "number = 2", "checksum = ''"], ids=["data", "number", "checksum"]
)
def test_a_damaged_snapshot_is_thrown_away(recorder, head, damage, caplog):
    recorder.append(head, [ROW])
    recorder.save_snapshot(head.id, 1, b"state")
    values = {"other": b"stat\xff"} if "other" in damage else {}
    run(recorder, f"UPDATE goodarm_snapshots SET {damage}", **values)
    with caplog.at_level(logging.WARNING, "goodarm"):
        assert recorder.load_snapshot(head.id) is None
    assert "The journal is replayed instead" in caplog.text
    recorder.save_snapshot(head.id, 1, b"state")
    assert recorder.load_snapshot(head.id) == (1, b"state")


def test_a_snapshot_that_cannot_be_written_does_not_hurt(recorder, head, caplog):
    run(recorder, "DROP TABLE goodarm_snapshots")
    with caplog.at_level(logging.WARNING, "goodarm"):
        recorder.save_snapshot(head.id, 0, b"state")
    assert "Cannot write a snapshot" in caplog.text
    recorder.append(head, [ROW])


def test_sqlite_keeps_its_promises(opener, sqlite_url):
    recorder = opener(sqlite_url)
    for engine in (recorder.database.writer, recorder.database.reader):
        with engine.begin() as connection:
            connection.execute(text("SELECT number FROM goodarm_schema"))  # now it has looked
            found = [
                connection.execute(text(f"PRAGMA {name}")).scalar()
                for name in ("journal_mode", "synchronous", "busy_timeout")
            ]
            assert found == ["wal", 2, 30_000]
    with pytest.raises(Exception, match="readonly"), recorder.database.reader.begin() as reading:
        reading.execute(text("DELETE FROM goodarm_journal"))


def test_who_will_write_to_sqlite_holds_the_lock_before_it_reads(opener, sqlite_url):
    recorder, other = opener(sqlite_url), opener(sqlite_url, wait=0.01)
    with recorder.database.writer.begin(), pytest.raises(StoreLocked):
        other.create("banners", "{}")
    other.create("banners", "{}")


def test_a_full_disk_leaves_the_store_as_it_was(opener, sqlite_url):
    recorder = opener(sqlite_url)
    head = recorder.create("banners", "{}")
    recorder.append(head, [ROW])
    head = head._replace(last=1)
    on_connect(recorder, "PRAGMA max_page_count=1")  # SQLite takes the pages there are
    many = [JournalRow(n, "x" * 1000, None, None) for n in range(2, 200)]
    with pytest.raises(StoreFull, match="no room left.*Free some space and repeat") as caught:
        recorder.append(head, many)
    assert isinstance(caught.value.__cause__, sqlite3.OperationalError)
    recorder.save_snapshot(head.id, 1, b"x" * 100_000)
    assert bare(recorder.head("banners")) == bare(head)
    assert contents(recorder.read(head.id, 0)) == [ROW]
    again = opener(sqlite_url)
    assert again.load_snapshot(head.id) is None
    again.append(head, many)
    assert contents(recorder.read(head.id, 1)) == many


def test_sqlite_that_may_only_be_read(opener, sqlite_url):
    recorder = opener(sqlite_url)
    head = recorder.create("banners", "{}")
    on_connect(recorder, "PRAGMA query_only=ON")
    with pytest.raises(StoreReadOnly, match="readonly database. Check that you have write access"):
        recorder.append(head, [ROW])
    assert recorder.head("banners") == head


def test_a_file_that_is_no_database(tmp_path):
    (tmp_path / "a.db").write_text("once upon a time " * 100)
    with pytest.raises(StoreTampered, match="not a database"):
        open_recorder(f"sqlite:///{tmp_path / 'a.db'}")


def test_postgres_that_may_only_be_read(opener, postgres_url):
    recorder = opener(postgres_url)
    head = recorder.create("banners", "{}")
    name = recorder.database.writer.url.database
    run(recorder, f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    recorder.close()
    assert recorder.head("banners") == head
    with pytest.raises(
        StoreReadOnly, match="read-only transaction. Check that you have write access"
    ):
        recorder.append(head, [ROW])


def test_a_connection_that_was_lost_is_made_again(opener, postgres_url):
    recorder, other = opener(postgres_url), opener(postgres_url)
    head = recorder.create("banners", "{}")
    _end_all_but(other)
    recorder.append(head, [ROW])
    _end_all_but(other)
    assert contents(recorder.read(head.id, 0)) == [ROW]


def test_a_connection_that_is_lost_before_the_commit(opener, postgres_url, monkeypatch):
    recorder, other = opener(postgres_url), opener(postgres_url)
    head = recorder.create("banners", "{}")
    with recorder.turn(head):
        pass  # it has its connection now
    execute = psycopg.Cursor.execute

    def lose_and_commit(cursor, statement, *values, **options):
        if statement == "COMMIT":
            monkeypatch.setattr(psycopg.Cursor, "execute", execute)
            _end_all_but(other)
        return execute(cursor, statement, *values, **options)

    monkeypatch.setattr(psycopg.Cursor, "execute", lose_and_commit)
    with pytest.raises(StoreDown, match="cannot be reached.*repeat a request"):
        append_in_a_turn(recorder, head)
    assert recorder.find(head.id, "key") is None
    append_in_a_turn(recorder, head)


def test_a_connection_that_is_lost_before_the_one_statement(opener, postgres_url):
    """It was there when it was looked at; the statement may have been made, so that it is told."""
    recorder, other = opener(postgres_url), opener(postgres_url)
    head = recorder.create("banners", "{}")

    def lose(point):
        if point is Point.APPEND_BEGUN:
            _end_all_but(other)

    with (
        listen_to_points(lose),
        pytest.raises(StoreDown, match="cannot be reached.*repeat a request"),
    ):
        recorder.append(head, [ROW])
    assert recorder.find(head.id, "key") is None
    recorder.append(head, [ROW])


def append_in_a_turn(recorder, head):
    with recorder.turn(head) as turn:
        turn.append(head.last, [ROW])


@pytest.mark.parametrize(
    ("append", "last"),
    [
        (append_in_a_turn, "COMMIT"),
        (lambda recorder, head: recorder.append(head, [ROW]), "WITH moved"),
    ],
    ids=["in a turn", "at once"],
)
def test_a_commit_whose_answer_was_lost_is_found_by_its_key(
    opener, postgres_url, monkeypatch, append, last
):
    recorder = opener(postgres_url)
    head = recorder.create("banners", "{}")
    with recorder.turn(head):
        pass
    right = psycopg.Cursor.execute

    def commit_and_lose(cursor, statement, *values):
        answer = right(cursor, statement, *values)
        if statement.startswith(last):
            raise psycopg.OperationalError("the connection is lost")
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", commit_and_lose)
        with pytest.raises(StoreDown, match="the connection is lost"):
            append(recorder, head)
    assert contents([recorder.find(head.id, "key")]) == [ROW]
    with pytest.raises(Moved):
        append(recorder, head)


def _end_all_but(recorder):
    """Ends the other connections to the database, as a server does that is shut down."""
    run(
        recorder,
        "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
        "WHERE datname = current_database() AND pid != pg_backend_pid()",
    )


def test_a_server_is_tried_a_few_times(monkeypatch):
    pauses, errors_left = [], [psycopg.OperationalError("starting up")] * 9
    monkeypatch.setattr(dialects.time, "sleep", pauses.append)

    def connect():
        raise errors_left.pop()

    with pytest.raises(psycopg.OperationalError):
        dialects._connect_with_retries(connect, wait=30)
    assert pauses == list(dialects.CONNECT_PAUSES)
    assert len(errors_left) == 9 - len(pauses) - 1


def test_a_password_that_was_refused_is_not_tried_again():
    tries = []

    def connect():
        tries.append(1)
        raise psycopg.OperationalError("no", pgconn=SimpleNamespace(used_password=True))

    with pytest.raises(psycopg.OperationalError):
        dialects._connect_with_retries(connect, wait=30)
    assert tries == [1]


def test_every_error_has_a_place_in_the_drawing():
    for kind in (StoreError, *StoreError.__subclasses__(), *errors.Conflict.__subclasses__()):
        assert f"── {kind.__name__} " in errors.__doc__


def test_errors_travel_between_processes():
    error = pickle.loads(pickle.dumps(KeyTaken("taken", "key")))
    assert (str(error), error.key) == ("taken", "key")
    assert str(pickle.loads(pickle.dumps(StoreFull("full")))) == "full"
