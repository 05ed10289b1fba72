"""Parser for means as typed, 0.7,0.4 or a=70%,b=40%, and reader of samples in their place."""

from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, Final

import typer

from goodarm.arguments import parse_number
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


_DECIMAL_COMMAS: Final = (
    "Write 0.7 or 70%. With decimal commas, put spaces or semicolons between the means: '0,7 0,6'."
)


def parse_means(
    text: str, owner: str = "simulate", rewards: str = "bernoulli"
) -> "list[float] | dict[Arm, float]":
    """Parse means, each a number or label=number, between commas, semicolons or spaces.

    >>> parse_means("0.7,60%"), parse_means("0,7 0,6"), parse_means("a=0,7; b=0,6")
    ([0.7, 60%], [0.7, 0.6], {'a': 0.7, 'b': 0.6})
    """
    parts = _split(text)
    named = [part for part in parts if "=" in part]
    if named and len(named) < len(parts):
        remedy = "" if "." in text else _DECIMAL_COMMAS
        raise invalid_argument("--means", owner, "give names to all arms or to none", text, remedy)
    pairs = [part.rpartition("=") for part in parts]
    values = [parse_number(mean) for _, _, mean in pairs]
    numbers = [value for value in values if isinstance(value, float)]
    if len(numbers) < len(parts):
        rule = "be numbers separated by commas, such as 0.7,0.4 or a=0.7,b=0.4"
        remedy = _DECIMAL_COMMAS if "," in text else ""
        raise invalid_argument("--means", owner, rule, text, remedy)
    if rewards == "bernoulli" and "." not in text and max(numbers, default=0.0) > 1:
        rule = "be numbers from 0 to 1, separated by commas"
        raise invalid_argument("--means", owner, rule, text, _DECIMAL_COMMAS)
    if not named:
        return numbers
    labels = [label.strip() for label, _, _ in pairs]
    if len({*labels}) < len(parts):
        raise invalid_argument("--means", owner, "name every arm once", text)
    return dict(zip(labels, numbers, strict=True))


def _split(text: str) -> list[str]:
    """Split means at semicolons or spaces if that gives numbers, and else at commas."""
    for parts in (text.split(";"), text.split()):
        means = [part.strip() for part in parts if part.strip()]
        values = [parse_number(mean.rpartition("=")[2]) for mean in means]
        if len(means) > 1 and all(isinstance(value, float) for value in values):
            return means
    return [part.strip() for part in text.split(",") if part.strip()]


def read_sample_file(
    path: str, asked: "QuestionOptions", owner: str, means: str | None
) -> "dict[Arm, NDArray[np.float64]]":
    """Read each arm's rewards from a table of arm and reward; print how the table was read."""
    if means is not None:
        raise invalid_argument("means", owner, "be left out if --samples is given", means)
    table = find_table([path], None)
    from goodarm.tables import read_samples

    kind = replace(asked, until=None, max_pulls=None, cost=None, max_cost=None).problem(1)
    found = read_samples(table, kind, owner)
    if found.read_as:
        say(f"goodarm: {found.read_as}", err=True)
    return dict(zip(found.arms, found.rewards, strict=True))
