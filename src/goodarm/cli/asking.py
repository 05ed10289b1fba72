"""Options of ``goodarm check`` that determine the labels, to be fixed before looking at data."""

from typing import Annotated, Final

import typer

from goodarm.cli.choices import CASE_ORDERS, CONTROLS, REWARDS, listed, one_of, rule
from goodarm.cli.options import NUMBER, TEXT, number, share

FIXED: Final = "Fix it before you look."

Threshold = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=share,
        help="The bar a good arm's mean reaches, unless --threshold-column has each arm's own.",
    ),
]
ThresholdColumn = Annotated[
    str | None,
    typer.Option(metavar=TEXT, help=f"Column of each arm's own threshold. {FIXED}"),
]
Delta = Annotated[float, typer.Option(metavar=NUMBER, parser=share, help="The error rate allowed.")]
Control = Annotated[
    str,
    typer.Option(
        metavar=listed(CONTROLS),
        help=f"What delta limits. {FIXED}",
        autocompletion=one_of(CONTROLS),
    ),
]
Rule = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help=f"Identification rule; the one that suits the rewards if not given. {FIXED}",
        autocompletion=rule,
    ),
]
Margin = Annotated[
    float,
    typer.Option(metavar=NUMBER, parser=share, help=f"Slack around the bar. {FIXED}"),
]
Gap = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=share,
        help=f"Hint of how far from the bar means lie. {FIXED}",
    ),
]
Rewards = Annotated[
    str,
    typer.Option(metavar=listed(REWARDS), help="Kind of rewards.", autocompletion=one_of(REWARDS)),
]
Sigma = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=number,
        help=f"Sd of Gaussian rewards, not estimated from them. {FIXED}",
    ),
]
TrustSigma = Annotated[
    bool,
    typer.Option("--trust-sigma", help="Leave out the test of --sigma by single rewards."),
]
Pool = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER, help="The number of cases each arm has, each drawn once; judge their share."
    ),
]
PoolColumn = Annotated[
    str | None, typer.Option(metavar=TEXT, help="Column of how many cases each arm has.")
]
CaseOrder = Annotated[
    str,
    typer.Option(
        metavar=listed(CASE_ORDERS),
        help="Arms went through the cases in the same order, or each in its own.",
        autocompletion=one_of(CASE_ORDERS),
    ),
]
ArmsPlanned = Annotated[
    int | None,
    typer.Option(
        metavar=NUMBER, help="All arms ever to be judged, if the table shows fewer or may grow."
    ),
]
