"""One table of verbs: routes, models, methods, forms and sentences are what it says."""

import inspect
from dataclasses import replace

import pytest

import goodarm as ga
from goodarm.client import RemoteExperiment
from goodarm.live import VERBS
from goodarm.live.verbs import MAX_NOTE_CHARACTERS, Field
from goodarm.service import create_app
from goodarm.service.app import list_routes
from goodarm.service.pages import list_pages
from goodarm.service.pages.actions import VERBS_WITH_FORMS
from goodarm.service.request_models import RequestModel
from goodarm.service.response_models import Empty, Summary
from service.in_process import API, client_of
from service.pages.site import Tags, site_of

HAND_WRITTEN = {"ask": "ask_pulls", "tell": "tell_pulls", "forget": "forget_pull"}
"""Verbs whose routes have forms of their own, and the names of those."""
INTERNAL = {"create"}
"""Verbs that nobody calls by themselves."""
METHODS = {"observe": "observe"}
"""Methods that are not called as their verbs."""
MADE = [verb for verb in VERBS.values() if verb.path is not None]
NOTE = f"{API}/banners:note"
LIMITS = {"text": ("minLength", "maxLength"), "count": ("minimum", "maximum")}


def route_of(verb, routes=None):
    path = f"/api/v1/experiments/{{name:experiment}}{verb.route}"
    (found,) = [each for each in routes or list_routes() if each.path == path]
    return found


def limits_of(schema, field):
    """The limits that a schema sets, whether or not it may be null."""
    kinds = [schema, *schema.get("anyOf", ())]
    names = LIMITS.get(field.type, ())
    return [next((each[name] for each in kinds if name in each), None) for name in names]


def test_every_verb_can_be_called():
    assert {verb.name for verb in VERBS.values() if verb.path is None} == {*HAND_WRITTEN, *INTERNAL}


@pytest.mark.parametrize("verb", MADE, ids=lambda verb: verb.name)
def test_a_route_is_what_the_table_says(verb):
    route = route_of(verb)
    assert (route.method, route.scope, route.problems) == ("POST", verb.scope, (404, 409))
    assert route.answer is (Summary if verb.shows_status else Empty)
    schema = route.body.model_json_schema()
    assert list(schema.get("properties", {})) == [field.name for field in verb.fields]
    needed = [field.name for field in verb.fields if field.is_required]
    assert schema.get("required", []) == needed
    assert schema["additionalProperties"] is False
    assert issubclass(route.body, RequestModel)
    for field in verb.fields:
        expected = [field.least, field.most] if field.type in LIMITS else []
        assert limits_of(schema["properties"][field.name], field) == expected, field.name


def test_operations_have_the_names_that_clients_were_made_with():
    assert [route_of(verb).name for verb in MADE] == [
        "observe_rewards",
        "add_arm",
        "take_out_arm",
        "note_experiment",
        "pause_experiment",
        "resume_experiment",
        "close_experiment",
    ]


@pytest.mark.parametrize("name", HAND_WRITTEN)
def test_a_route_that_is_written_by_hand_is_what_the_table_says(name):
    verb = VERBS[name]
    (route,) = [each for each in list_routes() if each.name == HAND_WRITTEN[name]]
    assert route.scope == verb.scope
    schema = route.body.model_json_schema()
    shown = set(schema["properties"])
    if name == "forget":  # its pull is named by the path; arm and case are compared
        assert "{number:number}" in route.path
        shown = shown - {"arm", "case"} | {"pulls"}
    assert shown == {field.name for field in verb.fields}
    for field in verb.fields:
        if field.name in schema["properties"]:
            assert (field.name in schema.get("required", ())) == field.is_required
            expected = [field.least, field.most] if field.type in LIMITS else []
            assert limits_of(schema["properties"][field.name], field) == expected, field.name


