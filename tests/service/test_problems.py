"""What went wrong: the library's sentences as problem+json, one table, and nothing of a trace."""

import json
import logging

import pytest

import goodarm as ga
from goodarm import errors
from goodarm.service import create_app
from goodarm.service.problems import (
    KINDS,
    KINDS_BY_ERROR,
    KINDS_BY_REASON,
    Refusal,
    find_kind,
    make_refusal_headers,
)
from service.in_process import API, client_of

ASK = f"{API}/banners/pulls:ask"
TELL = f"{API}/banners/pulls:tell"
OBSERVE = f"{API}/banners/arms:observe"


def check_problem(answer, status, slug):
    assert answer.status_code == status
    assert answer.headers["Content-Type"] == "application/problem+json"
    document = answer.json()
    assert [key for key in document if key != "errors"] == ["type", "title", "status", "detail"]
    for each in document.get("errors", ()):
        assert each["argument"]
        assert each["detail"] in document["detail"]
    assert (document["type"], document["status"]) == (f"/problems/{slug}", status)
    assert document["detail"].endswith((".", ")"))
    assert "Traceback" not in answer.text
    return document["detail"]


def all_errors(base=errors.GoodArmError):
    for error in base.__subclasses__():
        yield error
        yield from all_errors(error)


ELSEWHERE = (errors.MissingExtra, errors.NotAllowed, errors.RewardError)
"""Errors of who makes the pulls, and of clients; never of a store."""


@pytest.mark.parametrize(
    "error", [each for each in all_errors() if each not in ELSEWHERE], ids=lambda e: e.__name__
)
def test_every_error_of_the_library_has_a_kind(client, banners, monkeypatch, error):
    made = error("A sentence.", "key") if error is errors.KeyTaken else error("A sentence.")

    def fail(*_, **__):
        raise made

    monkeypatch.setattr(type(banners), "ask_many", fail)
    kind = find_kind(made)
    answer = client.post(ASK)
    assert check_problem(answer, kind.status, kind.slug) == "A sentence."
    assert (kind.status == 503) == ("Retry-After" in answer.headers)


def test_the_table_is_the_contract():
    assert {error.__name__: (kind.status, kind.slug) for error, kind in KINDS_BY_ERROR.items()} == {
        "SpecError": (422, "invalid"),
        "ProtocolError": (409, "refused"),
        "Gone": (410, "gone"),
        "StoreLocked": (503, "locked"),
        "StoreDown": (503, "down"),
        "StoreFull": (507, "full"),
        "StoreReadOnly": (503, "read-only"),
        "StoreTampered": (500, "damaged"),
        "StoreTooNew": (500, "too-new"),
        "StoreError": (500, "store"),
    }
    assert len({kind.slug for kind in KINDS}) == len(KINDS)
    for kind in KINDS:
        assert ("Retry-After" in make_refusal_headers(Refusal(kind, ""))) == (
            kind.status in (429, 503)
        )


def test_refusals_are_told_apart_by_the_librarys_own_reasons(store):
    """Each reason is that of an error that the library raises by itself."""
    exp = store.experiment("banners", ga.Problem(1, 0.5, 0.05, max_pulls=1))
    found = {}

    def refused(call):
        with pytest.raises(ga.errors.ProtocolError) as refusal:
            call()
        found[find_kind(refusal.value).slug] = str(refusal.value)

    pull = exp.ask(key="one")
    refused(lambda: exp.tell(pull, 1, key="one"))
    exp.pause()
    refused(lambda: exp.ask())
    exp.resume()
    refused(lambda: exp.ask())
    exp.close()
    refused(lambda: exp.tell(pull, 1))
    assert set(found) == {kind.slug for kind in KINDS_BY_REASON.values()}


def test_an_error_that_nobody_foresaw_is_a_number_in_the_log(client, banners, monkeypatch, caplog):
    def fail(*_, **__):
        raise RuntimeError("secret detail")

    monkeypatch.setattr(type(banners), "ask_many", fail)
    with caplog.at_level(logging.ERROR, "goodarm.service"):
        answer = client.post(ASK)
    detail = check_problem(answer, 500, "unexpected")
    assert "secret" not in answer.text
    (record,) = caplog.records
    assert record.args[0] in detail
    assert "secret detail" in caplog.text


def test_an_error_of_the_store_while_lines_are_sent_cuts_the_answer(app, banners, monkeypatch):
    from goodarm.store import journal_files

    def write(recorder, head):
        yield "first\n"
        raise errors.StoreDown("It went away.")

    monkeypatch.setattr(journal_files, "write_journal", write)
    with client_of(app) as client:
        answer = client.get(f"{API}/banners/export.jsonl")
    assert "It went away" not in answer.text


