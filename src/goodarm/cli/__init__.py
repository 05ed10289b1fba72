"""Command line, ``goodarm check | plan | show | ...``: ``command_group`` has the list.

===============  =======================================================================
process_wrapper  exit codes of every command: Ctrl-C, crashes, closed pipes
command_group    the group of commands and its own options
lazy_group       loading of a command's module when the command is called
output           tables and prose on standard output, fitted to a terminal
progress         progress bars on standard error
gate             exit code from the labels of a check
row_options      options for the rows of a table of arms
stores           addresses, tokens and names of stored experiments
live_table       table that is updated while an experiment runs
===============  =======================================================================

This file imports nothing at the top: Ctrl-C during an import inside ``main`` shows no traceback.
"""


def main() -> None:
    """Run the ``goodarm`` command and exit with its code."""
    import sys

    try:
        from goodarm.cli.process_wrapper import run_command_line

        code = run_command_line(_start)
    except KeyboardInterrupt:  # before the guard was loaded
        sys.stderr.write("goodarm: interrupted.\n")
        code = 130
    # If Ctrl-C interrupts an ``exec``, such as the one that creates a dataclass, Python takes it
    # for unhandled even if it was caught, and ``python -m`` ends by the signal instead of with the
    # code. Another ``exec`` resets that.
    exec("")
    sys.exit(code)


def _start() -> None:
    from goodarm.cli.command_group import app

    app(prog_name="goodarm")


def __getattr__(name: str) -> object:
    if name != "app":
        raise AttributeError(f"module 'goodarm.cli' has no attribute {name!r}")
    from goodarm.cli.command_group import app

    return app
