"""Tokens: every one that is wrong is refused on every route, as the table of routes has them."""

import logging

import pytest

import goodarm as ga
from goodarm.service import Settings, create_app, pages
from goodarm.service.access import Access
from goodarm.service.app import list_routes
from goodarm.store import Store
from goodarm.store.tokens import SCOPES
from service.in_process import API, client_of

ROUTES = list_routes()
CLOSED = [each for each in ROUTES if each.scope != "none"]
NAMED = [each for each in CLOSED if "{name" in each.path]


def request(client, route, secret=None, name="team-a", **headers):
    """A good request to a route, with this token."""
    path = route.path.replace("{name:experiment}", name).replace("{number:number}", "1")
    assert "{" not in path
    body = None if route.body is None else route.body.model_json_schema()["examples"][0]
    if secret is not None:
        headers["Authorization"] = f"Bearer {secret}"
    return client.request(route.method, path, json=body, headers=headers)


@pytest.fixture
def clock():
    return [1_000_000.0]


@pytest.fixture
def store(clock):
    with ga.open_store("memory:") as opened:
        yield Store(opened._recorder, lambda: clock[0])


@pytest.fixture
def experiments(store):
    problem = ga.Problem(["red", "green"], 0.5, 0.05, arms_planned=5)
    for name in ("team-a", "other"):
        store.experiment(name, problem, seed=1).ask_many(2)


@pytest.fixture
def admin(store, experiments):
    return store.tokens.create("admin", "admin")[0]


def find_shape(answer):
    """An error in the shape of its path."""
    document = answer.json()
    if "errorCode" in document:
        assert answer.headers["Content-Type"] == "application/json"
        return answer.status_code, document["errorCode"]
    assert answer.headers["Content-Type"] == "application/problem+json"
    return answer.status_code, document["type"].rpartition("/")[2]


def find_refusal(route, status, slug):
    """What a refusal looks like at this route."""
    if not route.path.startswith("/ofrep"):
        return status, slug
    return status, "FLAG_NOT_FOUND" if status == 404 else "GENERAL"


def test_every_route_has_a_scope(app):
    """A route that is not declared has none, and cannot be called at all."""
    known = {(each.method, each.path) for each in ROUTES}
    found = {(method, each.path) for each in app.routes for method in each.methods - {"HEAD"}}
    assert found == known | {(each.method, each.path) for each in pages.list_pages()}
    assert {each.path for each in ROUTES if each.scope == "none"} == {
        "/healthz",
        "/readyz",
        "/api/v1/openapi.json",
    }
    for each in CLOSED:
        assert each.scope in SCOPES
        is_change = each.method != "GET" and not each.path.endswith(":verify")
        assert (each.scope == "read") != is_change


@pytest.mark.parametrize("route", CLOSED, ids=lambda route: route.name)
def test_bad_tokens_are_refused_everywhere(client, store, admin, clock, route):
    tokens = store.tokens
    expired, _ = tokens.create("expired", "admin", days=1)
    revoked, token = tokens.create("revoked", "admin")
    tokens.revoke(token.id)
    foreign, _ = ga.open_store("memory:").tokens.create("foreign", "admin")
    clock[0] += 86401
    before = [kept.entries for kept in store.experiments()]
    bad = [
        None,
        "",
        "ga_",
        "ga_wrong",
        admin[:-1],
        f"{admin}x",
        admin.upper(),
        admin.removeprefix("ga_"),
        "ga_" + "é" * 43,
        f"{admin} {admin}",
        expired,
        revoked,
        foreign,
    ]
    for secret in bad:
        headers = [] if secret is None else [(b"Authorization", b"Bearer " + secret.encode())]
        path = route.path.replace("{name:experiment}", "team-a").replace("{number:number}", "1")
        answer = client.request(route.method, path, headers=headers)
        assert find_shape(answer) == find_refusal(route, 401, "unauthorized")
        assert answer.headers["WWW-Authenticate"].startswith("Bearer")
        assert secret is None or len(secret) < 5 or secret not in answer.text
    basic = client.request(route.method, path, headers={"Authorization": f"Basic {admin}"})
    twice = client.request(route.method, path, headers=[("Authorization", f"Bearer {admin}")] * 2)
    for answer in (basic, twice):
        assert find_shape(answer) == find_refusal(route, 401, "unauthorized")
    in_query = client.request(route.method, path, params={"token": admin, "access_token": admin})
    assert find_shape(in_query) == find_refusal(route, 401, "unauthorized")
    assert [kept.entries for kept in store.experiments()] == before


