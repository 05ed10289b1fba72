"""Workers far from a store: they, services and what runs between them are spoilt and killed.

    crowd.py STORE --rewards N --workers N --servers N --kills N --stops N --rate R --seed N
             [--keyless]

Workers are forked from this process, which is warm. Each speaks through a proxy, which loses, cuts
and doubles what it passes on, to one of the services. Workers and services are killed with SIGKILL
and started again; services are stopped with SIGSTOP, until workers have given up tries, and woken.
What was wrong is printed as JSON, with the seed. Without keys there must be something.
"""

import argparse
import json
import os
import random
import signal
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1]))

import goodarm as ga
from client.processes import Proxy, Service
from store.hand import Hand
from store.judge import PROBLEM, judge
from store.killable_processes import fork, warm_up

DEADLINE = 120
"""Seconds without a worker's end or a kill, after which something hangs."""
TIMEOUT = 0.5
"""Seconds that a try may take."""
STOPPED = 1.2
"""Seconds that a service is stopped: longer than a try."""
ROUND = 40_000
"""Rewards of one experiment."""


class FarHand(Hand):
    """A worker that gives keys, but for half of what the client makes again without one."""

    is_keyless = False

    def _make(self, what, data, key):
        is_safe = what == "tell" or data[1] is not None
        if self.is_keyless or (is_safe and self._luck.random() < 0.5):
            key = None
        return super()._make(what, data, key)

    def _try_another(self, key):
        """Not all of its requests have used their keys."""


class Round:
    """One experiment and its workers, from their first life to their last."""

    def __init__(self, asked, name, folder, luck, services, proxies):
        self._asked, self._name, self._luck = asked, name, luck
        self._services, self._proxies = services, proxies
        self._folder = Path(folder) / name
        self._folder.mkdir()
        self._slots = [f"w{k}" for k in range(asked.workers)]
        self._lives = Counter()
        self.done = Counter()

    def _live(self, slot, rewards):
        life = self._lives[slot]
        self._lives[slot] += 1
        url = self._proxies[self._slots.index(slot) % len(self._proxies)].url

        def work():
            with ga.Client(url, timeout=TIMEOUT, patience=DEADLINE) as client:
                exp = client.experiment(self._name)
                hand = FarHand(exp, self._folder, slot, life)
                hand.is_keyless = self._asked.keyless
                hand.recover()
                hand.work(rewards, self._asked.most)

        return fork(work)

    def run(self, rewards, kills, stops):
        """Lets them work, and troubles them; what was wrong."""
        with ga.open_store(self._asked.store) as store:
            store.experiment(self._name, PROBLEM, seed=self._asked.seed)
        running = {self._live(slot, rewards): slot for slot in self._slots}
        troubles = ["worker"] * (kills - kills // 4) + ["server"] * (kills // 4) + ["stop"] * stops
        self._luck.shuffle(troubles)
        stopped, wrong = None, []
        next_one = deadline = time.monotonic() + self._asked.pause
        deadline += DEADLINE
        while running:
            ended, status = os.waitpid(-1, os.WNOHANG)
            now = time.monotonic()
            if ended in running:
                deadline = now + DEADLINE
                slot = running.pop(ended)
                if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
                    running[self._live(slot, rewards)] = slot
                elif status:
                    wrong.append(f"{slot} ended with {status}")
            if stopped is not None and now > stopped[1]:
                stopped[0].send(signal.SIGCONT)
                stopped = None
            if now > deadline:
                wrong.append(f"nothing has happened for {DEADLINE} seconds")
                for child in running:
                    os.kill(child, signal.SIGKILL)
            if troubles and running and now > next_one and stopped is None:
                next_one = now + self._luck.expovariate(1 / self._asked.pause)
                trouble = troubles.pop()
                self.done[trouble] += 1
                if trouble == "worker":
                    os.kill(self._luck.choice(list(running)), signal.SIGKILL)
                elif trouble == "server":
                    self._luck.choice(self._services).restart()
                else:
                    stopped = self._luck.choice(self._services), now + STOPPED
                    stopped[0].send(signal.SIGSTOP)
            time.sleep(0.005)
        if stopped is not None:
            stopped[0].send(signal.SIGCONT)
        return wrong + self._judge()

    def _judge(self):
        with ga.open_store(self._asked.store) as store:
            exp = store.experiment(self._name)
            self.rewards, self.entries = exp.pulls, exp.entries
            return judge(exp, self._folder, self._slots)


def run(asked):
    """Rounds until there were rewards enough."""
    luck, began = random.Random(asked.seed), time.monotonic()
    found = {"seed": asked.seed, "rewards": 0, "entries": 0, "experiments": 0}
    done, wrong, services, proxies = Counter(), [], [], []
    try:
        services += [Service(asked.store) for _ in range(asked.servers)]
        for number, each in enumerate(services):
            proxies.append(Proxy(each.port, asked.seed + number, asked.rate))
        with tempfile.TemporaryDirectory() as folder:
            while not wrong and found["rewards"] < asked.rewards:
                name = f"round-{found['experiments']}"
                each = Round(asked, name, folder, luck, services, proxies)
                left = asked.rewards - found["rewards"]
                size = min(left, ROUND)
                share = size / asked.rewards
                wrong = each.run(size, round(asked.kills * share), round(asked.stops * share))
                done += each.done
                found["experiments"] += 1
                found["rewards"] += each.rewards
                found["entries"] += each.entries
    finally:
        faults = Counter()
        for each in proxies:
            faults.update(each.end())
        for each in services:
            each.end()
    found |= {"troubles": dict(done), "faults": dict(faults), "wrong": wrong}
    return found | {"seconds": time.monotonic() - began}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("store")
    parser.add_argument("--rewards", type=int, default=1000)
    parser.add_argument("--workers", type=int, default=4)
    parser.add_argument("--servers", type=int, default=1)
    parser.add_argument("--kills", type=int, default=12)
    parser.add_argument("--stops", type=int, default=0)
    parser.add_argument("--rate", type=float, default=0.1)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.15)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--keyless", action="store_true")
    asked = parser.parse_args()
    warm_up()
    import httpx  # noqa: F401

    sys.stdout.write(json.dumps(run(asked)) + "\n")


if __name__ == "__main__":
    main()
