"""Options that several commands share, with one meaning and one help text."""

from typing import Annotated

import typer

from goodarm.cli import choices

Threshold = Annotated[float, typer.Option(help="The bar a good arm's mean reaches.")]
Margin = Annotated[float, typer.Option(help="Slack around the bar.")]
RewardKind = Annotated[
    str,
    typer.Option(
        help="bernoulli, bounded or gaussian.", autocompletion=choices.one_of(choices.REWARDS)
    ),
]
Low = Annotated[float | None, typer.Option(help="Least bounded reward.")]
High = Annotated[float | None, typer.Option(help="Largest bounded reward.")]
Sigma = Annotated[float | None, typer.Option(help="Sd of Gaussian rewards.")]
Until = Annotated[int | None, typer.Option(help="Stop at so many good arms.")]
MaxPulls = Annotated[int | None, typer.Option(help="Stop at so many pulls.")]
Jobs = Annotated[int | None, typer.Option(help="Threads; one a core unless given.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON and nothing else.")]
Algorithms = Annotated[
    list[str] | None,
    typer.Option(
        "--algorithm",
        "-a",
        help="A name; repeat it to compare. e-hdoc if none.",
        autocompletion=choices.algorithm,
    ),
]
