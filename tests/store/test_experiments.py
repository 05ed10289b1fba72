"""Experiments that are kept: what is beside the contract of all stores."""

import threading

import pytest

import goodarm as ga
from goodarm.errors import StoreFull, StoreTampered
from goodarm.store import Store, open_recorder
from goodarm.store.memory import MemoryRecorder, _MemoryTurn
from goodarm.testing import Clock

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.2)


@pytest.fixture
def clock():
    return Clock()


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_again(request, clock, opener):
    """Opens the same store again, as another process would."""
    if request.param == "memory":
        recorder = MemoryRecorder()
        return lambda: Store(recorder, clock)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: Store(opener(url), clock)


def test_a_clock_that_goes_back_does_no_harm(open_again, clock):
    exp = open_again().experiment("coins", COINS)
    exp.ask(lease=10)
    clock.now -= 500
    exp.ask()
    times = [entry["at"] for entry in exp.journal()]
    assert times == sorted(times)
    open_again().experiment("coins").verify()


def test_a_commit_that_fails_has_counted_nothing(open_again, monkeypatch):
    store = open_again()
    exp = store.experiment("coins", COINS)
    pull = exp.ask()

    def full(*_):
        raise StoreFull("There is no room left.")

    with monkeypatch.context() as patch:
        patch.setattr(type(store._recorder), "turn", full)
        with pytest.raises(StoreFull):
            exp.tell(pull, 1)
    assert (exp.pulls, exp.waiting) == (0, [pull])
    exp.tell(pull, 1)
    assert open_again().experiment("coins").pulls == 1


def test_threads_that_wait_share_a_commit(monkeypatch):
    recorder = MemoryRecorder()
    exp = Store(recorder).experiment("shared", ga.Problem(2, 0.5, 1e-9), seed=1)
    sizes, gate = [], threading.Event()
    append = _MemoryTurn.append

    def slowly(turn, last, rows):
        gate.wait(10)
        sizes.append(len(rows))
        append(turn, last, rows)

    monkeypatch.setattr(_MemoryTurn, "append", slowly)
    threads = [threading.Thread(target=exp.ask) for _ in range(6)]
    for thread in threads:
        thread.start()
    while len(exp._committer._waiting) < 5:
        pass
    gate.set()
    for thread in threads:
        thread.join(30)
    assert sizes == [1, 5]
    assert len(exp.waiting) == 6


def test_a_journal_that_was_tampered_with_is_found(clock):
    recorder = MemoryRecorder()
    exp = Store(recorder, clock).experiment("coins", COINS, seed=2)
    while not exp.is_done:
        pulls = exp.ask_many(5)
        exp.tell_many(pulls, [int(pull.arm == "a") for pull in pulls])
    exp.verify()
    (journal,) = recorder._ids.values()
    place = next(n for n, row in enumerate(journal.rows) if '"label": 1' in row.text)
    row = journal.rows[place]
    text = row.text.replace('"label": 1', '"label": -1')
    journal.rows[place] = row._replace(text=text)
    with pytest.raises(StoreTampered, match=f"the first is entry {row.number}"):
        Store(recorder, clock).experiment("coins").verify()


def test_a_store_is_a_context_manager(tmp_path):
    with ga.open_store(f"sqlite:///{tmp_path / 'kept.db'}") as store:
        store.experiment("coins", COINS).ask()
    with ga.open_store(f"sqlite:///{tmp_path / 'kept.db'}") as store:
        assert store.experiments() == [("coins", 1)]
    assert open_recorder("memory:").heads() == []
