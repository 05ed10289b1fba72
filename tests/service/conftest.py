"""A store in memory, its app in this process, and a client of it."""

import pytest

import goodarm as ga
from goodarm.service import Settings, create_app
from service.in_process import client_of


@pytest.fixture
def store():
    with ga.open_store("memory:") as opened:
        yield opened


@pytest.fixture
def app(store):
    """What the store says of tokens is not remembered: tests change them."""
    return create_app(store, Settings(token_seconds=1e-9))


@pytest.fixture
def client(app):
    with client_of(app) as opened:
        yield opened


@pytest.fixture
def banners(store):
    """An experiment of two arms that runs."""
    problem = ga.Problem(["red", "green"], threshold=0.5, delta=0.05)
    return store.experiment("banners", problem, seed=7)
