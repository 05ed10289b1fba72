"""Options that several commands share, with one meaning and one help text."""

from typing import Annotated, Final

import typer

from goodarm.cli import choices

NUMBER: Final = "NUMBER"
TEXT: Final = "TEXT"
FILE: Final = "FILE"
FOLDER: Final = "FOLDER"


def number(value: object) -> float:
    """A number as it is typed; what is none is refused with the value, a percentage with advice."""
    try:
        return float(str(value))
    except ValueError:
        raise typer.BadParameter(f"must be a number; got {value!r}.{_advice(value)}") from None


def _advice(value: object) -> str:
    text = str(value).strip()
    try:
        share = float(text.removesuffix("%").strip()) / 100 if text.endswith("%") else None
    except ValueError:
        share = None
    return "" if share is None else f" Write {share:g}.".replace(" 0.", " .")


Threshold = Annotated[
    float,
    typer.Option(metavar=NUMBER, parser=number, help="The bar a good arm's mean reaches."),
]
Delta = Annotated[
    float,
    typer.Option(metavar=NUMBER, parser=number, help="Probability allowed for any wrong label."),
]
Margin = Annotated[float, typer.Option(metavar=NUMBER, parser=number, help="Slack around the bar.")]
Dask = Annotated[
    str | None,
    typer.Option(metavar="ADDRESS", help="Scheduler of a Dask cluster: tcp://host:8786."),
]
RewardKind = Annotated[
    str,
    typer.Option(
        metavar=choices.listed(choices.REWARDS),
        help="Kind of rewards.",
        autocompletion=choices.one_of(choices.REWARDS),
    ),
]
Low = Annotated[
    float | None, typer.Option(metavar=NUMBER, parser=number, help="Least bounded reward.")
]
High = Annotated[
    float | None, typer.Option(metavar=NUMBER, parser=number, help="Largest bounded reward.")
]
Sigma = Annotated[
    float | None, typer.Option(metavar=NUMBER, parser=number, help="Sd of Gaussian rewards.")
]
Until = Annotated[int | None, typer.Option(metavar=NUMBER, help="Stop at so many good arms.")]
MaxPulls = Annotated[int | None, typer.Option(metavar=NUMBER, help="Stop at so many pulls.")]
Jobs = Annotated[int | None, typer.Option(metavar=NUMBER, help="Threads; one a core unless given.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        "-a",
        metavar="NAME",
        help="A name; repeat it to compare. e-hdoc if none.",
        autocompletion=choices.algorithm,
    ),
]
