"""What a hint of the gap saves, and what a wrong one costs, around a threshold of one half.

An arm's pulls are simulated. By Wald's identity their mean is that of the log of the likelihood
ratio at the stop, divided by kl(mean, threshold): the same number, with a fifth of the error.
"""

import math
from typing import Any

import numpy as np
from doc_tables import write_page
from goals import Goal, at_most, print_goals

import goodarm as ga
from goodarm.algorithm.algorithm import make_setup
from goodarm.cli.output import print_table

THRESHOLD, DELTA = 0.5, 0.01
LEVEL = math.log(1 / DELTA)
"""One arm: K / delta = 100, with which the table of the goals agrees; 200 has lower ratios."""
RUNS = {0.1: 2000, 0.05: 2000, 0.02: 2000, 0.01: 1000, 0.005: 800, 0.002: 400}
"""Runs by gap: small ones take many pulls."""

HINTS = {"right": 1.0, "twice": 2.0, "four times": 4.0, "half": 0.5, "none": None}
"""Hints, in gaps."""

GOALS: dict[str, dict[float, float]] = {
    "right": dict.fromkeys(RUNS, 1.15),
    "twice": dict.fromkeys(RUNS, 1.20),
    "four times": dict.fromkeys(RUNS, 1.45),
    "half": dict.fromkeys(RUNS, 1.32),
    "none": {0.1: 1.23, 0.05: 1.23, 0.02: 1.35, 0.01: 1.49, 0.005: 1.64, 0.002: 1.84},
}
"""The most pulls that were expected, in those of the oracle."""
WITHIN = 0.03


def pulls_by_oracle(gap: float, hint: float | None, runs: int) -> tuple[float, float, float]:
    """Mean pulls in log(K / delta) / kl, its standard error, and the plain mean of the runs."""
    mean = THRESHOLD + gap
    problem = ga.Problem(1, THRESHOLD, DELTA, gap=None if hint is None else hint * gap)
    found = ga.simulate([mean], problem=problem, runs=runs)
    n, is_good = found.stop, found.labels[:, 0] == 1
    rule = ga.rules.Mixture().for_problem(problem)
    curves = rule.curves(make_setup(problem, rule))
    if curves is None:
        raise AssertionError("the mixture has curves")
    most = int(n.max())
    rows = curves.reach(most, float(most))
    # A run stops where it meets a curve, so its pulls tell its successes.
    at_good = np.searchsorted(rows["good_until"], n)
    at_bad = np.searchsorted(rows["bad_from"], n, side="right") - 1
    s = np.where(is_good, at_good, at_bad)
    won, lost = math.log(mean / THRESHOLD), math.log((1 - mean) / (1 - THRESHOLD))
    ratios = (s * won + (n - s) * lost) / LEVEL
    plain = float(n.mean()) * (mean * won + (1 - mean) * lost) / LEVEL
    return float(ratios.mean()), float(ratios.std()) / math.sqrt(runs), plain


def main() -> list[dict[str, Any]]:
    """Measure, print and write the table."""
    found = []
    for gap, runs in RUNS.items():
        for name, hint in HINTS.items():
            ratio, error, plain = pulls_by_oracle(gap, hint, runs)
            found.append(
                {
                    "gap": gap,
                    "hint": name,
                    "ratio": ratio,
                    "error": error,
                    "plain mean": plain,
                    "goal": GOALS[name][gap],
                }
            )
    header = ("gap", "right hint", "twice too large", "four times", "half", "no hint", "runs")
    rows = []
    for gap, runs in RUNS.items():
        cells = [f"{row['ratio']:.2f}" for row in found if row["gap"] == gap]
        rows.append((f"{gap:g}", *cells, str(runs)))
    print_table("A hint of the gap, mean pulls / oracle", header, rows)
    most = max(row["error"] for row in found)
    text = (
        "Mean pulls to good in units of `log(K/delta) / kl(mean, threshold)`, one arm with 0/1 "
        "rewards whose mean lies the gap above a threshold of .5, K/delta = 100 "
        f"(`benchmarks/hint.py`). Standard errors are at most {most:.3f}."
    )
    write_page("gap", text, header, rows)
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Return the goals: pulls / those of the oracle at most as expected, within 3 %."""
    return [
        at_most(
            f"gap {row['gap']:g}, hint {row['hint']}: pulls / oracle",
            row["ratio"],
            row["goal"] * (1 + WITHIN),
        )
        for row in found
    ]


if __name__ == "__main__":
    print_goals(goals(main()))
