"""The app of ``goodarm serve`` in this process, for the tests in a browser."""

from contextlib import contextmanager
from types import SimpleNamespace

import goodarm as ga
from goodarm.service import Settings, create_app
from service.servers import in_thread

EVERY, BEAT = 0.1, 0.5
"""Seconds between two looks of a server in this process at what is watched, and at who watches."""


@contextmanager
def here(store, port=0, *, is_hurried=True, **settings):
    """Serve a store's file by a thread: a process of its own would take seconds to start.

    If it is not hurried, it looks and beats as seldom as a service does.
    """
    with ga.open_store(store) as opened:
        app = create_app(opened, Settings(**settings))
        watchers = app.state.pages.watchers
        if is_hurried:
            watchers._every, watchers._beat = EVERY, BEAT
        with in_thread(app, port, watchers.end) as url:
            yield SimpleNamespace(url=url)
