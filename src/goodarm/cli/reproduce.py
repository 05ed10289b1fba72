"""``goodarm reproduce``: a paper's tables and figures, with our numbers and the published ones."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from goodarm.cli import choices, usage
from goodarm.cli.executors import open_executor
from goodarm.cli.module_loader import resolve_algorithms, resolve_paper
from goodarm.cli.options import ALGORITHM_HELP, FOLDER, NUMBER, AsJson, Dask, Jobs, Seed
from goodarm.cli.output import print_json, print_table, say
from goodarm.cli.process_wrapper import register_kept_folder
from goodarm.cli.progress import show_stage_progress
from goodarm.errors import missing_extra
from goodarm.views.text import TableLayout

if TYPE_CHECKING:
    from goodarm.report import PaperReport


def reproduce_paper(
    instances: Annotated[
        list[str] | None,
        typer.Argument(metavar="INSTANCES", help="Datasets of the paper; all if not given."),
    ] = None,
    paper: Annotated[
        str,
        typer.Option(
            metavar="PAPER",
            help="The paper, or your own as module:NAME.",
            autocompletion=choices.complete_paper,
        ),
    ] = "lil-hdoc",
    runs: Annotated[
        int | None,
        typer.Option(
            metavar=NUMBER,
            help="Runs of each algorithm; as many as in the paper if not given.",
            rich_help_panel=usage.SIMULATION,
        ),
    ] = None,
    seed: Seed = 0,
    algorithm: Annotated[
        list[str] | None,
        typer.Option(
            "--algorithm",
            "-a",
            metavar="NAME",
            help=f"{ALGORITHM_HELP} Those of the paper if not given.",
            autocompletion=choices.complete_algorithm,
            rich_help_panel=usage.SIMULATION,
        ),
    ] = None,
    out: Annotated[
        Path,
        typer.Option(
            metavar=FOLDER,
            help="Folder for the report and the finished runs.",
            rich_help_panel=usage.OUTPUT,
        ),
    ] = Path("reproduction"),
    jobs: Jobs = None,
    dask: Dask = None,
    as_json: AsJson = False,
) -> None:
    """Reproduce the tables and figures of a paper.

    The report shows our numbers beside those of the paper. Finished runs are kept in the folder
    --out; if you interrupt the command, run it again to continue.
    """
    from goodarm.report import to_json, write_report
    from goodarm.reproduce import reproduce

    declared = resolve_paper(paper)
    chosen = resolve_algorithms(algorithm, "reproduce") or None
    register_kept_folder(out / "runs")
    with open_executor("reproduce", jobs, dask) as executor, show_stage_progress() as progress:
        report = reproduce(
            declared,
            instances or [],
            algorithms=chosen,
            runs=runs,
            seed=seed,
            folder=out / "runs",
            executor=executor,
            progress=progress,
        )
    paths = write_report(report, out)
    if not any(path.suffix == ".svg" for path in paths):
        say(f"goodarm: {missing_extra('A report with figures', 'plot')}", err=True)
    if as_json:
        print_json(to_json(report))
    else:
        _print(report, paths[0])


def _print(report: "PaperReport", page: Path) -> None:
    from goodarm.report import main_table, make_caption

    for section in report.sections:
        header, rows = main_table(section)
        keys = 2 if section.is_published else 1
        verdict = len(header) - 1 if section.is_published else None
        shape = TableLayout(left=keys, keys=keys, prose=verdict, room=7)
        print_table(make_caption(report, section), header, rows, shape)
        for number, text in enumerate(section.footnotes, start=1):
            say(f"[{number}] {text}")
        wrong = ", ".join(f"{name} {count}" for name, count in section.wrong.items())
        say(f"Runs with a wrong label, of {section.runs}: {wrong}.\n")
    say(f"Report: {page}")
