"""Pulls per second of the plain engine on one core, beside a loop that only draws random words.

Machines are noisy: the ratio to the bare loop, measured in the same run, is what to compare.
"""

import time
from concurrent.futures import ThreadPoolExecutor

import numba
import numpy as np

import goodarm as ga
from goodarm.cli.output import print_table
from goodarm.kernels.philox import philox

SYNTHETIC = ([0.007, 0.006, 0.005, 0.003, 0.002, 0.001], 0.004)
WIDE = (list(np.linspace(0.02, 0.06, 1000)), 0.0405)


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


def pulls_per_second(means: list[float], threshold: float, algorithm: str, pulls: int) -> float:
    """Pulls of one run on one thread in a second."""
    with ThreadPoolExecutor(1) as executor:

        def run(max_pulls: int) -> int:
            runs = ga.simulate(
                means,
                threshold,
                0.01,
                algorithm,
                runs=1,
                max_pulls=max_pulls,
                engine="reference",
                executor=executor,
            )
            return int(runs.stop[0])

        run(1000)
        start = time.perf_counter()
        made = run(pulls)
        return made / (time.perf_counter() - start)


def main() -> None:
    """Measure everything and print it."""
    bare = words_per_second()
    rows = [("one Philox word per pull, nothing else", "-", f"{bare / 1e6:.1f}", "1.00")]
    for label, (means, threshold), pulls in (
        ("synthetic, K = 6", SYNTHETIC, 30_000_000),
        ("evenly spaced, K = 1000", WIDE, 4_000_000),
    ):
        for name in ga.algorithms():
            speed = pulls_per_second(means, threshold, name, pulls)
            rows.append((label, name, f"{speed / 1e6:.2f}", f"{speed / bare:.3f}"))
    header = ("instance", "algorithm", "million pulls/s", "ratio to bare loop")
    print_table("The plain engine on one core", header, rows)


if __name__ == "__main__":
    main()
