"""Ctrl-C on the largest instance: the command ends within a second, and finished runs are kept."""

import signal
import subprocess
import sys
import time

import pytest

from goodarm import datasets


def simulate(folder):
    instance = datasets.load("movielens")
    means = ",".join(map(repr, instance.means))
    problem = ["--threshold", str(instance.threshold), "--delta", "0.01"]
    limits = ["--until", str(instance.until), "--runs", "200"]
    return ["simulate", "--means", means, *problem, *limits, "-a", "hdoc", "--keep", str(folder)]


def reproduce(folder):
    return ["reproduce", "movielens", "--algorithms", "hdoc", "--runs", "200", "--out", str(folder)]


@pytest.mark.parametrize("command", [simulate, reproduce])
def test_ctrl_c_ends_the_command_within_a_second(tmp_path, command):
    process = subprocess.Popen(
        [sys.executable, "-m", "goodarm", *command(tmp_path)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    try:
        deadline = time.monotonic() + 100
        while not list(tmp_path.rglob("*.jsonl")) and time.monotonic() < deadline:
            assert process.poll() is None, process.stderr.read()
            time.sleep(0.05)
        start = time.perf_counter()
        process.send_signal(signal.SIGINT)
        output, errors = process.communicate(timeout=20)
        assert time.perf_counter() - start < 1.0
    finally:
        process.kill()
        process.communicate()
    assert process.returncode == 130
    assert "Traceback" not in output + errors
    (kept,) = tmp_path.rglob("*.jsonl")
    assert kept.stat().st_size > 0
