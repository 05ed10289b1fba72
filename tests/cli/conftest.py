"""The command line in this process, and a store for it."""

import shutil

import pytest
from typer.testing import CliRunner

from cli.sample_store import fill_store
from goodarm.cli import app


@pytest.fixture
def invoke():
    def call(arguments, stdin=None):
        return CliRunner().invoke(app, list(map(str, arguments)), input=stdin)

    return call


@pytest.fixture(scope="session")
def store_file(tmp_path_factory):
    path = tmp_path_factory.mktemp("stores") / "kept.db"
    fill_store(f"sqlite:///{path}")
    return path


@pytest.fixture(scope="session")
def url(store_file):
    return f"sqlite:///{store_file}"


@pytest.fixture
def copy(store_file, tmp_path):
    """A store of one's own: its file, and its address."""
    path = shutil.copy(store_file, tmp_path / "copy.db")
    return path, f"sqlite:///{path}"
