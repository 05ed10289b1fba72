"""Ctrl-C: the command ends within a second, shows no trace and says what was kept."""

import os
import pty
import signal
import subprocess
import sys
import time

import pytest

from cli.shell import AT, GOODARM, HEAD, UNDECIDED, make_environment
from goodarm import datasets
from goodarm.kernels.compilation.jit import MAX_WORK
from goodarm.kernels.compilation.notice import MESSAGE

pytestmark = pytest.mark.slow

ENDED = "goodarm: interrupted.\n"
NOTHING = "goodarm: interrupted; nothing was kept.\n"
MANY = HEAD + "".join(f"arm {k},{500 + k},410\n" for k in range(MAX_WORK + 1))
"""A table that is too large for kernels to be interpreted."""


def simulate(folder):
    instance = datasets.load("movielens")
    means = ",".join(map(repr, instance.means))
    problem = ["--threshold", str(instance.threshold), "--delta", "0.01"]
    limits = ["--until", str(instance.until), "--runs", "200"]
    return ["simulate", "--means", means, *problem, *limits, "-a", "hdoc", "--keep", str(folder)]


def reproduce(folder):
    return ["reproduce", "movielens", "--algorithm", "hdoc", "--runs", "200", "--out", str(folder)]


@pytest.mark.speed
@pytest.mark.parametrize("command", [simulate, reproduce])
def test_ctrl_c_ends_the_command_within_a_second(tmp_path, command):
    process = subprocess.Popen(
        [sys.executable, "-m", "goodarm", *command(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 100
        while not list(tmp_path.rglob("*.jsonl")) and time.monotonic() < deadline:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
        assert time.perf_counter() - start < 1.0
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert output == ""
    (kept,) = tmp_path.rglob("*.jsonl")
    assert kept.stat().st_size > 0
    place = f"finished runs are kept in {kept.parent}. The same command continues from them."
    assert errors == f"goodarm: interrupted; {place}\n"


def start(arguments, options=GOODARM[1:], **more):
    return subprocess.Popen(
        [sys.executable, *options, *arguments],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=make_environment(**more),
    )


def start_ready(arguments, **more):
    """A process that has reached the command's first line: before that, Ctrl-C is Python's own."""
    ready = "import goodarm.cli; print('ready', flush=True); goodarm.cli.main()"
    process = start(arguments, ["-c", ready], **more)
    assert process.stdout.readline() == "ready\n"
    return process


def interrupt(process, stdin=None):
    process.send_signal(signal.SIGINT)
    output, errors = process.communicate(stdin, timeout=100)
    assert process.returncode == 130
    assert output == ""
    return errors


INTERRUPTED_AT = """
import signal, sys

class Interrupt:
    def find_spec(self, name, *_):
        if name == {module!r}:
            signal.raise_signal(signal.SIGINT)

sys.meta_path.insert(0, Interrupt())
import goodarm.cli
goodarm.cli.main()
"""


@pytest.mark.parametrize(
    "module",
    [
        "goodarm.cli.process_wrapper",
        "typer.main",
        "numpy._core",
        "numba.core.types",
        "goodarm.kernels.numerics.beta",
    ],
)
def test_during_imports(module):
    """The signal comes when a module is looked for."""
    done = subprocess.run(
        [sys.executable, "-c", INTERRUPTED_AT.format(module=module), "check", "-", *AT],
        input=MANY,
        capture_output=True,
        text=True,
        env=make_environment(),
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", ENDED)


@pytest.mark.large
@pytest.mark.parametrize("seconds", [0.15, 0.5, 1.0, 1.8])
def test_after_some_time_with_nothing_compiled_yet(tmp_path, seconds):
    """Standard input stays open, so the command cannot end by itself."""
    process = start_ready(["check", "-", *AT], NUMBA_CACHE_DIR=str(tmp_path))
    time.sleep(seconds)
    assert interrupt(process).removeprefix(f"{MESSAGE}\n") == ENDED


@pytest.mark.large
@pytest.mark.parametrize("compiled", [1, 5])
def test_during_compilation(tmp_path, compiled):
    """Kernels appear in the cache one by one: the signal comes after some of them."""
    process = start(["check", "-", *AT], NUMBA_CACHE_DIR=str(tmp_path))
    process.stdin.write(MANY)
    process.stdin.close()
    process.stdin = None
    deadline = time.monotonic() + 200
    while len(list(tmp_path.rglob("*.nbi"))) < compiled and time.monotonic() < deadline:
        time.sleep(0.01)
    assert process.poll() is None
    assert interrupt(process).removeprefix(f"{MESSAGE}\n") == ENDED


def test_while_reading_standard_input():
    process = start_ready(["check", "-", *AT])
    process.stdin.write(HEAD)
    process.stdin.flush()
    time.sleep(1.5)
    assert interrupt(process) == ENDED


def test_at_a_terminal_it_says_what_it_waits_for():
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [*GOODARM, "check", "-", *AT],
        stdin=theirs,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env=make_environment(),
    )
    assert process.stderr.readline() == "goodarm: reading standard input. Press Ctrl-D to end it.\n"
    time.sleep(0.5)  # until it waits: a line that is being written may come twice
    assert interrupt(process) == ENDED
    os.close(theirs)
    os.close(ours)


def test_where_a_library_swallows_it():
    """An exception in a destructor goes no further; another one is turned into an error."""
    swallow = (
        "class C:\n    def __del__(self):\n        signal.raise_signal(signal.SIGINT)\n"
        "def check(*a, **k):\n    C()\n    time.sleep(300)\n"
    )
    turn = (
        "def check(*a, **k):\n    try:\n        signal.raise_signal(signal.SIGINT)\n"
        "    except BaseException as error:\n        raise RuntimeError('odd') from error\n"
    )
    for broken in (swallow, turn):
        code = f"import signal, sys, time, goodarm.checking as c\n{broken}c.check = check\n"
        done = subprocess.run(
            [sys.executable, "-c", f"{code}import goodarm.__main__", "check", "-", *AT],
            input=HEAD,
            capture_output=True,
            text=True,
            env=make_environment(),
            timeout=100,
            check=False,
        )
        assert done.returncode == 130
        assert done.stderr == ENDED


IN_A_TEXT = """
import signal, sys

def interrupt(*_, **__):
    exec("signal.raise_signal(signal.SIGINT)", {"signal": signal})

place = sys.argv.pop(1)

class Interrupt:
    def find_spec(self, name, *_):
        if name == place:
            interrupt()

if place == "the first run":
    import goodarm.simulation.run
    goodarm.simulation.run.run_all = interrupt
sys.meta_path.insert(0, Interrupt())
import goodarm.cli
goodarm.cli.main()
"""


@pytest.mark.parametrize(
    ("place", "said"),
    [
        ("goodarm.cli.process_wrapper", ENDED),
        ("goodarm.simulation", NOTHING),
        ("the first run", NOTHING),
    ],
)
def test_without_finished_runs_nothing_was_kept(tmp_path, place, said):
    """The signal comes at an import or before the first run, inside a text that is executed.

    After that ``python -m`` would end by the signal, and not with 130, whoever has caught it.
    """
    (tmp_path / "started.py").write_text(IN_A_TEXT, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-m", "started", place, *simulate(tmp_path / "kept")],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env=make_environment(),
        timeout=100,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (130, "", said)


def test_a_signal_that_is_ignored_stays_ignored(tmp_path):
    """As under nohup, or for a background job of a script."""
    path = tmp_path / "counts.csv"
    path.write_text(HEAD + UNDECIDED, encoding="utf-8")
    line = f"trap '' INT; '{GOODARM[0]}' -m goodarm check '{path}' {' '.join(AT)} & sleep 1; "
    done = subprocess.run(
        ["bash", "-c", f"{line} kill -INT $!; wait $!"],
        capture_output=True,
        env=make_environment(),
        check=False,
    )
    assert done.returncode == 3
