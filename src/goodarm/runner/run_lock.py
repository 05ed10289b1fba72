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
def hold_run_lock(experiment: ExperimentFile, worker: str) -> Iterator[None]:
    """Let no other run on this machine make pulls of the experiment under this worker name."""
    path = _find_lock_path(experiment, worker)
    if path is None:
        yield
        return
    descriptor = _lock_file(path)
    if descriptor is None:
        raise ProtocolError(
            f"The experiment {experiment.name!r} is already being run by worker {worker!r}.",
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
        os.close(descriptor)


def _find_lock_path(experiment: ExperimentFile, worker: str) -> Path | None:
    """Return the lock's path: beside an SQLite file, else a temporary file; None if in memory."""
    if experiment.store == "memory:":
        return None
    database = experiment.database
    if database is not None:
        return database.with_name(f"{database.name}.{experiment.name}.{worker}.lock")
    identity = "\0".join((experiment.store, experiment.name, worker))
    digest = hashlib.sha256(identity.encode()).hexdigest()[:24]
    return Path(tempfile.gettempdir()) / f"goodarm-{digest}.lock"


def _lock_file(path: Path) -> int | None:
    """Open and lock the file. Return its descriptor; None if another process has locked it."""
    while True:
        descriptor = os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
        try:
            if not try_to_lock(descriptor):
                os.close(descriptor)
                return None
            if _is_same_file(descriptor, path):
                return descriptor
        except BaseException:
            os.close(descriptor)
            raise
        os.close(descriptor)  # it was deleted between the two: try the current file


def _is_same_file(descriptor: int, path: Path) -> bool:
    try:
        return os.path.samestat(os.fstat(descriptor), path.stat())
    except FileNotFoundError:
        return False
