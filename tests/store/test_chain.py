"""The chain of hashes: what was changed in a journal is found, and named."""

import json
import random
import re

import pytest
from sqlalchemy import text

import goodarm as ga
from goodarm.errors import SpecError, StoreTampered
from goodarm.store import Store, open_recorder

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.05, max_pulls=3000)
MEANS = {"a": 0.9, "b": 0.1, "c": 0.8}


def play(exp, rewards=60):
    luck = random.Random(1)
    for _ in range(rewards):
        if exp.is_done:
            break
        pull = exp.ask(worker="ann")
        exp.tell(pull, int(luck.random() < MEANS[pull.arm]))


@pytest.fixture
def recorder(url, opener):
    return opener(url)


@pytest.fixture
def exp(recorder):
    found = Store(recorder).experiment("coins", COINS, seed=1)
    play(found)
    return found


def run(recorder, statement, **values):
    with recorder.database.writer.begin() as connection:
        return (
            connection.execute(text(statement), values).all()
            if statement.startswith("SELECT")
            else connection.execute(text(statement), values).rowcount
        )


def opened_again(url, opener):
    return Store(opener(url)).experiment("coins")


def test_an_honest_journal_is_verified_with_its_head(exp):
    found = exp.verify()
    assert found.head == exp.head.hash
    assert re.fullmatch("[0-9a-f]{64}", found.head)
    assert exp.verify(head=found.head) == exp.verify(head=found.head[:12].upper()) == found
    with pytest.raises(
        StoreTampered, match=r"is [0-9a-f]{64}, and no entry of the journal has the hash 0123:"
    ):
        exp.verify(head="0123")
    exp.note("later")
    exp.note("and later")
    again = exp.verify(head=found.head)
    assert (again.kept_at, again.entries) == (found.entries, found.entries + 2)
    assert exp.verify(head=found.head[:12]).kept_at == found.entries
    with pytest.raises(StoreTampered, match="no entry of the journal has the hash"):
        exp.verify(head=found.head[:3])  # such digits may begin the hash of any entry


def swap_arms(recorder):
    """Swap two names of arms in the start."""
    (found,) = run(recorder, "SELECT start FROM goodarm_starts")
    swapped = found[0].replace('["a", "b", "c"]', '["b", "a", "c"]')
    assert swapped != found[0]
    assert run(recorder, "UPDATE goodarm_starts SET start = :start", start=swapped) == 1


def change_limit(recorder):
    """Change max_pulls in the start."""
    (found,) = run(recorder, "SELECT start FROM goodarm_starts")
    changed = found[0].replace('"max_pulls": 3000', '"max_pulls": 4000')
    assert changed != found[0]
    assert run(recorder, "UPDATE goodarm_starts SET start = :start", start=changed) == 1


def swap_rewards(recorder):
    """Swap two rewards of one arm, and delete the snapshot."""
    run(recorder, "DELETE FROM goodarm_snapshots")
    found = run(recorder, "SELECT number, text FROM goodarm_journal ORDER BY number")
    told = [(n, each) for n, each in found if '"told"' in each and "labels" not in each]
    one = next(n for n, each in told if '"rewards": [1]' in each)
    other = next(n for n, each in told if '"rewards": [0]' in each)
    for number, old, new in ((one, "[1]", "[0]"), (other, "[0]", "[1]")):
        (text_,) = [each for n, each in told if n == number]
        changed = text_.replace(f'"rewards": {old}', f'"rewards": {new}')
        run(
            recorder,
            "UPDATE goodarm_journal SET text = :text WHERE number = :number",
            text=changed,
            number=number,
        )


def change_worker(recorder):
    """Give a pull to another worker."""
    done = run(
        recorder,
        "UPDATE goodarm_journal SET text = replace(text, 'ann', 'bob') WHERE number = 7",
    )
    assert done == 1


def remove_key(recorder):
    """Put a request key where there was none."""
    assert run(recorder, "UPDATE goodarm_journal SET key = 'x', digest = 'y' WHERE number = 8")


@pytest.mark.parametrize(
    ("tamper", "named"),
    [
        (swap_arms, "hash of entry 1 of 'coins' does not fit its content and the start"),
        (change_limit, "hash of entry 1 of 'coins' does not fit its content and the start"),
        (swap_rewards, "hash of entry [0-9]+ of 'coins' does not fit"),
        (change_worker, "hash of entry 7 of 'coins' does not fit"),
        (remove_key, "hash of entry 8 of 'coins' does not fit"),
    ],
    ids=lambda value: getattr(value, "__name__", ""),
)
def test_what_was_changed_is_named(exp, recorder, url, opener, tamper, named):
    head = exp.head.hash
    tamper(recorder)
    again = opened_again(url, opener)
    with pytest.raises(StoreTampered, match=named):
        again.verify()
    with pytest.raises(StoreTampered, match=named):
        again.verify(head=head)


