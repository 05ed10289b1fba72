"""Services and proxies in processes of their own, ended by their ids."""

import json
import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

_FOLDER = Path(__file__).parent


class Process:
    """A script that prints its address when it is ready."""

    def __init__(self, script, *words):
        self._command = [sys.executable, str(_FOLDER / script), *map(str, words)]
        self._port = 0
        self.start()

    def start(self, *words):
        self._process = subprocess.Popen(
            [*self._command, *words], stdout=subprocess.PIPE, text=True
        )
        self.url = self._process.stdout.readline().strip()
        assert self.url, "it did not start: its error stands above"
        self.port = int(self.url.rpartition(":")[2])

    def send(self, number):
        self._process.send_signal(number)

    def kill(self):
        self.send(signal.SIGKILL)
        self._process.wait(60)
        self._process.stdout.close()

    def end(self):
        """As an operator would end it; the rest of what it prints."""
        self.send(signal.SIGCONT)
        self.send(signal.SIGTERM)
        try:
            said, _ = self._process.communicate(timeout=60)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        assert self._process.returncode == 0, self._process.returncode
        return said

    @property
    def id(self):
        return self._process.pid

    @property
    def is_running(self):
        return self._process.poll() is None


class Service(Process):
    """One that can be killed, and started again at the same port."""

    def __init__(self, store, *words):
        super().__init__("serve.py", store, *words)

    def restart(self):
        self.kill()
        self.start("--port", str(self.port))


class Proxy(Process):
    """One before a service."""

    def __init__(self, port, seed, rate):
        super().__init__("proxy.py", port, "--seed", seed, "--rate", rate)

    def end(self):
        return json.loads(super().end())


@contextmanager
def service(store, *words):
    process = Service(store, *words)
    try:
        yield process
    finally:
        if process.is_running:
            process.end()
