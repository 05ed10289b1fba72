"""The command line in this process."""

import pytest
from typer.testing import CliRunner

from goodarm.cli import app


@pytest.fixture
def invoke():
    def call(arguments, stdin=None):
        return CliRunner().invoke(app, list(map(str, arguments)), input=stdin)

    return call