def test_a_cut_tail_is_found_by_a_head_that_was_kept_elsewhere(exp, recorder, url, opener):
    head, last = exp.head.hash, exp.entries
    rows = list(exp.rows())
    run(recorder, "DELETE FROM goodarm_snapshots")
    run(recorder, "DELETE FROM goodarm_journal WHERE number > :n", n=last - 2)
    run(recorder, "UPDATE goodarm_experiments SET last = :n", n=last - 2)
    with pytest.raises(StoreTampered, match="Entries were removed from the end"):
        opened_again(url, opener).verify()
    run(recorder, "UPDATE goodarm_experiments SET hash = :hash", hash=rows[-3].hash)
    again = opened_again(url, opener)
    assert again.verify().entries == last - 2  # who can write can compute hashes, too
    with pytest.raises(StoreTampered, match="it was changed or cut"):
        again.verify(head=head)


def test_a_head_that_was_emptied_does_not_make_a_journal_unchained(exp, recorder, url, opener):
    run(recorder, "UPDATE goodarm_experiments SET hash = ''")
    with pytest.raises(StoreTampered, match="hash of entry 1 of 'coins' does not fit"):
        opened_again(url, opener).verify()


def test_twenty_random_edits_of_single_bytes_are_each_named(exp, recorder, url, opener):
    luck = random.Random(20)
    rows = list(exp.rows())
    for _ in range(20):
        row = luck.choice(rows)
        place = luck.randrange(len(row.text))
        other = luck.choice([c for c in '0123456789abcxyz ,:{}[]"' if c != row.text[place]])
        edited = row.text[:place] + other + row.text[place + 1 :]
        put = "UPDATE goodarm_journal SET text = :text WHERE number = :number"
        run(recorder, put, text=edited, number=row.number)
        run(recorder, "DELETE FROM goodarm_snapshots")
        with pytest.raises(StoreTampered, match=rf"[Ee]ntry {row.number}\b"):
            opened_again(url, opener).verify()
        run(recorder, put, text=row.text, number=row.number)
    assert opened_again(url, opener).verify().head == exp.head.hash


def test_exports_keep_their_hashes(exp, tmp_path, url, opener):
    path = tmp_path / "coins.jsonl"
    Store(opener(url)).export("coins", path)
    with ga.open_store("memory:") as other:
        copy = other.import_(path)
        assert copy.head.hash == exp.head.hash
        assert copy.verify() == exp.verify()
    lines = path.read_text("utf-8").splitlines()
    changed = [line.replace('"worker": "ann"', '"worker": "eve"') for line in lines]
    path.write_text("\n".join(changed), "utf-8")
    with ga.open_store("memory:") as other:
        with pytest.raises(StoreTampered, match="hash of entry 1 of 'coins'"):
            other.import_(path)
        assert other.experiments() == []


def test_exports_without_hashes_are_imported_as_unchained(exp, tmp_path, url, opener):
    path = tmp_path / "coins.jsonl"
    Store(opener(url)).export("coins", path)
    documents = [json.loads(line) for line in path.read_text("utf-8").splitlines()]
    for document in documents:
        del document["hash"]
    path.write_text("\n".join(map(json.dumps, documents)), "utf-8")
    with ga.open_store(f"sqlite:///{tmp_path}/other.db") as other:
        copy = other.import_(path)
        assert copy.head.hash == ""
        assert copy.verify()[:3] == exp.verify()[:3]
        copy.note("goes on")
        assert copy.head.hash == ""
        with pytest.raises(
            StoreTampered, match="has no hashes, so there is no last hash to compare with"
        ):
            copy.verify(head="abc")
        assert other.upgrade().chained == ["coins"]
        assert copy.verify().head == copy.head.hash != ""


SCHEMA_1 = """
CREATE TABLE goodarm_schema (number INTEGER NOT NULL PRIMARY KEY);
CREATE TABLE goodarm_experiments (
    name TEXT NOT NULL PRIMARY KEY, id TEXT NOT NULL UNIQUE, last BIGINT NOT NULL);
CREATE TABLE goodarm_starts (id TEXT NOT NULL PRIMARY KEY, start TEXT NOT NULL);
CREATE TABLE goodarm_journal (
    id TEXT NOT NULL, number BIGINT NOT NULL, text TEXT NOT NULL, key TEXT, digest TEXT,
    PRIMARY KEY (id, number));
CREATE UNIQUE INDEX goodarm_journal_keys ON goodarm_journal (id, key) WHERE key IS NOT NULL;
CREATE TABLE goodarm_snapshots (
    id TEXT NOT NULL PRIMARY KEY, number BIGINT NOT NULL, checksum TEXT NOT NULL, data {bytes});
CREATE TABLE goodarm_tokens (
    id TEXT NOT NULL PRIMARY KEY, digest TEXT NOT NULL UNIQUE, name TEXT NOT NULL,
    scope TEXT NOT NULL, pattern TEXT NOT NULL, created_at DOUBLE PRECISION NOT NULL,
    expires_at DOUBLE PRECISION, revoked_at DOUBLE PRECISION, used_at DOUBLE PRECISION);
INSERT INTO goodarm_schema VALUES (1);
"""
"""The tables as goodarm 0.1 made them."""