@pytest.mark.parametrize("route", CLOSED, ids=lambda route: route.name)
@pytest.mark.parametrize("scope", SCOPES)
def test_scopes(client, store, experiments, route, scope):
    secret, _ = store.tokens.create("some", scope)
    before = [kept.entries for kept in store.experiments()]
    answer = request(client, route, secret)
    if SCOPES.index(scope) >= SCOPES.index(route.scope):
        assert answer.status_code in (200, 201, 204)
        return
    assert find_shape(answer) == find_refusal(route, 403, "forbidden")
    assert [kept.entries for kept in store.experiments()] == before


@pytest.mark.parametrize("route", NAMED, ids=lambda route: route.name)
def test_experiments_outside_a_pattern_are_not_there(client, store, experiments, route):
    """The answer is that for one that is not there at all."""
    secret, _ = store.tokens.create("team", "admin", pattern="team-*")
    outside = request(client, route, secret, name="other")
    absent = request(client, route, secret, name="team-none")
    assert find_shape(outside) == find_refusal(route, *find_shape(absent)[:1], "no-such-experiment")
    assert outside.text.replace("other", "team-none") == absent.text
    assert [kept.entries for kept in store.experiments()] == [1, 1]
    assert request(client, route, secret, name="team-a").status_code in (200, 201, 204)


def test_lists_show_what_a_token_sees(client, store, experiments):
    secret, _ = store.tokens.create("team", "admin", pattern="team-*")
    headers = {"Authorization": f"Bearer {secret}"}
    assert [each["name"] for each in client.get(API, headers=headers).json()["experiments"]] == [
        "team-a"
    ]
    problem = {"arms": 2, "threshold": 0.5, "delta": 0.05}
    for name, status in (("team-b", 201), ("others", 404), ("other", 404)):
        body = {"name": name, "problem": problem}
        assert client.post(API, json=body, headers=headers).status_code == status


def test_flags_in_bulk_are_those_that_a_token_sees(client, store):
    problem = ga.Problem(["red", "green"], 0.5, 0.05)
    for name in ("team-a", "other"):
        store.experiment(
            name,
            problem,
            reward_timeout=ga.RewardTimeout("lost", 60),
            flag_policy=ga.FlagPolicy(bulk=True),
        )
    secret, _ = store.tokens.create("team", "run", pattern="team-*")
    answer = client.post(
        "/ofrep/v1/evaluate/flags",
        json={"context": {"targetingKey": "ann"}},
        headers={"Authorization": f"Bearer {secret}"},
    )
    assert [flag["key"] for flag in answer.json()["flags"]] == ["team-a"]
    assert [kept.entries for kept in store.experiments()] == [0, 1]


def test_the_body_of_who_may_not_send_it_is_not_read(client, store, admin):
    """A token is looked at first: what cannot be read is 401, and not 400."""
    media = {"Content-Type": "application/json"}
    assert client.post(API, content=b"nonsense", headers=media).status_code == 401


def test_a_service_without_tokens_takes_all_until_there_is_one(client, store, experiments):
    assert client.get(API).status_code == 200
    assert client.get(API, headers={"Authorization": "Bearer ga_any"}).status_code == 200
    secret, token = store.tokens.create("first", "read")
    assert client.get(API).status_code == 401
    store.tokens.revoke(token.id)
    assert client.get(API).status_code == 401
    with client_of(create_app(store)) as other:
        assert other.get(API).status_code == 401
    assert client.get(API, headers={"Authorization": f"Bearer {secret}"}).status_code == 401


