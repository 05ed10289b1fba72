"""The contract of stores, through the client, against a service."""

import pytest

import goodarm as ga
from goodarm.testing import StoreContract

pytestmark = pytest.mark.slow


class ThroughAClient(StoreContract):
    @pytest.fixture
    def clock(self, far):
        return far

    @pytest.fixture
    def open_store(self, far):
        opened = []

        def open_one():
            opened.append(ga.Client(far.url))
            return opened[-1]

        for kept in open_one().experiments():
            assert opened[0].delete(kept.name)
        yield open_one
        for client in opened:
            client.close()


class TestSqlite(ThroughAClient):
    @pytest.fixture
    def far(self, sqlite_service):
        return sqlite_service


@pytest.mark.large
class TestPostgres(ThroughAClient):
    @pytest.fixture
    def far(self, postgres_service):
        return postgres_service
