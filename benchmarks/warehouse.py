"""A hundred million rows made inside DuckDB, judged: seconds, and how far memory grows."""

import subprocess
import sys
import time
from typing import Any

from goals import Goal, at_most, print_goals

from goodarm.cli.output import print_table

ROWS = 100_000_000
MOST_GROWTH = 1.25
"""A hundred times the rows may take this much more memory: caches fill, nothing is kept."""
MEASURE = """
import sys
from pathlib import Path
import duckdb
import goodarm as ga

def peak():
    return int(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0]) / 1024

rows = int(sys.argv[1])
ga.check(duckdb.sql("select i % 50 as arm, 1 as reward from range(50) t(i)"), .5, .05, raw=True)
before = peak()
visits = duckdb.sql(
    f"select 'arm ' || (i % 50) as arm, hash(i) % 100 < 60 as reward from range({rows}) t(i)"
)
table = ga.check(visits, threshold=.5, delta=.05, raw=True)
print(int(table.pulls.sum()), len(table.good), before, peak())
"""


def measure(rows: int) -> dict[str, Any]:
    """One table, judged by a process of its own."""
    start = time.perf_counter()
    command = [sys.executable, "-c", MEASURE, str(rows)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800)
    seconds = time.perf_counter() - start
    pulls, good, before, after = done.stdout.splitlines()[-1].split()
    if (int(pulls), int(good)) != (rows, 50):
        raise RuntimeError(f"{pulls} pulls were counted and {good} arms called good")
    return {
        "rows": rows,
        "seconds": seconds,
        "rows per second": rows / seconds,
        "memory MB": float(after),
        "grown MB": float(after) - float(before),
    }


def main() -> list[dict[str, Any]]:
    """Measure and print; memory must not grow with the rows."""
    found = [measure(rows) for rows in (ROWS // 100, ROWS)]
    names = list(found[0])
    print_table("DuckDB rows", names, [[f"{row[n]:,.1f}" for n in names] for row in found])
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Memory does not grow with the rows."""
    small, large = (row["memory MB"] for row in found)
    return [at_most("memory at 100 million rows / at a million", large / small, MOST_GROWTH)]


if __name__ == "__main__":
    print_goals(goals(main()))
