"""Lock that allows one run for each worker name: a file that is locked while the run lasts.

The operating system releases it when the process ends, even by a crash.
"""

import hashlib
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from goodarm.errors import ProtocolError
from goodarm.file_locks import try_to_lock
from goodarm.runner.experiment_file import ExperimentFile


@contextmanager
def hold_run_lock(file: ExperimentFile, worker: str) -> Iterator[None]:
    """Let no other run on this machine make pulls of the experiment under this worker name."""
    path = _lock_path(file, worker)
    if path is None:
        yield
        return
    held = _lock_file(path)
    if held is None:
        raise ProtocolError(
            f"The experiment {file.name!r} is already being run by worker {worker!r}.",
            argument="--worker",
            owner="run",
            rule="be a name that nobody runs it under",
            value=worker,
            remedy=f"Wait for it, stop it, or run under another name: --worker {worker}2.",
        )
    try:
        yield
    finally:
        with suppress(OSError):  # some systems delete no open file; leaving it does no harm
            path.unlink()  # before the release: the next run then creates a new one
        os.close(held)


def _lock_path(file: ExperimentFile, worker: str) -> Path | None:
    """Return the lock's path: beside an SQLite file, else a temporary file; None if in memory."""
    if file.store == "memory:":
        return None
    database = file.database
    if database is not None:
        return database.with_name(f"{database.name}.{file.name}.{worker}.lock")
    what = "\0".join((file.store, file.name, worker))
    digest = hashlib.sha256(what.encode()).hexdigest()[:24]
    return Path(tempfile.gettempdir()) / f"goodarm-{digest}.lock"


def _lock_file(path: Path) -> int | None:
    """Open and lock the file. Return its descriptor; None if another process has locked it."""
    while True:
        held = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not try_to_lock(held):
                os.close(held)
                return None
            if _is_same_file(held, path):
                return held
        except BaseException:
            os.close(held)
            raise
        os.close(held)  # it was deleted between the two: try the current file


def _is_same_file(held: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(held), path.stat())
    except FileNotFoundError:
        return False
