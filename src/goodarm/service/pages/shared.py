"""What all pages share."""

import time
from collections.abc import Callable

from goodarm.service.calls import Service
from goodarm.service.pages.seen import Looks
from goodarm.service.pages.sessions import Sessions
from goodarm.service.pages.watchers import Watchers


class Shared:
    """Sessions, looks at experiments, and who watches."""

    def __init__(self, service: Service, clock: Callable[[], float] = time.time) -> None:
        settings = service.settings
        self.clock = clock
        self.sessions = Sessions(service.kept.store.tokens, settings.session_key, clock)
        self.looks = Looks(service.kept)
        self.notice: Callable[[], str] = lambda: ""
        """what all who look should know, in ASCII; nothing most of the time"""
        self.watchers = Watchers(self.looks.version, settings.max_watchers)
