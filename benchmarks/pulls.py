"""Pulls that e-hdoc needs, beside the lower bound, the papers' algorithms and our goals."""

import tempfile
from pathlib import Path
from typing import Any

from goals import Goal, at_most, print_goals

from goodarm.cli.output import print_table
from goodarm.papers import find_paper
from goodarm.report.tables import (
    format_compact,
    make_caption,
    make_comparison_cells,
    make_means_header,
)
from goodarm.reproduce import reproduce
from goodarm.results.quantity import STOP, tau

ALGORITHMS = ("e-hdoc", "cho2025", "lil-hdoc", "hdoc")

FULL = ("synthetic", "covertype", "four", "ten")
"""With the declared number of runs."""

SHORT = ("jester", "movielens")
SHORT_RUNS = 2

GOALS = {
    ("synthetic", tau(1)): 1.65e4,
    ("synthetic", tau(3)): 1.05e5,
    ("synthetic", STOP): 1.65e5,
    ("four", tau(1)): 450.0,
    ("four", STOP): 2750.0,
    ("ten", tau(1)): 670.0,
    ("ten", STOP): 8100.0,
}
"""The most that e-hdoc is to need on average, where that was set beforehand."""


def main() -> list[dict[str, Any]]:
    """Run, print and return the means."""
    paper = find_paper("goodarm")
    found: list[dict[str, Any]] = []
    with tempfile.TemporaryDirectory() as folder:
        for instances, runs in ((FULL, None), (SHORT, SHORT_RUNS)):
            report = reproduce(
                paper, instances, algorithms=ALGORITHMS, runs=runs, folder=Path(folder)
            )
            for section in report.sections:
                goals = [GOALS.get((section.name, row.quantity)) for row in section.means]
                rows = [
                    (*cells, format_compact(goal))
                    for cells, goal in zip(make_comparison_cells(section), goals, strict=True)
                ]
                header = (*make_means_header(section), "goal of e-hdoc")
                print_table(make_caption(report, section), header, rows)
                found += [
                    {
                        "instance": section.name,
                        "quantity": str(row.quantity),
                        "runs": section.runs,
                        "lower bound": section.theory.lower_bounds[row.quantity],
                        "goal": goal,
                        **row.means,
                    }
                    for row, goal in zip(section.means, goals, strict=True)
                ]
    return found


def goals(found: list[dict[str, Any]]) -> list[Goal]:
    """Return the goals: the pulls that e-hdoc may need on average."""
    return [
        at_most(f"{row['quantity']} of {row['instance']}", row["e-hdoc"], row["goal"], "pulls")
        for row in found
        if row["goal"] is not None
    ]


if __name__ == "__main__":
    print_goals(goals(main()))