BAD_JSON = {
    b"{": "not JSON",
    b"[1": "not JSON",
    b"nonsense": "not JSON",
    b'{"arm": "red", "rewards": [NaN]}': "NaN is not a number",
    b'{"arm": "red", "rewards": [-Infinity]}': "Infinity is not a number",
    b'{"arm": "red", "arm": "green", "rewards": []}': "'arm' comes twice",
    b'{"arm": "\xff", "rewards": []}': "not UTF-8",
    b'{"arm": "\\ud800", "rewards": []}': "surrogate",
    b'{"arm": "\\uDFFF", "rewards": []}': "surrogate",
    b"[" * 200_000: "nested too deeply",
    b'{"rewards": [' + b"1" * 5000 + b"]}": "not JSON",
}


@pytest.mark.parametrize("raw", BAD_JSON, ids=range(len(BAD_JSON)))
def test_what_cannot_be_read(client, banners, raw):
    answer = client.post(OBSERVE, content=raw, headers={"Content-Type": "application/json"})
    assert BAD_JSON[raw] in check_problem(answer, 400, "unreadable")
    assert banners.entries == 0


STRICT = [
    (OBSERVE, {"arm": "red", "rewards": [True]}, "/rewards/0"),
    (OBSERVE, {"arm": "red", "rewards": ["1"]}, "/rewards/0"),
    (OBSERVE, {"arm": "red", "rewards": [None]}, "/rewards/0"),
    (OBSERVE, {"arm": "red", "rewards": 1}, "rewards"),
    (OBSERVE, {"arm": "red", "rewards": {"0": 1}}, "rewards"),
    (OBSERVE, {"arm": True, "rewards": [1]}, "arm"),
    (OBSERVE, {"arm": 1.5, "rewards": [1]}, "arm"),
    (OBSERVE, {"arm": None, "rewards": [1]}, "arm"),
    (OBSERVE, {"arm": "red", "rewards": [1], "extra": 1}, "extra"),
    (OBSERVE, {"rewards": [1]}, "arm"),
    (OBSERVE, [], "The body"),
    (OBSERVE, "red", "The body"),
    (ASK, {"count": 0}, "count"),
    (ASK, {"count": True}, "count"),
    (ASK, {"count": "2"}, "count"),
    (ASK, {"count": 1.5}, "count"),
    (ASK, {"count": None}, "count"),
    (ASK, {"worker": ""}, "worker"),
    (ASK, {"worker": 7}, "worker"),
    (ASK, {"worker": "w" * 256}, "worker"),
    (ASK, {"lease": 0}, "lease"),
    (ASK, {"lease": "60"}, "lease"),
    (ASK, {"lease": True}, "lease"),
    (TELL, {"pulls": [{"number": True}], "rewards": [1]}, "number"),
    (TELL, {"pulls": [{"number": 0}], "rewards": [1]}, "number"),
    (TELL, {"pulls": [{"number": 10**18}], "rewards": [1]}, "number"),
    (TELL, {"pulls": [1], "rewards": [1]}, "/pulls/0"),
    (TELL, {"pulls": [{"number": 1, "case": False}], "rewards": [1]}, "case"),
    (f"{API}/banners/pulls/1:tell", {"reward": False}, "reward"),
    (f"{API}/banners/pulls/1:tell", {"reward": "0"}, "reward"),
    (f"{API}/banners/pulls/1:tell", {}, "reward"),
    (f"{API}/banners/pulls/1:forget", {"loss_is_independent": 1}, "loss_is_independent"),
    (f"{API}/banners:pause", {"x": 1}, "x"),
    (f"{API}/banners:close", [], "The body"),
    (f"{API}/banners:verify", {"x": 1}, "x"),
    (API, {"name": "a", "problem": {"arms": True, "threshold": 0.5, "delta": 0.05}}, "arms"),
    (API, {"name": "a", "problem": {"arms": 2, "threshold": True, "delta": 0.05}}, "threshold"),
    (API, {"name": "a", "problem": {"arms": 2, "threshold": 0.5}}, "delta"),
    (API, {"name": "a", "problem": {"arms": 2, "threshold": 0.5, "delta": 0.05, "x": 1}}, "x"),
    (API, {"name": "a", "problem": {"arms": 2, "threshold": 0.5, "delta": 0.05, "format": True}},
     "format"),
    (API, {"name": "a", "problem": {"arms": 2, "threshold": 0.5, "delta": 0.05, "format": 2}},
     "format"),
]  # fmt: skip


