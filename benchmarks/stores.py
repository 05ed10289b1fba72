"""What it costs to keep an experiment, beside bare inserts.

Rates are ratios of one run: tells and bare inserts of the same rows into the same database take
turns, and the driver alone makes the bare ones. The faults are ``store_faults.py``.
"""

import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any, Final

import numpy as np
from goals import Goal, print_goals, tell_goals

import goodarm as ga
from goodarm.cli.output import print_table
from goodarm.store import Store, open_recorder
from goodarm.store.faults import Point, reach
from goodarm.views.text import TableLayout

TESTS: Final = Path(__file__).parents[1] / "tests"
sys.path.append(str(TESTS))

from store import server  # noqa: E402 (a server of PostgreSQL, as the tests start it)

TURNS: Final = 15
SINGLY: Final = 200
"""Tells of one turn."""
GROUP: Final = 1000
GROUPS: Final = 10
"""Batches of one turn."""
LONG: Final = 1_000_000
SINGLES: Final = 50_000
MANY_ARMS: Final = 100_000
ASKS: Final = 1000

BARE: Final = (
    "CREATE TABLE bare (id TEXT, number BIGINT, text TEXT, key TEXT, digest TEXT, hash TEXT, "
    "PRIMARY KEY (id, number))"
)


@contextmanager
def databases() -> Iterator[dict[str, str]]:
    """Yield the addresses of an empty database of each kind, as durable as they come."""
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with server.running(folder, is_hurried=False) as one, server.database(one) as url:
            yield {"SQLite": f"sqlite:///{folder / 'journals.db'}", "PostgreSQL": url}


class Bare:
    """Rows put into a table of their own by the driver, in one transaction for each group."""

    def __init__(self, recorder: Any) -> None:
        self._connection = recorder.database.writer.raw_connection().driver_connection
        self._begin = "BEGIN IMMEDIATE" if recorder.database.mark == "?" else "BEGIN"
        self._insert = f"INSERT INTO bare VALUES ({', '.join([recorder.database.mark] * 6)})"
        if recorder.database.mark == "?":
            self._connection.execute(f"{BARE} WITHOUT ROWID")
        else:
            self._connection.autocommit = True
            self._connection.execute(BARE)

    def write(self, groups: Sequence[Sequence[tuple[Any, ...]]]) -> None:
        """Each group in a transaction of its own."""
        for rows in groups:
            self._connection.execute(self._begin)
            if len(rows) == 1:
                self._connection.execute(self._insert, rows[0])
            else:
                self._connection.cursor().executemany(self._insert, rows)
            self._connection.execute("COMMIT")

    def close(self) -> None:
        """Drop the table."""
        self._connection.execute("DROP TABLE bare")
        self._connection.close()


def wall(call: Callable[[], Any]) -> float:
    """Seconds."""
    start = time.perf_counter()
    call()
    return time.perf_counter() - start


def asked(exp: ga.Experiment, count: int) -> tuple[list[ga.Pull], list[int]]:
    """``count`` pulls, and their rewards."""
    pulls: list[ga.Pull] = []
    while len(pulls) < count:
        pulls += exp.ask_many(count - len(pulls))
    return pulls, [pull.number % 2 for pull in pulls]


def rates_of(kind: str, url: str) -> list[dict[str, Any]]:
    """Tells beside bare inserts of the rows that telling one by one writes.

    A batch of a thousand is told in one call, and stands beside a thousand rows in one transaction.
    """
    recorder = open_recorder(url)
    exp = Store(recorder).experiment("rates", ga.Problem(1000, 0.5, 1e-9), seed=1)
    head = recorder.head("rates")
    assert head is not None
    bare = Bare(recorder)
    singly, plainly, in_groups, plainly_in_groups = [], [], [], []
    for turn in range(TURNS + 1):
        pulls, rewards = asked(exp, SINGLY)
        before, pairs = exp.entries, list(zip(pulls, rewards, strict=True))
        singly.append(wall(lambda: [exp.tell(*pair) for pair in pairs]))  # noqa: B023
        rows = [(head.id, *row) for row in recorder.read(head.id, before)]
        plainly.append(wall(lambda: bare.write([[row] for row in rows])))  # noqa: B023
        pulls, rewards = asked(exp, GROUP * GROUPS)
        parts = [slice(first, first + GROUP) for first in range(0, GROUP * GROUPS, GROUP)]
        in_groups.append(
            wall(lambda: [exp.tell_many(pulls[part], rewards[part]) for part in parts])  # noqa: B023
        )
        groups = [
            [(f"{turn} {group}", n, *rows[n % SINGLY][2:]) for n in range(GROUP)]
            for group in range(GROUPS)
        ]
        plainly_in_groups.append(wall(lambda: bare.write(groups)))  # noqa: B023
    bare.close()
    recorder.close()
    return [
        _rate(kind, "singly", SINGLY, singly, plainly, 0.6),
        _rate(kind, "in 1000s", GROUP * GROUPS, in_groups, plainly_in_groups, 1 / 2),
    ]


