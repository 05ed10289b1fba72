"""Limits: on bodies, batches, arms, requests at once and requests a second."""

import threading

import httpx
import pytest

import goodarm as ga
from goodarm.service import Settings, create_app
from goodarm.service.rate_limit import RateLimit
from service.in_process import API, client_of
from service.servers import in_thread

ASK = f"{API}/banners/pulls:ask"


def limited(store, **limits):
    return client_of(create_app(store, Settings(**limits)))


def check(answer, status, slug, words):
    assert (answer.status_code, answer.json()["type"]) == (status, f"/problems/{slug}")
    assert words in answer.json()["detail"]


def test_a_body_that_is_too_large(store, banners):
    with limited(store, max_body=1000) as client:
        fits = {"arm": "red", "rewards": [1] * 300}
        assert client.post(f"{API}/banners/arms:observe", json=fits).status_code == 200
        large = {"arm": "red", "rewards": [1] * 600}
        answer = client.post(f"{API}/banners/arms:observe", json=large)
        check(answer, 413, "too-large", "at most 1,000 bytes")
    assert banners.pulls == 300


def test_a_body_of_unknown_length_that_is_too_large(store, banners):
    """It is cut off as soon as it is too large, and not read to its end."""
    sent = []

    def body():
        for _ in range(100_000):
            sent.append(1)
            yield b" " * 1000

    app = create_app(store, Settings(max_body=100_000))
    with in_thread(app) as url, httpx.Client(base_url=url) as client:
        try:
            answer = client.post(ASK, content=body(), headers={"Content-Type": "application/json"})
            check(answer, 413, "too-large", "at most 100,000 bytes")
        except httpx.WriteError:  # the connection was closed while it still sent
            pass
        assert len(sent) < 50_000
        assert client.get("/healthz").status_code == 200


def test_a_body_that_does_not_come(store, banners):
    from socket import create_connection

    app = create_app(store, Settings(body_seconds=0.2))
    with in_thread(app) as url:
        port = int(url.rpartition(":")[2])
        with create_connection(("127.0.0.1", port), timeout=30) as slow:
            slow.sendall(
                f"POST {ASK} HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Type: application/json\r\n"
                "Content-Length: 20\r\n\r\n{".encode()
            )
            answer = "".join(iter(lambda: slow.recv(4096).decode(), ""))
    assert answer.startswith("HTTP/1.1 408")
    assert "/problems/too-slow" in answer


def test_batches(store, banners):
    with limited(store, max_batch=3) as client:
        check(client.post(ASK, json={"count": 4}), 422, "too-many", "at most 3 pulls; got 4")
        pulls = client.post(ASK, json={"count": 3}).json()["pulls"]
        four = {"pulls": [*pulls, pulls[0]], "rewards": [1] * 4}
        check(client.post(f"{API}/banners/pulls:tell", json=four), 422, "too-many", "got 4")
        lines = b'{"pull": {"number": 1}, "reward": 1}\n' * 4
        media = {"Content-Type": "application/x-ndjson"}
        answer = client.post(f"{API}/banners/pulls:tell", content=lines, headers=media)
        check(answer, 422, "too-many", "at most 3 rewards")
        rewards = {"arm": "red", "rewards": [1] * 4}
        check(client.post(f"{API}/banners/arms:observe", json=rewards), 422, "too-many", "got 4")
    assert banners.pulls == 0


@pytest.mark.parametrize("arms", [4, 10**18, ["a", "b", "c", "d"]])
def test_arms(store, arms):
    problem = {"arms": arms, "threshold": 0.5, "delta": 0.05}
    with limited(store, max_arms=3) as client:
        answer = client.post(API, json={"name": "banners", "problem": problem})
        check(answer, 422, "too-many", "at most 3 arms")
        three = {**problem, "arms": 3, "arms_planned": 9}
        assert client.post(API, json={"name": "banners", "problem": three}).status_code == 201
        answer = client.post(f"{API}/banners/arms:add", json={"arm": "more"})
        check(answer, 422, "too-many", "at most 3 arms; got 4")


