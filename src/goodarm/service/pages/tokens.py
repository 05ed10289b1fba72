"""Pages with the list of tokens, and to revoke them."""

import logging
from typing import Final

from starlette.responses import Response

from goodarm.service.pages.actions import Confirmation
from goodarm.service.pages.html_responses import redirect, render_page
from goodarm.service.pages.request_context import Page, Visit
from goodarm.service.problems import FORBIDDEN, NOT_FOUND, Refusal
from goodarm.store import Token

_log = logging.getLogger("goodarm.service")


def _check(visit: Visit) -> None:
    if not visit.is_open and not visit.can_manage_tokens:
        detail = "To manage tokens, you need one with the scope 'admin' for all experiments."
        raise Refusal(FORBIDDEN, detail)


def show_tokens(visit: Visit) -> Response:
    """List all tokens, with their scopes and last use, but never their secrets."""
    _check(visit)
    now = visit.site.clock()
    found = sorted(visit.tokens, key=lambda token: not token.is_valid(now))
    is_so = any(token.revoked_at is not None for token in found)
    known = {"revoked": "The token is revoked."} if is_so else {}
    return render_page(visit, "tokens.html", tokens=found, now=now, done=known)


def _find_token(visit: Visit) -> Token:
    _check(visit)
    wanted = visit.request.path_params["token"]
    for token in visit.tokens:
        if token.id == wanted:
            return token
    raise Refusal(NOT_FOUND, "There is no such token.")


def ask_revoke(visit: Visit) -> Response:
    """Ask for confirmation to revoke a token."""
    token = _find_token(visit)
    own = " It is your own token: you will be logged out." if token == visit.token else ""
    confirmation = Confirmation(
        f"Revoke the token of {token.name}?",
        f"The token stops working, and its sessions end.{own} You cannot undo this.",
        "Revoke",
        visit.make_url("/tokens"),
        is_final=True,
        is_written=False,
    )
    return render_page(
        visit, "confirm.html", confirmation=confirmation, key="", wrong="", invalid_fields=[]
    )


def revoke(visit: Visit) -> Response:
    """Revoke a token."""
    token = _find_token(visit)
    visit.experiments.store.tokens.revoke(token.id, by=visit.who)
    _log.warning("%s has revoked token %s of %s.", visit.who, token.id, token.name)
    return redirect(visit.make_url("/tokens", done="revoked"))


PAGES: Final = (
    Page("GET", "/tokens", "admin", show_tokens),
    Page("GET", "/tokens/{token:hex}/revoke", "admin", ask_revoke),
    Page("POST", "/tokens/{token:hex}/revoke", "admin", revoke),
)
