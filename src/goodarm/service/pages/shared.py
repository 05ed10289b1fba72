"""State that all pages share."""

import time
from collections.abc import Callable

from starlette.datastructures import Headers
from starlette.requests import Request
from starlette.types import Scope

from goodarm.service.calls import Service
from goodarm.service.pages.seen import Looks
from goodarm.service.pages.sessions import COOKIE, Sessions
from goodarm.service.pages.watchers import Watchers


class Shared:
    """Sessions, snapshots of experiments, and watchers."""

    def __init__(self, service: Service, clock: Callable[[], float] = time.time) -> None:
        settings = service.settings
        self.clock = clock
        self.tokens = service.kept.store.tokens
        self.sessions = Sessions(settings.session_key, clock)
        self.looks = Looks(service.kept, service.give_way)
        self.notice: Callable[[], str] = lambda: ""
        """returns the notice for all visitors, in ASCII; usually empty"""
        self.watchers = Watchers(self.looks.version, settings.max_watchers)
        self._access = service.access

    def is_known(self, scope: Scope, is_page: bool) -> bool:
        """Return whether a request comes from somebody who was let in before, by session or token.

        This decides only which limits the request counts against.
        """
        if not is_page:
            return self._access.has_seen(Headers(scope=scope))
        session = self.sessions.read(Request(scope).cookies.get(COOKIE))
        return session is not None and session.token_id != ""
