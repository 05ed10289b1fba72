"""A Dask cluster of two worker processes makes the runs of one process, bit for bit."""

import json
import os
import signal
import socket
import sys
import time

import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.installation import install_command

pytestmark = pytest.mark.slow

PROBLEM = {"threshold": 0.5, "delta": 0.01, "algorithm": "hdoc", "runs": 8}
CLOSE_MEANS = [0.52, 0.51, 0.49, 0.48] * 10
"""Runs of some tenths of a second."""

SIMULATE = ["simulate", "--means", "a=.7,b=.4", "--threshold", ".5", "--delta", ".05", "-a", "hdoc"]
CHO = ["reproduce", "four", "--paper", "cho2025", "--runs", "3", "--algorithm", "hdoc"]


def call(*arguments):
    return CliRunner().invoke(app, list(map(str, arguments)))


@pytest.fixture(scope="module")
def distributed():
    """The library, which takes a second of each process that collects tests."""
    import distributed

    return distributed


@pytest.fixture(scope="module")
def cluster(distributed):
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=True,
        host="127.0.0.1",
        dashboard_address="127.0.0.1:0",
    ) as cluster:
        yield cluster


@pytest.fixture(autouse=True)
def patience(monkeypatch):
    """A machine with much else to do may answer late."""
    monkeypatch.setattr("goodarm.cli.executors._TIMEOUT_SECONDS", 60)


@pytest.fixture
def executor(cluster, distributed):
    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        yield client.get_executor(retries=3)


@pytest.fixture(scope="module")
def expected():
    return ga.simulate(CLOSE_MEANS, **PROBLEM)


def test_the_cluster_makes_the_same_runs(executor, expected):
    assert ga.simulate(CLOSE_MEANS, executor=executor, **PROBLEM) == expected


def test_a_worker_that_is_killed_at_work_changes_nothing(cluster, executor, expected, tmp_path):
    killed = []

    def kill_one(finished, *_):
        if finished and not killed:
            killed.append(cluster.workers[0].pid)
            os.kill(killed[0], signal.SIGKILL)

    runs = ga.simulate(CLOSE_MEANS, executor=executor, progress=kill_one, keep=tmp_path, **PROBLEM)
    assert cluster.scheduler.task_prefixes["simulate_task"].suspicious >= 1
    assert runs == expected
    assert ga.simulate(CLOSE_MEANS, keep=tmp_path, **PROBLEM) == expected


def test_ctrl_c_cancels_what_the_cluster_has_not_begun(cluster, distributed):
    def interrupt(finished, *_):
        if finished:
            raise KeyboardInterrupt

    with distributed.Client(cluster.scheduler_address, set_as_default=False) as client:
        with pytest.raises(KeyboardInterrupt):
            ga.simulate(
                CLOSE_MEANS,
                executor=client.get_executor(retries=3),
                progress=interrupt,
                **{**PROBLEM, "runs": 500},
            )
        deadline = time.monotonic() + 100
        while sum(map(len, client.processing().values())) and time.monotonic() < deadline:
            time.sleep(0.05)
        assert not any(client.processing().values())


def test_simulate_on_the_cluster_prints_what_it_prints_here(cluster, tmp_path):
    here = call(*SIMULATE, "--json")
    there = call(*SIMULATE, "--json", "--dask", cluster.scheduler_address, "--keep", tmp_path)
    assert there.exit_code == 0, there.stderr
    assert there.stdout == here.stdout
    assert len(list(tmp_path.iterdir())) == 1


def test_reproduce_on_the_cluster_prints_what_it_prints_here(cluster, tmp_path):
    here = call(*CHO, "--json", "--out", tmp_path / "here")
    dask = ["--dask", cluster.scheduler_address.removeprefix("tcp://")]
    there = call(*CHO, "--json", "--out", tmp_path / "there", *dask)
    assert there.exit_code == 0, there.stderr
    assert json.loads(there.stdout) == json.loads(here.stdout)


def test_workers_with_another_goodarm_are_refused(cluster, monkeypatch):
    monkeypatch.setattr("goodarm.cli.executors.__version__", "99")
    result = call(*SIMULATE, "--dask", cluster.scheduler_address)
    assert result.exit_code == 2
    assert "must have goodarm 99 on every worker" in result.stderr
    assert result.stderr.endswith("Found there: 0.1.0.\n")


def test_a_cluster_without_workers_is_refused(distributed, monkeypatch):
    client = distributed.Client
    wait = client.wait_for_workers
    monkeypatch.setattr(client, "wait_for_workers", lambda *a, timeout: wait(*a, timeout=0.1))
    address = {"host": "127.0.0.1", "dashboard_address": "127.0.0.1:0"}
    with distributed.LocalCluster(n_workers=0, **address) as empty:
        result = call(*SIMULATE, "--dask", empty.scheduler_address)
    assert result.exit_code == 2
    assert "--dask must have a worker" in result.stderr


@pytest.mark.parametrize(
    ("error", "arguments", "message"),
    [
        ("KilledWorker", ("part", None, 3), "Several Dask workers died on the same task"),
        ("CancelledError", (), "Lost the connection to the Dask scheduler"),
    ],
)
def test_what_dask_cannot_mend_is_said_in_a_sentence(
    cluster, distributed, monkeypatch, error, arguments, message
):
    def broken(*_, **__):
        raise getattr(distributed, error)(*arguments)

    monkeypatch.setattr("goodarm.simulation.simulate", broken)
    result = call(*SIMULATE, "--dask", cluster.scheduler_address)
    assert result.exit_code == 2
    assert f"goodarm: {message}. Runs kept on disk are not lost" in result.stderr


@pytest.fixture
def silent_port():
    """A server that accepts and says nothing, as that of the dashboard does."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server.getsockname()[1]


@pytest.mark.large
@pytest.mark.parametrize(
    "address", ["127.0.0.1:9", "nonsense", "tcp://127.0.0.1:x", "foo://a:1", ""]
)
@pytest.mark.parametrize("command", [SIMULATE, CHO])
def test_an_address_without_a_scheduler_is_refused(tmp_path, monkeypatch, command, address):
    monkeypatch.chdir(tmp_path)
    result = call(*command, "--dask", address)
    assert result.exit_code == 2
    assert "--dask must be the address of a Dask scheduler" in result.stderr
    assert f"got {address!r}" in result.stderr
    assert "Traceback" not in result.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.speed
def test_a_server_that_is_no_scheduler_is_refused_within_seconds(silent_port, monkeypatch):
    monkeypatch.setattr("goodarm.cli.executors._TIMEOUT_SECONDS", 1)
    start = time.perf_counter()
    result = call(*SIMULATE, "--dask", f"tcp://127.0.0.1:{silent_port}")
    assert time.perf_counter() - start < 3
    assert result.exit_code == 2
    assert "must be the address of a Dask scheduler that answers" in result.stderr


def test_dask_and_jobs_are_refused_together():
    result = call(*SIMULATE, "--dask", "127.0.0.1:9", "--jobs", 2)
    assert result.exit_code == 2
    assert "Leave it out with --dask." in result.stderr


@pytest.mark.parametrize("command", [SIMULATE, CHO])
def test_without_dask_the_extra_is_named(monkeypatch, command):
    monkeypatch.setitem(sys.modules, "distributed", None)
    result = call(*command, "--dask", "127.0.0.1:9")
    assert result.exit_code == 2
    remedy = f"goodarm {command[0]} --dask needs the 'dask' extra: {install_command('dask')}."
    assert remedy in result.stderr
