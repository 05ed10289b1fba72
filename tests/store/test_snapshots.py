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
    monkeypatch.setattr(snapshots, "LEAST", 10)


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
    assert (again.reports(), again.out) == (exp.reports(), exp.out)
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
        assert again.reports() == exp.reports()
    assert ("costs time only" in caplog.text) == (how != "ahead")
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


def test_it_holds_no_pickle(often):
    recorder = MemoryRecorder()
    play(Store(recorder).experiment("coins", COINS, seed=1), 20)
    (head,) = recorder.heads()
    _, data = recorder.load_snapshot(head.id)
    with np.load(io.BytesIO(data), allow_pickle=False) as file:
        assert {file[name].dtype.kind for name in file.files} <= set("iufb")