class Gate:
    """Holds up whoever asks until it is opened, and counts them."""

    def __init__(self, monkeypatch, exp):
        self.open, self.inside = threading.Event(), threading.Semaphore(0)
        really = type(exp).ask_many

        def ask_many(*given, **named):
            self.inside.release()
            assert self.open.wait(60)
            return really(*given, **named)

        monkeypatch.setattr(type(exp), "ask_many", ask_many)

    def wait_for(self, count):
        for _ in range(count):
            assert self.inside.acquire(timeout=60)


def test_when_too_many_wait_the_next_one_is_told_to_come_again(store, banners, monkeypatch):
    """Nothing is read or queued for it, so that memory does not grow; those who wait are served."""
    gate, statuses = Gate(monkeypatch, banners), []
    with limited(store, max_waiting=3) as client:
        threads = [
            threading.Thread(target=lambda: statuses.append(client.post(ASK).status_code))
            for _ in range(3)
        ]
        for thread in threads:
            thread.start()
        gate.wait_for(3)
        for _ in range(200):
            answer = client.post(ASK)
            check(answer, 429, "slow-down", "3 requests are waiting")
            assert answer.headers["Retry-After"] == "1"
        flag = client.post("/ofrep/v1/evaluate/flags/banners", json={})
        assert (flag.status_code, flag.json()["errorCode"]) == (429, "GENERAL")
        assert client.get("/healthz").status_code == 200
        gate.open.set()
        for thread in threads:
            thread.join()
        assert statuses == [200, 200, 200]
        assert client.post(ASK).status_code == 200
        text = client.get("/metrics").text
    assert 'route="other",status="429"} 201' in text
    assert "goodarm_requests_waiting 1\n" in text
    assert banners.entries == 4


def test_bytes_that_are_held_are_bounded(store, banners, monkeypatch):
    gate = Gate(monkeypatch, banners)
    body = b'{"count": 1}' + b" " * 988
    media = {"Content-Type": "application/json"}
    with limited(store, max_body=1000) as client:
        threads = [
            threading.Thread(target=lambda: client.post(ASK, content=body, headers=media))
            for _ in range(8)
        ]
        for thread in threads:
            thread.start()
        gate.wait_for(8)
        answer = client.post(ASK, content=body, headers=media)
        check(answer, 429, "slow-down", "Too many bytes")
        assert client.get(API).status_code == 200
        gate.open.set()
        for thread in threads:
            thread.join()
        assert client.post(ASK, content=body, headers=media).status_code == 200


def test_requests_a_second_by_a_clock():
    now = [0.0]
    rate = RateLimit(2.0, lambda: now[0])
    assert [rate.wait("ann") for _ in range(3)] == [0, 0, 0.5]
    assert rate.wait("bob") == 0
    now[0] += 0.5
    assert [rate.wait("ann"), rate.wait("ann")] == [0, 0.5]
    now[0] += 100
    assert [rate.wait("ann") for _ in range(3)] == [0, 0, 0.5]


def test_a_rate_remembers_only_so_many():
    rate = RateLimit(1.0, lambda: 0.0)
    for number in range(20_000):
        rate.wait(str(number))
    assert len(rate._buckets) == 10_000


def test_requests_a_second(store, banners):
    one, first = store.tokens.create("one", "run")
    two, _ = store.tokens.create("two", "run")
    with limited(store, max_rate=3) as client:

        def status(secret):
            headers = {"Authorization": f"Bearer {secret}"}
            return client.get(API, headers=headers).status_code

        assert 429 in [status(one) for _ in range(30)]
        assert status(two) == 200
        wrong = [client.get(API, headers={"Authorization": "Bearer ga_x"}) for _ in range(30)]
        assert {answer.status_code for answer in wrong} == {401, 429}
        slow = next(answer for answer in wrong if answer.status_code == 429)
        assert slow.headers["Retry-After"] == "1"
        assert first.id not in slow.text


@pytest.mark.parametrize(
    "bad",
    [{"max_body": 0}, {"max_rate": 0}, {"max_rate": float("nan")}, {"threads": 1.5},
     {"root_path": "x"}, {"root_path": "/x/"}, {"behind_proxy": 1}],
)  # fmt: skip
def test_settings_are_checked(bad):
    with pytest.raises(ga.errors.SpecError, match=f"'{next(iter(bad))}' of serve must"):
        Settings(**bad)
