"""What one pull costs as the number of arms grows, and the memory that each instance takes."""

import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import matplotlib
import numpy as np

import goodarm as ga
from goodarm.cli.output import print_table

matplotlib.use("agg")
from matplotlib import pyplot as plt

SIZES = (10, 30, 100, 300, 1000, 3000, 10_000, 30_000, 100_000)
PULLS_PER_ARM = 100
MOST_PLAIN = 1000
"""Beyond so many arms the plain loop would take minutes."""

PICTURE = Path(__file__).parents[1] / "docs" / "images" / "cost_per_pull.png"

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


def nanoseconds_per_pull(num_arms: int, engine: str) -> float:
    """The cost of a pull, from the second pull of each arm to the hundredth on average."""
    means = np.linspace(0.3, 0.7, num_arms)
    with ThreadPoolExecutor(1) as executor:

        def seconds(max_pulls: int, runs: int) -> float:
            start = time.perf_counter()
            ga.simulate(
                means,
                0.9,
                0.01,
                "hdoc",
                runs,
                max_pulls=max_pulls,
                engine=engine,
                executor=executor,
            )
            return time.perf_counter() - start

        runs = max(1, 20_000 // num_arms)
        seconds(2 * num_arms, 1)
        whole = min(seconds(PULLS_PER_ARM * num_arms, runs) for _ in range(3))
        start = min(seconds(num_arms, runs) for _ in range(3))
    return 1e9 * (whole - start) / (runs * (PULLS_PER_ARM - 1) * num_arms)


def megabytes(instance: str, max_pulls: int) -> float:
    """The most memory that a process takes which simulates so many pulls in two threads."""
    command = [sys.executable, "-c", MEMORY_SCRIPT, instance, str(max_pulls)]
    done = subprocess.run(command, capture_output=True, text=True, check=True, timeout=600)
    return float(done.stdout)


def draw(costs: list[dict[str, Any]]) -> None:
    """The picture of the docs."""
    figure, axes = plt.subplots(figsize=(6.4, 4.0), layout="constrained")
    sizes = [row["arms"] for row in costs]
    fast = [row["fast, ns per pull"] for row in costs]
    axes.plot(sizes, fast, "o-", label="fast engine")
    plain = [(row["arms"], row["plain, ns per pull"]) for row in costs if row["plain, ns per pull"]]
    axes.plot(*zip(*plain, strict=True), "s-", label="plain loop")
    logs = fast[0] * np.log(sizes) / np.log(sizes[0])
    axes.plot(sizes, logs, ":", color="gray", label="log K, for comparison")
    axes.set(xscale="log", yscale="log", xlabel="arms K", ylabel="nanoseconds per pull, one core")
    axes.grid(alpha=0.3)
    axes.legend(frameon=False)
    figure.savefig(PICTURE, dpi=150)
    plt.close(figure)


def main() -> dict[str, list[dict[str, Any]]]:
    """Measure, print, and draw the picture."""
    costs: list[dict[str, Any]] = []
    for size in SIZES:
        plain = nanoseconds_per_pull(size, "reference") if size <= MOST_PLAIN else None
        fast = nanoseconds_per_pull(size, "fast")
        costs.append({"arms": size, "fast, ns per pull": fast, "plain, ns per pull": plain})
    rows = [
        (
            f"{row['arms']:,}",
            f"{row['fast, ns per pull']:.1f}",
            "-" if row["plain, ns per pull"] is None else f"{row['plain, ns per pull']:.1f}",
        )
        for row in costs
    ]
    title = f"HDoC, nanoseconds per pull over the first {PULLS_PER_ARM} pulls of each arm"
    print_table(title, ("arms", "fast", "plain"), rows)
    draw(costs)

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