@pytest.fixture
def old_url(url, opener):
    """A store of schema 1."""
    recorder = opener(url)
    with recorder.database.writer.begin() as connection:
        tables = connection.execute(
            text(
                "SELECT name FROM sqlite_master WHERE type = 'table' AND name LIKE 'goodarm%'"
                if connection.dialect.name == "sqlite"
                else "SELECT tablename FROM pg_tables WHERE tablename LIKE 'goodarm%'"
            )
        ).scalars()
        for table in list(tables):
            connection.execute(text(f"DROP TABLE {table}"))
        kind = "BLOB" if connection.dialect.name == "sqlite" else "BYTEA"
        for statement in SCHEMA_1.replace("{bytes}", kind).split(";"):
            if statement.strip():
                connection.execute(text(statement))
    recorder.close()
    return url


def test_a_store_of_schema_1_is_used_as_it_is(old_url, opener):
    recorder = opener(old_url)
    store = Store(recorder)
    assert store.schema == 1
    exp = store.experiment("coins", COINS, seed=1)
    play(exp, 10)
    secret, token = store.tokens.create("ann", "run", by="root")
    assert store.tokens.find(secret).id == token.id
    store.tokens.revoke(token.id, by="root")
    assert exp.head.hash == ""
    assert exp.verify().head == ""
    assert opener(old_url).schema == 1
    columns = run(recorder, "SELECT * FROM goodarm_journal LIMIT 1")[0]._fields
    assert "hash" not in columns


def test_an_upgrade_chains_the_journals(old_url, opener):
    old = Store(opener(old_url))
    exp = old.experiment("coins", COINS, seed=1)
    play(exp, 20)
    old.experiment("empty", COINS, seed=1)
    assert old.upgrade() == (1, 2, ["coins", "empty"])
    new = Store(opener(old_url))
    assert new.schema == 2
    chained = new.experiment("coins")
    assert chained.verify().head == chained.head.hash != ""
    assert chained.verdict == exp.verdict
    play(chained, 5)
    chained.verify()
    assert new.upgrade() == (2, 2, [])
    secret, _ = new.tokens.create("ann", "run", by="root")
    new.tokens.revoke(new.tokens.find(secret).id, by="eve")
    (token,) = new.tokens.list()
    assert (token.created_by, token.revoked_by) == ("root", "eve")


def test_an_earlier_version_that_has_the_store_open_cannot_append(old_url, opener):
    """It is refused with the remedy; what it has read stays as it was."""
    old = Store(opener(old_url))
    exp = old.experiment("coins", COINS, seed=1)
    play(exp, 5)
    pull = exp.ask()
    before = exp.entries
    Store(opener(old_url)).upgrade()
    with pytest.raises(ga.errors.GoodArmError, match="restart this process with a later goodarm"):
        exp.tell(pull, 1)
    again = Store(opener(old_url)).experiment("coins")
    assert again.entries == before
    again.tell(pull, 1)
    again.verify()


@pytest.mark.parametrize("point", ["UPGRADE_WRITTEN", "CHAIN_WRITTEN", "CHAIN_COMMITTED"])
def test_an_upgrade_that_is_interrupted_goes_on(old_url, opener, point):
    from goodarm.store.faults import Point, listen_to_points

    old = Store(opener(old_url))
    for name in ("one", "two"):
        play(old.experiment(name, COINS, seed=1), 5)

    def interrupt(reached):
        if reached is Point[point]:
            raise KeyboardInterrupt

    with listen_to_points(interrupt), pytest.raises(KeyboardInterrupt):
        old.upgrade()
    between = Store(opener(old_url))
    for name in ("one", "two"):
        play(between.experiment(name), 3)
        between.experiment(name).verify()
    between.upgrade()
    after = Store(opener(old_url))
    for name in ("one", "two"):
        assert after.experiment(name).verify().head != ""


def test_a_store_in_memory_needs_no_upgrade():
    with pytest.raises(SpecError, match="needs no upgrade"):
        ga.open_store("memory:").upgrade()
    assert open_recorder("memory:").create("x", "{}").hash != ""
