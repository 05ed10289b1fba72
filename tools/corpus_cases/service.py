"""HTTP: the OpenAPI document, every GET route, changes, feature flags, tokens, and refusals."""

from contextlib import ExitStack

from corpus_cases.histories import History, create, settings
from corpus_cases.http_calls import API, request, service_of
from corpus_cases.library import ga
from corpus_cases.process import START, clock

NAMES = ("coins", "joining-cases", "normal", "ratings", "lost", "until")
PROBLEM = {"arms": ["red", "green"], "threshold": 0.5, "delta": 0.05}
BAD_PROBLEMS = (
    *(
        {"threshold": 80},
        {"threshold": "x"},
        {"threshold": None},
        {"delta": 0},
        {"delta": 95},
        {"arms": []},
    ),
    *(
        {"arms": 0},
        {"arms": ["a", "a"]},
        {"arms": [True]},
        {"arms": "x"},
        {"margin": -1},
        {"rewards": "x"},
    ),
    *(
        {"rewards": "gaussian"},
        {"low": 1},
        {"until": 0},
        {"until": 3},
        {"max_pulls": 0},
        {"pool": 0},
    ),
    *(
        {"pool": [1]},
        {"case_order": "x"},
        {"gap": 0},
        {"arms_planned": 1},
        {"format": 2},
        {"some": 1},
    ),
)
BAD_CREATIONS = (
    *(
        {},
        {"name": "x"},
        {"problem": PROBLEM},
        {"name": "a b", "problem": PROBLEM},
        {"name": 3, "problem": PROBLEM},
    ),
    *(
        {"name": "x", "problem": PROBLEM, "algorithm": "y"},
        {"name": "x", "problem": PROBLEM, "seed": -1},
    ),
    *(
        {"name": "x", "problem": PROBLEM, "silence": {"meaning": "y"}},
        {"name": "x", "problem": PROBLEM, "more": 1},
    ),
    *(
        {"name": "x", "problem": PROBLEM, "silence": {"meaning": "reward"}},
        {"name": "coins", "problem": PROBLEM},
    ),
    *({"name": "x", "problem": PROBLEM, "serving": {"when_done": "default"}}, [], 3, "text"),
    *(
        {"name": "x", "problem": PROBLEM, "serving": {}},
        {"name": "x", "problem": PROBLEM, "algorithm": {}},
    ),
)
BAD_VERBS = (
    *(
        ("pulls:ask", {"count": 0}),
        ("pulls:ask", {"count": 1.5}),
        ("pulls:ask", {"count": True}),
        ("pulls:ask", {"lease": -1}),
    ),
    *(
        ("pulls:ask", {"worker": ""}),
        ("pulls:ask", {"worker": 3}),
        ("pulls:ask", {"some": 1}),
        ("pulls:ask", []),
    ),
    *(
        ("pulls:ask", "{"),
        ("pulls:ask", '{"count": 1, "count": 2}'),
        ("pulls:ask", '{"lease": NaN}'),
    ),
    *(
        ("pulls:ask", {"count": 10**9}),
        ("pulls:tell", {}),
        ("pulls:tell", {"pulls": [], "rewards": [1]}),
    ),
    *(
        ("pulls:tell", {"pulls": [{"number": 9999}], "rewards": [1]}),
        ("pulls:tell", {"pulls": [{}], "rewards": [1]}),
    ),
    *(
        ("pulls/1:tell", {}),
        ("pulls/1:tell", {"reward": "x"}),
        ("pulls/1:tell", {"reward": 7}),
        ("pulls/0:tell", {"reward": 1}),
    ),
    *(
        ("pulls/9999:tell", {"reward": 1}),
        ("pulls/1:tell", {"reward": 1, "arm": "zz"}),
        ("pulls/x:tell", {"reward": 1}),
    ),
    *(
        ("pulls/9999:forget", {}),
        ("pulls/1:forget", {"loss_is_independent": "x"}),
        ("arms:observe", {}),
    ),
    *(
        ("arms:observe", {"arm": "zz", "rewards": [1]}),
        ("arms:observe", {"arm": "a", "rewards": [5]}),
    ),
    *(
        ("arms:observe", {"arm": "a", "rewards": "x"}),
        ("arms:add", {}),
        ("arms:add", {"arm": "a"}),
        ("arms:add", {"arm": "zz"}),
    ),
    *(("arms:take_out", {"arm": "zz"}), ("arms:take_out", {})),
)
BAD_NOTES = ({}, {"text": ""}, {"text": 3}, {"text": "x" * 3000}, {"text": "x", "arm": "zz"})
BAD_PATHS = (
    *(
        ("GET", "/api/v1/experiments/none"),
        ("GET", "/api/v1/experiments/a b"),
        ("GET", "/api/v1/none"),
    ),
    *(
        ("GET", "/api/v1/experiments/none/arms"),
        ("DELETE", "/api/v1/experiments/none"),
        ("PUT", "/api/v1/experiments"),
    ),
    *(
        ("POST", "/api/v1/experiments/none/pulls:ask"),
        ("POST", "/api/v1/experiments/coins/pulls"),
        ("GET", "/ofrep/v1/none"),
    ),
    *(
        ("GET", "/api/v1/experiments?limit=0"),
        ("GET", "/api/v1/experiments?limit=x"),
        ("GET", "/api/v1/experiments?some=1"),
    ),
    *(
        ("GET", f"{API}/coins/arms?after=-1"),
        ("GET", f"{API}/coins/arms?arm=zz"),
        ("GET", f"{API}/coins/history?points=0"),
    ),
    *(
        ("GET", f"{API}/coins/history?arm=zz"),
        ("GET", f"{API}/coins/journal?after=x"),
        ("GET", f"{API}/coins/pulls?limit=0"),
    ),
    *(
        ("PATCH", f"{API}/coins"),
        ("GET", f"{API}/coins:pause"),
        ("POST", f"{API}/coins:some"),
        ("DELETE", "/healthz"),
    ),
)


