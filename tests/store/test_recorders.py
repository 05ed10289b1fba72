"""Every recorder under the one contract."""

import pytest

from goodarm.store.memory import MemoryRecorder
from store.recorder_contract import RecorderContract


class TestMemory(RecorderContract):
    @pytest.fixture
    def open_again(self):
        recorder = MemoryRecorder()
        return lambda: recorder


class TestSqlite(RecorderContract):
    @pytest.fixture
    def open_again(self, opener, sqlite_url):
        return lambda: opener(sqlite_url)


@pytest.mark.large
class TestPostgres(RecorderContract):
    @pytest.fixture
    def open_again(self, opener, postgres_url):
        return lambda: opener(postgres_url)
