"""Speed before and now, side by side: an earlier commit and this tree, measured in turns.

``python sides.py [REVISION]``. Both are run from their sources, each with a cache of compiled
kernels of its own, in processes that measure one figure each (``figure.py``). Machines are noisy:
each figure is taken twice on each side, the smaller counts, and the ratio is what to compare.
"""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from goodarm.cli.layout import Shape
from goodarm.cli.output import print_table

ROOT: Final = Path(__file__).parents[1]
FIGURE: Final = Path(__file__).with_name("figure.py")

BEFORE: Final = "68ba11f"
"""The last commit whose KL rules had an exact clock."""

MOST_SECONDS: Final = 400
"""A figure that takes longer is not known."""

FIGURES: Final = {
    "e-hdoc on MovieLens to 1e6 pulls": ("instance:movielens:1:1e6", "ns/pull", 5.0),
    "on 500 arms to 1e5 pulls": ("line:500:1e5", "ns/pull", 5.0),
    "on 500 arms to 2e4 pulls": ("line:500:2e4", "ns/pull", 5.0),
    "on jester to 2e6 pulls": ("instance:jester:1:2e6", "ns/pull", 2.0),
    "on synthetic": ("instance:synthetic:40:1e9", "ns/pull", 2.0),
    "on covertype": ("instance:covertype:40:1e9", "ns/pull", 2.0),
    "on four": ("instance:four:300:1e9", "ns/pull", 2.0),
    "on ten": ("instance:ten:150:1e9", "ns/pull", 2.0),
    "500 arms: end of 2e4 pulls / middle": ("end:500:2e4", "ratio", 1.0),
    "ask and tell, 10 arms": ("pairs:10:1", "us/pull", 40.0),
    "ask and tell, 10,000 arms": ("pairs:10000:1", "us/pull", 60.0),
    "batches of 100, 10 arms": ("pairs:10:100", "us/pull", 15.0),
    "batches of 100, 10,000 arms": ("pairs:10000:100", "us/pull", 15.0),
    "reports of 10,000 arms": ("reports:10000", "s", 0.3),
    "to_dict of a million pulls": ("document:write:1e6", "s", 1.0),
    "from_dict of a million pulls": ("document:read:1e6", "s", 1.0),
    "plan, 500 arms, a budget of 200,000": ("plan:500:budget:2e5", "s", 15.0),
    "plan, 1000 arms, gap .1": ("plan:1000:gap:.1", "s", 10.0),
    "first simulate, nothing compiled": ("first:simulate", "s", 15.0),
    "first plan, nothing compiled": ("first:plan", "s", 15.0),
}
"""What is measured: how ``figure.py`` calls it, its unit, and the goal, which is a speed-up for
pulls and a limit for the rest."""


@contextmanager
def sources(revision: str) -> Iterator[Path]:
    """The sources of an earlier commit, in a folder that is there for a while."""
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


def both(case: str, unit: str, sides: dict[str, Path], caches: str) -> dict[str, float | None]:
    """The smaller of two figures on each side, taken in turns; one where it takes seconds."""
    found: dict[str, float | None] = {}
    is_first = case.startswith("first")
    for turn in range(1 if unit == "s" else 2):
        for side, source in sides.items():
            cache = f"{caches}/{side}{f'-{case}' if is_first else ''}"
            figure = None if turn and found[side] is None else measure(case, source, cache)
            known = [value for value in (found.get(side), figure) if value is not None]
            found[side] = min(known, default=None)
    return found


def row(name: str, unit: str, goal: float, found: dict[str, float | None]) -> dict[str, Any]:
    """A figure on both sides, their ratio, and whether the goal is met."""
    before, now = found["before"], found["now"]
    ratio = before / now if before is not None and now is not None else None
    is_met = now is not None and now <= goal
    if unit == "ns/pull":
        is_met = ratio is not None and ratio >= goal
    return {"figure": name, "unit": unit, **found, "ratio": ratio, "goal": goal, "met": is_met}


def main(revision: str = BEFORE) -> list[dict[str, Any]]:
    """Measure everything and print it."""
    rows = []
    with sources(revision) as before, tempfile.TemporaryDirectory() as caches:
        sides = {"before": before, "now": ROOT / "src"}
        for name, (case, unit, goal) in FIGURES.items():
            rows.append(row(name, unit, goal, both(case, unit, sides, caches)))
    cells = [
        (
            found["figure"],
            found["unit"],
            "-" if found["before"] is None else f"{found['before']:.3g}",
            "-" if found["now"] is None else f"{found['now']:.3g}",
            "-" if found["ratio"] is None else f"{found['ratio']:.1f}",
            f"{found['goal']:g} times" if found["unit"] == "ns/pull" else f"{found['goal']:g}",
            "yes" if found["met"] else "no",
        )
        for found in rows
    ]
    header = ("figure", "unit", "before", "now", "before/now", "goal", "met")
    print_table(f"Before ({revision}) and now", header, cells, Shape(left=2))
    return rows


if __name__ == "__main__":
    main(*sys.argv[1:])
