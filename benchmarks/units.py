"""Epochs counted as pulls, and averaged by case: how often a prompt is wrongly called good.

Six prompts answer 84 of 100 questions right, and the threshold is .85. An evaluation draws 200
questions for each prompt, and runs them in several epochs with the same answers each time, as a
model that does not sample gives them.
"""

from typing import Any

import numpy as np
from doc_tables import write_page
from goals import Goal, print_goals
from scipy.stats import beta

import goodarm as ga
from goodarm.cli.output import print_table

PROMPTS, RATE, THRESHOLD, DELTA, CASES = 6, 0.84, 0.85, 0.05, 200
EPOCHS = (1, 3, 5, 10)
RUNS = 100_000
CONFIDENCE = 0.95


def find_good_counts(epochs: int, **options: Any) -> np.ndarray:
    """Return whether a prompt is good, by its number of questions with a right answer.

    All counts are arms of one table, each at the share of delta of one prompt among six.
    """
    arm, case = np.divmod(np.arange((CASES + 1) * CASES), CASES)
    rows = {"arm": arm, "case": case, "reward": (case < arm).astype(int)}
    table = ga.check(
        {name: np.repeat(column, epochs) for name, column in rows.items()},
        threshold=THRESHOLD,
        delta=DELTA / PROMPTS,
        control="per-arm",
        raw=True,
        **options,
    )
    return table.labels == 1


def compute_limits(wrong: int, runs: int) -> tuple[float, float]:
    """Return exact confidence compute_limits of a probability (Clopper and Pearson)."""
    tail = (1.0 - CONFIDENCE) / 2.0
    low = beta.ppf(tail, wrong, runs - wrong + 1) if wrong else 0.0
    return float(low), float(beta.ppf(1.0 - tail, wrong + 1, runs - wrong))


def main(runs: int = RUNS) -> list[dict[str, Any]]:
    """Simulate, print and write the table."""
    rng = np.random.default_rng(0)
    right = rng.binomial(CASES, RATE, (runs, PROMPTS))
    found = []
    for epochs in EPOCHS:
        row: dict[str, Any] = {"epochs": epochs, "runs": runs}
        for name, options in (("pulls", {"repeats": "attempts"}), ("units", {"unit": "case"})):
            wrong = int(find_good_counts(epochs, **options)[right].any(axis=1).sum())
            row[name] = {"wrong": wrong, "limits": compute_limits(wrong, runs)}
        found.append(row)
    header = ("epochs", "each answer a pull", "each case a pull, by its average")
    rows = [
        (f"{row['epochs']}", *(_format_cell(row[name], runs) for name in ("pulls", "units")))
        for row in found
    ]
    print_table("Evaluations with a prompt that is wrongly called good", header, rows)
    text = (
        f"Evaluations in which one of {PROMPTS} prompts at {RATE:g} is called good at threshold "
        f"{THRESHOLD:g}, {CASES} random cases, the same answers in each epoch, delta {DELTA:g}, "
        f"looked at once: {runs:,} simulated evaluations, with 95 % limits (`benchmarks/units.py`)."
    )
    write_page("units", text, header, rows, left=0)
    return found


def _format_cell(row: dict[str, Any], runs: int) -> str:
    low, high = row["limits"]
    return f"{100 * row['wrong'] / runs:.2f} % ({100 * low:.2f} to {100 * high:.2f})"


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Return the goals: delta is kept by units, and not by pulls in ten epochs."""
    last = found[-1]
    return [
        Goal(
            f"{row['epochs']} epochs, by units",
            f"at most {DELTA:.0%} wrong",
            f"at most {row['units']['compute_limits'][1]:.2%}",
            row["units"]["limits"][1] <= DELTA,
        )
        for row in found
    ] + [
        Goal(
            f"{last['epochs']} epochs, as pulls",
            f"more than {DELTA:.0%} wrong: seen",
            f"at least {last['pulls']['compute_limits'][0]:.2%}",
            last["pulls"]["limits"][0] > DELTA,
        )
    ]


if __name__ == "__main__":
    print_goals(goals(main()))
