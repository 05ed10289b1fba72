"""Who comes in: cookies, tokens, scopes, other sites, and what browsers are told."""

import re

import pytest

import goodarm as ga
from goodarm.service.pages import list_pages
from goodarm.service.pages.sessions import COOKIE_NAME, SESSION_SECONDS, Sessions
from service.pages.site import Tags, run, site_of

PAGES = list_pages()
GETS = [page for page in PAGES if page.method == "GET" and "static" not in page.path]
SHOWN = [page for page in GETS if not page.path.endswith("/events")]


def make_address(path):
    """A page's own address, of an experiment that is there."""
    filled = {"name:experiment": "banners", "arm:position": "0", "number:number": "1"}
    filled |= {"token:hex": "0", "kind:picture": "svg"}
    return re.sub(r"\{([^}]+)\}", lambda found: filled[found.group(1)], path)


@pytest.fixture
def closed():
    """Pages of a store with tokens, one experiment, and its secrets by name."""
    with site_of() as site:
        problem = ga.Problem(["red", "green"], threshold=0.5, delta=0.05)
        exp = run(site.store.experiment("banners", problem, seed=1), 199)
        exp.ask_many(5)
        made = {
            "read": ("read", "*"),
            "run": ("run", "*"),
            "admin": ("admin", "*"),
            "other": ("admin", "team-*"),
        }
        tokens = site.store.tokens
        site.secrets = {n: tokens.create(n, s, pattern=p)[0] for n, (s, p) in made.items()}
        yield site


def test_all_pages_say_what_browsers_may_do(site, banners):
    for page in SHOWN:
        answer = site.get(make_address(page.path))
        policy = answer.headers["content-security-policy"]
        assert policy.startswith("default-src 'none'; script-src 'self'; style-src ")
        assert "unsafe" not in policy
        assert "frame-ancestors 'none'" in policy
        assert answer.headers["x-content-type-options"] == "nosniff"
        assert answer.headers["referrer-policy"] == "same-origin"
        assert answer.headers["cache-control"] == "no-store" or "favicon" in page.path


def test_nothing_is_inline(site, banners):
    for page in SHOWN:
        answer = site.get(make_address(page.path))
        if not answer.headers.get("content-type", "").startswith("text/html"):
            continue
        assert not re.search(r"<[^>]*\s(style|on\w+)=", answer.text), page.path
        assert not re.search(r"<script(?![^>]*\ssrc=)", answer.text), page.path
        assert ("<style>" in answer.text) == page.path.endswith("/report"), page.path
        assert "javascript:" not in answer.text


def test_names_are_data():
    evil = '"><script>alert(1)</script>'
    with site_of() as site:
        problem = ga.Problem([evil, "{{ 7 * 7 }}", "a\u202eb"], threshold=0.5, delta=0.05)
        exp = site.store.experiment("banners", problem, seed=1)
        run(exp, 60)
        exp.signed(evil).ask_many(3, worker=evil)
        for page in SHOWN:
            answer = site.get(make_address(page.path))
            is_page = "html" in answer.headers.get("content-type", "")
            assert not is_page or "<script>alert" not in answer.text
        for query in ("q", "sort", "label", "page", "state", "kind", "before", "done", "next"):
            for path in ("/", "/experiments/banners", "/experiments/banners/journal"):
                answer = site.get(path, params={query: evil})
                assert answer.status_code == 200
                assert "<script>alert" not in answer.text
        shown = site.get("/experiments/banners").text
        assert ">{{ 7 * 7 }}</a>" in shown
        assert ">&#34;&gt;&lt;script&gt;alert(1)&lt;/script&gt;</a>" in shown
        assert "a\\u202eb" in shown
        refused = site.get(f"/experiments/banners/{evil}", headers={"Accept": "text/html"})
        assert refused.status_code == 404
        assert "<script>alert" not in refused.text


def test_without_a_session_one_is_sent_to_the_login(closed):
    answer = closed.get("/experiments/banners?sort=mean")
    assert answer.status_code == 303
    assert answer.headers["location"] == "/login?next=%2Fexperiments%2Fbanners%3Fsort%3Dmean"
    for path in ("/experiments/banners?part=1", "/experiments/banners/events"):
        assert closed.get(path).status_code == 401
    assert closed.send("/login", {"token": "ga_" + "x" * 43}).status_code == 401
    answer = closed.post("/experiments/banners/pause", closed.fields("/login"))
    assert answer.status_code == 401


def test_the_cookie_is_out_of_reach(closed):
    answer = closed.log_in(closed.secrets["read"])
    assert answer.status_code == 303
    cookie = answer.headers["set-cookie"]
    for word in ("HttpOnly", "SameSite=strict", "Path=/"):
        assert word in cookie
    assert "Secure" not in cookie
    assert re.search(rf"Max-Age=({SESSION_SECONDS}|{SESSION_SECONDS - 1})\b", cookie)
    assert not any(secret[3:20] in cookie for secret in closed.secrets.values())
    assert closed.get("/").status_code == 200


