"""Inner runs of pytest, with the plugins that are installed beside it."""

import importlib
import itertools
import json
import os
import textwrap
from contextlib import suppress
from importlib.metadata import entry_points

import pytest

import goodarm as ga
import goodarm.plugins.pytest.gate_run
import goodarm.plugins.pytest.report_files

MAKE = """
import random

import pytest


def coin(rate, seed):
    luck = random.Random(seed)
    return lambda: luck.random() < rate


def note(text):
    with open("notes.txt", "a") as file:
        file.write(text + "\\n")
"""
"""What inner tests share: coins with fixed seeds, and a file to append to."""

INI = """
[pytest]
filterwarnings =
    error
    ignore:.*:pytest.PytestAssertRewriteWarning
    ignore:.*asyncio_default_fixture_loop_scope:pytest.PytestDeprecationWarning
"""

OUTCOMES = ("passed", "failed", "skipped", "errors", "xfailed", "xpassed", "deselected", "warnings")


class Suite:
    """A suite of tests in a folder of its own."""

    LIGHT = ("-p", "no:schemathesis")
    """What a process of its own does without, since it takes long to load."""

    def __init__(self, pytester):
        self.pytester = pytester
        pytester.makeini(INI)
        pytester.makepyfile(made=MAKE)

    def write(self, **files):
        """Test files by their names; each begins with what they share."""
        self.pytester.makepyfile(
            **{name: "from made import *\n" + textwrap.dedent(text) for name, text in files.items()}
        )

    def add_ini(self, text):
        """More settings."""
        with (self.pytester.path / "tox.ini").open("a", encoding="utf-8") as file:
            file.write(f"\n{text}")

    def run(self, *options, **expected):
        """Run it here, and look at all outcomes: those not named are none."""
        return self._check(self.pytester.runpytest_inprocess(*_usual(options)), expected)

    def run_apart(self, *options, **expected):
        """Run it in a process of its own, for workers, signals and what is loaded."""
        result = self.pytester.runpytest_subprocess(*_usual(options), *self.LIGHT)
        return self._check(result, expected)

    @staticmethod
    def _check(result, expected):
        if expected.pop("usage", False):
            assert result.ret == pytest.ExitCode.USAGE_ERROR
            return result
        found = {name: count for name, count in result.parseoutcomes().items() if count}
        found = {{"error": "errors", "warning": "warnings"}.get(k, k): v for k, v in found.items()}
        assert set(found) <= set(OUTCOMES)
        assert found == expected
        return result

    def gates(self, *options, **expected):
        """Run it, and return what each gate came to, by the name of its test."""
        path = self.pytester.path / "gates.json"
        path.unlink(missing_ok=True)
        self.run(f"--goodarm-report={path}", *options, **expected)
        return self.read_gates()

    def read_gates(self):
        document = json.loads((self.pytester.path / "gates.json").read_text(encoding="utf-8"))
        assert (document["kind"], document["format"]) == ("gates", 1)
        for gate in document["gates"]:
            gate["arm"] = gate["arm"].partition("@")[0]  # behind it stands a group of xdist's
        return {gate["arm"].rpartition("::")[2]: gate for gate in document["gates"]}

    @property
    def notes(self):
        path = self.pytester.path / "notes.txt"
        return path.read_text(encoding="utf-8").split() if path.exists() else []


def _usual(options):
    """Without what shuffles, unless a test asks for it."""
    shuffled = any("randomly" in option for option in options)
    return (*options, *(() if shuffled else ("-p", "no:randomly")))


@pytest.fixture(scope="session")
def loaded():
    """Load the plugins beside us, and what gates need, once.

    Inner runs forget what they have loaded. Some libraries cannot be loaded twice, and to read and
    rewrite the plugins again takes longer than all the rest of an inner run.
    """
    if "PYTEST_DISABLE_PLUGIN_AUTOLOAD" not in os.environ:
        for plugin in entry_points(group="pytest11"):
            plugin.load()
        for name in ("schemathesis.pytest.xdist", "schemathesis.reporting.html.writer"):
            with suppress(ImportError):  # what its newer versions load at the end of a run
                importlib.import_module(name)
    ga.prove(iter([True, False] * 20).__next__, threshold=0.9)
    ga.prove(itertools.cycle([True] * 9 + [False]).__next__, threshold=0.9, max_runs=53)


@pytest.fixture
def suite(loaded, pytester, monkeypatch):
    for name in ("CI", "BUILD_NUMBER"):  # with them pytest shows its lines whole, however long
        monkeypatch.delenv(name, raising=False)
    return Suite(pytester)
