"""Requests that are made again: when, how often, after which pauses, and with which error."""

import json
import time

import httpx
import pytest

import goodarm as ga
from goodarm.client.connection import _is_mistrusted
from goodarm.client.retry_policy import (
    MAX_PAUSE_SECONDS,
    compute_pause,
    parse_retry_after,
    should_retry,
)
from goodarm.errors import NotAllowed, StoreDown, StoreFull, StoreLocked, StoreReadOnly

SHOWN = {
    "name": "coins",
    "status": "running",
    "entries": 3,
    "pulls": 2,
    "changed_at": 5.0,
    "good": 0,
    "bad": 0,
    "undecided": 3,
}


class Script:
    """A service that answers as it is told: a response, or an error in its place."""

    def __init__(self, *answers):
        self._answers = list(answers)
        self.requests = []

    def __call__(self, request):
        self.requests.append(request)
        answer = self._answers.pop(0) if len(self._answers) > 1 else self._answers[0]
        if isinstance(answer, Exception):
            raise answer
        return answer

    def client(self, **how):
        http = httpx.Client(transport=httpx.MockTransport(self))
        return ga.Client("http://far.example", "ga_secret", http=http, **how)


def problem(status, slug, detail="A sentence.", **headers):
    document = {"type": f"/problems/{slug}", "title": "", "status": status, "detail": detail}
    names = {name.replace("_", "-"): value for name, value in headers.items()}
    headers = {"Content-Type": "application/problem+json", **names}
    return httpx.Response(status, content=json.dumps(document), headers=headers)


def ok(document):
    return httpx.Response(200, json=document)


@pytest.fixture
def pauses(monkeypatch):
    """Pauses that are made, which take no time."""
    made, now = [], [1000.0]

    def sleep(seconds):
        made.append(seconds)
        now[0] += seconds

    monkeypatch.setattr(time, "sleep", sleep)
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    return made


TROUBLES = {
    "locked": problem(503, "locked", Retry_After="1"),
    "down": problem(503, "down", Retry_After="2"),
    "slow down": problem(429, "slow-down", Retry_After="1"),
    "proxy": httpx.Response(502, text="<html>Bad gateway</html>"),
    "refused": httpx.ConnectError("[Errno 111] Connection refused"),
    "cut": httpx.RemoteProtocolError("Server disconnected without sending a response."),
    "silent": httpx.ReadTimeout("timed out"),
}


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_what_passes_is_waited_for(trouble, pauses):
    script = Script(trouble, trouble, ok({"pulls": [{"number": 4, "arm": "a", "case": None}]}))
    exp = ga.client.RemoteExperiment(
        ga.client.client.ExperimentResource("coins", script.client()._connection)
    )
    assert exp.ask() == ga.Pull(4, "a")
    assert len(script.requests) == 3
    assert len(pauses) == 2


@pytest.mark.parametrize(
    ("act", "has_key"),
    [
        (lambda exp: exp.ask(), True),
        (lambda exp: exp.ask(worker="ann"), False),
        (lambda exp: exp.ask(worker="ann", key="mine"), True),
        (lambda exp: exp.tell(ga.Pull(1, "a"), 1), False),
        (lambda exp: exp.tell_many([ga.Pull(1, "a")], [1], key="mine"), True),
        (lambda exp: exp.forget(ga.Pull(1, "a")), False),
        (lambda exp: exp.observe("a", [1]), True),
        (lambda exp: exp.add_arm("a"), True),
        (lambda exp: exp.take_out("a"), False),
        (lambda exp: exp.pause(), False),
    ],
)
def test_every_try_is_the_same_request(act, has_key, pauses):
    """What is not a no-op the second time has a key, and it is the same in every try."""
    answer = ok({"pulls": [{"number": 1, "arm": "a", "case": None}]})
    script = Script(TROUBLES["cut"], TROUBLES["down"], answer)
    act(
        ga.client.RemoteExperiment(
            ga.client.client.ExperimentResource("coins", script.client()._connection)
        )
    )
    tries = [
        (r.method, r.url, r.content, r.headers.get("Idempotency-Key")) for r in script.requests
    ]
    assert tries == [tries[0]] * 3
    assert (tries[0][3] is not None) == has_key


def test_keys_are_drawn_anew_for_each_call(pauses):
    script = Script(ok({}))
    exp = ga.client.RemoteExperiment(
        ga.client.client.ExperimentResource("coins", script.client()._connection)
    )
    for _ in range(3):
        exp.observe("a", [1])
    assert len({request.headers["Idempotency-Key"] for request in script.requests}) == 3