def _rate(
    kind: str, how: str, count: int, told: list[float], bare: list[float], goal: float
) -> dict[str, Any]:
    """Return the medians over the turns but the first, which warms up."""
    share = median(b / a for a, b in zip(told[1:], bare[1:], strict=True))
    return {
        "database": kind,
        "told": how,
        "tells a second": count / median(told[1:]),
        "bare rows a second": count / median(bare[1:]),
        "share": share,
        "goal": goal,
    }


def seconds_to_open(kind: str, url: str) -> dict[str, Any]:
    """Open a million rewards, from a snapshot; told in batches of a thousand, to save time."""
    with ga.open_store(url) as store:
        exp = store.experiment("long", ga.Problem(100, 0.5, 1e-9), seed=1)
        while exp.pulls < LONG:
            with exp.together():
                for _ in range(50):
                    pulls = exp.ask_many(1000)
                    exp.tell_many(pulls, [pull.number % 2 for pull in pulls])

    def open_it() -> None:
        with ga.open_store(url) as store:
            assert store.experiment("long").pulls >= LONG

    spent = median(wall(open_it) for _ in range(5))
    return {
        "what": f"open a million rewards, {kind}",
        "figure": spent,
        "goal": 1.0,
        "unit": "s",
    }


def seconds_to_open_singles(kind: str, url: str) -> dict[str, Any]:
    """Rewards that were asked and told one by one: two entries each."""
    with ga.open_store(url) as store:
        exp = store.experiment("singles", ga.Problem(100, 0.5, 1e-9), seed=1)
        for _ in range(SINGLES // 500):
            with exp.together():
                for number in range(500):
                    exp.tell(exp.ask(), number % 2)
            exp.note("a block")  # outside of it, where a snapshot is written if it is due

    def open_it() -> None:
        with ga.open_store(url) as store:
            assert store.experiment("singles").pulls == SINGLES

    spent = median(wall(open_it) for _ in range(5))
    return {
        "what": f"open {SINGLES:,} single tells, {kind}",
        "figure": spent,
        "goal": 1.0,
        "unit": "s",
    }


def slowest_ask(kind: str, url: str) -> dict[str, Any]:
    """Return the 99th percentile at many arms, each ask committed, and told after it."""
    with ga.open_store(url) as store:
        exp = store.experiment("arms", ga.Problem(MANY_ARMS, 0.5, 0.05), seed=1)
        spent = []
        for turn in range(ASKS + 20):
            start = time.perf_counter()
            pull = exp.ask()
            spent.append(time.perf_counter() - start)
            exp.tell(pull, turn % 2)
    slowest = 1000 * float(np.quantile(spent[20:], 0.99))
    return {
        "what": f"ask at {MANY_ARMS:,} arms, 99th percentile, {kind}",
        "figure": slowest,
        "goal": 20.0,
        "unit": "ms",
    }


def cost_of_points(url: str) -> dict[str, Any]:
    """Return the share of a tell that its named points take while nobody listens."""
    count, points = 200_000, 6
    start = time.perf_counter()
    for _ in range(count):
        reach(Point.APPEND_MOVED)
    each = (time.perf_counter() - start) / count
    with ga.open_store(url) as store:
        exp = store.experiment("points", ga.Problem(10, 0.5, 1e-9), seed=1)
        pulls = exp.ask_many(300)
        tell = wall(lambda: [exp.tell(pull, pull.number % 2) for pull in pulls]) / len(pulls)
    share = 100 * points * each / tell
    return {
        "what": "named points of a tell, SQLite",
        "figure": share,
        "goal": 1.0,
        "unit": "%",
    }


def print_rates(found: list[dict[str, Any]]) -> None:
    """Print the table of tells."""
    rows = [
        (
            row["database"],
            row["told"],
            f"{row['tells a second']:,.0f}",
            f"{row['bare rows a second']:,.0f}",
            f"{row['share']:.2f}",
            f"{row['goal']:.2f}",
        )
        for row in found
    ]
    header = ("database", "told", "tells/s", "bare rows/s", "share", "goal")
    print_table(
        "Tells beside bare inserts of the same rows", header, rows, TableLayout(left=2, keys=2)
    )


def main() -> dict[str, Any]:
    """Measure everything and print it."""
    found: dict[str, Any] = {}
    with databases() as urls:
        found["tells"] = [row for each in urls.items() for row in rates_of(*each)]
        print_rates(found["tells"])
        found["figures"] = [
            *(
                figure(*each)
                for figure in (seconds_to_open, seconds_to_open_singles, slowest_ask)
                for each in urls.items()
            ),
            cost_of_points(urls["SQLite"]),
        ]
    rows = [
        (
            row["what"],
            f"{row['figure']:.2f} {row['unit']}",
            f"{row['goal']:g} {row['unit']}",
        )
        for row in found["figures"]
    ]
    print_table("Experiments that are kept", ("what", "found", "goal"), rows, TableLayout(left=1))
    return found


def goals(found: dict[str, Any]) -> list[Goal]:
    """Return the goals of tells, and of the other figures."""
    return tell_goals(found)


if __name__ == "__main__":
    print_goals(goals(main()))
