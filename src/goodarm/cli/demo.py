"""``goodarm demo``: three experiments that run by themselves, in a browser."""

import logging
import tempfile
from pathlib import Path
from typing import Annotated

import typer

from goodarm.cli.browser import open_browser
from goodarm.cli.options import NUMBER
from goodarm.cli.output import say
from goodarm.errors import missing_extra


def run_demo(
    port: Annotated[int, typer.Option(metavar=NUMBER, help="The port; 0 for any free one.")] = 0,
    no_browser: Annotated[
        bool, typer.Option("--no-browser", help="Print the address; do not open a browser.")
    ] = False,
) -> None:
    """Watch three example experiments in a browser.

    Stop it with Ctrl-C. The experiments are then deleted.
    """
    try:
        import fastapi  # noqa: F401 (whether it is there)
        import jinja2  # noqa: F401
        import sqlalchemy  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise missing_extra("goodarm demo", "serve") from None
    from goodarm.service.demo import Demo
    from goodarm.service.server import serve
    from goodarm.store import open_store

    logging.basicConfig(level=logging.WARNING)

    def ready(url: str) -> None:
        say(f"Three experiments run at {url}. Press Ctrl-C to stop.")
        if not no_browser:
            open_browser(url)

    with tempfile.TemporaryDirectory(prefix="goodarm-demo-", ignore_cleanup_errors=True) as folder:
        address = f"sqlite:///{(Path(folder) / 'demo.db').as_posix()}"
        with open_store(address) as store, Demo(store) as demo:
            serve(store, port=port, ready=ready, notice=demo.get_notice)