@pytest.mark.parametrize(
    ("answer", "kind"),
    [
        (problem(422, "invalid"), ga.errors.SpecError),
        (problem(422, "too-many"), ga.errors.SpecError),
        (problem(413, "too-large"), ga.errors.SpecError),
        (problem(409, "refused"), ga.errors.ProtocolError),
        (problem(409, "key-reused"), ga.errors.ProtocolError),
        (problem(401, "unauthorized"), NotAllowed),
        (problem(403, "forbidden"), NotAllowed),
        (problem(507, "full"), StoreFull),
        (problem(503, "read-only", Retry_After="30"), StoreReadOnly),
        (problem(500, "unexpected"), ga.errors.StoreError),
        (problem(418, "of-a-later-version"), ga.errors.StoreError),
        (httpx.Response(302, headers={"Location": "http://evil.example"}), ga.errors.StoreError),
        (httpx.Response(200, text="<html>hello</html>"), ga.errors.StoreError),
        (ok([1, 2]), ga.errors.StoreError),
        (ok({"experiments": [], "later": 1}), ga.errors.StoreError),
    ],
)
def test_what_stays_is_raised_at_once(answer, kind, pauses):
    script = Script(answer)
    with pytest.raises(kind) as caught:
        script.client().experiments()
    assert type(caught.value) is kind
    assert (len(script.requests), pauses) == (1, [])
    if answer.headers.get("Content-Type") == "application/problem+json":
        assert "A sentence." in str(caught.value)
    assert "ga_secret" not in str(caught.value)


@pytest.mark.parametrize("trouble", TROUBLES.values(), ids=TROUBLES)
def test_patience_ends_with_what_was_tried(trouble, pauses):
    script = Script(trouble)
    with pytest.raises((StoreDown, StoreLocked)) as caught:
        script.client(patience=10).experiments()
    assert sum(pauses) <= 10
    tries = len(script.requests)
    assert tries > 3
    assert f"Tried {tries} times in" in str(caught.value)
    assert "'patience' is 10" in str(caught.value)
    assert "ga_secret" not in str(caught.value)
    if not isinstance(caught.value, StoreLocked):
        assert "http://far.example" in str(caught.value)


def test_a_service_that_wants_more_time_than_there_is_is_not_waited_for(pauses):
    script = Script(problem(503, "down", Retry_After="3600"))
    with pytest.raises(StoreDown, match="Tried once in"):
        script.client(patience=10).experiments()
    assert pauses == []


def test_pauses_grow_and_differ():
    assert [compute_pause(n, None, 1.0) for n in (1, 2, 3)] == [0.05, 0.1, 0.2]
    assert compute_pause(1000, None, 1.0) == MAX_PAUSE_SECONDS
    assert compute_pause(3, None, 0.0) == 0.1
    assert compute_pause(1, 7.0, 0.0) == 7.0
    assert 7.0 < compute_pause(1, 7.0, 1.0) < 9.0


@pytest.mark.parametrize("text", ["", "-1", "1.5", "soon", "9" * 11, "²"])
def test_a_header_that_is_no_number_of_seconds_is_not_used(text):
    assert parse_retry_after(text) is None


def test_only_what_passes_is_tried_again():
    assert [status for status in range(100, 600) if should_retry(status)] == [
        *(408, 429, 502, 503, 504),
    ]


def test_a_certificate_that_is_not_trusted_is_not_tried_again(pauses):
    import ssl

    mistrusted = httpx.ConnectError("certificate verify failed")
    mistrusted.__cause__ = ssl.SSLCertVerificationError("self-signed certificate")
    script = Script(mistrusted)
    with pytest.raises(StoreDown, match="certificate verify failed"):
        script.client().experiments()
    assert len(script.requests) == 1
    assert not _is_mistrusted(httpx.ConnectError("refused"))


def test_deleting_twice_because_an_answer_was_lost_is_deleting(pauses):
    missing = problem(404, "no-such-experiment")
    assert Script(TROUBLES["cut"], missing).client().delete("coins")
    assert not Script(missing).client().delete("coins")
    assert Script(httpx.Response(204)).client().delete("coins")


def test_each_try_is_bounded(pauses):
    script = Script(ok({"experiments": [], "next": None}))
    script.client(timeout=7).experiments()
    (request,) = script.requests
    assert request.extensions["timeout"] == {"connect": 7, "read": 7, "write": 7, "pool": 7}
    script.client(patience=3).experiments()
    assert script.requests[-1].extensions["timeout"]["read"] == 3
