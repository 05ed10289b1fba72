"""A crash is never a verdict's code: 70, one line, and how to see the trace."""

import subprocess
import sys

import pytest

import goodarm.checking
from cli.shell import AT, GOOD, HEAD, make_environment

ERRORS = [
    ZeroDivisionError("division [red]by[/a] zero\nsecond line"),
    MemoryError(),
    RecursionError("maximum recursion depth exceeded"),
    ImportError("No module named 'numba'"),
    EOFError("cut off"),
    KeyError("x\x1b[31m"),
    SystemError("odd"),
]


@pytest.mark.parametrize("error", ERRORS, ids=lambda error: type(error).__name__)
def test_an_unforeseen_error_exits_70_in_one_line(invoke, monkeypatch, error):
    def broken(*args, **kwargs):
        raise error

    monkeypatch.setattr(goodarm.checking, "check", broken)
    result = invoke(["check", "-", *AT], HEAD + GOOD)
    assert result.exit_code == 70
    first, second = result.stderr.splitlines()
    assert first.startswith(f"goodarm: internal error: {type(error).__name__}")
    assert "goodarm --debug" in second
    assert "\x1b" not in result.stderr
    assert result.stdout == ""
    shown = invoke(["--debug", "check", "-", *AT], HEAD + GOOD)
    assert shown.exit_code == 70
    assert "Traceback (most recent call last)" in shown.stderr
    assert shown.stderr.splitlines()[-1].startswith("goodarm: internal error: ")


def run_spoilt(code, *arguments):
    """``goodarm`` after some Python has spoilt things."""
    command = f"import sys; sys.argv = ['goodarm', *sys.argv[1:]]; {code}; import goodarm.__main__"
    return subprocess.run(
        [sys.executable, "-c", command, *arguments],
        input=HEAD + GOOD,
        capture_output=True,
        text=True,
        env=make_environment(),
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["typer", "numba", "numpy", "goodarm.cli.check", "goodarm.views.text"]
)
def test_an_import_that_fails(module):
    spoil = f"sys.modules[{module!r}] = None"
    done = run_spoilt(spoil, "check", "-", *AT)
    assert done.returncode == 70
    assert done.stderr.startswith("goodarm: internal error: ModuleNotFoundError: ")
    assert "Traceback" not in done.stderr
    shown = run_spoilt(spoil, "--debug", "check", "-", *AT)
    assert shown.returncode == 70
    assert "Traceback" in shown.stderr


def test_an_exit_of_a_library_is_no_verdict():
    spoil = "import goodarm.checking as c; c.check = lambda *a, **k: sys.exit('gone')"
    done = run_spoilt(spoil, "check", "-", *AT)
    assert done.returncode == 70
    assert "gone" in done.stderr


def test_memory_that_runs_out():
    """A limit in the process itself, so that allocation fails for real."""
    spoil = (
        "import numba, goodarm.checking as c; import numpy; "
        "c.check = lambda *a, **k: numpy.empty(1 << 62, 'u1')"
    )
    done = run_spoilt(spoil, "check", "-", *AT)
    assert done.returncode == 70
    assert "MemoryError" in done.stderr


def test_wrong_use_stays_2_with_the_trace_on_demand(invoke):
    for arguments in (["check", "-", *AT, "--control", "x"], ["check", "nowhere.csv", *AT]):
        plain = invoke(arguments, HEAD + GOOD)
        assert plain.exit_code == 2
        assert plain.stderr.startswith("goodarm: ")
        assert "Traceback" not in plain.stderr
        shown = invoke(["--debug", *arguments], HEAD + GOOD)
        assert shown.exit_code == 2
        assert "Traceback" in shown.stderr
