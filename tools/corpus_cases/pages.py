"""HTML of the pages: lists, experiments, arms, journals, reports, forms, and what they answer."""

import re

from corpus_cases.histories import create, settings
from corpus_cases.http_calls import form, request, service_of
from corpus_cases.library import call_method, find_name, ga
from corpus_cases.process import START, clock

SEEN = ("coins", "joining", "cases", "ratings", "normal", "sure")
AT = START + 7200
FORM = {
    "name": "made",
    "arms": "red\ngreen",
    "threshold": "0.5",
    "delta": "0.05",
    "distance": "0.2",
}
WRONG_FIELDS = (
    *(
        {"name": ""},
        {"name": "a b"},
        {"arms": ""},
        {"arms": "a\na"},
        {"threshold": ""},
        {"threshold": "80"},
    ),
    *(
        {"threshold": "x"},
        {"delta": "95"},
        {"delta": "0"},
        {"delta": "x"},
        {"distance": "9"},
        {"num_good": "5"},
    ),
    *(
        {"margin": "-1"},
        {"until": "9"},
        {"until": "x"},
        {"max_pulls": "0"},
        {"pool": "0"},
        {"arms_planned": "1"},
    ),
    *({"gap": "2"}, {"seed": "-1"}, {"algorithm": "x"}, {"silence": "x"}, {"silence": "reward"}),
    *(
        {"silence": "lost", "seconds": "x"},
        {"rewards": "gaussian"},
        {"rewards": "bounded", "low": "2", "high": "1"},
    ),
    *({"rewards": "x"}, {"name": "coins"}),
)


def cases():
    """Yield the pages of services in this process."""
    with service_of() as (store, client):
        _fill(store)
        yield from _views(client)
        yield from _new(client)
    with service_of() as (store, client):
        _fill(store)
        yield from _changes(client)
    yield from _logins()


def _fill(store):
    clock.set()
    for name in SEEN:
        problem, algorithm, silence = settings()[name]
        exp = create(store, name, problem, algorithm, silence)
        low = {"normal": -1.0}.get(name, 0)
        for turn in range(6):
            pulls = exp.ask_many(4)
            exp.tell_many(pulls, [1 if (pull.number + turn) % 3 else low for pull in pulls])
            clock.wait(60)
        exp.ask_many(2, worker="ann", lease=600) if not exp.is_done else None
        if not exp.is_done:
            exp.note("The camera was moved.\nTwice.", arm=exp.problem.arms[0])
    many = create(store, "many", ga.Problem(70, threshold=0.5, delta=0.05, margin=0.1))
    for _ in range(12):
        pulls = many.ask_many(30)
        many.tell_many(pulls, [int(pull.arm % 10 < 6) for pull in pulls])
        clock.wait(60)
    odd = ga.Problem(["<b>bold</b>", "a&b", "up\x1b[31m", "日本語"], threshold=0.5, delta=0.05)
    exp = create(store, "odd", odd)
    call_method(exp, "observe_many", "a&b", [1] * 30)
    exp.pause()
    closed = create(store, "closed", ga.Problem(2, threshold=0.5, delta=0.05))
    call_method(closed, "observe_many", 0, [1] * 40)
    closed.close()
    waits = create(store, "waits", ga.Problem(["a", "b"], threshold=0.5, delta=0.05))
    _, *rest = [pull for pull in waits.ask_many(12, worker="dead") if pull.arm == "a"]
    waits.tell_many(rest, [1] * len(rest))
    call_method(waits, "take_out", "b")
    create(store, "new", ga.Problem(3, threshold=0.5, delta=0.05))
    clock.set(AT)


