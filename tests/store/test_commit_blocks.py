"""Blocks that are one commit, and journals that move from store to store."""

import threading

import pytest

import goodarm as ga
from goodarm.errors import ProtocolError, SpecError, StoreTampered
from goodarm.store import Store
from goodarm.store.memory import MemoryRecorder

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=1e-9)


@pytest.fixture(params=["memory", "sqlite", "postgres"])
def open_again(request, opener):
    """Opens the same store again, as another process would."""
    if request.param == "memory":
        recorder = MemoryRecorder()
        return lambda: Store(recorder)
    url = request.getfixturevalue(f"{request.param}_url")
    return lambda: Store(opener(url))


def test_a_block_is_one_commit(open_again):
    exp, other = (open_again().experiment("coins", COINS, seed=1) for _ in range(2))
    with exp.together():
        for _ in range(20):
            exp.tell(exp.ask(), 1)
        held = exp.ask_many(3, "ann", key="k")
        assert exp.ask_many(3, "ann", key="k") == held
        assert exp.pulls == 20  # its own thread sees what it has done
    assert (other.pulls, other.entries) == (20, 41)
    assert [each.pull for each in other.out] == held
    assert other.ask_many(3, "ann", key="k") == held
    other.verify()


def test_an_error_in_a_block_leaves_nothing_of_it(open_again):
    exp = open_again().experiment("coins", COINS, seed=1)
    first = exp.ask()

    def fail_within():
        with exp.together():
            exp.tell(first, 1)
            exp.ask()
            raise ZeroDivisionError

    with pytest.raises(ZeroDivisionError):
        fail_within()
    assert (exp.pulls, exp.waiting, exp.entries) == (0, [first], 1)
    with exp.together():
        with pytest.raises(SpecError):
            exp.tell(first, 7)
        exp.tell(first, 1)
    assert (exp.pulls, exp.entries) == (1, 2)


def test_other_threads_wait_for_a_block(open_again):
    exp = open_again().experiment("coins", COINS, seed=1)
    numbers = []
    with exp.together():
        threads = [threading.Thread(target=lambda: numbers.append(exp.ask().number)) for _ in "ab"]
        for thread in threads:
            thread.start()
        mine = [exp.ask().number for _ in range(50)]
        assert numbers == []
    for thread in threads:
        thread.join(30)
    assert (mine, sorted(numbers)) == (list(range(1, 51)), [51, 52])


def test_a_block_in_a_block_is_refused(open_again):
    exp = open_again().experiment("coins", COINS, seed=1)
    with exp.together():
        exp.ask()
        with pytest.raises(ProtocolError, match="remove the inner block"), exp.together():
            pass
    assert exp.entries == 1


@pytest.fixture
def exported(tmp_path):
    store = Store(MemoryRecorder())
    exp = store.experiment("coins", COINS, seed=1)
    for number in range(30):
        exp.tell(exp.ask(key=f"ask {number}"), number % 2, key=f"tell {number}")
    store.export("coins", tmp_path / "coins.jsonl")
    return exp, tmp_path / "coins.jsonl"


def test_a_journal_moves_from_store_to_store(open_again, exported):
    exp, path = exported
    moved = open_again().import_(path)
    assert (moved.name, moved.journal(), moved.table()) == ("coins", exp.journal(), exp.table())
    assert moved.ask(key="ask 3") == exp.ask(key="ask 3")  # keys have come along
    assert moved.verify() == exp.verify()
    assert open_again().import_(path, "copy").journal() == exp.journal()
    assert open_again().import_(path).entries == 60  # again: it is there


def test_what_is_there_is_never_changed(open_again, exported):
    _, path = exported
    other = open_again().experiment("coins", COINS, seed=2)
    with pytest.raises(SpecError, match="This store has another experiment 'coins'"):
        open_again().import_(path)
    assert other.entries == 0


@pytest.mark.parametrize(
    ("edit", "error", "says"),
    [
        (lambda lines: lines[:-1], SpecError, "must have 60 entries, .* it has 59"),
        (lambda lines: [lines[0], *lines[2:]], SpecError, "Entry 1 of the journal is damaged"),
        (lambda lines: lines[1:], SpecError, "kind"),
        (lambda lines: [], SpecError, "JSON object"),
        (lambda lines: [*lines[:5], "{", *lines[6:]], SpecError, "Line 6 of the journal is not"),
        (lambda lines: [*lines[:5], "[]", *lines[6:]], SpecError, "Line 6 of the journal must be"),
        (
            lambda lines: [line.replace('"arms": [1]', '"arms": [7]') for line in lines],
            StoreTampered,
            "Entry 3 of 'coins'",
        ),
        (
            lambda lines: [line.replace('"name": "coins"', '"name": "a b"') for line in lines],
            SpecError,
            "The 'name' of Store.import_",
        ),
    ],
)
def test_a_file_that_is_no_journal_is_refused_whole(exported, tmp_path, edit, error, says):
    _, path = exported
    lines = edit(path.read_text(encoding="utf-8").splitlines())
    path.write_text("\n".join(lines), encoding="utf-8")
    store = Store(MemoryRecorder())
    with pytest.raises(error, match=says):
        store.import_(path)
    assert store.experiments() == []


def test_there_must_be_something_to_export(tmp_path):
    with pytest.raises(SpecError, match="There is no experiment 'none' in this store"):
        Store(MemoryRecorder()).export("none", tmp_path / "none.jsonl")
    assert list(tmp_path.iterdir()) == []


def test_who_did_it_is_written_down(open_again):
    exp = open_again().experiment("coins", COINS, seed=1)
    exp.pause()
    exp.signed("ann").resume(key="k")
    exp.signed("bob").resume(key="k")  # the same request again: it was ann's
    exp.signed("bob").tell(exp.ask(), 1)
    again = open_again().experiment("coins")
    assert [entry.get("by") for entry in again.journal()] == [None, "ann", None, "bob"]
    again.verify()


def test_an_ask_that_comes_to_nothing_changes_nothing(open_again, monkeypatch):
    """Though there would be something by now, because somebody told meanwhile."""
    exp = open_again().experiment("coins", COINS, seed=1)
    with monkeypatch.context() as patch:
        patch.setattr(exp._committer, "submit", lambda *_: [])
        with pytest.raises(ProtocolError, match="There is nothing left to ask"):
            exp.ask()
    assert (exp.waiting, exp.entries) == ([], 0)
    assert exp.ask().number == 1
