"""The command as a process: on a terminal of a given width, in a pipeline, and its CPU time."""

import ctypes
import fcntl
import multiprocessing
import os
import pty
import resource
import struct
import subprocess
import sys
import tempfile
import termios
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from multiprocessing.connection import Connection
from types import SimpleNamespace

from goodarm.cli import main

GOODARM = [sys.executable, "-m", "goodarm"]
HEAD = "arm,pulls,successes\n"
GOOD, BAD, UNDECIDED = "a,500,460\n", "b,500,300\n", "c,500,410\n"
AT = ["--threshold", ".8", "--delta", ".05"]

_COPIES = multiprocessing.get_context("forkserver")
_COPIES.set_forkserver_preload(
    [
        *(f"goodarm.cli.{name}" for name in ("check", "plan", "run", "show", "simulate", "verify")),
        *(
            "goodarm.cli.check_view",
            "goodarm.cli.command_group",
            "goodarm.kernels.numerics.mixture",
        ),
        *("goodarm.checking", "goodarm.planning", "goodarm.store.sql"),
        *("numba.core.typing.npydecl", "numba.np.arraymath", "numba.np.arrayobj"),
        *("scipy.optimize", "typer._adapters"),
    ]
)
"""What the commands load; a name that is none is passed over."""


def make_environment(**more):
    names = ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR")
    kept = {name: value for name, value in os.environ.items() if name not in names}
    return {**kept, "TERM": "xterm", **more}


def run_on_terminal(arguments, width, stderr=False, stdout=None, **more):
    """What a person sees on a terminal, and the exit code.

    Standard output is shown there unless it goes to a file; standard error only if said.
    """
    ours, theirs = pty.openpty()
    fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 40, width, 0, 0))
    with open(os.devnull, "r+b") as null:
        process = start(arguments, [null, stdout or theirs, theirs if stderr else null], **more)
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
    return seen.decode().replace("\r\n", "\n"), wait_for_code(process)


def run(arguments, stdin="", **more):
    """The command with nothing but pipes."""
    ends = [os.pipe() for _ in range(3)]
    (given, giving), (reading, out), (complaints, err) = ends
    process = start(arguments, [given, out, err], **more)
    for end in (given, out, err):
        os.close(end)
    with ThreadPoolExecutor(3) as threads:
        threads.submit(_write, giving, stdin)
        texts = [threads.submit(_read, end) for end in (reading, complaints)]
    stdout, stderr = (text.result() for text in texts)
    return SimpleNamespace(returncode=wait_for_code(process), stdout=stdout, stderr=stderr)


class CommandProcess:
    """The command in a folder, as ``subprocess.Popen`` would have it, to be killed."""

    def __init__(self, arguments, folder):
        self._files = [tempfile.TemporaryFile("w+", encoding="utf-8") for _ in range(2)]  # noqa: SIM115
        with open(os.devnull, "rb") as null:
            self._process = start(arguments, [null, *self._files], folder)
        self.returncode = None

    def poll(self):
        self.returncode = self._process.exitcode
        return self.returncode

    def send_signal(self, number):
        os.kill(self._process.pid, number)

    def communicate(self, timeout=None):
        """Return all that it has printed, once it has ended."""
        self._process.join(timeout)
        if self.poll() is None:
            raise TimeoutError(timeout)
        texts = []
        for file in self._files:
            file.seek(0)
            texts.append(file.read())
            file.close()
        return tuple(texts)

    def kill(self):
        self._process.kill()

    def wait(self):
        self._process.join()


def start(arguments, streams, folder=None, **more):
    """A copy of a process that has loaded the libraries becomes the command.

    To load them takes a process of the command a second, and its work a tenth of that. Where how it
    starts is the subject, or streams that are closed from the beginning, tests start ``GOODARM``
    itself.
    """
    numbers = [each if isinstance(each, int) else each.fileno() for each in streams]
    copies = [Connection(os.dup(number)) for number in numbers]  # these can be sent to it
    asked = (
        list(map(str, arguments)),
        copies,
        make_environment(**more),
        str(folder or os.getcwd()),
    )
    process = _COPIES.Process(target=_become, args=asked)
    process.start()
    for copy in copies:
        copy.close()
    return process


def _become(arguments, streams, variables, folder):
    for number, stream in enumerate(streams):
        os.dup2(stream.fileno(), number)
        stream.close()
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(variables)
    for number, (name, mode) in enumerate([("stdin", "r"), ("stdout", "w"), ("stderr", "w")]):
        stream = open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115 (stays open)
        setattr(sys, name, stream)
        setattr(sys, f"__{name}__", stream)
    sys.stderr.reconfigure(line_buffering=True, errors="backslashreplace")
    sys.argv = ["goodarm", *arguments]
    try:
        main()
    except SystemExit as ended:
        ctypes.pythonapi.Py_Exit(ended.code)  # as Python ends: what is buffered is written now


def wait_for_code(process):
    """The exit code, once the command has ended."""
    process.join(300)
    code = process.exitcode
    process.close()
    return code


def _write(end, text):
    with suppress(BrokenPipeError), open(end, "w", encoding="utf-8") as file:
        file.write(text)


def _read(end):
    with open(end, encoding="utf-8") as file:
        return file.read()


def measure_cpu_seconds(command, tries, enough, before=dict):
    """The least CPU time of several calls, of no more than it takes to come down to ``enough``.

    ``before`` gives variables for each of them.
    """
    least = float("inf")
    for _ in range(tries):
        env = make_environment(**before())
        start = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run(command, env=env, capture_output=True, check=False, timeout=60)
        end = resource.getrusage(resource.RUSAGE_CHILDREN)
        least = min(least, end.ru_utime + end.ru_stime - start.ru_utime - start.ru_stime)
        if least <= enough:
            break
    return least
