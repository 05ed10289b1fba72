"""Login with a token, and logout."""

from typing import Final

from starlette.responses import Response

from goodarm.service.pages.auth import find_token, set_session_cookie, validate_next
from goodarm.service.pages.html_responses import redirect, render_page
from goodarm.service.pages.request_context import Page, Visit


def show_login(visit: Visit) -> Response:
    """Show the login form, or redirect if no login is needed."""
    target = validate_next(visit.get_text("next", "/", longest=2000))
    if visit.token is not None or visit.is_open:
        return redirect(visit.service.settings.root_path + target)
    return render_page(visit, "login.html", next=target, is_wrong=False)


def log_in(visit: Visit) -> Response:
    """Begin a session for a token, and end the one before."""
    target = validate_next(visit.form.get("next", "/"))
    token = find_token(visit, visit.form.get("token", ""))
    if token is None:
        return render_page(visit, "login.html", 401, next=target, is_wrong=True)
    visit.site.sessions.end(visit.session)
    response = redirect(visit.service.settings.root_path + target)
    set_session_cookie(visit, response, visit.site.sessions.begin(token))
    return response


def log_out(visit: Visit) -> Response:
    """End the session, in this browser and in any copy of its cookie."""
    visit.site.sessions.end(visit.session)
    response = redirect(visit.make_url("/login"))
    set_session_cookie(visit, response, visit.site.sessions.begin())
    return response


PAGES: Final = (
    Page("GET", "/login", "none", show_login),
    Page("POST", "/login", "none", log_in),
    Page("POST", "/logout", "none", log_out),
)
