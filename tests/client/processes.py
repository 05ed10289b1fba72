"""Services in processes of their own, ended by their ids."""

import signal
import subprocess
import sys
from contextlib import contextmanager
from pathlib import Path

_SCRIPT = Path(__file__).parent / "serve.py"


class Process:
    """One service; it can be killed, stopped, woken and started again at the same port."""

    def __init__(self, store, *words):
        self._words = [str(store), *map(str, words)]
        self._process = None
        self._port = 0
        self.start()

    @property
    def id(self):
        return self._process.pid

    def start(self):
        command = [sys.executable, str(_SCRIPT), *self._words, "--port", str(self._port)]
        self._process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        self.url = self._process.stdout.readline().strip()
        assert self.url, "the service did not start: its error stands above"
        self._port = int(self.url.rpartition(":")[2])

    def send(self, number):
        self._process.send_signal(number)

    def kill(self):
        self.send(signal.SIGKILL)
        self._process.wait(60)
        self._process.stdout.close()

    def end(self):
        """As an operator would; what was under way is finished."""
        if self._process.poll() is None:
            self.send(signal.SIGCONT)
            self.send(signal.SIGTERM)
            try:
                self._process.wait(30)
            except subprocess.TimeoutExpired:
                self.kill()
        self._process.stdout.close()
        return self._process.returncode


@contextmanager
def service(store, *words):
    process = Process(store, *words)
    try:
        yield process
    finally:
        process.end()
