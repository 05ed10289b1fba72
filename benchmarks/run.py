"""``make bench``: pulls and speed, printed and kept in benchmarks/results/bench.json.

Machines are noisy: the ratios, measured in the same run, are what to compare.
"""

import json
from pathlib import Path

import arms
import asking
import engines
import logs
import page
import peers
import pulls
import sides
import stores
import typer
import warehouse

import planning
import rewards
import service

KEPT = Path(__file__).parent / "results" / "bench.json"


def main() -> None:
    """Measure everything."""
    found = {
        "pulls": pulls.main(),
        "rewards": rewards.main(),
        "before and now": sides.main(),
        "engines": engines.main(),
        "asking": asking.main(),
        "planning": planning.main(),
        "peers": peers.main(),
        **arms.main(),
        "logs": logs.main(),
        "warehouse": warehouse.main(),
        "stores": stores.main(),
        "page": page.main(),
        "service": service.main(),
    }
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps(found, indent=2) + "\n")
    typer.echo(f"Kept in {KEPT.relative_to(Path.cwd())}.")


if __name__ == "__main__":
    main()
