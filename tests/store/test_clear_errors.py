"""What a user is told when a store cannot be used, or was tampered with: what, and the remedy."""

import re
import shutil
import sqlite3
import subprocess
import sys
import tempfile
from contextlib import closing
from pathlib import Path

import pytest

import goodarm as ga
from goodarm.errors import StoreDown, StoreLocked, StoreTampered, StoreTooNew
from goodarm.installation import upgrade_command
from goodarm.store import dialects

COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=0.2)


@pytest.fixture
def path(tmp_path):
    """A file with a finished experiment."""
    path = tmp_path / "kept.db"
    with ga.open_store(f"sqlite:///{path}") as store:
        exp = store.experiment("coins", COINS, seed=1)
        while pulls := exp.ask_many(5):
            exp.tell_many(pulls, [int(pull.arm == "a") for pull in pulls])
        exp.verify()
    return path


def change(path, statement):
    """Does to a file what goodarm never would."""
    with closing(sqlite3.connect(path)) as connection:
        before = list(connection.iterdump())
        connection.execute(statement)
        connection.commit()
        assert list(connection.iterdump()) != before


def test_a_locked_file(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        with ga.open_store(f"sqlite:///{path}", wait=0.1) as store:
            assert store.experiment("coins").is_done  # who reads does not wait
            with pytest.raises(StoreLocked, match="busy for more than 0.1 seconds.*Try again"):
                store.experiment("new", COINS)
        other.execute("ROLLBACK")
    with ga.open_store(f"sqlite:///{path}") as store:
        store.experiment("new", COINS)


READ_ONLY = """if True:
    import os, sys
    import goodarm as ga
    import goodarm.store.sql
    if os.geteuid() == 0:  # who may write anywhere
        os.setgid(65534)
        os.setuid(65534)
    try:
        ga.open_store(sys.argv[1]).experiment("coins").pause()
    except ga.errors.GoodArmError as error:
        print(type(error).__name__, error)
"""


def test_a_file_that_may_only_be_read(path):
    folder = Path(tempfile.mkdtemp(prefix="goodarm-"))  # others may look into this one
    try:
        copy = Path(shutil.copy(path, folder))
        copy.chmod(0o444)
        folder.chmod(0o555)
        command = [sys.executable, "-c", READ_ONLY, f"sqlite:///{copy}"]
        said = subprocess.run(command, capture_output=True, text=True, check=True).stdout
    finally:
        folder.chmod(0o755)
        shutil.rmtree(folder)
    assert said.startswith("StoreReadOnly The store")
    assert "Check that you have write access" in said


def test_a_server_that_is_down_is_tried_a_few_times(tmp_path, monkeypatch):
    pauses = []
    monkeypatch.setattr(dialects.time, "sleep", pauses.append)
    url = f"postgresql+psycopg:///lab?host={tmp_path}"
    with pytest.raises(StoreDown, match="cannot be reached.*Check that it is running"):
        ga.open_store(url)
    assert pauses == list(dialects.CONNECT_PAUSES)


def test_a_newer_schema(path):
    change(path, "UPDATE goodarm_schema SET number = number + 1")
    with pytest.raises(StoreTooNew, match=re.escape(upgrade_command())):
        ga.open_store(f"sqlite:///{path}")


TAMPERED = {
    "a reward": "UPDATE goodarm_journal SET text = replace(text, '[1, ', '[0, ') WHERE number = 2",
    "a label": "UPDATE goodarm_journal SET text = replace(text, '\"label\": 1', '\"label\": -1') "
    "WHERE text LIKE '%\"label\": 1%'",
    "evidence": "UPDATE goodarm_journal SET text = replace(text, '\"evidence\": ', "
    "'\"evidence\": 1') WHERE text LIKE '%\"label\": 1%'",
    "a row cut short": "UPDATE goodarm_journal SET text = substr(text, 1, 20) WHERE number = 3",
    "a row of something else": "UPDATE goodarm_journal SET text = '[]' WHERE number = 3",
    "a row taken out": "DELETE FROM goodarm_journal WHERE number = 3",
    "the last row taken out": "DELETE FROM goodarm_journal WHERE number = "
    "(SELECT max(number) FROM goodarm_journal)",
    "an arm": "UPDATE goodarm_journal SET text = replace(text, '\"arms\": [0', '\"arms\": [1') "
    "WHERE number = 1",
    "a pull told twice": "UPDATE goodarm_journal SET text = "
    "(SELECT text FROM goodarm_journal WHERE number = 2) WHERE number = 4",
}


@pytest.mark.parametrize("what", TAMPERED)
def test_a_journal_that_was_tampered_with(path, what):
    change(path, TAMPERED[what])
    with (
        ga.open_store(f"sqlite:///{path}") as store,
        pytest.raises(StoreTampered, match="[Ee]ntr(y|ies) [0-9]+.*backup"),
    ):
        store.experiment("coins").verify()