def test_behind_tls_the_cookie_is_secure():
    with site_of(behind_proxy=True) as site:
        assert "Secure" in site.get("/").headers["set-cookie"]


def test_a_session_ends_with_its_token(closed):
    closed.log_in(closed.secrets["run"])
    assert closed.get("/experiments/banners").status_code == 200
    token = closed.store.tokens.find(closed.secrets["run"])
    closed.store.tokens.revoke(token.id)
    assert closed.get("/experiments/banners").status_code == 303


def test_a_session_ends_at_the_logout_in_every_copy(closed):
    closed.log_in(closed.secrets["read"])
    copy = closed.client.cookies[COOKIE_NAME]
    answer = closed.post("/logout", closed.fields("/"))
    assert answer.headers["location"] == "/login"
    assert closed.get("/").status_code == 303
    closed.client.cookies.set(COOKIE_NAME, copy, domain="127.0.0.1")
    assert closed.get("/").status_code == 303


def test_a_session_is_signed_and_short():
    now = [1000.0]
    tokens = ga.open_store("memory:").tokens
    _, token = tokens.create("ann", "read")
    sessions = Sessions(clock=lambda: now[0])
    session = sessions.begin(token._replace(expires_at=None))
    cookie = sessions.cookie(session)
    assert sessions.read(cookie) == session
    for wrong in (cookie[:-1], f"x{cookie}", "", "a.b.c.d", "é", cookie * 9, None):
        assert sessions.read(wrong) is None
    forged = cookie.replace(f".{session.until}.", f".{session.until + 9}.")
    assert sessions.read(forged) is None
    assert Sessions().read(cookie) is None
    assert Sessions("k" * 32).form_key(session) != sessions.form_key(session)
    short = sessions.begin(token._replace(expires_at=1010.0))
    assert short.until == 1010
    now[0] += SESSION_SECONDS
    assert sessions.read(cookie) is None
    assert sessions.token(session, tokens.list()) is None


SCOPES = {"none": 0, "read": 1, "run": 2, "admin": 3}


@pytest.mark.parametrize("who", ["read", "run", "admin", "other"])
def test_scopes(closed, who):
    closed.log_in(closed.secrets[who])
    for page in SHOWN:
        expected = 200
        if page.path == "/login":
            expected = 303
        elif "{name" in page.path and who == "other":
            expected = 404
        elif SCOPES[page.scope] > SCOPES.get(who, 3) or ("/tokens" in page.path and who == "other"):
            expected = 403
        elif "{token" in page.path:
            expected = 404
        assert closed.get(make_address(page.path)).status_code == expected, page.path


@pytest.mark.parametrize("who", ["read", "run", "other"])
def test_scopes_of_changes(closed, who):
    closed.log_in(closed.secrets[who])
    before = closed.store.experiment("banners").entries
    fields = closed.fields("/")
    for page in PAGES:
        if page.method == "POST" and "log" not in page.path:
            answer = closed.post(make_address(page.path), fields)
            has_scope = SCOPES[page.scope] <= SCOPES.get(who, 3)
            if who == "other":
                expected = {"/new": 422}.get(page.path, 403 if "/tokens" in page.path else 404)
                assert answer.status_code == expected, page.path
            elif not has_scope:
                assert answer.status_code == 403, page.path
    found = [entry["kind"] for entry in closed.store.experiment("banners").journal(before)]
    assert set(found) <= ({"forgotten", "noted"} if who == "run" else set())


@pytest.mark.parametrize(
    "headers",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Site": "cross-site"},
        {"Sec-Fetch-Site": "same-site"},
    ],
)
def test_forms_of_other_sites_are_refused(site, banners, headers):
    answer = site.send("/experiments/banners/pause", headers=headers)
    assert answer.status_code == 403
    assert "<h1>The form was not accepted</h1>" in answer.text
    assert "another site" in answer.text
    assert banners.status == "running"


def test_a_form_needs_the_key_of_its_session(site, banners):
    fields = site.fields("/experiments/banners/pause")
    for key in ("", "x", "é", None):
        body = {k: v for k, v in {**fields, "form_key": key}.items() if v is not None}
        assert site.post("/experiments/banners/pause", body).status_code == 403
    other = site.client.cookies[COOKIE_NAME]
    site.client.cookies.clear()
    answer = site.post("/experiments/banners/pause", fields)
    assert answer.status_code == 403
    assert "<h1>The form was not accepted</h1>" in answer.text
    assert "Go back, reload the page" in answer.text
    assert "The token" not in answer.text
    site.client.cookies.clear()
    site.client.cookies.set(COOKIE_NAME, other, domain="127.0.0.1")
    assert banners.status == "running"
    assert site.post("/experiments/banners/pause", fields).status_code == 303
    assert banners.status == "paused"


