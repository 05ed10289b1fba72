"""Address of a service, and the token for it. Messages contain neither password nor token."""

import re
from typing import Final, NamedTuple
from urllib.parse import urlsplit

from goodarm.errors import SpecError, invalid_argument

_OWNER: Final = "Client"
_TOKEN: Final = re.compile(r"[!-~]{1,500}")
_LOOPBACK: Final = ("127.0.0.1", "::1", "localhost")


class Address(NamedTuple):
    """Address of a service, without a slash at its end."""

    url: str
    is_loopback: bool
    """whether it is on this machine, so that no proxy is used"""


def is_service(url: str) -> bool:
    """Return whether an address is that of a service, not of a store."""
    return url.lower().startswith(("http://", "https://"))


def check_address(url: object) -> Address:
    """Parse an address such as ``https://goodarm.example.org``; keep a path in it."""
    rule = "be the address of a service, such as 'https://goodarm.example.org'"
    if not isinstance(url, str) or not is_service(url):
        shown = url.partition(":")[0][:20] if isinstance(url, str) else url
        raise invalid_argument("url", _OWNER, rule, shown)
    try:
        parts = urlsplit(url)
        host, _ = parts.hostname, parts.port
    except ValueError:
        raise invalid_argument("url", _OWNER, rule, f"{url.partition(':')[0]}://...") from None
    if parts.username is not None or parts.password is not None:
        raise SpecError(
            argument="url",
            owner=_OWNER,
            rule="hold no user and no password",
            remedy="Give a token.",
        )
    if not host or parts.query or parts.fragment or not url.isprintable() or " " in url:
        raise invalid_argument("url", _OWNER, rule, f"{parts.scheme}://{host or ''}...")
    path = parts.path.rstrip("/")
    return Address(f"{parts.scheme}://{parts.netloc}{path}", host in _LOOPBACK)


def check_token(token: object) -> str | None:
    """Return the token if it can be sent in a header; the error does not show it."""
    if token is None:
        return None
    token = token.strip() if isinstance(token, str) else token  # a file ends with a newline
    if not isinstance(token, str) or not _TOKEN.fullmatch(token):
        raise SpecError(
            argument="token",
            owner=_OWNER,
            rule="be 1 to 500 printable ASCII characters without spaces, as 'goodarm token create' "
            "shows it",
        )
    return token