def _views(client):
    for query in (
        "",
        "?q=co",
        "?state=done",
        "?state=paused",
        "?sort=pulls",
        "?sort=left",
        "?q=none",
        "?page=9",
        "?part=1",
    ):
        yield request("pages/list", client, "GET", f"/{query}", at=AT)
    for name in (*SEEN, "many", "odd", "closed", "waits", "new"):
        for path in ("", "/arms/0", "/arms/1", "/journal", "/report"):
            where = f"/experiments/{name}{path}"
            yield request(f"pages/{name}", client, "GET", where, at=AT)
    for path in (
        *(
            "many?sort=mean",
            "many?sort=pulls&page=2",
            "many?label=good",
            "many?label=bad&q=1",
            "many?part=1",
        ),
        *(
            "coins/journal?kind=told",
            "coins/journal?kind=labels",
            "coins/journal?q=ann",
            "coins/journal?before=3",
        ),
        *(
            "coins/journal?kind=noted",
            "coins/report?save=1",
            "coins/arms.csv",
            "coins/journal.jsonl",
        ),
        *(
            "coins/picture.svg",
            "many/picture.svg",
            "odd/picture.svg",
            "odd/arms.csv",
            "odd/journal.jsonl",
        ),
        *(
            "coins?done=created",
            "coins?done=x",
            "coins/arms/99",
            "none",
            "none/journal",
            "coins/none",
            "coins/pause",
        ),
        *(
            "coins/resume",
            "coins/close",
            "joining/add",
            "coins/add",
            "coins/arms/0/take-out",
            "coins/note",
            "odd/note",
        ),
        *(
            "coins/pulls/25/give-up",
            "coins/pulls/9999/give-up",
            "coins/note?arm=1",
            "closed/pause",
            "coins/arms/x",
        ),
    ):
        yield request("pages/views", client, "GET", f"/experiments/{path}", at=AT)
    for path in ("/new", "/login", "/tokens", "/none", "/static/none.css", "/favicon.ico"):
        yield request("pages/others", client, "GET", path, at=AT)
    addresses = re.findall(r"/static/[a-z.-]+", client.get("/").text)
    for path in sorted(set(addresses)):
        yield request("pages/static", client, "GET", path, at=AT)
    foreign = {"Host": "evil.example"}
    yield request("pages/others", client, "GET", "/", headers=foreign, name="foreign-host")
    for path in ("/", "/experiments/none", "/none"):
        html = {"Accept": "text/html"}
        yield request("pages/html", client, "GET", path, headers=html, at=AT)


def _new(client):
    for wrong in WRONG_FIELDS:
        yield form("pages/form-refused", client, "/new", {**FORM, **wrong})
    yield form("pages/form", client, "/new", FORM, name="plan")
    more = {**FORM, "margin": "0.05", "max_pulls": "500", "seed": "3", "arms_planned": "4"}
    yield form("pages/form", client, "/new", more, name="plan-more")
    yield form("pages/form", client, "/new", {**FORM, "do": "create"}, name="create-unplanned")


def _changes(client):
    at = "/experiments/coins"
    no_site = {"Origin": "http://evil.example"}
    yield form("pages/changes", client, f"{at}/pause", {}, name="pause-foreign", headers=no_site)
    yield form("pages/changes", client, f"{at}/pause", {"form_key": "x"}, name="pause-no-key")
    yield form("pages/changes", client, f"{at}/pause", {}, name="pause")
    yield form("pages/changes", client, f"{at}/resume", {}, name="resume")
    yield form("pages/changes", client, f"{at}/note", {"text": "Seen."}, name="note")
    yield form("pages/changes", client, f"{at}/note", {"text": "", "arm": "0"}, name="note-empty")
    yield form("pages/changes", client, f"{at}/note", {"text": "x" * 3000}, name="note-long")
    yield form("pages/changes", client, f"{at}/note", {"text": "x", "arm": "99"}, name="note-arm")
    yield form("pages/changes", client, "/experiments/joining/add", {"arm": "late"}, name="add")
    yield form(
        "pages/changes", client, "/experiments/joining/add", {"arm": "late"}, name="add-again"
    )
    yield form("pages/changes", client, f"{at}/add", {"arm": "late"}, name="add-unplanned")
    yield form("pages/changes", client, "/experiments/many/arms/3/take-out", {}, name="take-out")
    yield form("pages/changes", client, "/experiments/waits/pulls/1/give-up", {}, name="give-up")
    yield form("pages/changes", client, f"{at}/close", {}, name="close")
    yield form("pages/changes", client, f"{at}/pause", {}, name="pause-closed", page="/new")
    for name in ("coins", "joining", "many", "waits"):
        path = f"/api/v1/experiments/{name}/journal"
        yield request("pages/journals", client, "GET", path, at=AT, name=name)


def _logins():
    with service_of(store=find_name("open_store")("memory:")) as (store, client):
        clock.set()
        create(store, "team-a", ga.Problem(2, threshold=0.5, delta=0.05))
        found = store.tokens.create("ann", "admin")
        secret = next(each for each in found if isinstance(each, str) and each.startswith("ga_"))
        group = "pages/login"
        for path in ("/", "/login", "/experiments/team-a", "/tokens", "/new"):
            yield request(group, client, "GET", path, name=f"before{path.replace('/', '-')}")
        yield form(group, client, "/login", {"token": "ga_wrong"}, name="wrong")
        yield form(group, client, "/login", {"token": secret, "next": "/tokens"}, name="right")
        for path in ("/", "/experiments/team-a", "/tokens", "/new", "/experiments/team-a/pause"):
            yield request(group, client, "GET", path, name=f"after{path.replace('/', '-')}")
        yield form(group, client, "/logout", {}, name="logout", page="/")