def test_bodies_that_are_no_forms(site):
    fields = site.fields("/new")
    for body, media in (
        (b"{}", "application/json"),
        (b"\xff", "application/x-www-form-urlencoded"),
    ):
        answer = site.client.post("/new", content=body, headers={"Content-Type": media})
        assert answer.status_code == 422
    twice = [*fields.items(), *fields.items()]
    assert site.post("/new", twice).status_code == 422


def test_without_tokens_only_this_machine_is_answered():
    for host, status in (("http://evil.example", 403), ("http://localhost:1", 200)):
        with site_of(host=host) as site:
            answer = site.get("/")
            assert answer.status_code == status
            assert ("Only this machine has access" in answer.text) == (status == 403)
    with site_of(host="http://evil.example") as site:
        site.store.tokens.create("ann", "admin")
        assert site.get("/login").status_code == 200


def test_a_link_from_elsewhere_keeps_the_session(closed):
    """The browser sends no cookie with it, which must not cost the session that it has."""
    answer = closed.get("/experiments/banners", headers={"Sec-Fetch-Site": "cross-site"})
    assert answer.status_code == 200
    assert "set-cookie" not in answer.headers
    assert 'content="0; url=/experiments/banners"' in answer.text


@pytest.mark.parametrize(
    "target", ["//evil.example", "https://evil.example", "/\\evil", "x", "/\n/a"]
)
def test_the_login_leads_to_our_own_pages(closed, target):
    answer = closed.send("/login", {"token": closed.secrets["read"], "next": target})
    assert answer.headers["location"] == "/"


def test_everything_lies_below_the_prefix():
    with site_of(root_path="/good/arm") as site:
        run(site.store.experiment("banners", ga.Problem(3, threshold=0.5, delta=0.05)), 50, keep=2)
        for page in SHOWN:
            for before in ("", "/good/arm"):
                answer = site.get(before + make_address(page.path))
                assert answer.status_code in (200, 303, 404), page.path
            text = answer.text if "html" in answer.headers.get("content-type", "") else ""
            for link in re.findall(r'(?:href|src|action|data-events)="([^"]*)"', text):
                assert link.startswith(("/good/arm/", "#")), (page.path, link)
        assert "Path=/good/arm" in site.get("/").headers["set-cookie"]
        answer = site.send("/good/arm/experiments/banners/pause")
        assert answer.headers["location"] == "/good/arm/experiments/banners?done=paused"


def test_the_bare_prefix_leads_to_the_first_page():
    with site_of(root_path="/good/arm") as site:
        answer = site.get("/good/arm")
        assert (answer.status_code, answer.headers["location"]) == (303, "/good/arm/")
        assert site.get("/good/arm/").status_code == 200
        assert site.get("/good").status_code == 404


def test_what_is_not_there_is_a_page_for_browsers_only(site):
    html = {"Accept": "text/html,*/*"}
    for path in ("/nothing", "/experiments/none", "/experiments/none/journal"):
        answer = site.get(path, headers=html)
        assert answer.status_code == 404
        assert answer.headers["content-type"].startswith("text/html")
    assert site.get("/api/v1/nothing", headers=html).json()["status"] == 404
    assert site.get("/experiments/.bad").status_code == 404


def test_what_is_not_there_knows_who_looks(closed):
    html = {"Accept": "text/html,*/*"}
    stranger = Tags(closed.get("/nothing", headers=html).text)
    assert "New" not in stranger.text
    assert "Tokens" not in stranger.text
    assert "Log out" not in stranger.text
    assert "Access needs a token" in stranger.text
    closed.log_in(closed.secrets["admin"])
    known = Tags(closed.get("/nothing", headers=html).text)
    for words in ("admin", "Log out", "Tokens", "New", "Check the address"):
        assert words in known.text
    assert known.text.count("Not found") == 2  # as title and as heading
    closed.post("/logout", closed.fields("/"))
    assert "Log out" not in closed.get("/nothing", headers=html).text


def test_an_address_for_forms_is_a_page_for_browsers_only(site):
    answer = site.get("/logout", headers={"Accept": "text/html,*/*"})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"
    assert answer.headers["content-type"].startswith("text/html")
    assert "only accepts forms" in answer.text
    assert site.get("/logout").json()["status"] == 405


def test_an_error_that_nobody_foresaw_keeps_its_text_to_itself(site, banners, monkeypatch, caplog):
    def fail(*_, **__):
        raise ValueError("a secret")

    monkeypatch.setattr(site.app.state.pages.snapshots, "get", fail)
    answer = site.get("/experiments/banners")
    assert answer.status_code == 500
    assert "a secret" not in answer.text
    number = re.search(r"See log entry (\w+)\.", answer.text).group(1)
    assert number in caplog.text