@pytest.mark.parametrize("verb", VERBS.values(), ids=lambda verb: verb.name)
def test_functions_and_methods_take_the_fields_of_the_table(verb):
    given = list(inspect.signature(verb.act).parameters.values())[2:]
    needed = [each.default is inspect.Parameter.empty for each in given]
    assert [each.name for each in given] == [field.name for field in verb.fields]
    assert needed == [field.is_required for field in verb.fields]
    if verb.name in INTERNAL:
        return
    for kind in (ga.store.StoredExperiment, RemoteExperiment):
        method = getattr(kind, METHODS.get(verb.name, verb.name))
        names = list(inspect.signature(method).parameters)
        assert names[-1] == "key"
        if verb.name not in HAND_WRITTEN:
            assert names[1:-1] == [field.name for field in verb.fields]


@pytest.mark.parametrize(
    ("path", "body", "call"),
    [
        ("/arms:observe", {"arm": "red", "rewards": [1, 0.5]}, ("observe", "red", [1.0, 0.5])),
        ("/arms:add", {"arm": "blue"}, ("add_arm", "blue")),
        ("/arms:take_out", {"arm": "red"}, ("take_out", "red")),
        (":note", {"text": "a remark"}, ("note", "a remark")),
        (":pause", {}, ("pause",)),
    ],
)
def test_a_request_over_http_is_the_same_as_the_method_s(client, store, path, body, call):
    """A request that was made by a method is known again under its key, and the other way."""
    problem = ga.Problem(["red", "green"], 0.5, 0.05, rewards="bounded", arms_planned=3)
    exp = store.experiment("banners", problem)
    method, *given = call
    getattr(exp, method)(*given, key="first")
    answer = client.post(f"{API}/banners{path}", json=body, headers={"Idempotency-Key": "first"})
    assert answer.status_code == 200
    assert exp.entries == 1


def test_digests_are_those_of_requests_made_before():
    """Requests of version 1 have these hashes in the journals of stores."""
    made = {
        "observe": {"arm": "red", "rewards": [1.0, 0.0], "cases": None},
        "add_arm": {"arm": "red", "pool": None},
        "take_out": {"arm": "red"},
        "pause": {},
    }
    assert {name: VERBS[name].digest(fields)[:12] for name, fields in made.items()} == {
        "observe": "28371a3acdc9",
        "add_arm": "031bd0da9b4c",
        "take_out": "e72a4cf76f0f",
        "pause": "180016aaea3c",
    }


def test_a_note(client, banners):
    assert client.post(NOTE, json={"text": " Lights out \n"}).json() == {}
    assert client.post(NOTE, json={"text": "new lamp", "arm": "red"}).json() == {}
    first, second = banners.journal()
    assert (first["kind"], first["text"], "arm" in first) == ("note", "Lights out", False)
    assert (second["text"], second["arm"]) == ("new lamp", 0)
    assert "by" not in first
    banners.verify()


def test_a_note_under_a_key_is_written_once(client, banners):
    headers = {"Idempotency-Key": "once"}
    for _ in range(3):
        assert client.post(NOTE, json={"text": "a"}, headers=headers).status_code == 200
    assert banners.entries == 1
    other = client.post(NOTE, json={"text": "b"}, headers=headers)
    assert (other.status_code, other.json()["type"]) == (409, "/problems/key-reused")


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ({}, "/text must be given"),
        ({"text": ""}, "1 or more characters"),
        ({"text": " \n "}, "1 to 2000 characters"),
        ({"text": "a" * (MAX_NOTE_CHARACTERS + 1)}, "at most 2000 characters"),
        ({"text": 7}, "/text must be a text; got 7"),
        ({"text": "a", "arm": "blue"}, "must be one of"),
        ({"text": "a", "arm": True}, "/arm must be a text or a whole number; got true"),
        ({"text": "a", "by": "somebody else"}, "/by must be left out"),
    ],
)
def test_what_cannot_be_a_note_is_refused(client, banners, body, words):
    answer = client.post(NOTE, json=body)
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert banners.entries == 0


def test_a_closed_experiment_takes_no_note(client, banners):
    banners.close()
    answer = client.post(NOTE, json={"text": "too late"})
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/closed")


