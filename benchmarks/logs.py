"""Ten million JUnit-style rows, streamed: seconds, rows per second, memory of the process."""

import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from goals import Goal, at_most, print_goals

from goodarm.cli.output import print_table

ROWS = 10_000_000
TESTS = 1_000
MOST_GROWTH = 1.25
"""A hundred times the rows may take this much more memory: caches fill, nothing is kept."""
MEASURE = """
import sys
from pathlib import Path
import goodarm as ga
table = ga.read_logs(sys.argv[1], format="junit", repeats="attempts")
status = Path("/proc/self/status").read_text()
print(table.attempts, int(table.successes.sum()), int(status.split("VmHWM:")[1].split()[0]) / 1024)
"""


def write(path: Path, rows: int) -> None:
    """Write runs of a suite of a thousand tests, one after another; each test fails once in ten."""
    failure = '<failure message="no">assert 1 == 2</failure>'
    cases = [
        f'<testcase classname="suite.module" name="test_{n}" time="0.001">'
        f"{failure if n % 10 == 0 else ''}</testcase>"
        for n in range(TESTS)
    ]
    run = f'<testsuite name="run" tests="{TESTS}">{"".join(cases)}</testsuite>\n'.encode()
    with path.open("wb") as stream:
        stream.write(b"<testsuites>")
        for _ in range(rows // TESTS):
            stream.write(run)
        stream.write(b"</testsuites>")


def measure(rows: int) -> dict[str, Any]:
    """One file, read by a process of its own."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "report.xml"
        write(path, rows)
        start = time.perf_counter()
        command = [sys.executable, "-c", MEASURE, str(path)]
        done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=1800)
        seconds = time.perf_counter() - start
        attempts, successes, memory = done.stdout.split()
        if int(attempts) != rows or int(successes) != rows * 9 // 10:
            raise RuntimeError(f"{attempts} attempts and {successes} successes were counted")
        size = path.stat().st_size / 1e6
    return {
        "rows": rows,
        "file MB": size,
        "seconds": seconds,
        "rows per second": rows / seconds,
        "memory MB": float(memory),
    }


def main() -> list[dict[str, Any]]:
    """Measure and print; memory must not grow with the rows."""
    found = [measure(rows) for rows in (ROWS // 100, ROWS)]
    names = list(found[0])
    print_table("JUnit XML, streamed", names, [[f"{row[n]:,.0f}" for n in names] for row in found])
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Memory does not grow with the rows."""
    small, large = (row["memory MB"] for row in found)
    return [at_most("memory at 10 million rows / at 100,000", large / small, MOST_GROWTH)]


if __name__ == "__main__":
    print_goals(goals(main()))
