"""``goodarm plan``: the expected pulls, or the gap that a budget resolves."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli.executors import open_executor
from goodarm.cli.means import SampleFile, parse_means, read_sample_file
from goodarm.cli.options import (
    FILE,
    NUMBER,
    Algorithms,
    AsJson,
    Jobs,
    Question,
    asks,
    share,
)
from goodarm.cli.output import print_json, print_table, say, say_picture
from goodarm.cli.own import algorithms_of
from goodarm.cli.progress import stage_bar

if TYPE_CHECKING:
    from goodarm.results import Plan


@asks
def plan_pulls(
    *,
    means: Annotated[
        str | None,
        typer.Option(metavar="MEANS", help="Means the arms might have: 0.7,0.4 or a=0.7,b=0.4."),
    ] = None,
    samples: SampleFile = None,
    num_arms: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER, help="In place of means: the number of arms, each a --gap off the bar."
        ),
    ] = None,
    num_good: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER, help="How many of them are good; half, rounded up, if not given."
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER, help="Ask the reverse: the smallest gap that this many pulls resolve."
        ),
    ] = None,
    asked: Question,
    algorithm: Algorithms = None,
    quantile: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=share,
            help="The share of runs that quantiles and the budget are for.",
        ),
    ] = 0.9,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="Runs of each algorithm; as many as the precision takes if not given.",
        ),
    ] = None,
    precision: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=share,
            help="Runs are made until the standard errors are this part of the pulls.",
        ),
    ] = 0.02,
    seed: Annotated[int, typer.Option(metavar=NUMBER, help="Same seed, same plan.")] = 0,
    plot: Annotated[
        Path | None,
        typer.Option(metavar=FILE, help="Draw pulls against gap: a .png, .svg or .pdf."),
    ] = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Tell the pulls to expect, or the smallest gap that a budget resolves.

    All arms are supposed to have the means given, or to lie a gap above or below the threshold.
    """
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "plan")
    supposed = None if means is None else parse_means(means, "plan")
    seen = None if samples is None else read_sample_file(samples, asked, "plan", means)
    from goodarm.planning import plan, planned_arms, pulls_by_gap

    has_means = supposed is not None or seen is not None
    gap = None if has_means else asked.gap
    if seen is None:
        arms = planned_arms(supposed, num_arms, gap, num_good)
        problem = (asked if has_means else replace(asked, gap=None)).problem(arms)
    else:
        problem = asked.problem(list(seen))
    with open_executor("plan", jobs, None) as executor, stage_bar() as progress:
        found = plan(
            supposed,
            problem=problem,
            samples=seen,
            num_arms=None if seen is None else num_arms,
            algorithm=algorithms_of(algorithm, "plan") or None,
            gap=gap,
            num_good=num_good,
            budget=budget,
            quantile=quantile,
            runs=runs,
            precision=precision,
            seed=seed,
            executor=executor,
            progress=progress,
        )
        if plot is not None:
            from goodarm.views.figures.gaps import draw_gaps
            from goodarm.views.figures.pictures import save_picture

            save_picture(draw_gaps(pulls_by_gap(found, executor, progress)), plot)
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)
    if plot is not None:
        say_picture(plot, is_data=as_json)


def _print(found: "Plan") -> None:
    print_table(found.summary, found.header, found.rows())
    for line in found.notes:
        say(line)
