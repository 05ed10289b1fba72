"""Services for tests of the client: in a thread on SQLite, in a real process on PostgreSQL."""

import time

import pytest

from client.processes import service
from goodarm.service import Settings, create_app
from goodarm.store import Store, open_recorder
from service.servers import in_thread
from store import server
from store.conftest import postgres  # noqa: F401 (a fixture)


class Near:
    """A service in a thread of this process, with a clock that can be moved."""

    url = ""

    def __init__(self):
        self._ahead = 0.0

    def clock(self):
        return time.time() + self._ahead

    def move(self, seconds):
        self._ahead += seconds


class Far:
    """A service in a process of its own, with a clock that can be moved."""

    def __init__(self, url, clock):
        self.url, self._clock = url, clock
        self._ahead = 0.0

    def move(self, seconds):
        self._ahead += seconds
        part = self._clock.with_suffix(".part")
        part.write_text(repr(self._ahead))
        part.replace(self._clock)


@pytest.fixture(scope="module")
def sqlite_service(tmp_path_factory):
    near = Near()
    recorder = open_recorder(f"sqlite:///{tmp_path_factory.mktemp('service') / 'journals.db'}")
    with (
        Store(recorder, near.clock) as store,
        in_thread(create_app(store, Settings(max_rate=1e6))) as near.url,
    ):
        yield near


@pytest.fixture(scope="module")
def postgres_service(tmp_path_factory, postgres):  # noqa: F811
    clock = tmp_path_factory.mktemp("service") / "clock"
    clock.write_text("0")
    with server.database(postgres) as url, service(url, "--clock", clock) as process:
        yield Far(process.url, clock)


@pytest.fixture
def postgres_url(postgres):  # noqa: F811
    with server.database(postgres) as url:
        yield url