def test_every_change_says_whose_token_made_it(client, store):
    problem = ga.Problem(["red", "green"], 0.5, 0.05, arms_planned=4)
    exp = store.experiment("banners", problem, seed=1, reward_timeout=ga.RewardTimeout("lost", 60))
    secret, _ = store.tokens.create("ann", "admin")
    headers = {"Authorization": f"Bearer {secret}"}
    for path, body in (
        ("/pulls:ask", {"count": 4}),
        ("/pulls:tell", {"pulls": [{"number": 1}], "rewards": [1]}),
        ("/pulls/2:tell", {"reward": 0}),
        ("/pulls/3:forget", {}),
        ("/arms:observe", {"arm": "red", "rewards": [1, 0]}),
        ("/arms:add", {"arm": "blue"}),
        ("/arms:take_out", {"arm": "blue"}),
        (":note", {"text": "all well"}),
        (":pause", {}),
        (":resume", {}),
    ):
        client.post(f"{API}/banners{path}", json=body, headers=headers).raise_for_status()
    context = {"context": {"targetingKey": "visitor"}}
    flag = client.post("/ofrep/v1/evaluate/flags/banners", json=context, headers=headers)
    flag.raise_for_status()
    client.post(f"{API}/banners:close", headers=headers).raise_for_status()
    journal = exp.journal()
    assert len(journal) == 12
    assert {entry.get("by") for entry in journal} == {"ann"}


def test_a_client_writes_notes(store, app, banners):
    with client_of(app) as http:
        exp = ga.Client("http://127.0.0.1", http=http).experiment("banners")
        exp.note("new lamp", arm="red")
        exp.note("lights out", key="one")
        exp.note("lights out", key="one")
        with pytest.raises(ga.errors.SpecError, match="must be one of"):
            exp.note("lost", arm="blue")
        with pytest.raises(ga.errors.SpecError, match="text"):
            exp.note(" ")
    assert [(e["text"], e.get("arm")) for e in banners.journal()] == [
        ("new lamp", 0),
        ("lights out", None),
    ]


def test_the_form_of_a_note_is_made_from_the_table(site_with_banners):
    site = site_with_banners
    shown = site.page("/experiments/banners/note")
    (text,) = shown.all("textarea", name="text")
    assert text["maxlength"] == str(MAX_NOTE_CHARACTERS)
    assert "required" in text
    (arm,) = shown.all("select", name="arm")
    assert "required" not in arm
    assert [each["value"] for each in shown.all("option")] == ["", "0", "1"]
    for given, chosen in (("1", "1"), ("01", "1"), ("9", ""), ("red", ""), ("-1", ""), ("", "")):
        options = site.page(f"/experiments/banners/note?arm={given}").all("option")
        assert [each["value"] for each in options if "selected" in each] == [chosen]


def test_a_note_is_sent_and_shown_escaped_everywhere(site_with_banners):
    site, exp = site_with_banners, site_with_banners.store.experiment("banners")
    evil = "<script>alert(1)</script>\r\n{{ 7 * 7 }} {text} [On {arm}: ]"
    answer = site.send("/experiments/banners/note", {"text": evil, "arm": "0"})
    assert (answer.status_code, answer.headers["location"]) == (
        303,
        "/experiments/banners?done=note",
    )
    (entry,) = exp.journal()
    assert (entry["text"], entry["arm"]) == (evil.replace("\r\n", "\n"), 0)
    assert entry["by"] == "page"
    exp.note("on the other", "green")
    exp.note("on all")
    lines = "<script>alert(1)</script> {{ 7 * 7 }} {text} [On {arm}: ]"
    for path in ("", "/arms/0", "/journal", "/journal?kind=note", "?part=1", "/arms/0?part=1"):
        found = site.get(f"/experiments/banners{path}")
        assert "<script>alert" not in found.text, path
        assert "&lt;script&gt;alert(1)" in found.text, path
        assert lines in Tags(found.text).text, path
        assert "script-src 'self'" in found.headers["content-security-policy"]
    assert f"On red: {lines}" in site.page("/experiments/banners/journal").text
    notice = site.page(answer.headers["location"]).all("p", role="status", **{"class": "notice"})
    assert len(notice) == 1
    words = site.page("/experiments/banners").text
    assert words.index("on all") < words.index("on the other") < words.index(lines)
    on_red = site.page("/experiments/banners/arms/0").text
    assert "on the other" not in on_red
    assert "on all" not in on_red
    assert "on the other" in site.page("/experiments/banners/arms/1").text


