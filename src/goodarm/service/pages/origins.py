"""Where a change comes from: from a page of this service, or it is refused.

Browsers say it in ``Sec-Fetch-Site``, older ones in ``Origin``. A form also carries the key of its
session, so that a browser that says nothing is held off too.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from goodarm.service.access import hostname, is_loopback
from goodarm.service.problems import FORBIDDEN, Refusal

_OURS: Final = ("same-origin", "none")


def check_origin(request: Request) -> None:
    """Refuse a change that another site has sent."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in _OURS:
        raise _foreign()
    origin = request.headers.get("origin")
    if origin is not None and not _is_same(origin, request):
        raise _foreign()


def _is_same(origin: str, request: Request) -> bool:
    """The same host. A proxy may have taken TLS off, so the scheme says nothing."""
    try:
        return urlsplit(origin).netloc == request.headers.get("host", "")
    except ValueError:
        return False


def check_host(request: Request) -> None:
    """Where anybody may do everything, only this machine's own names are answered.

    Else a page of somebody else's could take the service for its own site, by a name that it lets
    point here.
    """
    name = hostname(request.headers.get("host", ""))
    if not is_loopback(name):
        raise Refusal(
            FORBIDDEN,
            f"Without tokens the pages are for this machine only, at 127.0.0.1 or localhost; got "
            f"{name[:80]!r}. Create a token by 'goodarm token create'.",
        )


def _foreign() -> Refusal:
    return Refusal(FORBIDDEN, "The form was sent by another site. Send it from the page itself.")
