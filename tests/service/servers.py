"""The app behind a real socket: in a thread of this process, or in a process of its own."""

import os
import subprocess
import sys
import threading
import time
from contextlib import contextmanager

import uvicorn

from goodarm.service.server import make_options, open_socket

DEADLINE = 60
"""Seconds that a server may take to come, or to go."""


class _Ending(uvicorn.Server):
    """A server that says when it ends, as that of ``goodarm serve`` does."""

    ending = staticmethod(lambda: None)

    async def shutdown(self, sockets=None):
        self.ending()
        await super().shutdown(sockets)


@contextmanager
def in_thread(app, port=0, ending=None):
    """The address of the app, served by a thread; ``ending`` is called before it ends."""
    with open_socket("127.0.0.1", port) as listening:
        options = make_options(app.state.service.settings)
        server = _Ending(uvicorn.Config(app, **options))
        if ending is not None:
            server.ending = ending
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]})
        thread.start()
        try:
            _wait(lambda: server.started)
            yield f"http://127.0.0.1:{listening.getsockname()[1]}"
        finally:
            server.should_exit = True
            thread.join(DEADLINE)
    assert not thread.is_alive()


@contextmanager
def in_process(store_url, *options):
    """A process of ``goodarm serve``, and its address; ended by its id if it still runs."""
    command = [sys.executable, "-m", "goodarm", "serve", "--store", store_url, "--port", "0"]
    process = subprocess.Popen(
        [*command, *options], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )  # fmt: skip
    try:
        line = process.stdout.readline()
        if not line.startswith("Serving at "):
            process.kill()
            raise AssertionError(line + process.stderr.read())
        yield process, line.removeprefix("Serving at ").partition(". ")[0]
    finally:
        if process.poll() is None:
            process.terminate()
        process.communicate(timeout=DEADLINE)


def _wait(is_so):
    end = time.monotonic() + DEADLINE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.005)
