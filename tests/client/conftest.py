"""Services for tests of the client: a real process for each kind of database."""

import pytest

from client.processes import service
from store import server
from store.conftest import postgres  # noqa: F401 (a fixture)


class Far:
    """A service that runs, with a clock that can be moved."""

    def __init__(self, url, clock):
        self.url, self._clock = url, clock
        self._ahead = 0.0

    def move(self, seconds):
        self._ahead += seconds
        part = self._clock.with_suffix(".part")
        part.write_text(repr(self._ahead))
        part.replace(self._clock)


def _far(store, folder):
    clock = folder / "clock"
    clock.write_text("0")
    return clock, service(store, "--clock", clock)


@pytest.fixture(scope="module")
def sqlite_service(tmp_path_factory):
    folder = tmp_path_factory.mktemp("service")
    clock, running = _far(f"sqlite:///{folder / 'journals.db'}", folder)
    with running as process:
        yield Far(process.url, clock)


@pytest.fixture(scope="module")
def postgres_service(tmp_path_factory, postgres):  # noqa: F811
    folder = tmp_path_factory.mktemp("service")
    with server.database(postgres) as url:
        clock, running = _far(url, folder)
        with running as process:
            yield Far(process.url, clock)


@pytest.fixture
def postgres_url(postgres):  # noqa: F811
    with server.database(postgres) as url:
        yield url
