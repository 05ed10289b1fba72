"""The process that records: a fixed clock, remembered randomness, and a temporary folder."""

import os
import secrets
import tempfile
import time
import warnings
from contextlib import contextmanager
from pathlib import Path

from corpus_cases.normaliser import normaliser

START = 1_790_000_000.0
"""The moment at which every recording begins."""
TOOLS = Path(__file__).resolve().parents[1]
_MIN_DIGITS = 8


class Clock:
    """Seconds since 1970, which pass only when a case says so."""

    def __init__(self):
        self.now = START

    def __call__(self):
        """Return the time."""
        return self.now

    def set(self, now=START):
        """Set the clock; without an argument, to the start."""
        self.now = now

    def wait(self, seconds):
        """Let seconds pass."""
        self.now += seconds


clock = Clock()


@contextmanager
def prepared_process():
    """Prepare this process for recording; yield the function that normalises outputs.

    Call it before goodarm is imported: goodarm takes ``time.time`` as a default argument.
    """
    drawn = _remember_random_values()
    _fix_environment()
    time.time = clock
    warnings.simplefilter("always")
    with tempfile.TemporaryDirectory(prefix="goodarm-corpus-") as folder:
        os.chdir(folder)
        compile_kernels()
        try:
            yield normaliser(drawn, Path(folder).resolve())
        finally:
            os.chdir("/")


def compile_kernels():
    """Compile all kernels, or load them: how long a process interprets depends on the machine."""
    from corpus_cases.command_line import goodarm

    goodarm(["compile"])


def _remember_random_values():
    drawn = {}

    def remembered(name):
        draw = getattr(secrets, name)

        def drawing(*arguments):
            value = draw(*arguments)
            text = str(value)
            if not isinstance(value, bytes) and len(text) >= _MIN_DIGITS:
                drawn[text] = None
            return value

        return drawing

    for name in ("token_hex", "token_urlsafe", "token_bytes", "randbits"):
        setattr(secrets, name, remembered(name))
    return drawn


def _fix_environment():
    for name in [*os.environ]:
        if name.startswith("GOODARM_") or name in ("COLUMNS", "LINES", "FORCE_COLOR", "NO_COLOR"):
            del os.environ[name]
    os.environ.update(TZ="UTC", TERM="xterm", MPLBACKEND="Agg", LC_ALL="C.UTF-8")
    os.environ.update(SOURCE_DATE_EPOCH=str(int(START)), PYTHONIOENCODING="utf-8")
    time.tzset()
