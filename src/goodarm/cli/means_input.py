"""Parser for means as typed, 0.7,0.4 or a=0.7,b=0.4, and reader of samples in their place."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli import usage
from goodarm.cli.check_inputs import find_table
from goodarm.cli.options import FILE
from goodarm.cli.output import say
from goodarm.errors import invalid_argument

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from goodarm.cli.options import QuestionOptions
    from goodarm.problem import Arm

SampleFile = Annotated[
    str | None,
    typer.Option(
        "--samples",
        metavar=FILE,
        help="In place of means: a table of rewards to draw from, with columns arm and reward.",
        rich_help_panel=usage.ARMS,
    ),
]


def parse_means(text: str, owner: str = "simulate") -> "list[float] | dict[Arm, float]":
    """Parse means separated by commas, each a number or label=number."""
    parts = [part.strip() for part in text.split(",") if part.strip()]
    named = [part for part in parts if "=" in part]
    if named and len(named) < len(parts):
        raise invalid_argument("--means", owner, "give names to all arms or to none", text)
    try:
        if not named:
            return [float(part) for part in parts]
        pairs = [part.rsplit("=", 1) for part in parts]
        means: dict[Arm, float] = {label.strip(): float(mean) for label, mean in pairs}
    except ValueError:
        rule = "be numbers separated by commas, such as 0.7,0.4 or a=0.7,b=0.4"
        raise invalid_argument("--means", owner, rule, text) from None
    if len(means) < len(parts):
        raise invalid_argument("--means", owner, "name every arm once", text)
    return means


def read_sample_file(
    path: str, asked: "QuestionOptions", owner: str, means: str | None
) -> "dict[Arm, NDArray[np.float64]]":
    """Read each arm's rewards from a table of arm and reward; print how the table was read."""
    if means is not None:
        raise invalid_argument("means", owner, "be left out if --samples is given", means)
    table = find_table([path], None)
    from goodarm.tables import read_samples

    kind = replace(asked, until=None, max_pulls=None).problem(1)
    found = read_samples(table, kind, owner)
    if found.read_as:
        say(f"goodarm: {found.read_as}", err=True)
    return dict(zip(found.arms, found.rewards, strict=True))
