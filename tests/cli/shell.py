"""The command as a process: on a terminal of a given width, in a pipeline, and its CPU time."""

import fcntl
import os
import pty
import resource
import struct
import subprocess
import sys
import termios

GOODARM = [sys.executable, "-m", "goodarm"]
HEAD = "arm,pulls,successes\n"
GOOD, BAD, UNDECIDED = "a,500,460\n", "b,500,300\n", "c,500,410\n"
AT = ["--threshold", ".8", "--delta", ".05"]


def environment(**more):
    names = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return {**kept, "TERM": "xterm", **more}


def on_terminal(arguments, width, stderr=False, **more):
    """What a person sees on a terminal, and the exit code; standard error is a pipe unless said."""
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    process = subprocess.Popen(
        [*GOODARM, *map(str, arguments)],
        stdin=subprocess.DEVNULL,
        stdout=theirs,
        stderr=theirs if stderr else subprocess.DEVNULL,
        env=environment(**more),
    )
    os.close(theirs)
    seen = b""
    while True:
        try:
            part = os.read(ours, 1 << 16)
        except OSError:  # the other end was closed
            break
        if not part:
            break
        seen += part
    os.close(ours)
    return seen.decode().replace("\r\n", "\n"), process.wait(timeout=300)


def run(arguments, stdin="", **more):
    """The command with nothing but pipes."""
    return subprocess.run(
        [*GOODARM, *map(str, arguments)],
        input=stdin,
        capture_output=True,
        text=True,
        env=environment(**more),
        timeout=300,
        check=False,
    )


def cpu_seconds(command, tries, enough, before=dict):
    """The least CPU time of several calls, of no more than it takes to come down to ``enough``.

    ``before`` gives variables for each of them.
    """
    least = float("inf")
    for _ in range(tries):
        env = environment(**before())
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, capture_output=True, check=False, timeout=60)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
        if least <= enough:
            break
    return least
