"""A writer that is alone takes no turns; if it is not, it decides again on what others wrote."""

import json
from threading import Thread

import psycopg
import pytest

import goodarm as ga
from goodarm.errors import Gone, ProtocolError, StoreDown
from goodarm.store import Store, committer, turns

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=1e-9)


@pytest.fixture
def store(opener, url):
    return Store(opener(url))


@pytest.fixture
def other(opener, url):
    """The same store, as another process has it."""
    return Store(opener(url))


@pytest.fixture
def turns_of(monkeypatch):
    """Return a function that counts the turns which a store takes from now on."""

    def count(store):
        taken, turn = [], store._recorder.turn

        def counting(head):
            taken.append(head)
            return turn(head)

        monkeypatch.setattr(store._recorder, "turn", counting)
        return taken

    return count


def alone(store, problem=COINS):
    """Return an experiment whose writer takes no turns any more."""
    exp = store.experiment("coins", problem, seed=1)
    for number in range(committer.MIN_TURNS_ALONE):
        exp.tell(exp.ask(), number % 2)
    return exp


def told(exp):
    """Return how often the reward of each pull is in the journal."""
    numbers = [n for entry in exp.journal() if entry["kind"] == "told" for n in entry["pulls"]]
    return {number: numbers.count(number) for number in numbers}


def test_who_is_alone_takes_no_turns(store, other, turns_of):
    exp = alone(store)
    taken = turns_of(store)
    for number in range(20):
        exp.tell(exp.ask(), number % 2)
    exp.tell_many(exp.ask_many(30), [1] * 30)
    assert taken == []
    assert exp.ask(key="k") == exp.ask(key="k")  # keys are looked up
    assert len(taken) == 2
    exp.ask()
    assert len(taken) == 2
    assert other.experiment("coins").verify().head == exp.head.hash


