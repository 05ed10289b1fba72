"""``goodarm verify``: what was tampered with is named, with its entry."""

import json
import re
import sqlite3

import pytest

import goodarm as ga
from cli.sample_store import parse_rows
from goodarm.store import open_recorder


def test_verify_says_what_was_verified(invoke, url):
    result = invoke(["verify", url])
    assert result.exit_code == 0
    header, *rows = parse_rows(result.stdout)
    assert header == ["name", "outcome", "entries", "rewards", "labels", "last hash", "time"]
    assert {row[1] for row in rows} == {"verified"}
    assert rows[0][:4] == ["banners", "verified", "81", "200"]
    one = invoke(["verify", url, "pool", "--json"])
    document = json.loads(one.stdout)
    assert (one.exit_code, document["kind"], document["verified"]) == (0, "verification", True)
    (pool,) = document["experiments"]
    assert (pool["name"], pool["outcome"], pool["labels"]) == ("pool", "verified", 2)
    assert pool["differs"] is None


def change(path, statement, *values, least=1):
    connection = sqlite3.connect(path)
    with connection:
        assert connection.execute(statement, values).rowcount >= least
    connection.close()


def forget_snapshots(path):
    """Else whoever opens an experiment need not read what is behind one."""
    change(path, "DELETE FROM goodarm_snapshots", least=0)


def journal_of(url, name="banners"):
    with ga.open_store(url) as store:
        return store.experiment(name).journal()


def write(path, number, entry, name="banners"):
    text = entry if isinstance(entry, str) else json.dumps(entry)
    whose = "(SELECT id FROM goodarm_experiments WHERE name = ?)"
    statement = f"UPDATE goodarm_journal SET text = ? WHERE number = ? AND id = {whose}"
    change(path, statement, text, number, name)


def find_first_label(journal):
    """The number of the first entry in which a label fell, and the entry."""
    return next((n, e) for n, e in enumerate(journal, start=1) if e.get("labels"))


def change_reward(path, journal):
    number, entry = find_first_label(journal)
    rewards = [1 - reward for reward in entry["rewards"]]
    write(path, number, {**entry, "rewards": rewards})
    return number


def change_label(path, journal):
    number, entry = find_first_label(journal)
    first, *rest = entry["labels"]
    write(path, number, {**entry, "labels": [{**first, "label": -first["label"]}, *rest]})
    return number


def change_evidence(path, journal):
    number, entry = find_first_label(journal)
    first, *rest = entry["labels"]
    fell = {**first, "evidence": first["evidence"] * 1.001}
    write(path, number, {**entry, "labels": [fell, *rest]})
    return number


def remove_label(path, journal):
    number, entry = find_first_label(journal)
    write(path, number, {**entry, "labels": []})
    return number


def swap_entries(path, journal):
    write(path, 1, journal[1])
    write(path, 2, journal[0])
    return 1


def remove_entry(path, journal):
    whose = "(SELECT id FROM goodarm_experiments WHERE name = 'banners')"
    change(path, f"DELETE FROM goodarm_journal WHERE number = 20 AND id = {whose}")


def cut_file(path, journal):
    write(path, 20, json.dumps(journal[19])[:-9])
    return 20


def replace_object(path, journal):
    write(path, 20, "[]")
    return 20


def unknown_pull(path, journal):
    write(path, 20, {**journal[19], "pulls": [10**6] * len(journal[19]["pulls"])})
    return 20


def unknown_arm(path, journal):
    write(path, 21, {**journal[20], "arms": [99] * len(journal[20]["arms"])})
    return 21


def tell_twice(path, journal):
    write(path, 20, {**journal[19], "pulls": journal[17]["pulls"]})
    return 20


def impossible_reward(path, journal):
    write(path, 20, {**journal[19], "rewards": [7] * len(journal[19]["rewards"])})
    return 20


def change_time(path, journal):
    write(path, 20, {**journal[19], "at": 1.0})
    return 20


WRONGS = [
    *(change_reward, change_label, change_evidence, remove_label, swap_entries, remove_entry),
    *(
        cut_file,
        replace_object,
        unknown_pull,
        unknown_arm,
        tell_twice,
        impossible_reward,
        change_time,
    ),
]


@pytest.mark.parametrize("wrong", WRONGS)
def test_what_was_tampered_with_is_named_with_its_entry(invoke, copy, wrong):
    path, url = copy
    number = wrong(path, journal_of(url))
    result = invoke(["verify", url])
    assert result.exit_code == 1, result.output
    rows = {row[0]: row[1] for row in parse_rows(result.stdout)[1:]}
    assert rows.pop("banners") == "differs"
    assert set(rows.values()) == {"verified"}
    (said,) = [line for line in result.stdout.split("\n") if line.startswith("banners: ")]
    if number is not None:
        assert re.search(rf"\bentry {number}\b", said, re.IGNORECASE), said
    document = json.loads(invoke(["verify", url, "--json"]).stdout)
    assert document["verified"] is False
    assert document["experiments"][0]["differs"] == said.removeprefix("banners: ")
    assert invoke(["verify", url, "closed"]).exit_code == 0


def test_a_snapshot_of_something_else(invoke, tmp_path, monkeypatch):
    """Its checksum fits, and it is yet not what the journal comes to."""
    monkeypatch.setattr("goodarm.store.snapshots.MIN_SNAPSHOT_ENTRIES", 10)
    url, problem = f"sqlite:///{tmp_path / 'two.db'}", ga.Problem(2, 0.5, 0.05)
    with ga.open_store(url) as store:
        for name, reward in (("mine", 1), ("other", 0)):
            exp = store.experiment(name, problem, seed=1)
            for _ in range(5):
                exp.tell(exp.ask(), reward)
    assert invoke(["verify", url]).exit_code == 0
    recorder = open_recorder(url)
    mine, other = recorder.heads()
    recorder.save_snapshot(mine.id, *recorder.load_snapshot(other.id))
    recorder.close()
    result = invoke(["verify", url])
    assert result.exit_code == 1
    assert "mine: The snapshot of 'mine' at entry 10 is not what" in result.stdout


@pytest.mark.parametrize("text", ["{", "[]", '{"kind": "experiment", "format": 9}'])
def test_a_beginning_that_was_tampered_with(invoke, copy, text):
    path, url = copy
    whose = "(SELECT id FROM goodarm_experiments WHERE name = 'banners')"
    change(path, f"UPDATE goodarm_starts SET start = ? WHERE id = {whose}", text)
    result = invoke(["verify", url])
    assert result.exit_code == 1, result.output
    assert parse_rows(result.stdout)[1][:2] == ["banners", "unreadable"]


def test_the_others_are_listed_if_one_cannot_be_read(invoke, copy):
    path, url = copy
    forget_snapshots(path)
    cut_file(path, journal_of(url))
    result = invoke(["experiments", url])
    assert result.exit_code == 2
    rows = {row[0]: row[1:] for row in parse_rows(result.stdout)[1:]}
    assert rows["banners"] == ["unreadable", "-", "-", "-", "-", "81", "-"]
    assert rows["pool"][0] == "done"
    assert "goodarm: banners: " in result.stderr
