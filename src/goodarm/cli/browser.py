"""Opening of pages in a browser."""

import webbrowser
from threading import Thread

from goodarm.cli.output import say


def open_browser(url: str) -> Thread:
    """Open a page in a thread, without waiting for it. Print a note if there is no browser."""

    def open_page() -> None:
        try:
            is_open = webbrowser.open(url)
        except webbrowser.Error:
            is_open = False
        if not is_open:
            say(f"goodarm: no browser found. Open {url} yourself.", err=True)

    thread = Thread(target=open_page, daemon=True)
    thread.start()
    return thread
