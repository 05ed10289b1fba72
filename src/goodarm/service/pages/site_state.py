"""State that all pages share."""

import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from goodarm.service.pages.sessions import COOKIE_NAME, Sessions
from goodarm.service.pages.snapshots import SnapshotCache
from goodarm.service.pages.watchers import Watchers
from goodarm.service.routing import Service


class SiteState:
    """Sessions, snapshots of experiments, and watchers."""

    def __init__(self, service: Service, clock: Callable[[], float] = time.time) -> None:
        settings = service.settings
        self.clock = clock
        self.tokens = service.experiments.store.tokens
        self.sessions = Sessions(settings.session_key, clock)
        self.snapshots = SnapshotCache(service.experiments, service.give_way)
        self.notice: Callable[[], str] = lambda: ""
        """returns the notice for all visitors, in ASCII; usually empty"""
        self.watchers = Watchers(self.snapshots.version, settings.max_watchers)
        self._access = service.access

    def is_known(self, scope: Scope, is_page: bool) -> bool:
        """Return whether the sender was authenticated before, by session or token.

        This decides only which limits the request counts against.
        """
        if not is_page:
            return self._access.is_known_caller(Headers(scope=scope))
        session = self.sessions.read(Request(scope).cookies.get(COOKIE_NAME))
        return session is not None and session.token_id != ""
