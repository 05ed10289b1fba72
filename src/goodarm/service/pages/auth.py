"""Authentication of every page request, and pages for refused ones."""

from collections.abc import Awaitable, Callable
from functools import partial
from typing import Final
from urllib.parse import quote

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response

from goodarm.errors import GoodArmError, StoreError
from goodarm.service.access import RequestCaller
from goodarm.service.capacity import MAX_FORM_BYTES, get_slot
from goodarm.service.pages.html_responses import redirect, render_page
from goodarm.service.pages.origins import check_host, check_origin, make_outdated_form_refusal
from goodarm.service.pages.request_context import Page, Visit, read_form
from goodarm.service.pages.sessions import COOKIE_NAME, Session
from goodarm.service.pages.site_state import SiteState
from goodarm.service.pages.wording import explain_refusal
from goodarm.service.problems import (
    UNAUTHORIZED,
    Refusal,
    log_unexpected,
    make_refusal,
    make_refusal_headers,
)
from goodarm.service.request_bodies import read_body
from goodarm.service.routing import get_service
from goodarm.store import Token

NOTICE_HEADER: Final = "Goodarm-Notice"
"""Header with the notice for all visitors, for a page that is open already."""
FORM_KEY_FIELD: Final = "form_key"


def make_endpoint(site: SiteState, declared: Page) -> Callable[[Request], Awaitable[Response]]:
    """Return the endpoint of a page. Everything but the reading of a body runs in a thread.

    The form of a visitor who is not let in is not read, except for the small ones that anybody may
    send.
    """

    async def answer(request: Request) -> Response:
        service, raw, limit = get_service(request), b"", MAX_FORM_BYTES
        visit: Visit | None = None
        if declared.scope != "none":
            is_known = not get_slot(request).is_stranger
            run = run_in_threadpool if is_known else service.access.strangers.run
            visit = await run(partial(make_visit, site, request))
            if visit.is_open or visit.token is not None:
                get_slot(request).admit()
                limit = service.settings.max_body
            else:
                limit = 0
        if declared.method == "POST" and limit:
            raw = await read_body(request, service.settings, limit)
        act, pool = partial(_respond, site, declared, request, raw, visit), declared.pool
        if pool == "arms" and request.query_params.get("part") == "1":
            pool = None  # a watched page: the cached snapshot will do
        return await service.run(pool, request, act)

    return answer


def make_visit(site: SiteState, request: Request) -> Visit:
    """Return the visit of a request, with the session that its cookie names or a new one.

    Tokens are looked up only here: at most once for each request.
    """
    service, token, is_open, trouble = get_service(request), None, False, None
    tokens: list[Token] = []
    session = site.sessions.read(request.cookies.get(COOKIE_NAME))
    has_token = session is not None and session.token_id != ""
    if has_token or not service.access.is_closed:
        try:
            tokens = site.tokens.list()
        except StoreError as error:
            trouble = error
        else:
            token = site.sessions.token(session, tokens)
            is_open = not service.access.needs_token(tokens)
    is_over = has_token and token is None and trouble is None
    is_new = session is None or is_over  # a session ends with its token
    if session is None or is_over:
        session = site.sessions.begin()
    return Visit(
        site,
        service,
        request,
        session,
        token,
        RequestCaller(token),
        {},
        is_open=is_open,
        trouble=trouble,
        tokens=tokens,
        is_new=is_new,
    )


def _respond(
    site: SiteState, declared: Page, request: Request, raw: bytes, found: Visit | None
) -> Response:
    visit = make_visit(site, request) if found is None else found
    try:
        response = _handle(visit, declared, raw)
    except GoodArmError as error:
        response = render_refusal(visit, make_refusal(error))
    except Refusal as refusal:
        response = render_refusal(visit, refusal)
    except Exception as error:
        response = render_refusal(visit, log_unexpected(error))
    if visit.is_new and "set-cookie" not in response.headers and not _is_from_link(visit):
        set_session_cookie(visit, response, visit.session)
    if visit.is_part:
        response.headers[NOTICE_HEADER] = site.notice()
    return response


def _handle(visit: Visit, declared: Page, raw: bytes) -> Response:
    access, request = visit.service.access, visit.request
    if visit.trouble is not None and declared.scope != "none":
        raise visit.trouble
    if visit.is_open:
        check_host(request)
    if declared.method == "POST":
        check_origin(request)
    if declared.scope != "none" and visit.token is None and not visit.is_open:
        return _redirect_to_login(visit, declared)
    if declared.method == "POST":
        visit = visit._replace(form=read_form(raw, request))
        if not visit.site.sessions.is_form_key(visit.session, visit.form.get(FORM_KEY_FIELD, "")):
            raise make_outdated_form_refusal()
    if declared.scope != "none":
        access.check_rate(visit.token)
        caller = RequestCaller(visit.token)
        caller.check(declared.scope, request.path_params.get("name"))
        visit = visit._replace(caller=caller)
        if visit.token is not None:
            access.record_use(visit.token)
    return declared.show(visit)


def _redirect_to_login(visit: Visit, declared: Page) -> Response:
    """Redirect a visitor without a session to the login; refuse forms and script requests."""
    if declared.method == "POST" or visit.is_part or declared.path.endswith("/events"):
        raise Refusal(UNAUTHORIZED, "Your session has ended. Log in again.")
    query = visit.request.url.query
    target = f"{visit.path}?{query}" if query else visit.path
    if _is_from_link(visit):
        return render_page(visit, "onward.html", address=visit.service.settings.root_path + target)
    return redirect(visit.make_url("/login", next=target))


def _is_from_link(visit: Visit) -> bool:
    """Return whether a link of another site has led here.

    The browser then withholds the session's cookie, and sends it once a page of ours leads on to
    the same address.
    """
    headers = visit.request.headers
    is_foreign = headers.get("sec-fetch-site") in ("cross-site", "same-site")
    return is_foreign and COOKIE_NAME not in visit.request.cookies


def set_session_cookie(visit: Visit, response: Response, session: Session) -> None:
    """Set the session's cookie, out of reach of scripts and of other sites."""
    settings = visit.service.settings
    response.set_cookie(
        COOKIE_NAME,
        visit.site.sessions.cookie(session),
        max_age=max(session.until - int(visit.site.clock()), 0),
        path=settings.root_path or "/",
        secure=settings.behind_proxy or visit.request.url.scheme == "https",
        httponly=True,
        samesite="strict",
    )


def render_refusal(visit: Visit, refusal: Refusal) -> Response:
    """Return a page that says what was refused and why; without a login, it offers nothing else."""
    if visit.token is None and not visit.is_open:
        visit = visit._replace(caller=RequestCaller(None, is_nobody=True))
    headers = {k: v for k, v in make_refusal_headers(refusal).items() if k != "WWW-Authenticate"}
    return render_page(
        visit,
        "error.html",
        refusal.kind.status,
        headers,
        refusal=refusal,
        why=explain_refusal(refusal),
    )


def validate_next(given: str) -> str:
    r"""Return the address to open after the login: a path of this service, or the list.

    >>> validate_next("/experiments/a?sort=mean"), validate_next("//evil.example")
    ('/experiments/a?sort=mean', '/')
    >>> validate_next("/\\evil")
    '/'
    """
    is_ours = given.startswith("/") and not given.startswith(("//", "/\\"))
    if not is_ours or not given.isprintable() or len(given) > 2000:
        return "/"
    return quote(given, safe="/?&=%+-._~:,")


def find_token(visit: Visit, secret: str) -> Token | None:
    """Return the token that a visitor has typed; None if it is not valid."""
    return visit.experiments.store.tokens.find(secret.strip())
