"""Protection against changes that other sites send (CSRF).

Browsers name the origin in ``Sec-Fetch-Site``, older ones in ``Origin``. A form also carries the
key of its session, which protects browsers that send neither.
"""

from typing import Final
from urllib.parse import urlsplit

from starlette.requests import Request

from goodarm.service.access import get_hostname, is_loopback
from goodarm.service.problems import ProblemKind, Refusal

FORM_REFUSED: Final = ProblemKind("form", 403, "The form was not accepted")
LOCAL_ONLY: Final = ProblemKind("here-only", 403, "Only this machine has access")
_OWN_SITES: Final = ("same-origin", "none")


def check_origin(request: Request) -> None:
    """Refuse a change that another site has sent."""
    site = request.headers.get("sec-fetch-site")
    if site is not None and site not in _OWN_SITES:
        raise _make_foreign_form_refusal()
    origin = request.headers.get("origin")
    if origin is not None and not _is_same(origin, request):
        raise _make_foreign_form_refusal()


def _is_same(origin: str, request: Request) -> bool:
    """Return whether the host is the same. The scheme may differ, since a proxy may end TLS."""
    try:
        return urlsplit(origin).netloc == request.headers.get("host", "")
    except ValueError:
        return False


def check_host(request: Request) -> None:
    """Refuse names other than this machine's own; used where no token is needed.

    Otherwise a foreign page could point a domain name of its own at this machine, and use the
    service as its own site (DNS rebinding).
    """
    name = get_hostname(request.headers.get("host", ""))
    if not is_loopback(name):
        raise Refusal(
            LOCAL_ONLY,
            f"Without tokens, only this machine can open the pages, at 127.0.0.1 or localhost; got "
            f"{name[:80]!r}. To allow others, create a token with 'goodarm token create'.",
        )


def _make_foreign_form_refusal() -> Refusal:
    return Refusal(
        FORM_REFUSED,
        "The form was sent from another site. Nothing was changed. To make this change, open the "
        "page here and send the form from there.",
    )


def make_outdated_form_refusal() -> Refusal:
    """Return the refusal for a form that was made for another session."""
    return Refusal(
        FORM_REFUSED,
        "The form is out of date, for example after a login, a logout or a restart of the service. "
        "Nothing was changed. Go back, reload the page, and send the form again.",
    )
