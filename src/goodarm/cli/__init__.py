"""The command line, ``goodarm check | plan | show | ...``: ``front`` has the list.

=========  =======================================================================
guard      what stands around every command: Ctrl-C, crashes, readers that leave
front      the group of commands and the options before them
lazy       a command's module is loaded when it is called
output     tables and prose on standard output; layout fits them to a terminal
progress   bars on standard error
gate       a check's labels turned into an exit code
rows       which rows of a table of arms are shown, as options
stores     kept experiments: addresses, names, times in words
watching   a table that is kept current
=========  =======================================================================

Nothing else is loaded here: what is imported inside ``main`` can be interrupted quietly.
"""


def main() -> None:
    """Entry point of the ``goodarm`` command."""
    import sys

    try:
        from goodarm.cli.guard import run

        code = run(_start)
    except KeyboardInterrupt:  # before the guard stood
        sys.stderr.write("goodarm: interrupted.\n")
        code = 130
    # Where Ctrl-C has left a text that was being executed, as the making of a dataclass is, Python
    # holds it for unhandled, whoever caught it, and ``python -m`` ends by the signal instead of the
    # code. The next text that is executed makes it forget that.
    exec("")
    sys.exit(code)


def _start() -> None:
    from goodarm.cli.front import app

    app(prog_name="goodarm")


def __getattr__(name: str) -> object:
    if name != "app":
        raise AttributeError(f"module 'goodarm.cli' has no attribute {name!r}")
    from goodarm.cli.front import app

    return app
