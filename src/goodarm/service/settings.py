"""Settings of a service: its limits with their defaults, validated once."""

from dataclasses import dataclass, field, fields
from typing import Final

from goodarm.arguments import as_float, check_count, check_flag
from goodarm.errors import invalid_argument

OWNER: Final = "serve"
MIN_KEY_CHARS: Final = 32
"""Minimum length of a key that signs sessions."""


@dataclass(frozen=True)
class Settings:
    """Limits of a service, and its place in the network.

    Args:
        max_body: bytes of a request's body.
        max_batch: pulls or rewards in one request.
        max_arms: arms of an experiment, not counting those planned.
        max_waiting: requests at once; further ones are told to retry.
        max_strangers: requests at once whose token is not known yet, and as many visits of pages
            without a login; they do not count against the other limits.
        max_rate: requests a second for each token, and for all callers without one together.
        max_open: experiments that are held in memory.
        threads: requests that are handled at once; they share commits.
        token_seconds: how long a valid token is cached: a revoked one is refused after that.
        head_seconds: timeout for the line and headers of a request.
        body_seconds: timeout for a request's body, plus one second for each 250,000 bytes that have
            come.
        send_seconds: timeout for a client that reads no part of its answer.
        max_long_reads: requests that wait for a replay of a journal, or a large download.
        long_read_seconds: timeout for their wait.
        shutdown_seconds: timeout for requests under way at the shutdown.
        root_path: the path under which a proxy shows the service.
        behind_proxy: whether a proxy with TLS passes requests on.
        max_watchers: browsers that watch at once; further ones poll instead.
        session_key: signs the pages' sessions; if empty, each process uses a random key.
    """

    max_body: int = 10_000_000
    max_batch: int = 100_000
    max_arms: int = 200_000
    max_waiting: int = 256
    max_strangers: int = 64
    max_rate: float = 1000.0
    max_open: int = 100
    threads: int = 40
    token_seconds: float = 1.0
    head_seconds: float = 10.0
    body_seconds: float = 5.0
    send_seconds: float = 30.0
    max_long_reads: int = 64
    long_read_seconds: float = 10.0
    shutdown_seconds: float = 30.0
    root_path: str = ""
    behind_proxy: bool = False
    max_watchers: int = 200
    session_key: str = field(default="", repr=False)

    def __post_init__(self) -> None:
        for each in fields(self):
            value = getattr(self, each.name)
            if each.type is int:
                check_count(each.name, OWNER, value)
            elif each.type is float:
                number = as_float(value)
                if number is None or not 0 < number < float("inf"):
                    raise invalid_argument(each.name, OWNER, "be a number above 0", value)
        check_flag("behind_proxy", OWNER, self.behind_proxy)
        if not isinstance(self.session_key, str) or 0 < len(self.session_key) < MIN_KEY_CHARS:
            rule = f"be a text of at least {MIN_KEY_CHARS} characters"
            raise invalid_argument("session_key", OWNER, rule, f"one of {len(self.session_key)}")
        path = self.root_path
        is_path = isinstance(path, str) and path.startswith("/") and not path.endswith("/")
        if path != "" and not is_path:
            rule = "begin with a slash and not end with one, as '/goodarm' does"
            raise invalid_argument("root_path", OWNER, rule, path)

    @property
    def max_bytes(self) -> int:
        """Bytes of all bodies that are held at once."""
        return 8 * self.max_body