@pytest.mark.parametrize(("path", "body", "where"), STRICT, ids=range(len(STRICT)))
def test_bodies_are_taken_literally(client, banners, store, path, body, where):
    banners.ask()
    detail = check_problem(client.post(path, json=body), 422, "invalid")
    assert where in detail
    assert banners.entries == 1
    assert len(store.experiments()) == 1


@pytest.mark.parametrize("text", ["1e999", "-1e999", "1" + "0" * 400])
def test_numbers_that_are_too_large(client, banners, text):
    raw = f'{{"arm": "red", "rewards": [{text}]}}'
    answer = client.post(OBSERVE, content=raw, headers={"Content-Type": "application/json"})
    check_problem(answer, 422, "invalid")
    problem = '{"arms": 1, "threshold": 0.5, "delta": 0.1}'
    algorithm = f'{{"kind": "algorithm", "format": {text}}}'
    raw = f'{{"name": "a", "problem": {problem}, "algorithm": {algorithm}}}'
    answer = client.post(API, content=raw, headers={"Content-Type": "application/json"})
    check_problem(answer, 422, "invalid")


def test_whole_numbers_may_be_written_with_a_point(client, banners):
    """As JSON has it: 2.0 is 2. JavaScript knows no difference."""
    raw = b'{"count": 2.0}'
    answer = client.post(ASK, content=raw, headers={"Content-Type": "application/json"})
    assert len(answer.json()["pulls"]) == 2


@pytest.mark.parametrize(
    "media", ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", ""]
)
def test_a_body_of_another_form(client, banners, media):
    headers = {"Content-Type": media} if media else {}
    answer = client.post(ASK, content=b'{"count": 1}', headers=headers)
    detail = check_problem(answer, 415, "unsupported-media-type")
    assert "application/json" in detail
    lines = {"Content-Type": "application/x-ndjson"}
    check_problem(client.post(ASK, content=b"{}", headers=lines), 415, "unsupported-media-type")


def test_a_type_with_parameters_is_json_too(client, banners):
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert client.post(ASK, content=b"{}", headers=headers).status_code == 200


def test_who_takes_no_json_is_told_so(client, banners):
    check_problem(client.get(API, headers={"Accept": "text/html"}), 406, "not-acceptable")
    csv = f"{API}/banners/export.csv"
    check_problem(client.get(csv, headers={"Accept": "application/json"}), 406, "not-acceptable")
    for accept in ("text/html, */*;q=0.1", "application/*", "APPLICATION/JSON", ""):
        assert client.get(API, headers={"Accept": accept}).status_code == 200


def test_paths_and_methods_that_are_not_there(client, banners):
    check_problem(client.get("/nowhere"), 404, "not-found")
    check_problem(client.get(f"{API}/"), 404, "not-found")
    answer = client.put(API)
    check_problem(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "GET, POST"
    answer = client.get(f"{API}/banners:pause")
    check_problem(answer, 405, "method-not-allowed")
    assert answer.headers["Allow"] == "POST"


def test_every_route_of_an_unknown_experiment(app, client):
    from goodarm.service.app import list_routes

    tried = 0
    for each in list_routes():
        if "{name" in each.path and not each.path.startswith("/ofrep"):
            path = each.path.replace("{name:experiment}", "nobody").replace("{number:number}", "1")
            body = None if each.body is None else each.body.model_json_schema()["examples"][0]
            answer = client.request(each.method, path, json=body)
            assert "'nobody'" in check_problem(answer, 404, "no-such-experiment")
            tried += 1
    assert tried > 15


def test_a_store_that_is_down_is_not_ready(store, monkeypatch):
    app = create_app(store)

    def fail(name):
        raise errors.StoreDown("The store cannot be reached.")

    with client_of(app) as client:
        assert client.get("/readyz").json() == {"status": "ok"}
        monkeypatch.setattr(store._recorder, "head", fail)
        check_problem(client.get("/readyz"), 503, "down")
        assert client.get("/healthz").json() == {"status": "ok"}


def test_no_answer_is_sniffed_and_none_says_what_serves_it(client, banners):
    for path in (API, "/nowhere", "/healthz", f"{API}/banners/export.csv"):
        headers = client.get(path).headers
        assert headers["X-Content-Type-Options"] == "nosniff"
        assert "server" not in headers


def test_text_of_any_script_comes_back_as_it_was(client, store):
    arms = ["ярко", "🦜", "a\u0000b", 'quo"te', "line\u2028end", ""]
    store.experiment("banners", ga.Problem(arms, 0.5, 0.05))
    answer = client.get(f"{API}/banners/arms")
    assert [report["arm"] for report in answer.json()["reports"]] == arms
    json.loads(answer.content)
