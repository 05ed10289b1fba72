"""``goodarm demo``: three experiments that run by themselves, in a browser."""

import logging
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.browsing import open_browser
from goodarm.cli.options import NUMBER
from goodarm.cli.output import say
from goodarm.errors import missing_extra


def run_demo(
    port: Annotated[
        int, typer.Option(metavar=NUMBER, min=0, max=65535, help="0 takes any that is free.")
    ] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Only say where to look.")
    ] = False,
) -> None:
    """Watch three experiments that run by themselves, until Ctrl-C.

    They live in a store of their own, which is gone at the end.
    """
    try:
        from goodarm.service.demo import Demo
        from goodarm.service.serving import serve
    except ImportError:
        raise missing_extra("goodarm demo", "serve") from None
    from goodarm.store import open_store

    logging.basicConfig(level=logging.WARNING)

    def ready(url: str) -> None:
        say(f"Three experiments run at {url}; Ctrl-C ends them.")
        if not no_browser:
            open_browser(url)

    with tempfile.TemporaryDirectory(prefix="goodarm-demo-", ignore_cleanup_errors=True) as folder:
        address = f"sqlite:///{(Path(folder) / 'demo.db').as_posix()}"
        with open_store(address) as store, Demo(store):
            serve(store, port=port, ready=ready)
