"""Reads wait for nobody: neither for a writer of this process nor for one that was stopped."""

import time
from threading import Event, Thread

import pytest

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

    with pytest.raises(ga.GoodArmError):
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
