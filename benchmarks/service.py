"""The service under load, beside an app that only inserts.

Both are processes of their own, on the same machine and the same kind of database, and take turns
under the same requests. Ratios of one run are what to compare. The faults are
``service_faults.py``.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
import psutil
from goals import Goal, print_goals, tell_goals
from http_load import Load, post, send
from stores import databases

import goodarm as ga
from goodarm.cli.output import print_table
from goodarm.views.text import TableLayout

ROOT: Final = Path(__file__).parents[1]
sys.path.append(str(ROOT / "tests"))

from client.processes import Process, Service  # noqa: E402 (as the tests start them)

CONNECTIONS: Final = 8
TURNS: Final = 7
SINGLY: Final = 1000
"""Tells of one turn."""
GROUP: Final = 1000
GROUPS: Final = 40
"""Batches of one turn."""
ASKS: Final = 2000
SIZES: Final = (1000, 100_000)
LONG: Final = 1_000_000
PARTS: Final = 10

Figure = dict[str, Any]


@contextmanager
def running(store: str, script: Path | None = None) -> Iterator[Any]:
    """Run a service, or the script of another one; end it by its id."""
    process = Service(store) if script is None else Process(script, store)
    try:
        yield process
    finally:
        process.kill()


class Asked:
    """An experiment at a service, with pulls to be told that no label makes useless."""

    def __init__(self, url: str, name: str = "load") -> None:
        self.path = f"/api/v1/experiments/{name}"
        self._client, self._name = ga.Client(url), name
        problem = ga.Problem(1000, threshold=0.5, delta=1e-9)
        self._exp = self._client.experiment(name, problem, seed=1)

    def ask(self, pulls: int) -> list[ga.Pull]:
        """Ask for ``pulls`` new pulls."""
        found: list[ga.Pull] = []
        while len(found) < pulls:
            found += self._exp.ask_many(min(10_000, pulls - len(found)))
        return found

    def delete(self) -> None:
        """Take it away."""
        self._client.delete(self._name)
        self._client.close()


def tells(path: str, pulls: list[ga.Pull], size: int) -> Iterator[bytes]:
    """Yield requests that tell these pulls as a client does, ``size`` in each."""
    for first in range(0, len(pulls), size):
        part = pulls[first : first + size]
        told = [{"number": pull.number, "arm": pull.arm} for pull in part]
        yield post(path, {"pulls": told, "rewards": [pull.number % 2 for pull in part]})


def rates_of(kind: str, store: str, bare_store: str) -> list[Figure]:
    """Tells a second, singly and in batches, beside rows that are only inserted."""
    script = ROOT / "benchmarks" / "bare_app.py"
    found = []
    with running(store) as service, running(bare_store, script) as bare:
        asked, fresh = Asked(service.url), count(1)
        for how, size, requests_of_turn in (("singly", 1, SINGLY), ("in 1000s", GROUP, GROUPS)):
            told, inserted = [], []
            for _ in range(TURNS + 1):
                pulls = asked.ask(size * requests_of_turn)
                requests = tells(f"{asked.path}/pulls:tell", pulls, size)
                told.append(_checked(send(service.url, requests, CONNECTIONS)))
                pulls = [pull._replace(number=next(fresh)) for pull in pulls]
                requests = tells("/tell", pulls, size)
                inserted.append(_checked(send(bare.url, requests, CONNECTIONS)))
            # The first turn warms both up.
            pairs = list(zip(told[1:], inserted[1:], strict=True))
            share = median(one.rate / other.rate for one, other in pairs)
            found.append(
                {
                    "database": kind,
                    "told": how,
                    "tells a second": size * median(one.rate for one, _ in pairs),
                    "inserted a second": size * median(other.rate for _, other in pairs),
                    "ms, 99th percentile": _slowest(
                        [time for one, _ in pairs for time in one.times]
                    ),
                    "share": share,
                    "goal": 0.8,
                }
            )
    return found


def _checked(load: Load) -> Load:
    assert load.refused == 0, f"{load.refused} requests were refused"
    return load


def _slowest(times: list[float]) -> float:
    """Milliseconds of the slowest in a hundred."""
    return 1000 * float(np.quantile(times, 0.99))


def slowest_ask(kind: str, store: str, num_arms: int) -> Figure:
    """Return the 99th percentile of asks, each of them told before the next."""
    with running(store) as service, ga.Client(service.url) as client:
        name = f"arms-{num_arms}"
        exp = client.experiment(name, ga.Problem(num_arms, 0.5, 0.05), seed=1)
        path = f"/api/v1/experiments/{name}/pulls:"
        first = exp.ask().number  # it is loaded, and compiled

        def pairs() -> Iterator[bytes]:
            for number in range(first, first + ASKS):
                yield post(f"{path}tell", {"pulls": [{"number": number}], "rewards": [number % 2]})
                yield post(f"{path}ask", {})

        load = _checked(send(service.url, pairs(), 1))
    found = _slowest(load.times[41::2])
    return _figure(f"ask at {num_arms:,} arms, 99th percentile, {kind}", found, 50.0, "ms")


def memory(kind: str, store: str) -> Figure:
    """How much a service grows over a million tells.

    An experiment keeps each of its pulls, in 40 bytes. So the million is told to ten experiments,
    one after the other, each of which is deleted: all else is the service's. Then to one alone.
    """
    with running(store) as service:
        each = [_grown(service, Asked(service.url, f"e{k}"), delete=True) for k in range(PARTS)]
    grown = each[-1] - each[0]
    many = _figure(f"growth over a million tells, {kind}", grown, 0.1 * each[0], "MiB")
    with running(store) as service:
        asked = Asked(service.url)
        one = [_grown(service, asked, delete=False) for _ in range(PARTS)]
    return many | {"MiB": each, "MiB of one experiment": one}


def _grown(service: Any, asked: Asked, *, delete: bool) -> float:
    """Tells a part of the million; the memory after it, in MiB."""
    pulls = asked.ask(LONG // PARTS)
    _checked(send(service.url, tells(f"{asked.path}/pulls:tell", pulls, GROUP), CONNECTIONS))
    if delete:
        asked.delete()
    size: float = psutil.Process(service.id).memory_info().rss / 2**20
    return size


def _figure(what: str, found: float, goal: float, unit: str) -> Figure:
    return {"what": what, "figure": found, "goal": goal, "unit": unit}


def print_rates(found: list[Figure]) -> None:
    """Print the table of tells."""
    header = ("database", "told", "tells/s", "inserted/s", "share", "goal", "99th percentile")
    rows = [
        (
            row["database"],
            row["told"],
            f"{row['tells a second']:,.0f}",
            f"{row['inserted a second']:,.0f}",
            f"{row['share']:.2f}",
            f"{row['goal']:.2f}",
            f"{row['ms, 99th percentile']:.0f} ms",
        )
        for row in found
    ]
    title = f"Tells over {CONNECTIONS} connections, beside an app that only inserts"
    print_table(title, header, rows, TableLayout(left=2, keys=2))


def main() -> dict[str, Any]:
    """Measure everything and print it."""
    found: dict[str, Any] = {}
    with databases() as urls, databases() as others:
        found["tells"] = [
            row for kind, url in urls.items() for row in rates_of(kind, url, others[kind])
        ]
        print_rates(found["tells"])
    with databases() as urls:
        found["figures"] = [
            *(slowest_ask(*each, size) for each in urls.items() for size in SIZES),
            *(memory(*each) for each in urls.items()),
        ]
    rows = [
        (row["what"], *(f"{row[name]:.1f} {row['unit']}" for name in ("figure", "goal")))
        for row in found["figures"]
    ]
    print_table("The service", ("what", "found", "goal"), rows, TableLayout(left=1))
    return found


def goals(found: dict[str, Any]) -> list[Goal]:
    """Return the goals of tells, and of the other figures."""
    return tell_goals(found)


if __name__ == "__main__":
    print_goals(goals(main()))
