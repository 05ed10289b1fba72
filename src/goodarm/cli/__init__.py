"""The command line: ``goodarm reproduce | simulate | check | plan | algorithms | datasets``."""

import io
import sys
from typing import Annotated

import typer

import goodarm
from goodarm.cli.algorithms import list_algorithms
from goodarm.cli.check import check_counts
from goodarm.cli.datasets import app as datasets_app
from goodarm.cli.output import CommandGroup
from goodarm.cli.plan import plan_pulls
from goodarm.cli.reproduce import reproduce_paper
from goodarm.cli.simulate import run_simulations

app = typer.Typer(
    cls=CommandGroup,
    help="Which of these options are good enough, proven with as few tests as possible?",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
)
app.command("reproduce")(reproduce_paper)
app.command("simulate")(run_simulations)
app.command("check")(check_counts)
app.command("plan")(plan_pulls)
app.command("algorithms")(list_algorithms)
app.add_typer(datasets_app, name="datasets")


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"goodarm {goodarm.__version__}")
        raise typer.Exit


@app.callback()
def _options(
    debug: Annotated[bool, typer.Option(help="Show the trace of an error.")] = False,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print it.")
    ] = False,
) -> None:
    """Which of these options are good enough, proven with as few tests as possible?"""


def main() -> None:
    """Entry point of the ``goodarm`` command; a terminal that lacks a character shows a mark."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    app()
