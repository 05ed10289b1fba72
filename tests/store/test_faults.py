"""Workers that are killed, stopped and cut off: what was acknowledged is there once."""

import shutil
import time
from contextlib import contextmanager, suppress
from pathlib import Path

import psutil
import pytest
from sqlalchemy import event

import goodarm as ga
from goodarm.errors import StoreFull, StoreLocked
from goodarm.store import Store
from goodarm.store.faults import Point, listen_to_points, reach

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=1e-6)


@pytest.mark.slow
@pytest.mark.parametrize("most", [1, pytest.param(2, marks=pytest.mark.large)])
def test_who_dies_at_a_named_point_spoils_nothing(url, warm, most):
    found = warm.run("points", url, most)
    assert found["wrong"] == []
    assert found["deaths"].keys() == Point.__members__.keys()
    assert all(found["deaths"].values()), found["deaths"]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("rewards", "kills", "pause", "alone"),
    [
        (2500, 16, 0.2, 8),
        (2500, 16, 0.2, 0),
        pytest.param(10_000, 40, 0.05, 8, marks=pytest.mark.large),
        pytest.param(10_000, 40, 0.05, 0, marks=pytest.mark.large),
    ],
)
def test_who_dies_at_any_moment_spoils_nothing(url, warm, rewards, kills, pause, alone):
    """Ten thousand rewards in each database at length.

    Of few deaths, half are at random: if these came sooner, few would live to reach a point. Those
    who take no turns are often ahead of each other, and begin again.
    """
    words = ("--rewards", rewards, "--kills", kills, "--pause", pause, "--most", 60)
    found = warm.run("crowd", url, *words, "--turns-alone", alone)
    assert found["wrong"] == [], found["seed"]
    assert found["rewards"] >= rewards
    assert found["kills"] >= kills
    assert set(found["killed"]) == {"at random", "at a point"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mutant", "said"),
    [
        ("keys are forgotten", "two requests have the same key"),
        ("answer before commit", "is acknowledged and lost"),
    ],
)
def test_the_judge_finds_stores_that_forget(sqlite_url, warm, mutant, said):
    found = warm.run("crowd", sqlite_url, "--rewards", 200, "--kills", 8, "--mutant", mutant)
    assert any(said in each for each in found["wrong"]), found


def test_a_point_is_heard_by_who_listens():
    heard = []
    with listen_to_points(heard.append):
        reach(Point.APPEND_COMING)
    reach(Point.APPEND_BEGUN)
    assert heard == [Point.APPEND_COMING]


@contextmanager
def stopped_in_its_turn(warm, url, wait):
    """A process that has stopped itself in the middle of telling a reward."""
    warm.start("stop", url, wait)
    deadline = time.monotonic() + 60
    while not any(each.status() == psutil.STATUS_STOPPED for each in warm.copies()):
        assert warm.is_running, warm.wait()
        assert time.monotonic() < deadline
        time.sleep(0.005)
    (worker,) = warm.copies()
    try:
        yield worker
    finally:
        if worker.is_running():
            worker.kill()
            with suppress(AssertionError):
                warm.wait()  # or the next script would be given its answer


def wake(warm, worker):
    """Return what the process says that came of its reward."""
    worker.resume()
    return warm.wait()


@pytest.mark.slow
def test_a_process_that_is_stopped_in_its_turn_spoils_nothing(url, warm):
    """Others are told that they have to wait; when it wakes up it goes on."""
    with ga.open_store(url) as store, ga.open_store(url, wait=0.2) as impatient:
        exp, other = store.experiment("coins", COINS, seed=1), impatient.experiment("coins")
        pull = exp.ask()
        with stopped_in_its_turn(warm, url, wait=60) as worker:
            with pytest.raises(StoreLocked, match="busy"):
                other.tell(pull, 0)
            assert other.pulls == 0  # who reads does not wait
            assert wake(warm, worker) == "told"
        exp.tell(pull, 0)
        assert exp.pulls == 2
        exp.verify()


@pytest.mark.slow
def test_a_server_does_not_wait_for_ever_for_who_is_stopped(postgres_url, warm):
    """The server ends its transaction; when it wakes up it is told so, and begins again."""
    with ga.open_store(postgres_url) as store:
        exp = store.experiment("coins", COINS, seed=1)
        pull = exp.ask()
        with stopped_in_its_turn(warm, postgres_url, wait=2) as worker:
            exp.tell(pull, 0)
            assert exp.pulls == 1
            assert wake(warm, worker) == "StoreDown"
        assert exp.pulls == 2
        exp.verify()


