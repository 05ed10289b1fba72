"""Seconds that a plan takes, how precise it is, and when its progress first moves.

Wall time on all cores, with the kernels compiled beforehand; a first use is measured apart, in CPU
seconds of a process whose cache of kernels is empty.
"""

import os
import resource
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass
from typing import Any

import numpy as np
from goals import Goal, at_most, print_goals

import goodarm as ga
from goodarm.cli.output import print_table

SPREAD = np.linspace(0.3, 0.7, 500).tolist()
"""500 means from .3 to .7, whose threshold is .5."""

PLANS: dict[str, dict[str, Any]] = {
    "6 arms, gap .05": {"num_arms": 6, "distance": 0.05},
    "6 arms, hdoc": {"num_arms": 6, "distance": 0.05, "algorithm": "hdoc"},
    "6 arms, 5,000 pulls": {"num_arms": 6, "budget": 5_000},
    "500 arms, 200,000 pulls": {"num_arms": 500, "budget": 200_000},
    "500 means, first 10, 50,000 pulls": {"means": SPREAD, "until": 10, "budget": 50_000},
    "1000 arms, gap .1": {"num_arms": 1000, "distance": 0.1},
    "1000 arms, hdoc": {"num_arms": 1000, "distance": 0.1, "algorithm": "hdoc"},
}

FIRST_USES = {
    "first simulate": "ga.simulate([.6, .4], threshold=.5, delta=.05)",
    "first plan": "ga.plan([.7, .6, .4, .2], threshold=.5, delta=.05)",
}


@dataclass(frozen=True)
class Timed:
    """One plan: how long it took, and how long its progress stood still at the most."""

    seconds: float
    first_move: float
    longest_still: float
    runs: int
    precision: float | None


def timed(asked: dict[str, Any]) -> Timed:
    """Make a plan and time it."""
    start = time.perf_counter()
    moves = [0.0]
    furthest = 0.0

    def watch(_: str, part: float, __: int) -> None:
        nonlocal furthest
        if part > furthest:
            furthest = part
            moves.append(time.perf_counter() - start)

    (forecast,) = ga.plan(threshold=0.5, delta=0.05, progress=watch, **asked).forecasts
    seconds = time.perf_counter() - start
    still = max(np.diff([*moves, seconds]))
    return Timed(seconds, moves[1], float(still), forecast.runs, forecast.precision)


def first_use(call: str) -> float:
    """CPU seconds of a process that finds no compiled kernel."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run(
            [sys.executable, "-c", f"import goodarm as ga; {call}"],
            check=True,
            capture_output=True,
            env={**os.environ, "NUMBA_CACHE_DIR": folder},
        )
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def main() -> list[dict[str, Any]]:
    """Print the tables; the rows of both, as they would be kept."""
    for name in ("e-hdoc", "hdoc"):
        ga.plan([0.9, 0.1], threshold=0.5, delta=0.05, algorithm=name, runs=2)
    kept: list[dict[str, Any]] = []
    for name, asked in PLANS.items():
        kept.append({"plan": name, **vars(timed(asked))})
    rows = [
        [
            row["plan"],
            f"{row['seconds']:.1f}",
            f"{row['first_move']:.1f}",
            f"{row['longest_still']:.1f}",
            str(row["runs"]),
            f"{100 * row['precision']:.1f} %",
        ]
        for row in kept
    ]
    header = ["plan", "seconds", "first move", "longest still", "runs", "precision"]
    print_table("Plans", header, rows)
    uses = [{"use": name, "cpu_seconds": first_use(call)} for name, call in FIRST_USES.items()]
    cells = [[str(use["use"]), f"{use['cpu_seconds']:.1f}"] for use in uses]
    print_table("First use, nothing compiled", ["use", "CPU seconds"], cells)
    return [*kept, *uses]


SECONDS_LIMITS = {"500 arms, 200,000 pulls": 15.0, "1000 arms, gap .1": 10.0}
FIRST_MOVE_LIMIT = 1.0
FIRST_USE_LIMIT = 15.0


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """How long plans may take, when their progress moves, and what a first use costs."""
    plans = [row for row in found if "plan" in row]
    goals = [
        at_most(row["plan"], row["seconds"], SECONDS_LIMITS[row["plan"]], "s")
        for row in plans
        if row["plan"] in SECONDS_LIMITS
    ]
    latest = max(row["first_move"] for row in plans)
    goals.append(at_most("first move of the progress, latest", latest, FIRST_MOVE_LIMIT, "s"))
    uses = [row for row in found if "use" in row]
    return goals + [
        at_most(row["use"], row["cpu_seconds"], FIRST_USE_LIMIT, "s of CPU") for row in uses
    ]


if __name__ == "__main__":
    print_goals(goals(main()))
