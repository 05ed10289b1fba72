"""Group of all commands, and the options that come before a command."""

from typing import Annotated, ClassVar, Final

import typer

from goodarm.cli.lazy_group import Entry, LazyGroup
from goodarm.version import __version__

_QUESTION: Final = (
    "Find out which of several options (arms) are good enough, with as few tests as possible."
)
_DATA: Final = "Data that you have"
_PLANS: Final = "Plans and simulations"
_EXPERIMENTS: Final = "Experiments"
_STORES: Final = "Stores and services"
_SETUP: Final = "Installation"

COMMANDS: Final = {
    "check": Entry(
        "goodarm.cli.check",
        "check_counts",
        "Label the arms of a table, or of other tools' logs, as good or bad.",
        _DATA,
    ),
    "plan": Entry(
        "goodarm.cli.plan",
        "plan_pulls",
        "Estimate how many pulls you need, or what a budget can tell apart.",
        _PLANS,
    ),
    "boundary": Entry(
        "goodarm.cli.boundary",
        "print_boundary",
        "Print the counts at which a pass rate is proven, before any run.",
        _PLANS,
    ),
    "simulate": Entry(
        "goodarm.cli.simulate",
        "run_simulations",
        "Simulate algorithms on arms with known means, and compare them.",
        _PLANS,
    ),
    "reproduce": Entry(
        "goodarm.cli.reproduce",
        "reproduce_paper",
        "Reproduce the tables and figures of a paper.",
        _PLANS,
    ),
    "algorithms": Entry(
        "goodarm.cli.algorithms",
        "list_algorithms",
        "List the algorithms, with their rules and papers.",
        _PLANS,
    ),
    "datasets": Entry(
        "goodarm.cli.datasets",
        "app",
        "List the datasets for simulations, or rebuild one from raw files.",
        _PLANS,
    ),
    "run": Entry(
        "goodarm.cli.run",
        "run_experiment",
        "Run an experiment that a file describes, or continue it.",
        _EXPERIMENTS,
    ),
    "experiments": Entry(
        "goodarm.cli.experiments",
        "list_experiments",
        "List the experiments of a store or a service.",
        _EXPERIMENTS,
    ),
    "show": Entry(
        "goodarm.cli.show",
        "show_experiment",
        "Show the arms of an experiment: now, live, or over time.",
        _EXPERIMENTS,
    ),
    "forget": Entry(
        "goodarm.cli.forget",
        "forget_pulls",
        "Give up pulls whose rewards will not come, so that arms can go on.",
        _EXPERIMENTS,
    ),
    "verify": Entry(
        "goodarm.cli.verify",
        "verify_journals",
        "Check that the recorded rewards prove the recorded labels.",
        _EXPERIMENTS,
    ),
    "demo": Entry(
        "goodarm.cli.demo",
        "run_demo",
        "Watch three example experiments in a browser.",
        _EXPERIMENTS,
    ),
    "serve": Entry(
        "goodarm.cli.serve",
        "serve_store",
        "Serve the experiments of a store over HTTP, with web pages.",
        _STORES,
    ),
    "token": Entry(
        "goodarm.cli.token",
        "app",
        "Create, list and revoke access tokens of a service.",
        _STORES,
    ),
    "export": Entry(
        "goodarm.cli.journal_files",
        "export_journal",
        "Write the journal of an experiment to a file.",
        _STORES,
    ),
    "import": Entry(
        "goodarm.cli.journal_files",
        "import_journal",
        "Read an experiment from a journal file into a store.",
        _STORES,
    ),
    "upgrade": Entry(
        "goodarm.cli.upgrade",
        "upgrade_store",
        "Upgrade a store that an earlier version made.",
        _STORES,
    ),
    "compile": Entry(
        "goodarm.cli.compile",
        "compile_kernels",
        "Compile everything now, so that no command has to wait for it.",
        _SETUP,
    ),
}


class GoodArmGroup(LazyGroup):
    """Group of the goodarm commands."""

    table: ClassVar = COMMANDS


app = typer.Typer(
    cls=GoodArmGroup,
    help=_QUESTION,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"goodarm {__version__}")
        raise typer.Exit


@app.callback()
def _set_options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the traceback of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
