"""Calls of the ``goodarm`` command in this process, in a pipe or on a terminal of some width."""

import hashlib
import io
import logging
import os
import shlex
import signal
import sys
import tempfile
import warnings
from contextlib import contextmanager
from pathlib import Path

from corpus_cases.case import Case, Outcome, slug_of
from corpus_cases.library import spell_options
from corpus_cases.process import clock

_TEXTS = (".csv", ".html", ".json", ".jsonl", ".md", ".svg", ".toml", ".txt", ".py")


class Terminal(io.TextIOWrapper):
    """A stream that says it is a terminal."""

    def isatty(self):
        """Return True."""
        return True


def goodarm(arguments, stdin=None, width=None):
    """Run ``goodarm``; return its exit code, standard output and standard error."""
    from goodarm.cli import main

    kept = sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.unraisablehook
    handler = signal.getsignal(signal.SIGINT)
    given = b"" if stdin is None else stdin if isinstance(stdin, bytes) else stdin.encode()
    with (
        tempfile.TemporaryFile() as out,
        tempfile.TemporaryFile() as err,
        tempfile.TemporaryFile() as read,
        _columns(width),
        _logging_kept(),
        warnings.catch_warnings(),
    ):
        read.write(given)
        read.seek(0)
        kind = io.TextIOWrapper if width is None else Terminal
        sys.argv = ["goodarm", *map(str, arguments)]
        sys.stdin = io.TextIOWrapper(read, encoding="utf-8")
        sys.stdout = kind(out, encoding="utf-8", write_through=True)
        sys.stderr = io.TextIOWrapper(err, encoding="utf-8", write_through=True)
        streams = sys.stdin, sys.stdout, sys.stderr
        try:
            main()
            code = 0
        except SystemExit as end:
            code = end.code
        finally:
            for stream in (sys.stdout, sys.stderr):
                stream.flush()
            sys.argv, sys.stdin, sys.stdout, sys.stderr, sys.unraisablehook = kept
            signal.signal(signal.SIGINT, handler)
        texts = []
        for file in (out, err):
            file.seek(0)
            texts.append(file.read().decode("utf-8", "backslashreplace"))
        for stream in streams:
            stream.detach()
    return code, *texts


@contextmanager
def _columns(width):
    if width is not None:
        os.environ["COLUMNS"] = str(width)
    try:
        yield
    finally:
        os.environ.pop("COLUMNS", None)


@contextmanager
def _logging_kept():
    """Put loggers back as they were: a handler that a command adds writes to its closed stream."""
    loggers = [logging.root, *map(logging.getLogger, ("goodarm", "uvicorn", "httpx"))]
    before = [(each, each.handlers[:], each.level, each.propagate) for each in loggers]
    try:
        yield
    finally:
        for logger, handlers, level, propagate in before:
            logger.handlers[:], logger.propagate = handlers, propagate
            logger.setLevel(level)


def command(name, arguments, stdin=None, width=None, files=(), at=None):
    """Return the case of a command line.

    Args:
        name: group and name of the case; slashes make folders.
        arguments: a text with blanks between words, or a list of words.
        stdin: what the command reads.
        width: of the terminal that it writes to; None is a pipe.
        files: what it writes, to be recorded too; texts as they are, others as a digest.
        at: the moment at which it is called; the start unless given.
    """
    words = shlex.split(arguments) if isinstance(arguments, str) else [*map(str, arguments)]
    place = "" if width is None else f"  (on a terminal {width} wide)"
    given = "" if stdin is None else f"  (stdin: {stdin!r})"[:2000]

    def run():
        clock.set() if at is None else clock.set(at)
        code, out, err = goodarm(spell_options(words), stdin, width)
        text = f"exit: {code}\n--- stdout\n{out}\n--- stderr\n{err}\n"
        return Outcome(text + "".join(map(file_text, files)), code == 2)

    return Case(name, f"$ goodarm {shlex.join(words)}{place}{given}", run)


def named(group, arguments, **more):
    """Return the case of a command line, called after its arguments."""
    words = arguments if isinstance(arguments, str) else " ".join(map(str, arguments))
    return command(f"{group}/{slug_of(words)}", arguments, **more)


def file_text(path):
    """Return a file, or all files of a folder, as part of an outcome."""
    path = Path(path)
    if path.is_dir():
        return "".join(file_text(each) for each in sorted(path.rglob("*")) if each.is_file())
    if not path.exists():
        return f"--- file {path}: not there\n"
    content = path.read_bytes()
    if path.suffix in _TEXTS:
        return f"--- file {path}\n{content.decode('utf-8', 'backslashreplace')}\n"
    return f"--- file {path}: {len(content)} bytes, {hashlib.sha256(content).hexdigest()}\n"
