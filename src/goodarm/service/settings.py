"""What a service allows: each limit with its default, checked once."""

from dataclasses import dataclass, fields
from typing import Final

from goodarm.arguments import as_float, check_count, check_flag
from goodarm.errors import must

OWNER: Final = "serve"


@dataclass(frozen=True)
class Settings:
    """Limits of a service, and how it stands in the network.

    Args:
        max_body: bytes of a request's body.
        max_batch: pulls or rewards in one request.
        max_arms: arms of an experiment, those planned not counted.
        max_waiting: requests at once; one more is told to come again.
        max_rate: requests a second for each token, and for all who have none together.
        max_open: experiments that are held in memory.
        threads: requests that are worked on at once; they share commits.
        token_seconds: how long it is remembered that a token is valid: one that is revoked is
            refused after that.
        body_seconds: how long a request's body may take to come.
        shutdown_seconds: how long requests under way may take at the end.
        root_path: the path under which a proxy shows the service.
    """

    max_body: int = 10_000_000
    max_batch: int = 100_000
    max_arms: int = 200_000
    max_waiting: int = 256
    max_rate: float = 1000.0
    max_open: int = 100
    threads: int = 40
    token_seconds: float = 1.0
    body_seconds: float = 30.0
    shutdown_seconds: float = 30.0
    root_path: str = ""
    behind_proxy: bool = False

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if field.type is int:
                check_count(field.name, OWNER, value)
            elif field.type is float:
                number = as_float(value)
                if number is None or not 0 < number < float("inf"):
                    raise must(field.name, OWNER, "be a number above 0", value)
        check_flag("behind_proxy", OWNER, self.behind_proxy)
        path = self.root_path
        is_path = isinstance(path, str) and path.startswith("/") and not path.endswith("/")
        if path != "" and not is_path:
            rule = "begin with a slash and not end with one, as '/goodarm' does"
            raise must("root_path", OWNER, rule, path)

    @property
    def max_bytes(self) -> int:
        """Bytes of all bodies that are held at once."""
        return 8 * self.max_body
