"""A service in a process of its own, on a port that the system chooses; it prints which.

    serve.py STORE [--port N] [--clock FILE] [--rate N]

The file holds seconds by which the store's clock is ahead, so that tests need not wait.
"""

import argparse
import socket
import sys
import time
from pathlib import Path

import uvicorn

from goodarm.service import Settings, create_app
from goodarm.store import Store, open_recorder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--clock", type=Path)
    parser.add_argument("--rate", type=float, default=1e6)
    asked = parser.parse_args()

    def clock():
        ahead = 0.0 if asked.clock is None else float(asked.clock.read_text() or 0)
        return time.time() + ahead

    listening = socket.create_server(("127.0.0.1", asked.port), backlog=128)
    sys.stdout.write(f"{listening.getsockname()[1]}\n")
    sys.stdout.flush()
    with Store(open_recorder(asked.store), clock) as store:
        app = create_app(store, Settings(max_rate=asked.rate))
        config = uvicorn.Config(app, log_level="warning", access_log=False, lifespan="on")
        uvicorn.Server(config).run(sockets=[listening])


if __name__ == "__main__":
    main()