def test_threads_share_a_statement(store, other, turns_of):
    exp = alone(store)
    taken, pulls = turns_of(store), exp.ask_many(200)

    def tell(part):
        for pull in part:
            exp.tell(pull, pull.number % 2)

    threads = [Thread(target=tell, args=(pulls[k::20],)) for k in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert (taken, exp.waiting) == ([], [])
    assert set(told(other.experiment("coins")).values()) == {1}
    other.experiment("coins").verify()


def test_who_is_not_alone_decides_again(store, other, turns_of):
    exp, theirs = alone(store), other.experiment("coins")
    pull, taken = exp.ask(), turns_of(store)
    assert theirs.ask().number == pull.number + 1
    assert exp.ask().number == pull.number + 2
    assert len(taken) == 2  # one that says what has moved, and one to go on
    theirs.tell(pull, 1)
    exp.tell(pull, 1)  # which is told already
    with pytest.raises(ProtocolError, match="cannot be changed"):
        exp.tell(pull, 0)
    assert told(exp)[pull.number] == 1
    theirs.verify()


def test_who_is_often_not_alone_takes_turns_for_longer(store, other, turns_of, monkeypatch):
    monkeypatch.setattr(committer, "MAX_TURNS_ALONE", 20)
    exp, theirs = alone(store), other.experiment("coins")
    taken = turns_of(store)
    for needed in (16, 20, 20):
        theirs.ask()
        for _ in range(needed + 1):
            exp.ask()
        taken.clear()
        exp.ask()
        assert taken == []
    for _ in range(50):
        theirs.ask()
        exp.ask()
    assert len(taken) == 51  # the first attempt was in vain
    theirs.verify()


def test_what_changes_nothing_is_answered_by_what_is_in_the_journal(store, other):
    """There is no commit that would say whether the state in memory is that of the journal."""
    exp, theirs = alone(store), other.experiment("coins")
    exp.pause()
    with pytest.raises(ProtocolError, match="paused"):
        exp.ask()
    theirs.resume()
    held = exp.ask(worker="ann")
    theirs.tell(held, 1)
    assert exp.ask(worker="ann") != held
    for _ in range(20):
        exp.ask()
    exp.pause()
    theirs.resume()
    exp.pause()  # it was paused as far as this writer knew
    assert theirs.status == "paused"
    theirs.verify()


def test_an_experiment_that_was_deleted_is_gone(store, other):
    exp = alone(store)
    pull = exp.ask()
    assert other.delete("coins")
    with pytest.raises(Gone, match="was deleted"):
        exp.tell(pull, 1)
    again = other.experiment("coins", COINS, seed=1)
    with pytest.raises(Gone, match="was deleted"):
        exp.tell(pull, 1)
    assert again.entries == 0


def test_a_journal_that_is_chained_meanwhile_goes_on_with_hashes(store, other, tmp_path):
    path = tmp_path / "coins.jsonl"
    alone(store)
    store.export("coins", path)
    lines = path.read_text(encoding="utf-8").splitlines()
    path.write_text("\n".join(_without_hash(line) for line in lines), encoding="utf-8")
    store.delete("coins")
    exp = store.import_(path)
    for _ in range(committer.MIN_TURNS_ALONE + 2):
        exp.ask()
    assert exp.head.hash == ""
    assert other.upgrade().chained == ["coins"]
    exp.ask()
    exp.ask()
    assert other.experiment("coins").verify().head == exp.head.hash
    assert exp.head.hash != ""


def _without_hash(line):
    document = json.loads(line)
    document.pop("hash", None)
    return json.dumps(document)


def test_a_request_that_fails_in_the_middle_has_counted_nothing(store, other, monkeypatch):
    exp = alone(store)
    pull = exp.ask()
    before = exp.head

    def fail(state, *_):
        state.is_changing = True
        raise ZeroDivisionError

    with monkeypatch.context() as patch:
        patch.setattr("goodarm.live.verbs._tell", fail)
        with pytest.raises(ZeroDivisionError):
            exp.tell(pull, 1)
    assert exp.head == before
    exp.tell(pull, 1)
    assert other.experiment("coins").waiting == []
    other.experiment("coins").verify()


def test_a_connection_that_was_closed_is_made_again(opener, postgres_url):
    store, other = Store(opener(postgres_url)), Store(opener(postgres_url))
    exp = alone(store)
    pull = exp.ask()
    _end_all_but(other)
    exp.tell(pull, 1)
    assert set(told(other.experiment("coins")).values()) == {1}


def test_an_answer_that_was_lost_leaves_no_doubt_later(opener, postgres_url, monkeypatch):
    exp = alone(Store(opener(postgres_url)))
    pull, right = exp.ask(), psycopg.Cursor.execute

    def lose(cursor, statement, *values):
        answer = right(cursor, statement, *values)
        if statement.startswith("WITH moved"):
            raise psycopg.OperationalError("the connection is lost")
        return answer

    with monkeypatch.context() as patch:
        patch.setattr(psycopg.Cursor, "execute", lose)
        with pytest.raises(StoreDown, match="the connection is lost"):
            exp.tell(pull, 1)
    assert exp.waiting == []
    exp.tell(pull, 1)
    assert told(exp)[pull.number] == 1
    exp.verify()


def _end_all_but(store):
    with store._recorder.database.writer.begin() as connection:
        connection.exec_driver_sql(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid != pg_backend_pid()"
        )


def compete(store, other):
    """Let two writers tell rewards in bursts, each of them alone for a while."""
    exp, theirs = alone(store), other.experiment("coins")
    pulls = exp.ask_many(200)
    for burst in range(5):
        for pull in pulls[40 * burst : 40 * burst + 20]:
            exp.tell(pull, pull.number % 2)
        for pull in pulls[40 * burst + 20 : 40 * burst + 40]:
            theirs.tell(pull, pull.number % 2)
    return exp, theirs, pulls


def check(exp, pulls):
    found = told(exp)
    assert all(found[pull.number] == 1 for pull in pulls)
    assert exp.waiting == []
    exp.verify()


def test_two_writers_tell_each_reward_once(store, other):
    exp, theirs, pulls = compete(store, other)
    check(theirs, pulls)
    assert exp.table() == theirs.table()


@pytest.mark.parametrize("missing", ["last", "hash", "both"])
def test_without_the_compare_and_set_that_fails(opener, url, monkeypatch, missing):
    """Left out, either half is made up for by the other; without both a writer spoils a journal."""
    right = turns.Statements.of

    def of(database, schema):
        found, mark = right(database, schema), database.mark

        def spoil(statement):
            if missing in ("last", "both"):
                statement = statement.replace(f"AND last = {mark}", f"AND last >= {mark}")
            if missing in ("hash", "both"):
                statement = statement.replace(f"AND hash = {mark}", f"AND hash != {mark} || 'x'")
            return statement

        at_once = tuple(map(spoil, found.at_once))
        return found._replace(move=spoil(found.move), at_once=at_once)

    monkeypatch.setattr("goodarm.store.sql.Statements.of", of)
    stores = [Store(opener(url)) for _ in range(2)]
    if missing != "both":
        _, theirs, pulls = compete(*stores)
        check(theirs, pulls)
        return
    with pytest.raises((AssertionError, ga.errors.GoodArmError)):
        compete(*stores)


@pytest.mark.slow
@pytest.mark.parametrize("eager", [False, True])
def test_two_processes_tell_each_reward_once(store, url, warm, eager):
    exp = store.experiment("coins", COINS, seed=1)
    pulls = exp.ask_many(600)
    assert warm.run("tell", url, eager) == "done"
    check(exp, pulls)
