"""Snapshots: they save time, and nothing depends on them."""

import io
import logging
from itertools import pairwise

import numpy as np
import pytest

import goodarm as ga
from goodarm.errors import StoreTampered
from goodarm.store import Store, snapshots
from goodarm.store.memory import MemoryRecorder

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=1e-9)


@pytest.fixture
def often(monkeypatch):
    monkeypatch.setattr(snapshots, "MIN_SNAPSHOT_ENTRIES", 10)


def play(exp, entries):
    """At least ``entries`` entries more."""
    end = exp.entries + entries
    while exp.entries < end:
        pull = exp.ask()
        exp.tell(pull, pull.number % 2)


def numbers_of(recorder, monkeypatch):
    """The entries at which snapshots are written from now on."""
    saved, save = [], recorder.save_snapshot

    def note(head_id, number, data):
        saved.append(number)
        save(head_id, number, data)

    monkeypatch.setattr(recorder, "save_snapshot", note)
    return saved


def test_one_is_written_when_the_journal_has_grown_by_a_tenth(often, monkeypatch):
    recorder = MemoryRecorder()
    saved = numbers_of(recorder, monkeypatch)
    play(Store(recorder).experiment("coins", COINS, seed=1), 400)
    assert saved[:3] == [10, 20, 30]
    assert saved[-1] == max(n for n in saved if n <= 400) > 360
    for before, after in pairwise(saved):
        assert after - before == max(10, before // 10)


def test_opening_reads_only_what_is_behind_it(often, monkeypatch, url, opener):
    exp = Store(opener(url)).experiment("coins", COINS, seed=1)
    play(exp, 205)
    recorder = opener(url)
    number, _ = recorder.load_snapshot(recorder.head("coins").id)
    read, behind = recorder.read, []

    def note(head_id, after, most=None):
        behind.append(after)
        return read(head_id, after, most)

    monkeypatch.setattr(recorder, "read", note)
    again = Store(recorder).experiment("coins")
    assert (again.table(), again.out) == (exp.table(), exp.out)
    assert behind[0] == number > 180
    again.verify()


def damage(recorder, head_id, how):
    """Whatever may become of a snapshot; its checksum holds."""
    number, data = recorder.load_snapshot(head_id)
    if how == "cut":
        data = data[: len(data) // 2]
    elif how == "not one":
        data = b"something else"
    elif how == "ahead":
        number += 10_000
    recorder.save_snapshot(head_id, number, data)


@pytest.mark.parametrize("how", ["cut", "not one", "ahead"])
def test_one_that_is_damaged_costs_time_only(often, how, url, opener, caplog):
    exp = Store(opener(url)).experiment("coins", COINS, seed=1)
    play(exp, 60)
    recorder = opener(url)
    damage(recorder, recorder.head("coins").id, how)
    with caplog.at_level(logging.WARNING):
        again = Store(recorder).experiment("coins")
        assert again.table() == exp.table()
    assert ("The journal is replayed instead" in caplog.text) == (how != "ahead")
    play(again, 60)
    assert again.verify().entries == exp.entries == 120


def test_verify_finds_one_that_says_something_else(often):
    recorder = MemoryRecorder()
    exp = Store(recorder).experiment("coins", COINS, seed=1)
    play(exp, 60)
    other = MemoryRecorder()
    twin = Store(other).experiment("coins", COINS, seed=1)
    while twin.entries < 60:
        twin.tell(twin.ask(), 0)
    (mine,), (others,) = recorder.heads(), other.heads()
    number, data = other.load_snapshot(others.id)
    recorder.save_snapshot(mine.id, number, data)
    with pytest.raises(StoreTampered, match=f"The snapshot of 'coins' at entry {number} is not"):
        Store(recorder).experiment("coins").verify()


def told(recorder, number, reward):
    """The told entry of that number has another reward."""
    (journal,) = recorder._ids.values()
    row = journal.rows[number - 1]
    old = f'"rewards": [{1 - reward}]'
    assert old in row.text
    journal.rows[number - 1] = row._replace(text=row.text.replace(old, f'"rewards": [{reward}]'))


def remove_hashes(recorder):
    """Make a journal as it was written before there were hashes."""
    (journal,) = recorder._ids.values()
    journal.rows[:], journal.hash = [row._replace(hash="") for row in journal.rows], ""


def test_verify_says_what_differs_before_it_says_that_a_snapshot_may_go(often):
    """Arm, pull and field, with both values; and the journal was verified to its end."""
    recorder = MemoryRecorder()
    exp = Store(recorder).experiment("coins", COINS, seed=1)
    play(exp, 60)
    pull = exp.pull(5)  # whose reward was 1, in entry 10
    told(recorder, 10, 0)
    with pytest.raises(StoreTampered, match="hash of entry 10 of 'coins' does not fit") as raised:
        exp.verify()
    assert str(raised.value).endswith("it may be older than the change.")
    remove_hashes(recorder)
    with pytest.raises(StoreTampered) as raised:
        exp.verify()
    said = str(raised.value)
    number, _ = recorder.load_snapshot(recorder.heads()[0].id)
    before, advice = said.split("may be deleted")
    assert f"The snapshot of 'coins' at entry {number} is not what a full replay" in before
    assert "'reward' of pull 5 is 1 in the snapshot and 0 by the replay" in before
    sums = {
        each.arm: each.mean * each.pulls for each in Store(recorder).experiment("coins").table()
    }
    kept = sums[pull.arm]
    assert (
        f"'sums' of arm {pull.arm!r} is {kept} in the snapshot and {kept - 1} by the replay"
        in before
    )
    assert "All entries of the journal are verified" in before
    assert "goodarm_snapshots" in advice


def test_a_snapshot_is_kept_while_the_journal_itself_is_in_doubt(often):
    """It may be what is left of the true one: what is wrong with the journal is said first."""
    recorder = MemoryRecorder()
    exp = Store(recorder).experiment("coins", ga.Problem(["a", "b"], 0.5, 0.05), seed=1)
    while not exp.is_done:
        pull = exp.ask()
        exp.tell(pull, int(pull.arm == "a"))
    (journal,) = recorder._ids.values()
    place = next(n for n, row in enumerate(journal.rows) if '"label": 1' in row.text)
    row = journal.rows[place]
    journal.rows[place] = row._replace(text=row.text.replace('"label": 1', '"label": -1'))
    with pytest.raises(StoreTampered) as raised:
        exp.verify()
    said = str(raised.value)
    assert "delete" not in said
    first, second = said.index(f"entry {row.number}: 'label' of arm"), said.index("The snapshot of")
    assert first < second
    assert "'labels' of arm 'a' is 1 in the snapshot and -1 by the replay" in said
    assert said.endswith(
        "Keep the snapshot until the journal is settled: it may be older than the change."
    )


def test_it_holds_no_pickle(often):
    recorder = MemoryRecorder()
    play(Store(recorder).experiment("coins", COINS, seed=1), 20)
    (head,) = recorder.heads()
    _, data = recorder.load_snapshot(head.id)
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        assert {file[name].dtype.kind for name in file.files} <= set("iufb")
