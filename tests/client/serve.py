"""A service in a process of its own, on a port that the system chooses; it prints its address.

    serve.py STORE [--port N] [--clock FILE] [--threads N]

It is `goodarm serve` but for the file, which holds seconds by which the store's clock is ahead: so
tests need not wait.
"""

import argparse
import sys
import time
from pathlib import Path

from goodarm.service import Settings
from goodarm.service.server import serve
from goodarm.store import Store, open_recorder


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--port", type=int, default=0)
    parser.add_argument("--clock", type=Path)
    asked = parser.parse_args()

    def clock():
        ahead = 0.0 if asked.clock is None else float(asked.clock.read_text())
        return time.time() + ahead

    def ready(url):
        sys.stdout.write(f"{url}\n")
        sys.stdout.flush()

    with Store(open_recorder(asked.store), clock) as store:
        serve(store, Settings(max_rate=1e6), port=asked.port, ready=ready)


if __name__ == "__main__":
    main()
