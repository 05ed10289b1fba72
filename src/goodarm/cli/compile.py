"""``goodarm compile``: compilation of all kernels ahead of their use."""

import typer

from goodarm.cli.options import AsJson
from goodarm.cli.output import print_json, say

EXIT_NOT_KEPT = 1


def compile_kernels(as_json: AsJson = False) -> None:
    """Compile everything now, so that no command has to wait for it.

    Compiled code is kept in the folder of goodarm or, if that cannot be written to, in your cache
    folder. To use another folder, set NUMBA_CACHE_DIR. Exit code: 0, or 1 if no folder can be
    written to.
    """
    from goodarm.compilation import compile_all

    if not as_json:
        say("Compiling. This takes up to a minute.", err=True)
    done = compile_all()
    if as_json:
        print_json(done.to_dict())
    elif done.folder is not None:
        what = f"{done.kernels} kernels in {done.seconds:g} s" if done.kernels else "nothing new"
        say(f"Compiled: {what}; kept in {done.folder}.")
    if done.folder is None:
        raise typer.Exit(EXIT_NOT_KEPT)
