"""Far workers under faults, at length: workers, services and what runs between them are spoilt."""

import json
import subprocess
import sys
from typing import Any, Final

from goals import print_goals
from store_faults import goals
from stores import TESTS, databases

from goodarm.cli.output import print_table
from goodarm.views.text import TableLayout

FAULTS: Final = (
    *("--rewards", "200000", "--workers", "8", "--servers", "2", "--kills", "200"),
    *("--stops", "40", "--most", "60", "--rate", "0.05", "--pause", "0.3"),
)


def under_faults(kind: str, store: str) -> dict[str, Any]:
    """Spoil and kill workers, services and what runs between them, and ask the judge."""
    command = [sys.executable, str(TESTS / "client" / "crowd.py"), store, *FAULTS]
    done = subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True)
    return {"database": kind, **json.loads(done.stdout)}


def main() -> list[dict[str, Any]]:
    """Try both databases."""
    with databases() as urls:
        found = [under_faults(*each) for each in urls.items()]
    header = ("database", "rewards", "killed or stopped", "spoilt on the way", "seed", "wrong")
    rows = [
        (
            row["database"],
            f"{row['rewards']:,}",
            ", ".join(f"{number} x {name}" for name, number in row["troubles"].items()),
            f"{sum(n for name, n in row['faults'].items() if name != 'none'):,}",
            str(row["seed"]),
            "; ".join(row["wrong"][:3]) or "nothing",
        )
        for row in found
    ]
    print_table("Workers far away, under faults", header, rows, TableLayout(left=1))
    return found


if __name__ == "__main__":
    print_goals(goals(main()))