def test_the_form_of_an_arm_leads_back_to_it(site_with_banners):
    site = site_with_banners
    links = [each["href"] for each in site.page("/experiments/banners/arms/1").all("a")]
    address = "/experiments/banners/note?arm=1"
    assert address in links
    answer = site.send(address, {"text": "dim", "arm": "1"})
    assert answer.headers["location"] == "/experiments/banners/arms/1?done=note"
    assert "dim" in site.page(answer.headers["location"]).text


@pytest.mark.parametrize(
    ("fields", "words"),
    [
        ({"text": " "}, "Text: enter a value."),
        ({}, "Text: enter a value."),
        ({"text": "a" * (MAX_NOTE_CHARACTERS + 1)}, "at most 2,000 characters; got 2,001"),
        ({"text": "kept text", "arm": "2"}, "Arm: choose an entry of the list."),
        ({"text": "kept text", "arm": "red"}, "Arm: choose an entry of the list."),
    ],
)
def test_a_note_that_cannot_be_one_is_refused_above_the_form(site_with_banners, fields, words):
    site = site_with_banners
    answer = site.send("/experiments/banners/note", fields)
    assert answer.status_code == 422
    shown = Tags(answer.text)
    assert words in shown.text
    marked = [each["name"] for _, each in shown.tags if each.get("aria-invalid") == "true"]
    assert marked == ["arm" if "arm" in fields else "text"]
    assert "autofocus" in (shown.all("select") if "arm" in fields else shown.all("textarea"))[0]
    assert ("kept text" in shown.text) == ("arm" in fields)
    assert site.store.experiment("banners").entries == 0


def test_a_form_that_is_sent_twice_is_one_note(site_with_banners):
    site = site_with_banners
    fields = {**site.fields("/experiments/banners/note"), "text": "once"}
    for _ in range(2):
        assert site.post("/experiments/banners/note", fields).status_code == 303
    assert site.store.experiment("banners").entries == 1


def test_the_page_leads_to_forms_that_a_token_may_send():
    with site_of() as site:
        exp = site.store.experiment("banners", ga.Problem(["red", "green"], 0.5, 0.05))
        for scope, has_scope in (("read", False), ("run", True), ("admin", True)):
            secret, _ = site.store.tokens.create(f"Ann {scope}", scope)
            site.client.cookies.clear()
            site.log_in(secret)
            text = site.get("/experiments/banners").text
            assert ('href="/experiments/banners/note"' in text) == has_scope
            assert ('href="/experiments/banners/close"' in text) == (scope == "admin")
            shown = site.get("/experiments/banners/note")
            assert shown.status_code == (200 if has_scope else 403)
            if has_scope:
                assert f"under the name Ann {scope}" in Tags(shown.text).text
                site.send("/experiments/banners/note", {"text": "hello"})
        assert [entry["by"] for entry in exp.journal()] == ["Ann run", "Ann admin"]
        exp.close()
        assert 'href="/experiments/banners/note"' not in site.get("/experiments/banners").text


def test_of_many_arms_a_form_lists_the_one_that_is_named():
    with site_of() as site:
        site.store.experiment("many", ga.Problem(500, 0.5, 0.05))
        assert len(site.page("/experiments/many/note").all("option")) == 1
        shown = site.page("/experiments/many/note?arm=321")
        assert [each["value"] for each in shown.all("option")] == ["", "321"]
        site.send("/experiments/many/note?arm=321", {"text": "odd", "arm": "321"})
        assert site.store.experiment("many").journal()[0]["arm"] == 321


def test_an_arm_or_a_worker_may_be_called_as_a_key_of_the_journal():
    with site_of() as site:
        problem = ga.Problem(["red", "note"], 0.5, 0.05, arms_planned=3)
        exp = site.store.experiment("odd", problem)
        exp.add_arm("labels")
        exp.ask(worker="note")
        exp.note("note", "labels")
        assert "All notes in the journal" in site.page("/experiments/odd").text
        assert "labels joined" in site.page("/experiments/odd/journal").text


