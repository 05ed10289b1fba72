"""Reads wait for nobody: neither for a writer of this process nor for one that was stopped."""

import time
from threading import Event, Thread

import pytest
from sqlalchemy.exc import SQLAlchemyError

import goodarm as ga
from goodarm.store import Store, dialects

COINS = ga.Problem(["a", "b"], threshold=0.5, delta=0.05)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def stores(request, opener):
    """A function that opens the same store again."""
    if request.param == "memory":
        one = opener("memory:")
        return lambda: Store(one)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: Store(opener(url))


def started(stores):
    exp = stores().experiment("coins", COINS, seed=1)
    exp.tell(exp.ask(), 1)
    return exp


def test_reads_of_the_same_process_do_not_wait_for_a_block(stores):
    """What the block has not committed is seen by its own thread alone."""
    exp = started(stores)
    begun, go_on, done = Event(), Event(), []

    def write():
        with exp.together():
            exp.tell(exp.ask(), 1)
            begun.set()
            assert go_on.wait(30)
            done.append(exp.pulls)

    thread = Thread(target=write)
    thread.start()
    assert begun.wait(30)
    assert (exp.pulls, exp.entries, exp.status) == (1, 2, "running")
    assert exp.verdict.pulls == 1
    assert len(exp.table()) == 2
    assert exp.verify().entries == 2
    assert not done
    go_on.set()
    thread.join()
    assert done == [2]
    assert exp.pulls == 2


def test_reads_do_not_wait_for_a_writer_elsewhere_that_was_stopped_in_its_turn(stores):
    exp = started(stores)
    other = stores()
    with other._recorder.turn(other.head("coins")):
        assert (exp.pulls, exp.entries) == (1, 2)
        assert exp.journal()[0]["kind"] == "asked"
    exp.tell(exp.ask(), 1)


def test_a_writer_that_was_stopped_in_its_turn_holds_others_up_for_seconds_only(
    postgres_url, opener, monkeypatch
):
    """The server ends its transaction, and the compare-and-set keeps it from writing later."""
    monkeypatch.setattr(dialects, "TURN_SECONDS", 0.5)
    stopped = opener(postgres_url)
    exp = Store(opener(postgres_url)).experiment("coins", COINS, seed=1)
    pull = exp.ask()
    began = time.monotonic()

    def be_stopped():
        with stopped.turn(stopped.head("coins")) as turn:
            exp.tell(pull, 1)
            assert time.monotonic() - began < 20
            turn.append(1, list(exp.rows())[:1])

    with pytest.raises(ga.errors.GoodArmError):
        be_stopped()
    assert exp.entries == 2
    exp.verify()


def test_what_was_told_is_read_at_once_by_everybody(stores):
    one, two = started(stores), stores().experiment("coins")
    one.tell(one.ask(), 1)
    assert one.pulls == two.pulls == 2
    two.tell(two.ask(), 0)
    assert one.pulls == two.pulls == 3
    one.forget(one.ask(), loss_is_independent=True)
    assert one.waiting == two.waiting == []
    assert one.table() == two.table()


def test_one_reading_sees_one_moment_whatever_is_written_meanwhile(url, opener):
    """Rows that another process commits between two reads are in neither."""
    exp = Store(opener(url)).experiment("coins", COINS, seed=1)
    exp.tell(exp.ask(), 1)
    recorder = opener(url)
    head = recorder.head("coins")
    with recorder.one_reading():
        before = recorder.head("coins"), list(recorder.read(head.id, 0))
        exp.tell(exp.ask(), 0, key="new")
        exp.note("Meanwhile.")
        assert (recorder.head("coins"), list(recorder.read(head.id, 0))) == before
        assert recorder.sizes() == [("coins", 2)]
        assert recorder.find(head.id, "new") is None
    assert recorder.sizes() == [("coins", 5)]
    assert recorder.find(head.id, "new").number == 4
    assert [row.number for row in recorder.read(head.id, 0)] == [1, 2, 3, 4, 5]


def test_one_reading_cannot_write(url, opener):
    """Connections that were used for one may write afterwards."""
    recorder = opener(url)
    recorder.create("coins", "{}")
    with recorder.one_reading(), recorder.reading() as connection:
        recorder.head("coins")
        with pytest.raises(SQLAlchemyError, match=r"readonly|read-only"):
            connection.exec_driver_sql("DELETE FROM goodarm_experiments")
    assert recorder.sizes() == [("coins", 0)]
    assert recorder.delete("coins")


def test_each_read_outside_one_reading_sees_what_is_committed(url, opener):
    exp = Store(opener(url)).experiment("coins", COINS, seed=1)
    recorder = opener(url)
    with recorder.one_reading():
        recorder.sizes()
    for entries in range(1, 4):
        exp.ask()
        assert recorder.sizes() == [("coins", entries)]