def test_a_process_that_is_stopped_before_its_turn_is_not_missed(url):
    """It decided on what it saw; by then others have gone on, and it decides again."""
    with ga.open_store(url) as store, ga.open_store(url) as other:
        exp, theirs = store.experiment("coins", COINS, seed=1), other.experiment("coins")
        exp.ask()
        given = []

        def go_first(point):
            if point is Point.APPEND_COMING and not given:
                given.append(None)
                given[0] = theirs.ask_many(2)

        with listen_to_points(go_first):
            pulls = exp.ask_many(2)
        assert [pull.number for pull in given[0] + pulls] == [2, 3, 4, 5]
        exp.verify()


def test_a_full_disk_has_counted_nothing_and_then_it_goes_on(opener, sqlite_url):
    recorder = opener(sqlite_url)
    exp = Store(recorder).experiment("coins", COINS, seed=1)
    pulls = exp.ask_many(300)
    recorder.close()

    def fill(connection, _):
        connection.execute("PRAGMA max_page_count=1")  # none but those that there are

    event.listen(recorder.database.writer, "connect", fill)
    acknowledged = []

    def tell_until_it_is_full():
        for pull in pulls:
            exp.tell(pull, pull.number % 2, key=f"tell {pull.number}")
            acknowledged.append(pull)

    with pytest.raises(StoreFull, match="Free some space and repeat"):
        tell_until_it_is_full()
    assert exp.pulls == len(acknowledged) < 300
    assert exp.waiting == pulls[len(acknowledged) :]
    event.remove(recorder.database.writer, "connect", fill)
    recorder.close()
    tell_until_it_is_full()  # which it is not any more
    assert exp.pulls == 300
    exp.verify()


def copy_of(path, folder, cut=None):
    """A copy of a file of SQLite and of its log, of which the first ``cut`` bytes are kept."""
    folder.mkdir()
    shutil.copy(path, folder / path.name)
    log = Path(f"{path}-wal")
    if log.exists():
        (folder / log.name).write_bytes(log.read_bytes()[:cut])
    return f"sqlite:///{folder / path.name}"


def test_a_log_that_was_cut_has_all_that_was_committed_before_the_cut(tmp_path):
    path = tmp_path / "kept.db"
    log, ends = Path(f"{path}-wal"), []
    with ga.open_store(f"sqlite:///{path}") as store:
        exp = store.experiment("coins", COINS, seed=1)
        for _ in range(15):
            exp.tell_many(exp.ask_many(3), [1, 0, 1])
            ends.append((log.stat().st_size, exp.pulls))
        whole = ends[-1][0]
        cuts = {size + change for size, _ in ends for change in (-4097, -1, 0, 1, 24)}
        for cut in sorted(each for each in cuts if each <= whole):
            expected = max([pulls for size, pulls in ends if size <= cut], default=0)
            with ga.open_store(copy_of(path, tmp_path / f"cut-{cut}", cut)) as copy:
                kept = {each.name for each in copy.experiments()}
                if expected:
                    assert kept == {"coins"}
                for name in kept:
                    exp_there = copy.experiment(name, COINS)
                    exp_there.verify()
                    assert exp_there.pulls >= expected
                    exp_there.ask()


@pytest.mark.slow
def test_a_file_that_is_copied_in_use_is_a_prefix_or_is_refused(tmp_path, warm):
    """The file first and its log after it, as one who copies does, while others write."""
    path = tmp_path / "kept.db"
    url = f"sqlite:///{path}"
    ga.open_store(url).close()
    warm.start("crowd", url, "--rewards", 2000, "--kills", 0, "--writers", 2, "--most", 40)
    copies = []
    while warm.is_running:
        copies.append(copy_of(path, tmp_path / f"copy-{len(copies)}"))
        time.sleep(0.02)
    assert warm.wait()["wrong"] == []
    whole = journal_of(url)
    prefixes = 0
    for copy in copies[:: max(len(copies) // 12, 1)]:
        try:
            found = journal_of(copy)
        except ga.errors.GoodArmError:
            continue  # refused
        assert found == whole[: len(found)]
        prefixes += len(found) > 0
    assert prefixes > 0


def journal_of(url):
    with ga.open_store(url, wait=1) as store:
        if not store.experiments():
            return []
        exp = store.experiment("round-0")
        exp.verify()
        return exp.journal()
