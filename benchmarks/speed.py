"""Pulls per second of both engines on one core, beside a loop that only draws random words.

Machines are noisy: the ratios, measured in the same run, are what to compare.
"""

import json
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import numba
import numpy as np

import goodarm as ga
from goodarm import datasets
from goodarm.cli.output import print_table
from goodarm.kernels.philox import philox

INSTANCES = {
    "synthetic": 60_000_000,
    "covertype": 40_000_000,
    "jester": 20_000_000,
    "movielens": 8_000_000,
}
"""How many pulls of each instance are measured."""

KEPT = Path(__file__).parent / "results" / "speed.json"


@numba.njit
def draw_words(count: int) -> int:
    """One Philox word per pull and nothing else."""
    found = np.uint64(0)
    zero = np.uint64(0)
    for block in range(count // 4):
        a, b, c, d = philox(zero, zero, np.uint64(block), zero, zero, zero)
        found ^= a ^ b ^ c ^ d
    return found


def words_per_second(count: int = 100_000_000) -> float:
    """Words that the bare loop draws in a second."""
    draw_words(4)
    start = time.perf_counter()
    draw_words(count)
    return count / (time.perf_counter() - start)


def measure(instance: str, algorithm: str, engine: str, pulls: int) -> tuple[float, ga.Runs]:
    """Pulls of one run on one thread in a second, and the run."""
    found = datasets.load(instance)
    with ThreadPoolExecutor(1) as executor:

        def run(max_pulls: int) -> ga.Runs:
            return ga.simulate(
                found.means,
                found.threshold,
                0.01,
                algorithm,
                runs=1,
                max_pulls=max_pulls,
                engine=engine,
                executor=executor,
            )

        run(1000)
        start = time.perf_counter()
        runs = run(pulls)
        return float(runs.stop[0]) / (time.perf_counter() - start), runs


def main() -> None:
    """Measure everything, check that the engines agree, print it and keep it in a file."""
    bare = words_per_second()
    rows = [("one Philox word per pull", "-", "-", f"{bare / 1e6:.1f}", "-", "1.00")]
    for instance, pulls in INSTANCES.items():
        for algorithm in ga.algorithms():
            plain, expected = measure(instance, algorithm, "reference", pulls)
            fast, found = measure(instance, algorithm, "fast", pulls)
            if found != expected:
                raise SystemExit(f"The engines differ on {instance} with {algorithm}.")
            rates = (f"{plain / 1e6:.2f}", f"{fast / 1e6:.2f}")
            rows.append((instance, algorithm, *rates, f"{fast / plain:.1f}", f"{fast / bare:.2f}"))
    header = ("instance", "algorithm", "plain", "fast", "fast/plain", "fast/Philox")
    print_table("Million pulls per second on one core", header, rows, left=2)
    KEPT.parent.mkdir(exist_ok=True)
    KEPT.write_text(json.dumps([dict(zip(header, row, strict=True)) for row in rows], indent=2))


if __name__ == "__main__":
    main()
