"""``goodarm serve`` on a free port, for the tests in a browser."""

import os
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

PATIENCE = 60_000
"""Milliseconds that a browser waits for what a person would see; machines may be busy."""
WIDTHS = (390, 1024, 1600)


def free_port():
    with socket.socket() as found:
        found.bind(("127.0.0.1", 0))
        return found.getsockname()[1]


class Server:
    """``goodarm serve`` of a store's file, which may be stopped and started again."""

    def __init__(self, store, port=None, env=None, options=()):
        self.port = free_port() if port is None else port
        self.url = f"http://127.0.0.1:{self.port}"
        self._command = [sys.executable, "-m", "goodarm", "serve", "--quiet", "--store", store]
        self._command += ["--port", str(self.port), *options]
        self._env = {**os.environ, **(env or {})}
        self._process = None

    def start(self):
        """Start, and wait until it takes requests."""
        self._process = subprocess.Popen(
            self._command,
            env=self._env,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
        )
        line = self._process.stdout.readline()
        while line and "Serving at" not in line:
            line = self._process.stdout.readline()
        if not line:
            raise RuntimeError(f"The server did not come: exit code {self._process.wait()}")
        return self

    def stop(self):
        """Ask it to end; says how long that took, and with which code it did."""
        began = time.monotonic()
        self._process.send_signal(signal.SIGTERM)
        try:
            code = self._process.wait(60)
        finally:
            self._process.kill()
            self._process.stdout.close()
        return code, time.monotonic() - began


def store_url(folder: Path):
    return f"sqlite:///{(folder / 'kept.db').as_posix()}"
