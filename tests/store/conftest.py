"""A real PostgreSQL for the tests, fresh databases in it, and a process that has loaded all."""

import json
import os
import select
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from goodarm.store import open_recorder
from store import server


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests on PostgreSQL start a server, and are not for the inner loop."""
    for item in items:
        if "postgres_url" in item.fixturenames or "[postgres" in item.name:
            item.add_marker("slow")


class Warm:
    """A process that has loaded all, whose copies run scripts of this folder, one at a time."""

    def __init__(self, process):
        self._process = process

    def start(self, script, *words):
        self._process.stdin.write(json.dumps([script, *map(str, words)]) + "\n")
        self._process.stdin.flush()

    @property
    def is_running(self):
        """Whether the script that was started last has still to end."""
        return not select.select([self._process.stdout], [], [], 0)[0]

    def wait(self):
        """Return what the script has found that was started last."""
        ready, _, _ = select.select([self._process.stdout], [], [], 300)
        assert ready, "it hangs"
        code, printed, errors = json.loads(self._process.stdout.readline())
        assert code == 0, errors
        return json.loads(printed)

    def copies(self):
        """Return the copy that runs, as psutil has it, in a list; none if it has ended."""
        return psutil.Process(self._process.pid).children()

    def run(self, script, *words):
        self.start(script, *words)
        return self.wait()


@pytest.fixture(scope="session")
def warm():
    """One process for all tests: to load takes longer than what most of them do."""
    command = [sys.executable, str(Path(__file__).parent / "fork_server.py")]
    process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    with process:
        try:
            yield Warm(process)
            process.stdin.close()
            process.wait(60)
        finally:
            process.kill()


@pytest.fixture(scope="session")
def postgres(tmp_path_factory):
    """A server, shared by all workers of a run."""
    shared = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        shared = shared.parent
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_RUNTIME_DIR", "")  # which the server sets, and which is put back after
        with server.running(shared, is_hurried=True) as one:
            yield one


@pytest.fixture(scope="session")
def postgres_database(postgres):
    with server.database(postgres) as url:
        yield url


@pytest.fixture
def postgres_url(postgres_database):
    """An empty database. To empty one takes a tenth of the time that a new one takes."""
    yield postgres_database
    server.empty(postgres_database)


@pytest.fixture
def sqlite_url(tmp_path):
    return f"sqlite:///{tmp_path / 'journals.db'}"


@pytest.fixture(params=["sqlite", "postgres"])
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
