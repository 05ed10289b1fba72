"""Speed of e-hdoc before and now: an earlier commit and this tree, measured in turns.

``python speed_comparison.py [REVISION]``. Both are run from their sources, each with a cache of
compiled kernels of its own, in processes that measure one figure each (``speed_figure.py``).
Machines are noisy: each figure is taken several times on each side, the smallest counts, and the
ratio is what to compare.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from goals import Goal, at_least, at_most, print_goals

from goodarm.cli.output import print_table
from goodarm.views.text import TableLayout

ROOT: Final = Path(__file__).parents[1]
FIGURE: Final = Path(__file__).with_name("speed_figure.py")

BEFORE: Final = "68ba11f"
"""The last commit whose KL rules had an exact clock."""

TURNS: Final = 3
MOST_SECONDS: Final = 400
"""A figure that takes longer is not known."""

FIGURES: Final = {
    "MovieLens to 1e6 pulls": ("instance:movielens:1:1e6", "ns/pull", 5.0),
    "on 500 arms to 1e5 pulls": ("line:500:1e5", "ns/pull", 5.0),
    "on 500 arms to 2e4 pulls": ("line:500:2e4", "ns/pull", 5.0),
    "on jester to 2e6 pulls": ("instance:jester:1:2e6", "ns/pull", 2.0),
    "on synthetic": ("instance:synthetic:40:1e9", "ns/pull", 2.0),
    "on covertype": ("instance:covertype:40:1e9", "ns/pull", 2.0),
    "on four": ("instance:four:300:1e9", "ns/pull", 2.0),
    "on ten": ("instance:ten:150:1e9", "ns/pull", 2.0),
    "500 arms: end of 2e4 pulls / middle": ("end:500:2e4", "ratio", 1.0),
}
"""What is measured: how ``speed_figure.py`` calls it, its unit, and the goal, which is a speed-up
for pulls and a limit for the ratio."""


@contextmanager
def sources(revision: str) -> Iterator[Path]:
    """Yield the sources of an earlier commit, in a temporary folder."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "before"
        command = ["git", "-C", str(ROOT), "archive", "--format=tar", revision, "src"]
        packed = subprocess.run(command, check=True, capture_output=True).stdout
        target.mkdir()
        subprocess.run(["tar", "-x", "-C", str(target)], input=packed, check=True)
        yield target / "src"


def measure(case: str, source: Path, cache: str) -> float | None:
    """One figure, or None if it took too long."""
    environment = {**os.environ, "PYTHONPATH": str(source), "NUMBA_CACHE_DIR": cache}
    try:
        done = subprocess.run(
            [sys.executable, str(FIGURE), case],
            capture_output=True,
            text=True,
            check=True,
            timeout=MOST_SECONDS,
            env=environment,
        )
    except subprocess.TimeoutExpired:
        return None
    return float(done.stdout)


def both(case: str, sides: dict[str, Path], caches: str) -> dict[str, float | None]:
    """Return the smallest figure on each side, taken in turns."""
    found: dict[str, float | None] = {}
    for turn in range(TURNS):
        for side, source in sides.items():
            is_hopeless = turn > 0 and found[side] is None
            figure = None if is_hopeless else measure(case, source, f"{caches}/{side}")
            known = [value for value in (found.get(side), figure) if value is not None]
            found[side] = min(known, default=None)
    return found


def row(name: str, unit: str, goal: float, found: dict[str, float | None]) -> dict[str, Any]:
    """Return a figure on both sides, their ratio, and the goal."""
    before, now = found["before"], found["now"]
    ratio = before / now if before is not None and now is not None else None
    return {"figure": name, "unit": unit, **found, "ratio": ratio, "goal": goal}


def main(revision: str = BEFORE) -> list[dict[str, Any]]:
    """Measure everything and print it."""
    rows = []
    with sources(revision) as before, tempfile.TemporaryDirectory() as caches:
        sides = {"before": before, "now": ROOT / "src"}
        for name, (case, unit, goal) in FIGURES.items():
            rows.append(row(name, unit, goal, both(case, sides, caches)))
    cells = [
        (
            found["figure"],
            found["unit"],
            "-" if found["before"] is None else f"{found['before']:.3g}",
            "-" if found["now"] is None else f"{found['now']:.3g}",
            "-" if found["ratio"] is None else f"{found['ratio']:.1f}",
            f"{found['goal']:g} times" if found["unit"] == "ns/pull" else f"{found['goal']:g}",
        )
        for found in rows
    ]
    header = ("figure", "unit", "before", "now", "before/now", "goal")
    print_table(f"e-hdoc before ({revision}) and now", header, cells, TableLayout(left=2))
    return rows


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Speed-ups of pulls, and the price of a budget's end."""
    return [
        at_least(row["figure"], row["ratio"], row["goal"], "times as fast")
        if row["unit"] == "ns/pull"
        else at_most(row["figure"], row["now"], row["goal"])
        for row in found
    ]


if __name__ == "__main__":
    print_goals(goals(main(*sys.argv[1:])))
