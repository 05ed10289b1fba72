"""Goals of the benchmarks: what is required, what was measured, and one table of all of them."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import typer

from goodarm.cli.output import print_table
from goodarm.views.text import TableLayout


class Goal(NamedTuple):
    """One goal of one benchmark."""

    name: str
    required: str
    measured: str
    is_met: bool


def at_most(name: str, measured: float | None, limit: float, unit: str = "") -> Goal:
    """Require a figure to be at most ``limit``; None is a figure that took too long to measure."""
    is_met = measured is not None and measured <= limit
    return Goal(name, f"at most {_with_unit(limit, unit)}", _with_unit(measured, unit), is_met)


def at_least(name: str, measured: float | None, limit: float, unit: str = "") -> Goal:
    """Require a figure to be at least ``limit``; None is a figure that took too long to measure."""
    is_met = measured is not None and measured >= limit
    return Goal(name, f"at least {_with_unit(limit, unit)}", _with_unit(measured, unit), is_met)


def _with_unit(value: float | None, unit: str) -> str:
    if value is None:
        return "took too long"
    text = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
    return f"{text} {unit}".strip()


def print_goals(goals: Sequence[Goal]) -> None:
    """Print the table of goals and, below it, those that were missed."""
    rows = [
        (goal.name, goal.required, goal.measured, "met" if goal.is_met else "MISSED")
        for goal in goals
    ]
    print_table("Goals", ("goal", "required", "measured", ""), rows, TableLayout(left=1))
    missed = [goal.name for goal in goals if not goal.is_met]
    typer.echo(f"{len(goals) - len(missed)} of {len(goals)} goals met.")
    if missed:
        typer.echo(f"Missed: {'; '.join(missed)}.")


def tell_goals(found: Mapping[str, Any]) -> list[Goal]:
    """Return the share of bare inserts that tells reach, and the limits of the other figures."""
    return [
        *(
            at_least(f"tells {row['told']} / bare, {row['database']}", row["share"], row["goal"])
            for row in found["tells"]
        ),
        *(
            at_most(row["what"], row["figure"], row["goal"], row["unit"])
            for row in found["figures"]
        ),
    ]
