"""Cases that e-hdoc uses of a pool of 200: exact, by summing over all orders."""

from typing import Any

import numpy as np
from doc_tables import write_page
from goals import Goal, print_goals

import goodarm as ga
from goodarm.algorithm.algorithm import make_setup
from goodarm.cli.output import print_table

SIZE, THRESHOLD, ARMS, DELTA = 200, 0.8, 10, 0.05
GOALS = {0.96: 49, 0.92: 75, 0.88: 108, 0.84: 162, 0.80: 199.5, 0.75: 146, 0.68: 81, 0.6: 47}
"""Cases, by the share that succeeds."""
WITHIN = 0.03


def cases_used(share: float, pool: int | None) -> float:
    """Return the mean number of cases until the label, out of 200, with a pool's test or without.

    A walk over all counts of n cases, weighted by the chance of each; labelled ones leave it.
    """
    problem = ga.Problem(ARMS, THRESHOLD, DELTA, pool=pool)
    rule = ga.rules.Mixture().for_problem(problem)
    curves = rule.curves(make_setup(problem, rule))
    if curves is None:
        raise AssertionError("the mixture has curves")
    rows = curves.reach(SIZE, float(SIZE))
    successes = round(share * SIZE)
    alive, used = np.array([1.0]), 0.0
    for n in range(SIZE):
        used += alive.sum()
        hit = np.clip((successes - np.arange(n + 1)) / (SIZE - n), 0.0, 1.0)
        after = np.zeros(n + 2)
        after[1:] += alive * hit
        after[:-1] += alive * (1.0 - hit)
        s = np.arange(n + 2)
        after[(n + 1 <= rows["good_until"][s]) | (n + 1 >= rows["bad_from"][s])] = 0.0
        alive = after
    return float(used)


def main() -> list[dict[str, Any]]:
    """Compute, print and write the table."""
    found = []
    for share, goal in GOALS.items():
        used, plain = cases_used(share, SIZE), cases_used(share, None)
        found.append({"share": share, "used": used, "endless": plain, "goal": goal})
    header = ("share of 200 cases", "cases used", "goal", "test without a pool")
    rows = [
        (f"{row['share']:g}", f"{row['used']:.1f}", f"{row['goal']:g}", f"{row['endless']:.1f}")
        for row in found
    ]
    print_table("A pool of 200 cases, mean cases used, exact", header, rows)
    text = (
        "Mean cases until the label, of one arm among 10, 200 cases each, threshold .8, delta .05: "
        "exact, by summing over all orders (`benchmarks/pools.py`). The last column is the test "
        "that believes in endlessly many cases, on the same orders: an arm that it has not "
        "labelled after all 200 counts with 200."
    )
    write_page("pools", text, header, rows)
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Return the goals: the cases that were expected, within 3 %."""
    return [
        Goal(
            f"pool of {SIZE}, share {row['share']:g}",
            f"{row['goal']:g} cases, within {WITHIN:.0%}",
            f"{row['used']:.1f} cases",
            abs(row["used"] / row["goal"] - 1.0) <= WITHIN,
        )
        for row in found
    ]


if __name__ == "__main__":
    print_goals(goals(main()))
