"""From an address to a recorder: what is refused, and what no message shows."""

import json
import re
import subprocess
import sys
import traceback

import pytest

from goodarm.errors import MissingExtra, SpecError, StoreDown, StoreError
from goodarm.installation import install_command
from goodarm.store import Store, open_recorder
from goodarm.store.memory import MemoryRecorder


def test_memory_is_its_own_each_time():
    first = open_recorder("memory:")
    assert isinstance(first, MemoryRecorder)
    first.create("banners", "{}")
    assert open_recorder("memory:").heads() == []


@pytest.mark.parametrize("url", [3, None, b"memory:"])
def test_an_address_is_a_text(url):
    with pytest.raises(SpecError, match="'url' of open_store must be 'memory:'"):
        open_recorder(url)


@pytest.mark.parametrize("wait", [-1, float("nan"), float("inf"), "5", None, True])
def test_one_waits_for_a_number_of_seconds(wait):
    with pytest.raises(SpecError, match="'wait' of open_store must be a number of seconds"):
        open_recorder("memory:", wait=wait)


def test_an_experiment_is_created_with_a_problem():
    with pytest.raises(SpecError, match="'problem' of Store.experiment must be a Problem; got 3"):
        Store(open_recorder("memory:")).experiment("x", 3)


def test_relative_paths_are_files_here(tmp_path, monkeypatch, opener):
    monkeypatch.chdir(tmp_path)
    recorder = opener("sqlite:///here.db")
    assert (tmp_path / "here.db").exists()
    assert repr(recorder) == "SqlRecorder('here.db')"


@pytest.mark.parametrize(
    ("url", "remedy"),
    [
        ("mysql://me:hunter2@host/lab", "must be 'memory:', 'sqlite:///file.db' or 'postgresql+"),
        ("postgres://me:hunter2@host/lab", "Begin with 'postgresql+psycopg://'"),
        ("postgresql://me:hunter2@host/lab", "Begin with 'postgresql+psycopg://'"),
        ("postgresql+asyncpg://me:hunter2@host/lab", "Begin with 'postgresql+psycopg://'"),
        ("postgresql+psycopg://me:hunter2@host:port/lab", "must be an address such as"),
        ("goodarm.db", "A file begins with 'sqlite:///'"),
        ("", "A file begins with 'sqlite:///'"),
        ("sqlite://", "Three slashes come before a path"),
        ("sqlite:///", "Three slashes come before a path"),
        ("sqlite://goodarm.db", "Three slashes come before a path"),
        ("sqlite:///:memory:", "'memory:' has no file"),
        ("sqlite:///a.db?mode=ro&password=hunter2", "the path of a file"),
    ],
)
def test_other_addresses_are_refused_with_the_remedy(url, remedy):
    with pytest.raises(SpecError) as caught:
        open_recorder(url)
    assert remedy in str(caught.value)
    assert str(caught.value).startswith("The 'url' of open_store must be")
    assert "hunter2" not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize(
    "address",
    [
        "me:hunter2@/lab?host={}",
        "me:hunter%32@/lab?host={}",
        "/lab?host={}&user=me&password=hunter2",
    ],
)
def test_no_message_shows_a_password(tmp_path, address):
    url = "postgresql+psycopg://" + address.format(tmp_path / "nobody")
    with pytest.raises(StoreDown, match="The store 'lab' at .*nobody cannot be reached") as caught:
        open_recorder(url, wait=0.01)
    shown = "".join(traceback.format_exception(caught.value)) + repr(caught.value)
    assert "hunter2" not in shown
    assert type(caught.value.__cause__).__module__.startswith("psycopg")


def test_a_recorder_does_not_show_its_password(postgres_url, opener):
    recorder = opener(postgres_url.replace("postgres:@", "postgres:hunter2@"))
    assert repr(recorder).startswith("SqlRecorder('test_")
    assert "hunter2" not in repr(recorder)
    assert "hunter2" not in repr(recorder.database.writer)


@pytest.mark.parametrize(
    ("library", "url", "extra"),
    [
        ("sqlalchemy", "sqlite:///a.db", "store"),
        ("sqlalchemy", "postgresql+psycopg://host/lab", "store"),
        ("psycopg", "postgresql+psycopg://host/lab", "postgres"),
    ],
)
def test_a_missing_library_is_named(monkeypatch, library, url, extra):
    monkeypatch.setitem(sys.modules, library, None)
    with pytest.raises(MissingExtra, match=re.escape(install_command(extra))):
        open_recorder(url)


def test_sqlalchemy_is_loaded_when_it_is_needed():
    script = """if True:
        import json, sys
        from goodarm.store import open_recorder
        open_recorder("memory:").create("banners", "{}")
        print(json.dumps([name in sys.modules for name in ("sqlalchemy", "psycopg")]))
    """
    result = subprocess.run([sys.executable, "-c", script], capture_output=True, check=True)
    assert json.loads(result.stdout) == [False, False]


def test_a_folder_that_is_not_there(tmp_path):
    with pytest.raises(StoreDown, match="unable to open database file. Check that it is running"):
        open_recorder(f"sqlite:///{tmp_path}/nowhere/a.db")


def test_a_database_that_is_not_there(postgres_url):
    with pytest.raises(StoreDown, match='database "no_test_.*" does not exist'):
        open_recorder(postgres_url.replace("/test_", "/no_test_"), wait=0.01)


def test_all_store_errors_are_one_branch():
    assert issubclass(StoreDown, StoreError)
    assert issubclass(StoreError, RuntimeError)


def test_what_must_exist_is_not_made(url, opener):
    for _ in range(2):
        with pytest.raises(SpecError, match=r"be that of an existing file|its tables are missing"):
            opener(url, must_exist=True)
    opener(url).create("banners", "{}")
    (head,) = opener(url, must_exist=True).heads()
    assert head.name == "banners"
