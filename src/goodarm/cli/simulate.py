"""``goodarm simulate``: comparison of algorithms on known means."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from goodarm.cli import usage
from goodarm.cli.choices import ENGINES, format_choices, make_completer, validate_choice
from goodarm.cli.executors import open_executor
from goodarm.cli.means_input import SampleFile, parse_means, read_sample_file
from goodarm.cli.module_loader import resolve_algorithms
from goodarm.cli.options import (
    FILE,
    FOLDER,
    NUMBER,
    Algorithms,
    AsJson,
    Dask,
    Jobs,
    QuestionOptions,
    Seed,
    add_question_options,
)
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.process_wrapper import register_kept_folder
from goodarm.cli.progress import show_kept_runs, show_run_progress
from goodarm.errors import SpecError, invalid_argument

if TYPE_CHECKING:
    from goodarm.algorithm import Algorithm
    from goodarm.results import Runs, RunsRow

_ROWS_SHOWN = 12


@add_question_options
def run_simulations(
    *,
    means: Annotated[
        str | None,
        typer.Option(
            metavar="MEANS",
            help="True means of the arms: 0.7,0.4 or a=70%,b=40%.",
            rich_help_panel=usage.ARMS,
        ),
    ] = None,
    samples: SampleFile = None,
    asked: QuestionOptions,
    algorithm: Algorithms = None,
    runs: Annotated[
        int,
        typer.Option(
            metavar=NUMBER, help="Runs of each algorithm.", rich_help_panel=usage.SIMULATION
        ),
    ] = 100,
    seed: Seed = 0,
    engine: Annotated[
        str,
        typer.Option(
            metavar=format_choices(ENGINES),
            help="Compiled (fast), plain Python (reference), or what suits (auto): same results.",
            autocompletion=make_completer(ENGINES),
            rich_help_panel=usage.SIMULATION,
        ),
    ] = "auto",
    jobs: Jobs = None,
    dask: Dask = None,
    keep: Annotated[
        Path | None,
        typer.Option(
            metavar=FOLDER,
            help="Keep finished runs in this folder; the same command continues from them.",
            rich_help_panel=usage.SIMULATION,
        ),
    ] = None,
    out: Annotated[
        Path | None,
        typer.Option(
            metavar=FILE,
            help="Write the runs of a single algorithm to this .npz file.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Simulate algorithms on arms with known means, and compare them."""
    if out is not None and len(algorithm or ()) > 1:
        raise SpecError(
            "--out takes the runs of one algorithm. Give a single --algorithm.",
            argument="--out",
            owner="simulate",
            rule="come with a single --algorithm",
            value=str(out),
        )
    if out is not None and (not out.name or out.is_dir() or not out.parent.is_dir()):
        raise invalid_argument("--out", "simulate", "be a file in a folder that exists", str(out))
    how = validate_choice("engine", "simulate", ENGINES, engine)
    if means is None and samples is None:
        raise invalid_argument("means", "simulate", "be given, or --samples in its place", None)
    true_means = None if means is None else parse_means(means, "simulate", asked.rewards)
    sampled = None if samples is None else read_sample_file(samples, asked, "simulate", means)
    from goodarm.simulation import simulate, split_means

    arms = split_means(true_means, "simulate")[0] if sampled is None else list(sampled)
    problem = asked.problem(arms)
    if keep is not None:
        register_kept_folder(keep)
    results: list[Runs] = []
    names: list[str | Algorithm | None] = [*resolve_algorithms(algorithm, "simulate")] or [None]
    with open_executor("simulate", jobs, dask) as executor, show_kept_runs():
        for name in names:
            with show_run_progress(
                str(getattr(name, "name", name) or "simulate"), runs
            ) as progress:
                results.append(
                    simulate(
                        true_means,
                        samples=sampled,
                        algorithm=name,
                        runs=runs,
                        seed=seed,
                        problem=problem,
                        engine=how,
                        executor=executor,
                        progress=progress,
                        keep=keep,
                    )
                )
    if out is not None:
        results[0].save(out)
    if as_json:
        documents: list[dict[str, Any]] = [result.to_dict() for result in results]
        print_json({"kind": "simulation", "format": 1, "runs": documents})
    else:
        _print_comparison(results)


def _print_comparison(results: "list[Runs]") -> None:
    """Print mean and sd of the pulls to each good arm and to the end, with ratios."""
    from goodarm.views.names import visible
    from goodarm.views.problem_text import describe_problem, get_end_name
    from goodarm.views.text import shorten

    summaries = [result.table() for result in results]
    tables = [{row.name: row for row in summary.rows} for summary in summaries]
    longest = max(tables, key=len)
    rows: list[list[str]] = []
    end = get_end_name(results[0].problem)
    for name, row in longest.items():
        base = tables[0].get(name)
        words = row.quantity.in_words(end)
        rows.append(
            [words, *(_format_cell(table.get(name), base, len(results[0])) for table in tables)]
        )
    wrong_runs = [f"{summary.wrong} of {summary.runs}" for summary in summaries]
    wrong = ["runs with a wrong label", *wrong_runs]
    undecided = [int((result.labels == 0).any(axis=1).sum()) for result in results]
    left = [
        "runs with undecided arms",
        *(f"{k} of {len(r)}" for k, r in zip(undecided, results, strict=True)),
    ]
    title = describe_problem(results[0].problem)
    names = [visible(str(result.algorithm["name"])) for result in results]
    header = ["pulls", *names]
    print_table(title, header, [*shorten(rows, _ROWS_SHOWN), wrong, left])
    note = "Mean of the runs that got there ± their standard deviation, in percent of the mean."
    if len(summaries) > 1:
        note += f" x: ratio to {names[0]}."
    say(note)
    for name, result in zip(names, results, strict=True):
        if result.cost is not None:
            say(f"{name}: {result.notes[-1]}")
    titles = [summary.algorithm for summary in summaries]
    if titles != names:
        say(f"Algorithms with their rules: {', '.join(titles)}.")


def _format_cell(row: "RunsRow | None", base: "RunsRow | None", runs: int) -> str:
    """Format mean and sd of one quantity, and on a second line its ratio to the first algorithm.

    If not all runs reached it, the second line says how many did, in place of the ratio.
    """
    if row is None:
        return "-"
    from goodarm.views.numbers import format_count

    text = format_count(row.mean)
    if row.sd is not None:
        text += f" ± {100 * row.sd / row.mean:.0f}%"
    if row.runs < runs:
        text += f"\n{row.runs} of {runs} runs"
    elif base is not None and base is not row and base.runs == runs:
        text += f"\nx {row.mean / base.mean:.3g}"
    return text
