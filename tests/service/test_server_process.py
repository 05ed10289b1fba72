"""The process: where it listens, who may reach it, and how it ends."""

import signal
import socket
import threading
import time
from concurrent.futures import ThreadPoolExecutor

import httpx
import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app as command_line
from goodarm.service import Settings
from goodarm.service.server import check_address, open_socket, serve
from service.in_process import API
from service.servers import DEADLINE, in_process


@pytest.mark.parametrize("host", ["0.0.0.0", "::", "192.0.2.1", "example.org", ""])
def test_others_need_tokens_and_a_proxy(store, host):
    with pytest.raises(ga.errors.SpecError, match="no token"):
        check_address(host, store, Settings(behind_proxy=True))
    store.tokens.create("first", "read")
    with pytest.raises(ga.errors.SpecError, match="--behind-proxy"):
        check_address(host, store, Settings())
    check_address(host, store, Settings(behind_proxy=True))


@pytest.mark.parametrize("host", ["127.0.0.1", "127.8.8.8", "::1", "localhost"])
def test_this_machine_needs_nothing(store, host):
    check_address(host, store, Settings())


def test_a_port_that_is_taken(store):
    with open_socket("127.0.0.1", 0) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(ga.errors.SpecError, match=f"a free port.*127.0.0.1:{port}"):
            serve(store, port=port)


def test_answers_are_sent_at_once(store):
    """asyncio does so for sockets that are said to be TCP's only."""
    with open_socket("127.0.0.1", 0) as listening:
        assert listening.proto == socket.IPPROTO_TCP


def test_wrong_options_at_the_command_line():
    for options, words in (
        (["--host", "0.0.0.0"], "no token"),
        (["--port", "65536"], "'port' of serve must be a whole number from 0 to 65535"),
        (["--max-body", "0"], "'max_body' of serve must"),
        (["--root-path", "x"], "'root_path' of serve must"),
    ):
        result = CliRunner().invoke(command_line, ["serve", "--store", "memory:", *options])
        assert result.exit_code == 2
        assert words in result.stderr.replace("\n", " ")


@pytest.mark.slow
def test_a_process_that_is_asked_to_end_finishes_what_it_began(tmp_path):
    """Requests under way have their answers, and what was acknowledged is in the journal."""
    url = f"sqlite:///{tmp_path / 'journals.db'}"
    told, stop = [], threading.Event()

    def work(address, number):
        with httpx.Client(base_url=address, timeout=30) as client:
            while not stop.is_set():
                try:
                    worker = {"worker": f"w{number}"}
                    pulls = client.post(f"{API}/banners/pulls:ask", json=worker).json()["pulls"]
                    for pull in pulls:
                        path = f"{API}/banners/pulls/{pull['number']}:tell"
                        client.post(
                            path, json={"reward": pull["number"] // 8 % 2}
                        ).raise_for_status()
                        told.append(pull["number"])
                except httpx.TransportError:
                    return  # it listens no more

    with in_process(url, "--quiet") as (process, address), ThreadPoolExecutor(4) as pool:
        problem = {"arms": 20, "threshold": 0.5, "delta": 1e-9}
        httpx.post(f"{address}{API}", json={"name": "banners", "problem": problem}, timeout=60)
        workers = [pool.submit(work, address, number) for number in range(4)]
        try:
            while len(told) < 40 and not any(each.done() for each in workers):
                time.sleep(0.005)
            process.send_signal(signal.SIGTERM)
            assert process.wait(DEADLINE) == 0
        finally:
            stop.set()
        for each in workers:
            each.result()
    with ga.open_store(url) as store:
        exp = store.experiment("banners")
        written = [number for entry in exp.journal() for number in entry.get("pulls", ())]
        assert len(told) >= 40
        assert set(told) <= set(written)
        assert len(set(written)) == len(written)
        exp.verify()


@pytest.mark.slow
def test_a_process_on_ctrl_c_says_what_it_did_and_shows_no_query(tmp_path):
    url = f"sqlite:///{tmp_path / 'journals.db'}"
    with in_process(url) as (process, address):
        httpx.get(f"{address}{API}?limit=7", headers={"Authorization": "Bearer ga_secret"})
        process.send_signal(signal.SIGINT)
        _, log = process.communicate(timeout=DEADLINE)
    assert process.returncode == 0
    assert f"GET {API} - 200" in log
    assert "limit" not in log
    assert "ga_secret" not in log
    assert "Traceback" not in log
