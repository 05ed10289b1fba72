"""What one pull costs as the number of arms grows, and the memory that each instance takes.

The costs are kept in docs/bench/cost_per_pull.json; ``make figures`` draws them.
"""

import json
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np
from goals import Goal, at_most, print_goals

import goodarm as ga
from goodarm.cli.output import print_table

matplotlib.use("agg")
from matplotlib import pyplot as plt
from matplotlib.ticker import LogLocator, NullFormatter

SIZES = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
PULLS_PER_ARM = 100
THRESHOLDS = {"hdoc": 0.9, "e-hdoc": 0.5}
"""HDoC labels nobody within these pulls; e-hdoc labels some, and is left with the hard ones."""

CURVES = (
    ("hdoc, fast", "o-", "C0"),
    ("hdoc, plain", "o--", "C0"),
    ("e-hdoc, fast", "s-", "C1"),
    ("e-hdoc, plain", "s--", "C1"),
)
MOST_PLAIN = 1000
"""The most arms for the plain loop, which looks at all of them: with more it would take minutes."""

COSTS = Path(__file__).parents[1] / "docs" / "bench" / "cost_per_pull.json"

MEMORY_SCRIPT = """
import sys
from pathlib import Path
import goodarm as ga
from goodarm import datasets
found = datasets.load(sys.argv[1])
ga.simulate(found.means, found.threshold, 0.01, "hdoc", runs=2, max_pulls=int(sys.argv[2]))
status = Path("/proc/self/status").read_text()
print(int(status.split("VmHWM:")[1].split()[0]) / 1024)
"""


def nanoseconds_per_pull(num_arms: int, algorithm: str, engine: str) -> float:
    """Return the cost of a pull, on average from the second pull of each arm to the hundredth."""
    means, threshold = np.linspace(0.3, 0.7, num_arms), THRESHOLDS[algorithm]
    with ThreadPoolExecutor(1) as executor:

        def cost(max_pulls: int, runs: int) -> tuple[float, int]:
            start = time.process_time()
            found = ga.simulate(
                means,
                threshold=threshold,
                delta=0.01,
                algorithm=algorithm,
                runs=runs,
                max_pulls=max_pulls,
                engine=engine,
                executor=executor,
            )
            return time.process_time() - start, int(found.stop.sum())

        runs = max(1, 20_000 // num_arms)
        cost(2 * num_arms, 1)
        whole, pulls = min(cost(PULLS_PER_ARM * num_arms, runs) for _ in range(3))
        start, warmup = min(cost(num_arms, runs) for _ in range(3))
    return 1e9 * (whole - start) / (pulls - warmup)


def megabytes(instance: str, max_pulls: int) -> float:
    """Return the most memory of a process that simulates ``max_pulls`` pulls in two threads."""
    command = [sys.executable, "-c", MEMORY_SCRIPT, instance, str(max_pulls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return float(done.stdout)


def read_costs() -> list[dict[str, Any]]:
    """Return the costs that were measured last."""
    costs: list[dict[str, Any]] = json.loads(COSTS.read_text(encoding="utf-8"))
    return costs


def write_costs(costs: list[dict[str, Any]]) -> None:
    """Keep the costs, in nanoseconds with a decimal; a line for each number of arms."""
    rows = [{k: v if v is None else round(v, 1) for k, v in row.items()} for row in costs]
    lines = ",\n  ".join(json.dumps(row) for row in rows)
    COSTS.write_text(f"[\n  {lines}\n]\n", encoding="utf-8", newline="\n")


def draw(costs: list[dict[str, Any]], path: Path) -> None:
    """Draw the picture of the docs."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    sizes = [row["arms"] for row in costs]
    for name, shape, color in CURVES:
        found = [(row["arms"], row[name]) for row in costs if row[name] is not None]
        axes.plot(*zip(*found, strict=True), shape, color=color, label=name)
    logs = costs[0]["hdoc, fast"] * np.log(sizes) / np.log(sizes[0])
    axes.plot(sizes, logs, ":", color="gray", label="growth like log(arms)")
    axes.set(xscale="log", yscale="log", xlabel="arms", ylabel="nanoseconds per pull, one core")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter("{x:,.0f}")
    axes.yaxis.set_major_locator(LogLocator(subs=(1, 2, 5)))
    axes.yaxis.set_minor_formatter(NullFormatter())
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(path, dpi=150)
    plt.close(figure)


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure, print, and draw the picture."""
    costs: list[dict[str, Any]] = []
    for size in SIZES:
        row: dict[str, Any] = {"arms": size}
        for name, _, _ in CURVES:
            algorithm, engine = name.split(", ")
            is_slow = name == "hdoc, plain" and size > MOST_PLAIN
            engine = {"plain": "reference"}.get(engine, engine)
            row[name] = None if is_slow else nanoseconds_per_pull(size, algorithm, engine)
        costs.append(row)
    names = [name for name, _, _ in CURVES]
    rows = [
        (
            f"{row['arms']:,}",
            *("-" if row[name] is None else f"{row[name]:.1f}" for name in names),
        )
        for row in costs
    ]
    title = f"Nanoseconds per pull over the first {PULLS_PER_ARM} pulls of each arm"
    print_table(title, ("arms", *names), rows)
    write_costs(costs)

    memory = [
        {"instance": name, "pulls": pulls, "MB": megabytes(name, pulls)}
        for name in ("synthetic", "covertype", "jester", "movielens")
        for pulls in (1_000_000, 30_000_000)
    ]
    rows = [(row["instance"], f"{row['pulls']:,}", f"{row['MB']:.0f}") for row in memory]
    print_table(
        "Most memory of a whole process, two runs at once", ("instance", "pulls", "MB"), rows
    )
    return {"cost by arms": costs, "memory": memory}


def goals(found: dict[str, list[dict[str, Any]]]) -> list[Goal]:
    """Return the goal: a pull of e-hdoc among 10,000 arms costs at most ten among 100."""
    costs = {row["arms"]: row["e-hdoc, fast"] for row in found["cost by arms"]}
    return [at_most("e-hdoc, a pull of 10,000 arms / of 100", costs[10_000] / costs[100], 10.0)]


if __name__ == "__main__":
    print_goals(goals(main()))
