"""A real PostgreSQL for the tests, and fresh databases in it."""

import os

import pytest

from goodarm.store import open_recorder
from store import server


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items):
    """Tests on PostgreSQL start a server, and are not for the inner loop."""
    for item in items:
        if "postgres_url" in item.fixturenames or "[postgres" in item.name:
            item.add_marker("slow")


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
