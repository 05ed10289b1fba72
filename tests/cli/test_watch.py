"""``goodarm show --watch``: a table that is kept current, in a pipe and on a terminal."""

import fcntl
import os
import pty
import re
import select
import signal
import struct
import termios
import time
from contextlib import contextmanager
from types import SimpleNamespace

import pytest

import goodarm as ga
from cli.shell import start, wait_for_code


class Steps:
    """In the place of the clock that one sleeps by: each time the next thing happens."""

    def __init__(self, monkeypatch, *steps):
        self.left = list(steps)
        monkeypatch.setattr("goodarm.cli.live_table.time", SimpleNamespace(sleep=self.sleep))

    def sleep(self, seconds):
        assert seconds == 0.25
        self.left.pop(0)()


WATCH = ["--watch", "--every", ".25"]


def nothing():
    pass


def test_watching_in_a_pipe_prints_each_change_until_the_end(invoke, copy, monkeypatch):
    _, url = copy
    with ga.open_store(url) as store:
        exp = store.experiment("new")
        steps = (nothing, lambda: exp.tell(exp.ask(), 1), nothing, exp.pause, exp.close)
        left = Steps(monkeypatch, *steps).left
        result = invoke(["show", url, "new", *WATCH])
    assert result.exit_code == 0
    assert left == []
    heads = [line.split(",")[:3] for line in result.stdout.split("\n") if line.startswith("new: ")]
    assert heads == [
        ["new: running", " 0 pulls", " 0 entries"],
        ["new: running", " 1 pull", " 2 entries"],
        ["new: paused", " 1 pull", " 3 entries"],
        ["new: closed", " 1 pull", " 4 entries"],
    ]
    assert result.stdout.count("The chance that any") == 1


def test_watching_ends_at_once_where_all_is_decided(invoke, url, monkeypatch):
    Steps(monkeypatch)
    result = invoke(["show", url, "pool", *WATCH])
    assert result.exit_code == 0
    assert result.stdout == invoke(["show", url, "pool"]).stdout


def test_watching_what_is_deleted_says_so(invoke, copy, monkeypatch):
    _, url = copy
    with ga.open_store(url) as store:
        Steps(monkeypatch, lambda: store.delete("new"))
        result = invoke(["show", url, "new", *WATCH])
    assert result.exit_code == 2
    assert "was deleted" in result.stderr


def test_watching_ends_with_its_reader(invoke, url, monkeypatch):
    left = []
    monkeypatch.setattr("goodarm.cli.live_table.is_output_closed", lambda: bool(left))
    with ga.open_store(url) as store:
        store.experiment("other", ga.Problem(1, 0.5, 0.05)).pause()

        def happens():
            store.experiment("other").resume()
            left.append(True)

        Steps(monkeypatch, happens)
        result = invoke(["show", url, "other", *WATCH])
        store.delete("other")
    assert result.exit_code == 0


@contextmanager
def start_watching(url, name, height=24):
    """The command on a terminal: its process, and a function that waits for a text on it."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", height, 100, 0, 0))
    with open(os.devnull, "rb") as null:
        command = ["show", url, name, "--watch", "--every", ".05"]
        process = start(command, [null, theirs, theirs])
    os.close(theirs)
    seen = []

    def wait_for(text):
        """All that has come by then; None for the end."""
        deadline = time.monotonic() + 60
        while text is None or text not in "".join(seen):
            assert time.monotonic() < deadline, "".join(seen)
            if not select.select([ours], [], [], 1.0)[0]:
                continue
            try:
                part = os.read(ours, 1 << 16)
            except OSError:  # the other end was closed
                part = b""
            if not part:
                break
            seen.append(part.decode(errors="replace"))
        assert text is None or text in "".join(seen), "".join(seen)
        return "".join(seen)

    try:
        yield process, wait_for
    finally:
        process.kill()
        wait_for_code(process)
        os.close(ours)


@pytest.mark.slow
def test_on_a_terminal_the_table_stays_in_its_place(copy):
    _, url = copy
    with ga.open_store(url) as store, start_watching(url, "new") as (process, wait_for):
        exp = store.experiment("new")
        wait_for("Press Ctrl-C to stop.")
        exp.tell(exp.ask(), 1)
        wait_for("new: running, 1 pull, 2 entries")
        exp.close()
        text = wait_for(None)
        process.join(20)
        assert process.exitcode == 0
    assert text.count("The chance that any") == 1
    after = text[text.rindex("new: closed, 1 pull, 3 entries") :]
    assert "Ctrl-C" not in after
    assert after.rstrip().endswith("any of these labels is wrong is at most 5 %.")


@pytest.mark.slow
def test_ctrl_c_ends_it_quietly(copy):
    _, url = copy
    with start_watching(url, "new") as (process, wait_for):
        wait_for("Press Ctrl-C to stop.")
        os.kill(process.pid, signal.SIGINT)
        text = wait_for(None)
        process.join(20)
        assert process.exitcode == 0
    assert "interrupted" not in text
    assert "Traceback" not in text
    assert text.rstrip().endswith("any of these labels is wrong is at most 5 %.")


@pytest.mark.slow
def test_a_small_screen_has_room_for_all_of_it(url):
    """Forty arms on twenty lines: fewer of each label, and never more lines than the screen."""
    with start_watching(url, "many", height=20) as (process, wait_for):
        text = wait_for("Press Ctrl-C to stop.")
        os.kill(process.pid, signal.SIGINT)
        wait_for(None)
    frame = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", text)
    frame = frame[frame.index("many: paused") :].partition("Press Ctrl-C to stop.")[0]
    assert frame.count("\n") < 20
    assert "more" in frame
    assert "up\x1b[31m" not in text
