"""Executors for the runs of a command: threads of this machine, or a Dask cluster."""

import os
import pydoc
import socket
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor, ThreadPoolExecutor
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from goodarm.arguments import check_count
from goodarm.errors import GoodArmError, SpecError, invalid_argument, missing_extra
from goodarm.version import __version__

if TYPE_CHECKING:
    from distributed import Client

_TIMEOUT_SECONDS: Final = 5


@contextmanager
def open_executor(owner: str, jobs: int | None, dask: str | None) -> Iterator[Executor]:
    """Open a pool of ``--jobs`` threads, or connect to the Dask scheduler at ``--dask``."""
    if dask is None:
        workers = os.cpu_count() if jobs is None else check_count("--jobs", owner, jobs)
        with ThreadPoolExecutor(workers) as pool:
            yield pool
        return
    if jobs is not None:
        raise SpecError(
            "--jobs is the number of threads on this machine. Leave it out with --dask.",
            argument="jobs",
            owner=owner,
            rule="be left out with --dask",
            value=jobs,
        )
    with _connect(owner, dask) as client, _open_cluster_executor(client) as executor:
        _check_workers(owner, dask, client)
        yield executor


@contextmanager
def _connect(owner: str, address: str) -> Iterator["Client"]:
    try:
        from distributed import Client
    except ImportError as error:
        raise missing_extra(f"goodarm {owner} --dask", "dask") from error
    try:
        _check_connection(address if "://" in address else f"tcp://{address}")
        client = Client(address, timeout=_TIMEOUT_SECONDS, set_as_default=False)
    except (OSError, ValueError) as error:
        rule = "be the address of a Dask scheduler that answers, such as tcp://host:8786"
        raise invalid_argument("--dask", owner, rule, address) from error
    with client:
        yield client


def _check_connection(address: str) -> None:
    """Raise OSError or ValueError unless something answers at the address.

    A Client waits for a minute at a wrong port, such as that of the dashboard, and leaves threads
    behind. A scheduler sends the first byte, except with TLS.
    """
    place = urlsplit(address)
    with socket.create_connection((place.hostname, place.port), _TIMEOUT_SECONDS) as connection:
        if place.scheme == "tcp" and not connection.recv(1):
            raise ConnectionError


def _check_workers(owner: str, address: str, client: "Client") -> None:
    """Raise an error if the cluster has no workers, or workers with another version of goodarm."""
    try:
        client.wait_for_workers(1, timeout=_TIMEOUT_SECONDS)
    except TimeoutError as error:
        rule = "have a worker"
        raise invalid_argument(
            "--dask", owner, rule, address, "Start one: dask worker ADDRESS."
        ) from error
    # pydoc.locate also exists on a worker without goodarm.
    versions = set(client.run(pydoc.locate, "goodarm.__version__").values())
    if versions != {__version__}:
        shown = ", ".join(sorted(str(version) for version in versions))
        rule = f"have goodarm {__version__} on every worker"
        raise invalid_argument("--dask", owner, rule, address, f"Found there: {shown}.")


@contextmanager
def _open_cluster_executor(client: "Client") -> Iterator[Executor]:
    """Yield the cluster as an executor. Dask repeats the work of a worker that died on another."""
    from distributed import KilledWorker

    kept = "Runs kept on disk are not lost: the same command continues from them."
    try:
        yield client.get_executor(retries=3)
    except KilledWorker as error:
        raise GoodArmError(f"Several Dask workers died on the same task. {kept}") from error
    except CancelledError as error:
        raise GoodArmError(f"Lost the connection to the Dask scheduler. {kept}") from error
