"""Stores under faults, at length: workers killed with SIGKILL, at random and at named points."""

import json
import subprocess
import sys
from typing import Any, Final

from goals import Goal, print_goals
from stores import TESTS, databases

from goodarm.cli.output import print_table
from goodarm.views.text import TableLayout

FAULTS: Final = ("--rewards", "200000", "--kills", "500", "--most", "60", "--writers", "4")


def under_faults(kind: str, url: str) -> dict[str, Any]:
    """Kill workers at random and at named points: what was acknowledged is there once."""
    found: dict[str, Any] = {"database": kind}
    for script, words in (("points.py", ()), ("crowd.py", FAULTS)):
        command = [sys.executable, str(TESTS / "store" / script), url, *words]
        done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
        found |= json.loads(done.stdout)
        if found["wrong"]:
            break
    return found


def main() -> list[dict[str, Any]]:
    """Try both databases, empty at first: named points are reached from the first table on."""
    with databases() as urls:
        found = [under_faults(*each) for each in urls.items()]
    rows = [
        (
            row["database"],
            f"{row.get('rewards', 0):,}",
            f"{row.get('kills', 0):,}",
            f"{sum(row['deaths'].values()):,} at {len(row['deaths'])} points",
            str(row.get("seed")),
            "; ".join(row["wrong"][:3]) or "nothing",
        )
        for row in found
    ]
    header = ("database", "rewards", "killed at work", "and one by one", "seed", "wrong")
    print_table("Workers killed with SIGKILL", header, rows, TableLayout(left=1))
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Return the goals: the judge finds nothing wrong."""
    return [
        Goal(row["database"], "nothing wrong", f"{len(row['wrong'])} wrong", not row["wrong"])
        for row in found
    ]


if __name__ == "__main__":
    print_goals(goals(main()))
