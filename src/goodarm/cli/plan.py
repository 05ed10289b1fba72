"""``goodarm plan``: the expected pulls, or the distance that a budget resolves."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli import usage
from goodarm.cli.executors import open_executor
from goodarm.cli.means_input import SampleFile, parse_means, read_sample_file
from goodarm.cli.module_loader import resolve_algorithms
from goodarm.cli.options import (
    FILE,
    NUMBER,
    Algorithms,
    AsJson,
    Jobs,
    QuestionOptions,
    Seed,
    add_question_options,
    parse_share,
)
from goodarm.cli.output import print_json, print_table, say, say_picture
from goodarm.cli.progress import show_stage_progress

if TYPE_CHECKING:
    from goodarm.results import Plan


@add_question_options
def plan_pulls(
    *,
    means: Annotated[
        str | None,
        typer.Option(
            metavar="MEANS",
            help="Means that you expect: 0.7,0.4 or a=70%,b=40%.",
            rich_help_panel=usage.ARMS,
        ),
    ] = None,
    samples: SampleFile = None,
    num_arms: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="In place of means: how many arms there are.",
            rich_help_panel=usage.ARMS,
        ),
    ] = None,
    distance: Annotated[
        float | None,
        typer.Option(
            metavar=NUMBER,
            parser=parse_share,
            help="With --num-arms: how far each arm is from the threshold.",
            rich_help_panel=usage.ARMS,
        ),
    ] = None,
    num_good: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="With --num-arms: how many of them are good; half of them if not given.",
            rich_help_panel=usage.ARMS,
        ),
    ] = None,
    budget: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="The pulls that you can afford: find the smallest distance they can tell apart.",
            rich_help_panel=usage.QUESTION,
        ),
    ] = None,
    asked: QuestionOptions,
    algorithm: Algorithms = None,
    quantile: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=parse_share,
            help="Report the pulls that this share of runs stay within.",
            rich_help_panel=usage.SIMULATION,
        ),
    ] = 0.9,
    runs: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="Runs to simulate per algorithm; as many as --precision needs if not given.",
            rich_help_panel=usage.SIMULATION,
        ),
    ] = None,
    precision: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=parse_share,
            help="Simulate until the standard error is this share of the pulls.",
            rich_help_panel=usage.SIMULATION,
        ),
    ] = 0.02,
    seed: Seed = 0,
    plot: Annotated[
        Path | None,
        typer.Option(
            metavar=FILE,
            help="Draw the pulls by distance into a .png, .svg or .pdf file.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    jobs: Jobs = None,
    as_json: AsJson = False,
) -> None:
    """Estimate how many pulls you need, or what a budget can tell apart.

    Give the means that you expect (--means), rewards that you have (--samples), or the number of
    arms and how far they are from the threshold (--num-arms, --distance).
    """
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "plan")
    supposed = None if means is None else parse_means(means, "plan", asked.rewards)
    sampled = None if samples is None else read_sample_file(samples, asked, "plan", means)
    from goodarm.planning import find_planned_arms, plan, simulate_by_gap

    arms = (
        find_planned_arms(supposed, num_arms, distance, num_good)
        if sampled is None
        else list(sampled)
    )
    problem = asked.problem(arms)
    with open_executor("plan", jobs, None) as executor, show_stage_progress() as progress:
        found = plan(
            supposed,
            problem=problem,
            samples=sampled,
            num_arms=None if sampled is None else num_arms,
            algorithm=resolve_algorithms(algorithm, "plan") or None,
            distance=distance,
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

            save_picture(draw_gaps(simulate_by_gap(found, executor, progress)), plot)
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
