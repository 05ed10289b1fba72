"""Options of ``goodarm check`` that determine the labels, to be fixed before looking at data."""

from typing import Annotated

import typer

from goodarm.cli import usage
from goodarm.cli.choices import CASE_ORDERS, CONTROLS, complete_rule, format_choices, make_completer
from goodarm.cli.options import NUMBER, parse_share

Threshold = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="A good arm's mean reward, such as its success rate, is at least this.",
        rich_help_panel=usage.QUESTION,
    ),
]
ThresholdColumn = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The column that has a threshold for each arm, in place of --threshold.",
        rich_help_panel=usage.QUESTION,
    ),
]
Delta = Annotated[
    float,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="The error rate you accept, such as 0.05; --control says of what.",
        rich_help_panel=usage.QUESTION,
    ),
]
Control = Annotated[
    str,
    typer.Option(
        metavar=format_choices(CONTROLS),
        help="What --delta limits. fwer: the chance that any label is wrong. fdr: the average "
        "share of wrong labels. per-arm: the chance that one label is wrong, for each arm by "
        "itself.",
        autocompletion=make_completer(CONTROLS),
        rich_help_panel=usage.QUESTION,
    ),
]
Rule = Annotated[
    str | None,
    typer.Option(
        metavar="RULE",
        help="The statistical test; if not given, the one that suits the rewards.",
        autocompletion=complete_rule,
        rich_help_panel=usage.EXPERTS,
    ),
]
Gap = Annotated[
    float | None,
    typer.Option(
        metavar=NUMBER,
        parser=parse_share,
        help="A guess of how far the means are from the threshold: a good guess saves pulls, a bad "
        "one costs pulls, and labels stay valid.",
        rich_help_panel=usage.EXPERTS,
    ),
]
TrustSigma = Annotated[
    bool,
    typer.Option(
        "--trust-sigma",
        help="Do not test --sigma against the spread of the rewards.",
        rich_help_panel=usage.REWARDS,
    ),
]
PoolColumn = Annotated[
    str | None,
    typer.Option(
        metavar="NAME",
        help="The column that has the number of cases of each arm, in place of --pool.",
        rich_help_panel=usage.CASES,
    ),
]
CaseOrder = Annotated[
    str,
    typer.Option(
        metavar=format_choices(CASE_ORDERS),
        help="Whether all arms ran the cases in the same order, or each arm in its own.",
        autocompletion=make_completer(CASE_ORDERS),
        rich_help_panel=usage.CASES,
    ),
]