def cases():
    """Yield requests to services in this process."""
    with ExitStack() as open_services:
        store, client = open_services.enter_context(service_of())
        _fill(store)
        yield from _reads(client)
        yield from _refusals(client)
    with service_of() as (_, client):
        yield from _changes(client)
        yield from _flags(client)
        yield request("service/reads", client, "GET", "/metrics", name="metrics")
    yield from _with_tokens()


def _fill(store):
    clock.set()
    for number, name in enumerate(NAMES):
        problem, algorithm, silence = settings()[name]
        exp = create(store, name, problem, algorithm, silence)
        History(exp, 400 + number).play(60)
    clock.set()


def _reads(client):
    later = START + 9e4
    for path in ("/api/v1/openapi.json", "/healthz", "/readyz", "/api/v1/experiments"):
        yield request("service/reads", client, "GET", path, at=later)
    for path in ("?limit=2", "?limit=2&after=joining-cases", "?after=zzz"):
        yield request("service/reads", client, "GET", f"{API}{path}", at=later)
    for name in NAMES:
        for path in (
            *("", "/arms", "/arms?limit=1&after=1", "/verdict", "/history?points=3", "/export.csv"),
            *("/journal", "/journal?limit=3&after=2", "/export.jsonl", "/pulls", "/pulls?limit=1"),
        ):
            yield request(f"service/reads/{name}", client, "GET", f"{API}/{name}{path}", at=later)
        yield request(f"service/reads/{name}", client, "POST", f"{API}/{name}:verify", {}, at=later)
    yield request("service/reads", client, "GET", f"{API}/coins/arms?arm=a&arm=c", at=later)
    yield request("service/reads", client, "POST", f"{API}/coins:verify", {"head": "00"}, at=later)
    yield request("service/reads", client, "POST", f"{API}/coins:verify", {"head": "xy"}, at=later)


def _refusals(client):
    post = f"{API}"
    for change in BAD_PROBLEMS:
        body = {"name": "x", "problem": {**PROBLEM, **change}}
        yield request("service/bad-problems", client, "POST", post, body)
    for body in BAD_CREATIONS:
        yield request("service/bad-creations", client, "POST", post, body)
    for path, body in BAD_VERBS:
        yield request("service/bad-verbs", client, "POST", f"{API}/coins/{path}", body)
    for body in BAD_NOTES:
        yield request("service/bad-verbs", client, "POST", f"{API}/coins:note", body)
    for method, path in BAD_PATHS:
        yield request("service/bad-paths", client, method, path)
    ask = f"{API}/coins/pulls:ask"
    for headers in (
        *({"Content-Type": "text/plain"}, {"Idempotency-Key": ""}, {"Idempotency-Key": "x" * 300}),
        *(
            {"Authorization": "Bearer x"},
            {"Authorization": "Basic x"},
            {"Content-Encoding": "gzip"},
        ),
    ):
        yield request("service/bad-headers", client, "POST", ask, {"count": 0}, headers=headers)
    yield request("service/bad-headers", client, "POST", ask, b"\xff\xfe", name="bytes")
    yield request("service/bad-headers", client, "POST", ask, "[" * 5000, name="deep")
    body = {"count": 1, "worker": "w" * 300}
    yield request("service/bad-headers", client, "POST", ask, body, name="long-worker")


