"""``goodarm reproduce``: a paper's tables and figures, our numbers beside the published ones."""

from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.executors import open_executor
from goodarm.cli.options import AsJson, Jobs
from goodarm.cli.output import print_json, print_table, stage_bar
from goodarm.papers import PAPERS, find_paper
from goodarm.report import Report, write_report
from goodarm.report.tables import caption, main_table, to_json
from goodarm.reproduce import reproduce


def reproduce_paper(
    instances: Annotated[
        list[str] | None, typer.Argument(help="Names of the paper's instances, or all.")
    ] = None,
    paper: Annotated[str, typer.Option(help=f"One of {', '.join(PAPERS)}.")] = "lil-hdoc",
    runs: Annotated[int | None, typer.Option(help="Runs; the paper's number unless given.")] = None,
    seed: Annotated[int, typer.Option(help="Same seed, same numbers.")] = 0,
    algorithms: Annotated[
        str | None, typer.Option(help="Names with commas; the paper's own unless given.")
    ] = None,
    out: Annotated[Path, typer.Option(help="Folder of the report and of finished runs.")] = Path(
        "reproduction"
    ),
    jobs: Jobs = None,
    dask: Annotated[
        str | None, typer.Option(help="Scheduler of a Dask cluster: tcp://host:8786.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Reproduce a paper: its tables and figures with our numbers beside the published ones.

    Finished runs are kept in the folder; an interrupted call goes on where it was.
    """
    declared = find_paper(paper)
    chosen = None
    if algorithms is not None:
        chosen = [name.strip() for name in algorithms.split(",") if name.strip()]
    with open_executor("reproduce", jobs, dask) as executor, stage_bar() as progress:
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
    if as_json:
        print_json(to_json(report))
    else:
        _print(report, paths[0])


def _print(report: Report, page: Path) -> None:
    for section in report.sections:
        header, rows = main_table(section)
        left = 2 if section.is_published else 1
        print_table(caption(report, section), header, rows, left=left)
        for number, text in enumerate(section.footnotes, start=1):
            typer.echo(f"[{number}] {text}")
        wrong = ", ".join(f"{name} {count}" for name, count in section.wrong.items())
        typer.echo(f"Runs with a wrong label, of {section.runs}: {wrong}.\n")
    typer.echo(f"Report: {page}")
