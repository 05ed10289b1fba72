"""Pulls per second of both engines on one core, beside a loop that only draws random words.

Machines are noisy: the ratios, measured in the same run, are what to compare.
"""

import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numba
import numpy as np
import typer
from goals import Goal, at_least, print_goals

import goodarm as ga
from goodarm import datasets
from goodarm.cli.output import print_table
from goodarm.kernels.numerics.philox import philox
from goodarm.kernels.simulation.loop_choice import can_jumps_pay
from goodarm.views.text import TableLayout

INSTANCES = {
    "synthetic": 60_000_000,
    "covertype": 40_000_000,
    "jester": 20_000_000,
    "movielens": 8_000_000,
}
"""How many pulls of each instance are measured."""

ALGORITHMS = ("hdoc", "lil-hdoc", "lucb-g", "apt-g", "e-hdoc", "cho2025")

FEWER = {
    ("jester", "e-hdoc"): 900_000,
    ("jester", "cho2025"): 900_000,
    ("movielens", "e-hdoc"): 900_000,
    ("movielens", "cho2025"): 100_000,
}
"""Where the plain loop would take minutes."""

RUNS = 20
"""Of algorithms whose runs are short."""


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
    """Return the pulls on one thread in a second, and the runs."""
    found = datasets.load(instance)
    with ThreadPoolExecutor(1) as executor:

        def run(max_pulls: int) -> ga.Runs:
            return ga.simulate(
                found.means,
                threshold=found.threshold,
                delta=0.01,
                algorithm=algorithm,
                runs=RUNS if algorithm in ("e-hdoc", "cho2025") and pulls >= 1_000_000 else 1,
                max_pulls=max_pulls,
                engine=engine,
                executor=executor,
            )

        run(1000)
        start = time.perf_counter()
        runs = run(pulls)
        return float(runs.stop.sum()) / (time.perf_counter() - start), runs


def main() -> list[dict[str, Any]]:
    """Measure everything, check that the engines agree, and print it."""
    bare = words_per_second()
    found: list[dict[str, Any]] = []
    for instance, pulls in INSTANCES.items():
        for algorithm in ALGORITHMS:
            most = FEWER.get((instance, algorithm), pulls)
            plain, expected = measure(instance, algorithm, "reference", most)
            fast, runs = measure(instance, algorithm, "fast", most)
            if runs != expected:
                raise SystemExit(f"The engines differ on {instance} with {algorithm}.")
            found.append(
                {
                    "instance": instance,
                    "algorithm": algorithm,
                    "plain pulls per second": plain,
                    "fast pulls per second": fast,
                    "fast / plain": fast / plain,
                    "fast / one Philox word per pull": fast / bare,
                }
            )
    rows = [
        (
            row["instance"],
            row["algorithm"],
            f"{row['plain pulls per second'] / 1e6:.2f}",
            f"{row['fast pulls per second'] / 1e6:.1f}",
            f"{row['fast / plain']:.1f}",
            f"{row['fast / one Philox word per pull']:.2f}",
        )
        for row in found
    ]
    header = ("instance", "algorithm", "plain", "fast", "fast/plain", "fast/Philox")
    print_table("Million pulls per second on one core", header, rows, TableLayout(left=2))
    typer.echo(f"One Philox word per pull and nothing else: {bare / 1e6:.0f} million per second.\n")
    return found


def jumps(instance: str, algorithm: str) -> bool:
    """Whether the fast engine has a loop of its own there; elsewhere it is the plain loop."""
    found = datasets.load(instance)
    problem = ga.Problem(len(found.means), found.threshold, 0.01)
    return can_jumps_pay(ga.algorithms()[algorithm].algorithm.setup(problem))


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Return the goal: the fast engine is nowhere slower; ``main`` checks that both agree."""
    ratios = {
        f"{row['algorithm']} on {row['instance']}": row["fast / plain"]
        for row in found
        if jumps(row["instance"], row["algorithm"])
    }
    slowest = min(ratios, key=ratios.__getitem__)
    return [at_least(f"least fast / plain ({slowest})", ratios[slowest], 1.0)]


if __name__ == "__main__":
    print_goals(goals(main()))
