"""``goodarm serve``: service of a store's experiments over HTTP."""

import logging
import os
from typing import Annotated

import typer

from goodarm.cli.options import NUMBER, number
from goodarm.cli.output import say
from goodarm.errors import missing_extra


def serve_store(
    *,
    store: Annotated[
        str,
        typer.Option(
            metavar="URL",
            help="The store: sqlite:///goodarm.db, or postgresql+psycopg://user@host/database.",
        ),
    ],
    host: Annotated[
        str,
        typer.Option(
            metavar="ADDRESS",
            help="Where to listen; others than this machine need tokens and --behind-proxy.",
        ),
    ] = "127.0.0.1",
    port: Annotated[int, typer.Option(metavar=NUMBER, help="0 takes any that is free.")] = 8642,
    behind_proxy: Annotated[
        bool,
        typer.Option("--behind-proxy", help="A proxy with TLS passes requests on."),
    ] = False,
    root_path: Annotated[
        str, typer.Option(metavar="PREFIX", help="The path under which a proxy shows the service.")
    ] = "",
    max_body: Annotated[
        int, typer.Option(metavar=NUMBER, help="Bytes of a request's body.")
    ] = 10_000_000,
    max_batch: Annotated[
        int, typer.Option(metavar=NUMBER, help="Pulls or rewards in one request.")
    ] = 100_000,
    max_arms: Annotated[int, typer.Option(metavar=NUMBER, help="Arms of an experiment.")] = 200_000,
    max_waiting: Annotated[
        int, typer.Option(metavar=NUMBER, help="Requests at once; more are told to come again.")
    ] = 256,
    max_strangers: Annotated[
        int,
        typer.Option(
            metavar=NUMBER, help="Requests at once without a known token; they take no other room."
        ),
    ] = 64,
    max_rate: Annotated[
        float,
        typer.Option(metavar=NUMBER, parser=number, help="Requests a second for each token."),
    ] = 1000.0,
    max_watchers: Annotated[
        int,
        typer.Option(metavar=NUMBER, help="Browsers that watch at once; more ask now and then."),
    ] = 200,
    open_page: Annotated[bool, typer.Option("--open", help="Open the page in a browser.")] = False,
    quiet: Annotated[bool, typer.Option("--quiet", help="Do not log every request.")] = False,
) -> None:
    """Serve the experiments of a store over HTTP, with pages to watch them.

    It ends by Ctrl-C. Without tokens whoever reaches it may do everything, so it listens on this
    machine only. Sessions of the pages end with it, unless GOODARM_SESSION_KEY holds a key.
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
        say(f"Serving at {url}; Ctrl-C ends it.")
        if open_page:
            from goodarm.cli.browser import open_browser

            open_browser(f"{url}{root_path}/")

    form = "%(asctime)s %(levelname)s %(message)s"
    logging.basicConfig(level=logging.WARNING if quiet else logging.INFO, format=form)
    with open_store(store) as opened:
        serve(opened, settings, host, port, ready=ready)
