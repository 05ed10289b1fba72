"""Group of all commands, and the options that come before a command."""

from typing import Annotated, ClassVar, Final

import typer

from goodarm.cli.lazy_group import Entry, LazyGroup
from goodarm.version import __version__

_QUESTION: Final = "Which of these options are good enough, proven with as few tests as possible?"

COMMANDS: Final = {
    "check": Entry(
        "goodarm.cli.check",
        "check_counts",
        "Label the arms of a table of counts, or of other tools' logs.",
    ),
    "plan": Entry(
        "goodarm.cli.plan",
        "plan_pulls",
        "Tell the pulls to expect, or the distance that a budget resolves.",
    ),
    "experiments": Entry(
        "goodarm.cli.experiments",
        "list_experiments",
        "List the experiments of a store or a service, with their state.",
    ),
    "show": Entry(
        "goodarm.cli.show",
        "show_experiment",
        "Show the arms of a kept experiment: now, live, or how they came there.",
    ),
    "verify": Entry(
        "goodarm.cli.verify",
        "verify_journals",
        "Replay journals, and compare labels, e-values, hashes and snapshots.",
    ),
    "run": Entry(
        "goodarm.cli.run",
        "run_experiment",
        "Run an experiment that a file describes, or go on with it.",
    ),
    "simulate": Entry(
        "goodarm.cli.simulate",
        "run_simulations",
        "Simulate algorithms on arms with known means and compare their pulls.",
    ),
    "reproduce": Entry(
        "goodarm.cli.reproduce",
        "reproduce_paper",
        "Reproduce a paper's tables and figures, our numbers beside its own.",
    ),
    "serve": Entry(
        "goodarm.cli.serve",
        "serve_store",
        "Serve the experiments of a store over HTTP, with pages to watch them.",
    ),
    "demo": Entry(
        "goodarm.cli.demo",
        "run_demo",
        "Watch three experiments that run by themselves, in a browser.",
    ),
    "compile": Entry(
        "goodarm.cli.compile",
        "compile_kernels",
        "Compile all that commands need, so that none of them has to wait.",
    ),
    "export": Entry(
        "goodarm.cli.journal_files",
        "export_journal",
        "Write an experiment's whole journal into a file, as JSON lines.",
    ),
    "import": Entry(
        "goodarm.cli.journal_files",
        "import_journal",
        "Put the journal of a file into a store, whole or not at all.",
    ),
    "upgrade": Entry(
        "goodarm.cli.upgrade",
        "upgrade_store",
        "Bring a store to this version, and give hashes to its journals.",
    ),
    "token": Entry(
        "goodarm.cli.token",
        "app",
        "Create, list and revoke the tokens of a store's service.",
    ),
    "algorithms": Entry(
        "goodarm.cli.algorithms",
        "list_algorithms",
        "List the named algorithms with their parts, guarantee and paper.",
    ),
    "datasets": Entry(
        "goodarm.cli.datasets",
        "app",
        "List the instances, or rebuild one from raw files.",
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
def _options(
    debug: Annotated[bool, typer.Option("--debug", help="Show the trace of an error.")] = False,
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    pass
