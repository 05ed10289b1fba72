"""``goodarm plan``: the expected pulls, or the distance that a budget resolves."""

from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Final

import typer

from goodarm.cli import usage
from goodarm.cli.check_inputs import find_table
from goodarm.cli.choices import SPLITS, format_choices, make_completer, validate_choice
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
    add_optional_question,
    number,
    parse_share,
)
from goodarm.cli.output import print_json, print_table, say, say_picture
from goodarm.cli.progress import show_stage_progress
from goodarm.errors import invalid_argument

if TYPE_CHECKING:
    from goodarm.results import ArmTable, Plan


_OF_COUNTS: Final = (
    *("threshold", "delta", "margin", "rewards", "low", "high", "sigma", "pool", "arms_planned"),
    *("gap", "cost"),
)
"""Options of a question that concern counts."""


@add_optional_question
def plan_pulls(
    *,
    table: Annotated[
        str | None,
        typer.Argument(
            metavar="TABLE",
            help="What there is so far, to plan what is still needed: a table of counts with "
            "columns arm, pulls and successes, or the URL of a store or service.",
        ),
    ] = None,
    name: Annotated[
        str | None,
        typer.Argument(metavar="NAME", help="With a URL: the name of the experiment."),
    ] = None,
    means: Annotated[
        str | None,
        typer.Option(
            metavar="MEANS",
            help="Means that you expect: 0.7,0.4 or a=70%,b=40%. With a TABLE, in place of those "
            "observed; some of its arms are enough.",
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
            help="The pulls that you can afford: find the smallest distance they can tell apart. "
            "With a TABLE: the further pulls, for the chance that each arm is labelled.",
            rich_help_panel=usage.QUESTION,
        ),
    ] = None,
    split: Annotated[
        str,
        typer.Option(
            metavar=format_choices(SPLITS),
            help="How traffic is shared out. adaptive: an arm gets no more pulls once it has its "
            "label. even: all arms get the same traffic to the end, and all of it counts.",
            autocompletion=make_completer(SPLITS),
            rich_help_panel=usage.QUESTION,
        ),
    ] = "adaptive",
    per_day: Annotated[
        float | None,
        typer.Option(
            metavar=NUMBER,
            parser=number,
            help="The pulls of a day, all arms together: show days, too.",
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

    Give the means that you expect (--means), rewards that you have (--samples), the number of arms
    and how far they are from the threshold (--num-arms, --distance), or the counts so far (TABLE).
    """
    way = validate_choice("split", "plan", SPLITS, split)
    if plot is not None:
        from goodarm.views.figures.pictures import check_picture

        check_picture(plot, "plan")
        if table is not None:
            raise invalid_argument("--plot", "plan", "be left out with a TABLE", str(plot))
    if name is not None and (table is None or "://" not in table):
        raise invalid_argument("NAME", "plan", "come after the URL of a store or service", name)
    supposed = None if means is None else parse_means(means, "plan", asked.rewards)
    simulated: dict[str, Any] = {
        "means": supposed,
        "algorithm": resolve_algorithms(algorithm, "plan") or None,
        "budget": budget,
        "split": way,
        "per_day": per_day,
        "quantile": quantile,
        "runs": runs,
        "precision": precision,
        "seed": seed,
    }
    in_place = {"num_arms": num_arms, "distance": distance, "num_good": num_good}
    if table is None:
        found = _plan_supposed(asked, samples, means, in_place, simulated, plot, jobs)
    else:
        for option, value in {**in_place, "samples": samples}.items():
            if value is not None:
                rule = "be left out with a TABLE, whose arms have counts"
                raise invalid_argument(f"--{option.replace('_', '-')}", "plan", rule, value)
        found = _plan_rest(table, name, asked, simulated, jobs)
    if as_json:
        print_json(found.to_dict())
    else:
        _print(found)
    if plot is not None:
        say_picture(plot, is_data=as_json)


def _plan_supposed(
    asked: QuestionOptions,
    samples: str | None,
    means: str | None,
    in_place: dict[str, Any],
    simulated: dict[str, Any],
    plot: Path | None,
    jobs: int | None,
) -> "Plan":
    """Plan an experiment that has not begun, and draw its picture."""
    _check_threshold(asked)
    sampled = None if samples is None else read_sample_file(samples, asked, "plan", means)
    from goodarm.planning import find_planned_arms, plan, simulate_by_gap

    supposed = simulated["means"]
    arms = find_planned_arms(supposed, **in_place) if sampled is None else list(sampled)
    in_place = {**in_place, "num_arms": None if sampled is None else in_place["num_arms"]}
    problem = asked.problem(arms)
    with open_executor("plan", jobs, None) as executor, show_stage_progress() as progress:
        running: Any = {"executor": executor, "progress": progress}
        found = plan(problem=problem, samples=sampled, **in_place, **simulated, **running)
        if plot is not None:
            from goodarm.views.figures.gaps import draw_gaps
            from goodarm.views.figures.pictures import save_picture

            save_picture(draw_gaps(simulate_by_gap(found, executor, progress)), plot)
    return found


def _plan_rest(
    table: str,
    name: str | None,
    asked: QuestionOptions,
    simulated: dict[str, Any],
    jobs: int | None,
) -> "Plan":
    """Plan what is still needed after the counts of a table, or of an experiment."""
    from goodarm.planning import plan

    with open_executor("plan", jobs, None) as executor, show_stage_progress() as progress:
        running: Any = {**simulated, "executor": executor, "progress": progress}
        if "://" not in table:
            limits: Any = {
                "until": asked.until,
                "max_pulls": asked.max_pulls,
                "max_cost": asked.max_cost,
            }
            return plan(_judge(table, asked), **limits, **running)
        _check_unasked(asked)
        if name is None:
            raise invalid_argument("NAME", "plan", "be the name of an experiment", None)
        from goodarm.cli.stores import find_experiment, open_store_or_service

        with open_store_or_service(table) as store:
            return plan(find_experiment(store, name, "plan"), **running)


def _judge(path: str, asked: QuestionOptions) -> "ArmTable":
    """Return the table, judged as ``goodarm check`` does."""
    _check_threshold(asked)
    from goodarm.checking import check

    options: Any = {key: getattr(asked, key) for key in (*_OF_COUNTS, "allow_large_delta")}
    table = check(find_table([path], None), **options)
    if table.read_as:
        say(f"goodarm: {table.read_as}", err=True)
    return table


def _check_threshold(asked: QuestionOptions) -> None:
    """Raise an error if there is no threshold: only an experiment has its own."""
    if asked.threshold is None:
        raise invalid_argument("threshold", "plan", "be given", None)


def _check_unasked(asked: QuestionOptions) -> None:
    """Raise an error for options of a question beside an experiment, which has its own."""
    for field in fields(asked):
        value = getattr(asked, field.name)
        default = None if field.name == "threshold" else field.default
        if value != default:
            option = f"--{field.name.replace('_', '-')}"
            rule = "be left out for an experiment, which has its own question"
            raise invalid_argument(option, "plan", rule, value)


def _print(found: "Plan") -> None:
    print_table(found.summary, found.header, found.rows())
    for line in found.notes:
        say(line)
