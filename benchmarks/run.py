"""``make bench`` and ``make bench-faults``: run benchmarks one after the other, then judge them.

    python run.py [PART ...]

A part is a module of this folder with a function ``main``, which measures and prints, and a
function ``goals``, which says of what ``main`` returned which goals were met. One table of all
goals is printed at the end. A part that fails counts as a missed goal, and the others go on; the
exit code is 1 then. Goals that are missed leave it at 0: machines are noisy.

What was measured is kept in benchmarks/results, one file for each part.
"""

import importlib
import json
import sys
import time
import traceback
from collections.abc import Sequence
from pathlib import Path

import typer
from goals import Goal, print_goals

RESULTS = Path(__file__).parent / "results"

PARTS = (
    "pulls",
    "rewards",
    "units",
    "speed_comparison",
    "engines",
    "ask_tell",
    "planning",
    "peers",
    "arms",
    "logs",
    "warehouse",
    "stores",
    "page_speed",
    "service",
)


def run_part(name: str, folder: Path) -> tuple[list[Goal], bool]:
    """Run one part; its goals, and whether it came to its end."""
    typer.echo(f"--- {name}")
    start = time.perf_counter()
    try:
        part = importlib.import_module(name)
        found = part.main()
        goals: list[Goal] = part.goals(found)
    except Exception as error:
        typer.echo(traceback.format_exc())
        reason = f"{type(error).__name__}: {error}".splitlines()[0]
        return [Goal(name, "runs to its end", reason, False)], False
    folder.mkdir(exist_ok=True)
    (folder / f"{name}.json").write_text(json.dumps(found, indent=2) + "\n", encoding="utf-8")
    typer.echo(f"--- {name} took {time.perf_counter() - start:.0f} seconds\n")
    return [goal._replace(name=f"{name}: {goal.name}") for goal in goals], True


def main(names: Sequence[str] = PARTS, folder: Path = RESULTS) -> int:
    """Run the parts, print the table of their goals, and return the exit code."""
    start = time.perf_counter()
    goals: list[Goal] = []
    is_whole = True
    for name in names:
        found, came_to_its_end = run_part(name, folder)
        goals += found
        is_whole = is_whole and came_to_its_end
    print_goals(goals)
    minutes = (time.perf_counter() - start) / 60
    typer.echo(f"{len(names)} parts in {minutes:.0f} minutes; figures are in {folder}.")
    return 0 if is_whole else 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:] or PARTS))
