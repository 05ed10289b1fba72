"""``goodarm serve``: service of a store's experiments over HTTP."""

import logging
import os
from typing import Annotated

import typer

from goodarm.cli import usage
from goodarm.cli.options import NUMBER, number
from goodarm.cli.output import say
from goodarm.errors import missing_extra


def serve_store(
    *,
    store: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The store: sqlite:///goodarm.db or postgresql+psycopg://user@host/database.",
        ),
    ],
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="The address to listen on. To reach other machines, create a token and set "
            "--behind-proxy.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar=NUMBER, help="The port; 0 for any free one.")] = 8642,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="Requests come through a proxy with TLS."),
    ] = False,
    root_path: Annotated[
        str, typer.Option(metavar="PREFIX", help="The path of the service behind a proxy.")
    ] = "",
    max_body: Annotated[
        int,
        typer.Option(
            metavar=NUMBER, help="Largest request, in bytes.", rich_help_panel=usage.LIMITS
        ),
    ] = 10_000_000,
    max_batch: Annotated[
        int,
        typer.Option(
            metavar=NUMBER,
            help="Most pulls or rewards in one request.",
            rich_help_panel=usage.LIMITS,
        ),
    ] = 100_000,
    max_arms: Annotated[
        int,
        typer.Option(
            metavar=NUMBER, help="Most arms of an experiment.", rich_help_panel=usage.LIMITS
        ),
    ] = 200_000,
    max_waiting: Annotated[
        int,
        typer.Option(
            metavar=NUMBER,
            help="Most requests at the same time; others are told to try again.",
            rich_help_panel=usage.LIMITS,
        ),
    ] = 256,
    max_strangers: Annotated[
        int,
        typer.Option(
            metavar=NUMBER,
            help="Most requests at the same time without a known token, counted apart.",
            rich_help_panel=usage.LIMITS,
        ),
    ] = 64,
    max_rate: Annotated[
        float,
        typer.Option(
            metavar=NUMBER,
            parser=number,
            help="Most requests per second and token.",
            rich_help_panel=usage.LIMITS,
        ),
    ] = 1000.0,
    max_watchers: Annotated[
        int,
        typer.Option(
            metavar=NUMBER,
            help="Most browsers with live updates; others poll.",
            rich_help_panel=usage.LIMITS,
        ),
    ] = 200,
    open_page: Annotated[
        bool,
        typer.Option("--open", help="Open the page in a browser.", rich_help_panel=usage.OUTPUT),
    ] = False,
    quiet: Annotated[
        bool,
        typer.Option("--quiet", help="Do not log every request.", rich_help_panel=usage.OUTPUT),
    ] = False,
) -> None:
    """Serve the experiments of a store over HTTP, with web pages.

    Stop it with Ctrl-C. Without tokens, everybody who reaches the service can do everything, so it
    listens on this machine only. Logins end with the service, unless you set GOODARM_SESSION_KEY.
    """
    try:
        import fastapi  # noqa: F401 (whether it is there)
        import jinja2  # noqa: F401
        import uvicorn  # noqa: F401
    except ImportError:
        raise missing_extra("goodarm serve", "serve") from None
    from goodarm.service.server import serve
    from goodarm.service.settings import Settings
    from goodarm.store import open_store

    settings = Settings(
        max_body=max_body,
        max_batch=max_batch,
        max_arms=max_arms,
        max_waiting=max_waiting,
        max_strangers=max_strangers,
        max_rate=max_rate,
        root_path=root_path,
        behind_proxy=behind_proxy,
        max_watchers=max_watchers,
        session_key=os.environ.get("GOODARM_SESSION_KEY", ""),
    )

    def ready(url: str) -> None:
        say(f"Serving at {url}. Press Ctrl-C to stop.")
        if open_page:
            from goodarm.cli.browser import open_browser

            open_browser(f"{url}{root_path}/")

    form = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, format=form)
    with open_store(store) as opened:
        serve(opened, settings, host, port, ready=ready)
