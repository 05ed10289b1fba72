"""Login with a token, and logout."""

from typing import Final

from starlette.responses import Response

from goodarm.service.pages.door import keep, safe_next, valid_token
from goodarm.service.pages.rendering import page, redirect
from goodarm.service.pages.visit import Page, Visit


def show_login(visit: Visit) -> Response:
    """Show the login form, or redirect if no login is needed."""
    target = safe_next(visit.text("next", "/", longest=2000))
    if visit.token is not None or visit.is_open:
        return redirect(visit.service.settings.root_path + target)
    return page(visit, "login.html", next=target, is_wrong=False)


def log_in(visit: Visit) -> Response:
    """Begin a session for a token, and end the one before."""
    target = safe_next(visit.form.get("next", "/"))
    token = valid_token(visit, visit.form.get("token", ""))
    if token is None:
        return page(visit, "login.html", 401, next=target, is_wrong=True)
    visit.pages.sessions.end(visit.session)
    response = redirect(visit.service.settings.root_path + target)
    keep(visit, response, visit.pages.sessions.begin(token))
    return response


def log_out(visit: Visit) -> Response:
    """End the session, in this browser and in any copy of its cookie."""
    visit.pages.sessions.end(visit.session)
    response = redirect(visit.url("/login"))
    keep(visit, response, visit.pages.sessions.begin())
    return response


PAGES: Final = (
    Page("GET", "/login", "none", show_login),
    Page("POST", "/login", "none", log_in),
    Page("POST", "/logout", "none", log_out),
)