def _changes(client):
    """Yield one experiment's life: each request, with its answer."""
    group, at = "service/changes", iter(range(100))
    exp = f"{API}/banners"
    key = {"Idempotency-Key": "k1"}
    steps = (
        (
            "POST",
            API,
            {"name": "banners", "problem": {**PROBLEM, "arms_planned": 4}, "seed": 7},
            None,
        ),
        (
            "POST",
            API,
            {"name": "banners", "problem": {**PROBLEM, "arms_planned": 4}, "seed": 7},
            None,
        ),
        ("POST", f"{exp}/pulls:ask", {"worker": "ann", "lease": 60, "count": 2}, key),
        ("POST", f"{exp}/pulls:ask", {"worker": "ann", "lease": 60, "count": 2}, key),
        ("POST", f"{exp}/pulls:ask", {"worker": "ann", "count": 3}, key),
        ("POST", f"{exp}/pulls:ask", {"worker": "ann"}, None),
        ("POST", f"{exp}/pulls/1:tell", {"reward": 1}, None),
        ("POST", f"{exp}/pulls/1:tell", {"reward": 1}, None),
        ("POST", f"{exp}/pulls/1:tell", {"reward": 0}, None),
        ("POST", f"{exp}/pulls/2:tell", {"reward": 0, "arm": "blue"}, None),
        ("POST", f"{exp}/pulls/2:forget", {}, None),
        ("POST", f"{exp}/pulls/2:tell", {"reward": 0}, None),
        ("POST", f"{exp}/arms:observe", {"arm": "red", "rewards": [1, 1, 0, 1]}, None),
        ("POST", f"{exp}/arms:add", {"arm": "blue"}, None),
        ("POST", f"{exp}/arms:add", {"arm": "blue"}, None),
        ("POST", f"{exp}:note", {"text": "The camera was moved.", "arm": "red"}, None),
        ("POST", f"{exp}:pause", {}, None),
        ("POST", f"{exp}:pause", {}, None),
        ("POST", f"{exp}/pulls:ask", {}, None),
        ("POST", f"{exp}:resume", {}, None),
        ("POST", f"{exp}/pulls:ask", {"count": 4}, None),
        (
            "POST",
            f"{exp}/pulls:tell",
            {"pulls": [{"number": 3}, {"number": 4}], "rewards": [1, 1]},
            None,
        ),
        (
            "POST",
            f"{exp}/pulls:tell",
            '{"pull": {"number": 5}, "reward": 1}\n',
            {"Content-Type": "application/x-ndjson"},
        ),
        ("POST", f"{exp}/arms:take_out", {"arm": "green"}, None),
        ("GET", f"{exp}/arms", None, None),
        ("GET", f"{exp}/journal", None, None),
        ("GET", f"{exp}/export.jsonl", None, None),
        ("POST", f"{exp}:verify", {}, None),
        ("POST", f"{exp}:close", {}, None),
        ("POST", f"{exp}/pulls:ask", {}, None),
        ("GET", exp, None, None),
        ("DELETE", exp, None, None),
        ("GET", exp, None, None),
    )
    for method, path, body, headers in steps:
        number = next(at)
        name = f"{number:02}-{method}-{path.rpartition('/')[2].replace(':', '-')}"
        yield request(
            group, client, method, path, body, name=name, headers=headers, at=START + 10 * number
        )


def _flags(client):
    group, flags = "service/flags", "/ofrep/v1/evaluate/flags"
    silence = {"meaning": "reward", "seconds": 60, "otherwise": 0}
    created = {
        "name": "flag",
        "problem": {**PROBLEM, "max_pulls": 5},
        "seed": 7,
        "silence": silence,
        "serving": {"when_done": "best_mean", "default": "red", "bulk": True},
    }
    yield request(group, client, "POST", API, created, name="create")
    ann, bob = ({"context": {"targetingKey": who}} for who in ("ann", "bob"))
    for name, path, body, at in (
        *(("ann", "/flag", ann, 0), ("bob", "/flag", bob, 0), ("ann-again", "/flag", ann, 1)),
        *(("all", "", bob, 2), ("later", "/flag", bob, 100), ("much-later", "/flag", bob, 9000)),
    ):
        yield request(group, client, "POST", f"{flags}{path}", body, name=name, at=START + at)
    for body in ({}, [], {"context": 3}, {"context": {}}, {"context": {"targetingKey": 3}}, "{"):
        yield request(f"{group}-refused", client, "POST", f"{flags}/flag", body)
    yield request(
        f"{group}-refused", client, "POST", f"{flags}/none", {"context": {"targetingKey": "a"}}
    )


def _with_tokens():
    with service_of() as (store, client):
        clock.set()
        create(store, "team-a", ga.Problem(2, threshold=0.5, delta=0.05))
        create(store, "other", ga.Problem(2, threshold=0.5, delta=0.05))
        secrets = {
            "admin": store.tokens.create("me", "admin"),
            "run": store.tokens.create("workers", "run", pattern="team-*"),
            "read": store.tokens.create("ann", "read"),
        }
        calls = (
            *(("GET", API, None), ("GET", f"{API}/team-a", None), ("GET", f"{API}/other", None)),
            *(("POST", f"{API}/team-a/pulls:ask", {}), ("POST", f"{API}/other/pulls:ask", {})),
            *(("POST", f"{API}/team-a:pause", {}), ("POST", f"{API}/team-a:resume", {})),
            *(("GET", "/api/v1/openapi.json", None), ("GET", "/healthz", None)),
        )
        for who in ("nobody", "wrong", *secrets):
            given = {"nobody": None, "wrong": "ga_wrong"}.get(who) or _secret(secrets.get(who))
            headers = {"Authorization": f"Bearer {given}"} if given else {}
            for method, path, body in calls:
                name = f"{method}{path.replace('/', '-').replace(':', '-')}"
                yield request(
                    f"service/tokens/{who}", client, method, path, body, name=name, headers=headers
                )


def _secret(created):
    if created is None or isinstance(created, str):
        return created
    return next(each for each in created if isinstance(each, str) and each.startswith("ga_"))
