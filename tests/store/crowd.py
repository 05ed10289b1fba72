"""Workers on one store, killed with SIGKILL at random and at named points, and started again.

    crowd.py URL --rewards N --kills N --writers N --most N --seed N [--turns-alone N]
        [--mutant NAME]

They are forked from this process, which is warm: a life begins in milliseconds. What was wrong is
printed as JSON, with the seed, which repeats it.
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
from goodarm.store import committer, faults
from goodarm.store.faults import Point
from store import mutants
from store.hand import Hand
from store.judge import PROBLEM, judge
from store.killable_processes import fork, killing, warm_up

ROUND = 20_000
"""Rewards of one experiment; then the next one begins."""
POINTS = [point for point in Point if point.name.startswith(("APPEND", "ANSWER", "SNAPSHOT"))]
"""Those that workers come by."""
DEADLINE = 120
"""Seconds without any reward, after which something hangs."""


class Round:
    """One experiment and its workers, from their first life to their last."""

    def __init__(self, asked, name, folder, luck):
        self._asked, self._name, self._luck = asked, name, luck
        self._folder = Path(folder) / name
        self._folder.mkdir()
        self._slots = [f"w{k}" for k in range(asked.writers)]
        self._lives = Counter()
        self.killed = Counter()
        self._shot = set()
        self._points = []

    def _live(self, slot, rewards, is_armed):
        """A life of a worker, in a process of its own; if it is armed it may end at a point."""
        life, nth = self._lives[slot], self._luck.randint(1, 12)
        self._lives[slot] += 1
        point = self._next_point() if is_armed else None

        def work():
            listener = killing(point, nth) if point is not None else lambda _: None
            with faults.listen_to_points(listener), ga.open_store(self._asked.url) as store:
                exp = store.experiment(self._name, PROBLEM, seed=self._asked.seed)
                hand = Hand(exp, self._folder, slot, life)
                hand.recover()
                hand.work(rewards, self._asked.most)

        return fork(work)

    def _next_point(self):
        if not self._points:
            self._points = self._luck.sample(POINTS, len(POINTS))
        return self._points.pop()

    def run(self, rewards, kills):
        """Lets them work; kills them, or holds them up for a moment. What was wrong."""
        running = {self._live(slot, rewards, kills > 0): slot for slot in self._slots}
        paused = {}
        next_turn, deadline = time.monotonic(), time.monotonic() + DEADLINE
        wrong = []
        while running:
            done, status = os.waitpid(-1, os.WNOHANG)
            if done:
                deadline = time.monotonic() + DEADLINE
                slot = running.pop(done)
                paused.pop(done, None)
                if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGKILL:
                    self.killed["at random" if done in self._shot else "at a point"] += 1
                    is_armed = self.killed.total() < kills
                    running[self._live(slot, rewards, is_armed)] = slot
                elif status:
                    wrong.append(f"{slot} ended with {status}")
                continue
            now = time.monotonic()
            if now > deadline:
                wrong.append(f"nothing has happened for {DEADLINE} seconds")
                for child in running:
                    os.kill(child, signal.SIGKILL)
            for child in [child for child, until in paused.items() if until < now]:
                os.kill(child, signal.SIGCONT)
                del paused[child]
            if now > next_turn and self.killed.total() < kills:
                next_turn = now + self._luck.expovariate(1 / self._asked.pause)
                child = self._luck.choice(list(running))
                if self._luck.random() < 0.2 and child not in paused:
                    os.kill(child, signal.SIGSTOP)
                    paused[child] = now + 0.05
                else:
                    self._shot.add(child)
                    os.kill(child, signal.SIGKILL)
            time.sleep(0.002)
        return wrong + self._judge()

    def _judge(self):
        with ga.open_store(self._asked.url) as store:
            exp = store.experiment(self._name)
            self.rewards, self.entries = exp.pulls, len(exp.journal())
            return judge(exp, self._folder, self._slots)


def run(asked):
    """Rounds until there were rewards and kills enough."""
    luck = random.Random(asked.seed)
    found = {"seed": asked.seed, "rewards": 0, "entries": 0, "experiments": 0}
    killed, wrong = Counter(), []
    start = time.monotonic()
    with tempfile.TemporaryDirectory() as folder:
        while not wrong and (found["rewards"] < asked.rewards or killed.total() < asked.kills):
            each = Round(asked, f"round-{found['experiments']}", folder, luck)
            left = max(asked.rewards - found["rewards"], 1000)
            size = min(left, ROUND)
            share = -(-(asked.kills - killed.total()) * size // left)
            wrong = each.run(size, share)
            killed += each.killed
            found["experiments"] += 1
            if not wrong:
                found["rewards"] += each.rewards
                found["entries"] += each.entries
    found |= {"kills": killed.total(), "killed": dict(killed), "wrong": wrong}
    return found | {"seconds": time.monotonic() - start}


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("url")
    parser.add_argument("--rewards", type=int, default=1000)
    parser.add_argument("--kills", type=int, default=20)
    parser.add_argument("--writers", type=int, default=4)
    parser.add_argument("--most", type=int, default=20)
    parser.add_argument("--pause", type=float, default=0.05)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--turns-alone", type=int, help="after which a writer takes no turn")
    parser.add_argument("--mutant", choices=mutants.MUTANTS)
    asked = parser.parse_args()
    if asked.turns_alone is not None:
        committer.MIN_TURNS_ALONE = committer.MAX_TURNS_ALONE = asked.turns_alone
    warm_up()
    with mutants.applied(asked.mutant):
        found = run(asked)
    sys.stdout.write(json.dumps(found) + "\n")


if __name__ == "__main__":
    main()
