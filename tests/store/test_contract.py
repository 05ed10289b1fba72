"""Every store under the one contract."""

import pytest

from goodarm.store import Store, committer
from goodarm.store.memory import MemoryRecorder
from goodarm.testing import StoreContract


class TestMemory(StoreContract):
    @pytest.fixture
    def open_store(self, clock):
        recorder = MemoryRecorder()
        return lambda: Store(recorder, clock)


class TestSqlite(StoreContract):
    @pytest.fixture
    def open_store(self, clock, opener, sqlite_url):
        return lambda: Store(opener(sqlite_url), clock)


class TestPostgres(StoreContract):
    @pytest.fixture
    def open_store(self, clock, opener, postgres_url):
        return lambda: Store(opener(postgres_url), clock)


@pytest.fixture
def without_turns(monkeypatch):
    """Every writer takes itself for the only one, again and again."""
    monkeypatch.setattr(committer, "MIN_TURNS_ALONE", 0)
    monkeypatch.setattr(committer, "MAX_TURNS_ALONE", 0)


@pytest.mark.usefixtures("without_turns")
class TestMemoryWithoutTurns(TestMemory):
    pass


@pytest.mark.usefixtures("without_turns")
class TestSqliteWithoutTurns(TestSqlite):
    pass


@pytest.mark.usefixtures("without_turns")
class TestPostgresWithoutTurns(TestPostgres):
    pass