def test_verbs_that_have_forms_have_pages():
    paths = {page.path.rpartition("/")[2] for page in list_pages()}
    made = {v.name for v in VERBS.values() if v.form and v.name not in VERBS_WITH_FORMS}
    assert made == {"note"}
    assert made <= paths
    assert {"pause", "resume", "close", "add", "take-out", "give-up"} <= paths
    assert set(VERBS_WITH_FORMS) <= set(VERBS)


def praise(state, at, text, times=None, arm=None, is_loud=False):
    """Say something kind."""
    words = f"{text}{'!' * (times or 0)}"
    return VERBS["note"].act(state, at, words.upper() if is_loud else words, arm)


@pytest.fixture
def toy(monkeypatch):
    """A verb more in the table: an entry and its function."""
    verb = replace(
        VERBS["note"],
        name="praise",
        act=praise,
        fields=(
            Field("text", "text", True, 3, 20, "The praise."),
            Field("times", "count", False, 1, 3, "How loud."),
            Field("arm", "arm", True, help="Who is praised."),
            Field("is_loud", "flag", False, help="Whether all may hear it."),
        ),
        scope="admin",
        path="arms:praise",
        operation="praise_arm",
        form="Praise an arm",
    )
    monkeypatch.setitem(VERBS, "praise", verb)
    return verb


def test_a_verb_that_is_added_has_a_route_a_request_and_a_form(toy):
    with ga.open_store("memory:") as store, client_of(create_app(store)) as client:
        exp = store.experiment("banners", ga.Problem(["red", "green"], 0.5, 0.05))
        test_a_route_is_what_the_table_says(toy)
        body = {"text": "well done", "times": 2, "arm": "red", "is_loud": True}
        assert client.post(f"{API}/banners/arms:praise", json=body).json() == {}
        assert exp.journal()[0]["text"] == "WELL DONE!!"
        for wrong in ({"times": 4}, {"text": "oh"}, {"arm": None}, {"is_loud": 1}):
            answer = client.post(f"{API}/banners/arms:praise", json={**body, **wrong})
            assert answer.status_code == 422
        document = client.get("/api/v1/openapi.json").json()
        operation = document["paths"]["/api/v1/experiments/{name}/arms:praise"]["post"]
        assert (operation["operationId"], operation["x-scope"]) == ("praise_arm", "admin")
        assert document["components"]["schemas"]["PraiseBody"]["description"] == praise.__doc__
        remote = ga.Client("http://127.0.0.1", http=client).experiment("banners")
        remote.do("praise", text="bravo", arm="green")
        assert exp.journal()[1]["text"] == "bravo"
    with site_of() as site:
        exp = site.store.experiment("banners", ga.Problem(["red", "green"], 0.5, 0.05))
        assert "Praise an arm" in site.page("/experiments/banners").text
        shown = site.page("/experiments/banners/praise")
        (times,) = shown.all("input", name="times")
        assert (times["type"], times["min"], times["max"]) == ("number", "1", "3")
        assert shown.all("input", name="is_loud", type="checkbox")
        assert "required" in shown.all("select", name="arm")[0]
        fields = {"text": "bravo", "times": "3", "arm": "1", "is_loud": "yes"}
        assert site.send("/experiments/banners/praise", fields).status_code == 303
        (entry,) = exp.journal()
        assert (entry["text"], entry["arm"], entry["by"]) == ("BRAVO!!!", 1, "page")
        assert "On green: BRAVO!!!" in site.page("/experiments/banners/journal").text
        for wrong in ({"times": "many"}, {"arm": ""}):
            assert site.send("/experiments/banners/praise", fields | wrong).status_code == 422


def test_a_verb_whose_form_cannot_be_made_is_refused_when_the_app_is(toy, monkeypatch):
    odd = replace(toy, fields=(Field("rewards", "rewards"),))
    monkeypatch.setitem(VERBS, "praise", odd)
    with pytest.raises(LookupError, match="No form can hold the 'rewards' of 'praise'"):
        list_pages()


@pytest.fixture
def site_with_banners():
    with site_of() as site:
        site.store.experiment("banners", ga.Problem(["red", "green"], 0.5, 0.05))
        yield site
