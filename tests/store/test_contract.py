"""Every store under the one contract."""

import pytest

from goodarm.store import Store
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