def test_what_the_store_says_of_tokens_is_remembered_for_a_moment(store, experiments, monkeypatch):
    now, asked = [0.0], []
    app = create_app(store, Settings(token_seconds=1.0))
    access = Access(store, Settings(token_seconds=1.0), lambda: now[0])
    app.state.service.access = access
    really = access._tokens.find
    monkeypatch.setattr(access._tokens, "find", lambda secret: asked.append(1) or really(secret))
    with client_of(app) as client:

        def status(secret=None):
            headers = {} if secret is None else {"Authorization": f"Bearer {secret}"}
            return client.get(API, headers=headers).status_code

        assert status() == 200
        secret, token = store.tokens.create("first", "read")
        now[0] += 1.0
        assert status() == 401
        assert [status(secret) for _ in range(5)] == [200] * 5
        assert len(asked) == 1
        store.tokens.revoke(token.id)
        assert status(secret) == 200
        now[0] += 1.0
        assert [status(secret) for _ in range(3)] == [401] * 3
        assert len(asked) == 4


def test_a_last_use_is_noted_once_a_minute(client, store, admin, clock):
    def used():
        client.get(API, headers={"Authorization": f"bearer {admin}"}).raise_for_status()
        (token,) = store.tokens.list()
        return token.used_at

    first = used()
    assert first == clock[0]
    clock[0] += 59
    assert used() == first
    clock[0] += 1
    assert used() == first + 60


def test_a_store_that_cannot_be_written_is_still_read(client, store, admin, monkeypatch):
    from goodarm.errors import StoreReadOnly
    from goodarm.store.tokens import Tokens

    def fail(*_):
        raise StoreReadOnly("It may be read only.")

    monkeypatch.setattr(Tokens, "record_use", fail)
    assert client.get(API, headers={"Authorization": f"Bearer {admin}"}).status_code == 200


def test_no_token_is_logged(client, admin, caplog):
    with caplog.at_level(logging.DEBUG):
        for headers in ({"Authorization": f"Bearer {admin}"}, {"Authorization": f"Bear {admin}"}):
            client.get(f"{API}?token={admin}", headers=headers)
            client.get(f"/{admin}", headers=headers)
            client.get(f"{API}/team-a/{admin}", headers=headers)
    ours = [record.getMessage() for record in caplog.records if record.name.startswith("goodarm")]
    assert len(ours) == 6
    assert not any(admin in line or "token=" in line for line in ours)


PAGES = [
    {"Sec-Fetch-Site": "cross-site"},
    {"Sec-Fetch-Site": "same-site"},
    {"Origin": "https://evil.example"},
    {"Origin": "null"},
    {"Host": "evil.example"},
    {"Host": "127.0.0.1.evil.example"},
    {"Host": ""},
]


@pytest.mark.parametrize("headers", PAGES, ids=lambda headers: str(headers))
def test_pages_of_others_cannot_use_a_service_without_tokens(client, store, experiments, headers):
    answer = client.post(f"{API}/team-a:close", headers=headers)
    assert find_shape(answer) == (403, "forbidden")
    assert store.experiment("team-a").status == "running"


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost:8642"},
        {"Host": "[::1]:8642", "Origin": "http://[::1]:8642", "Sec-Fetch-Site": "same-origin"},
        {"Host": "127.0.0.1", "Sec-Fetch-Site": "none"},
    ],
)
def test_pages_of_this_machine_can(client, experiments, headers):
    assert client.post(f"{API}/team-a:pause", headers=headers).status_code == 200


def test_a_token_excuses_the_origin(client, admin):
    headers = {"Host": "goodarm.example", "Origin": "https://x.example"}
    answer = client.get(API, headers={**headers, "Authorization": f"Bearer {admin}"})
    assert answer.status_code == 200
