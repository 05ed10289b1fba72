"""Clients that stall, and reads that take long: neither keeps asks and tells waiting.

Every wait here ends by an event or at a deadline; nothing is asserted about how fast a machine is,
but for deadlines that the service itself has set.
"""

import os
import select
import socket
import threading
import time
from contextlib import ExitStack, contextmanager

import httpx
import pytest

import goodarm as ga
from goodarm.live import identifier
from goodarm.service import Settings, create_app
from service.in_process import API, client_of
from service.servers import DEADLINE, in_process, in_thread

ASK = f"{API}/banners/pulls:ask"
COINS = ga.Problem(["a", "b", "c"], threshold=0.5, delta=1e-9)


def make_head(path, *lines, method="POST"):
    return "\r\n".join([f"{method} {path} HTTP/1.1", "Host: 127.0.0.1", *lines, "", ""]).encode()


FORM = "Content-Type: application/x-www-form-urlencoded"
JSON = "Content-Type: application/json"
LOGIN = make_head("/login", FORM, "Content-Length: 1000") + b"t"
LOGIN_CHUNKED = make_head("/login", FORM, "Transfer-Encoding: chunked") + b"1\r\nt\r\n"
LOGIN_LARGE = make_head("/login", FORM, "Content-Length: 10000000") + b"t"


class Stalled:
    """Connections that have sent something, and then nothing."""

    def __init__(self, port):
        self._port, self._open = port, ExitStack()

    def send(self, data, count=1):
        for _ in range(count):
            connection = socket.create_connection(("127.0.0.1", self._port), timeout=DEADLINE)
            self._open.enter_context(connection)
            connection.sendall(data)
            yield connection

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self._open.close()


def read_rest(connection):
    """All that comes until the server closes."""
    return b"".join(iter(lambda: connection.recv(65536), b""))


def check_healthy(connection):
    """One answer of /healthz, to its end."""
    found = b""
    while not found.endswith(b'{"status":"ok"}'):
        part = connection.recv(65536)
        assert part, found
        found += part
    assert found.startswith(b"HTTP/1.1 200")


def is_closed(connection):
    try:
        return connection.recv(100) == b""
    except ConnectionResetError:
        return True


def get_port(url):
    return int(url.rpartition(":")[2])


def read_gauge(client, name):
    text = client.get("/metrics").raise_for_status().text
    (line,) = [line for line in text.splitlines() if line.startswith(f"{name} ")]
    return int(line.split()[1])


def wait_until(is_so):
    end = time.monotonic() + DEADLINE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.01)


@contextmanager
def closed_service(store, **limits):
    """A service with tokens behind a socket, and a client that may ask."""
    secret, _ = store.tokens.create("workers", "run")
    with (
        in_thread(create_app(store, Settings(**limits))) as url,
        httpx.Client(base_url=url, timeout=DEADLINE) as client,
    ):
        client.headers["Authorization"] = f"Bearer {secret}"
        yield client, get_port(url)


@pytest.mark.parametrize("start", [LOGIN, LOGIN_CHUNKED, LOGIN_LARGE])
def test_logins_that_stall_take_no_room_of_callers(store, banners, start):
    """More of them than there is room for anybody, and their bodies never come."""
    with (
        closed_service(store, max_waiting=20, max_strangers=10, body_seconds=600) as (
            client,
            port,
        ),
        Stalled(port) as stalled,
    ):
        for _ in stalled.send(start, 40):
            pass
        if start is not LOGIN_LARGE:  # which is refused at once
            wait_until(lambda: read_gauge(client, "goodarm_requests_waiting") == 11)
        for _ in range(50):
            assert client.post(ASK, json={}).status_code == 200
        assert client.get("/healthz").status_code == 200
        fresh, _ = store.tokens.create("another", "run")
        answer = client.post(ASK, json={}, headers={"Authorization": f"Bearer {fresh}"})
        assert answer.status_code == 200  # a token that was never seen before
    assert banners.entries == 51


def test_one_login_too_many_is_told_to_come_again(store, banners):
    with closed_service(store, max_strangers=3, body_seconds=600) as (client, port):
        with Stalled(port) as stalled:
            list(stalled.send(LOGIN, 3))
            wait_until(lambda: read_gauge(client, "goodarm_requests_waiting") == 4)
            refused = httpx.get(f"http://127.0.0.1:{port}/login")
            assert refused.status_code == 429
            assert refused.headers["Retry-After"] == "1"
            assert "3 visits without a login" in refused.text
        wait_until(lambda: read_gauge(client, "goodarm_requests_waiting") == 1)
        assert httpx.get(f"http://127.0.0.1:{port}/login").status_code == 200


def test_where_no_token_is_needed_logins_take_no_room_either(store, banners):
    app = create_app(store, Settings(max_waiting=20, max_strangers=10, body_seconds=600))
    with (
        in_thread(app) as url,
        httpx.Client(base_url=url, timeout=DEADLINE) as client,
        Stalled(get_port(url)) as stalled,
    ):
        list(stalled.send(LOGIN, 40))
        wait_until(lambda: read_gauge(client, "goodarm_requests_waiting") == 11)
        for _ in range(20):
            assert client.post(ASK, json={}).status_code == 200


def test_a_form_is_not_read_before_the_login(store, banners):
    """The form of a page that needs a session: refused at once, whatever its length."""
    large = make_head("/new", FORM, "Content-Length: 9000000", "Connection: close") + b"x"
    with closed_service(store, body_seconds=600) as (_, port), Stalled(port) as stalled:
        (one,) = stalled.send(large)
        assert read_rest(one).startswith(b"HTTP/1.1 401")


def test_a_login_takes_a_small_form_only(store, banners):
    with closed_service(store, body_seconds=600) as (_, port), Stalled(port) as stalled:
        (one,) = stalled.send(LOGIN_LARGE)
        assert read_rest(one).startswith(b"HTTP/1.1 413")


@pytest.mark.parametrize(
    "start",
    [
        LOGIN,
        LOGIN_CHUNKED,
        make_head(ASK, JSON, "Content-Length: 20") + b"{",
        make_head(ASK, JSON, "Transfer-Encoding: chunked") + b"1\r\n{\r\n",
        make_head(f"{API}/banners:verify", JSON, "Content-Length: 20") + b"{",
        make_head("/ofrep/v1/evaluate/flags/banners", JSON, "Content-Length: 20") + b"{",
    ],
)
def test_a_body_that_does_not_come_is_given_up(store, banners, start):
    """408, and the connection is closed, on every kind of route."""
    app = create_app(store, Settings(body_seconds=0.2))
    with in_thread(app) as url, Stalled(get_port(url)) as stalled:
        (one,) = stalled.send(start)
        answer = read_rest(one)
    assert answer.startswith(b"HTTP/1.1 408")
    assert b"connection: close" in answer.lower()


def test_a_body_that_comes_byte_by_byte_is_given_up(store, banners):
    """Each byte comes in time, and they never end: the deadline is that of the whole."""
    app = create_app(store, Settings(body_seconds=0.5))
    start = make_head(ASK, JSON, "Transfer-Encoding: chunked")
    with in_thread(app) as url, Stalled(get_port(url)) as stalled:
        (one,) = stalled.send(start)
        end = time.monotonic() + DEADLINE
        while not select.select([one], [], [], 0.02)[0]:
            assert time.monotonic() < end, "it is still read"
            one.sendall(b"1\r\n \r\n")
        assert one.recv(100).startswith(b"HTTP/1.1 408")


def test_the_deadline_moves_on_with_what_has_come(store, banners):
    """A large body on a slow line: 100,000 bytes give it 0.4 seconds more than 0.2."""
    app = create_app(store, Settings(body_seconds=0.2))
    start = make_head(ASK, JSON, "Content-Length: 100002", "Connection: close")
    with in_thread(app) as url, Stalled(get_port(url)) as stalled:
        (one,) = stalled.send(start + b" " * 100_000)
        began = time.monotonic()
        time.sleep(0.3)
        one.sendall(b"{}")
        late = time.monotonic() - began > 0.5  # this machine was too slow itself
        assert read_rest(one).startswith(b"HTTP/1.1 200") or late


@pytest.mark.parametrize(
    "start", [b"", b"GET /healthz HT", b"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1\r\nX: "]
)
def test_headers_that_do_not_come_end_the_connection(store, banners, start):
    app = create_app(store, Settings(head_seconds=0.2))
    with in_thread(app) as url, Stalled(get_port(url)) as stalled:
        (one,) = stalled.send(start)
        assert read_rest(one) == b""


def test_headers_that_come_byte_by_byte_end_the_connection(store, banners):
    """Also of a later request on a connection: uvicorn's own clock is for silence between two."""
    app = create_app(store, Settings(head_seconds=0.5))
    with in_thread(app) as url, Stalled(get_port(url)) as stalled:
        (one,) = stalled.send(make_head("/healthz", method="GET"))
        check_healthy(one)
        end = time.monotonic() + DEADLINE
        while not select.select([one], [], [], 0.02)[0]:
            assert time.monotonic() < end, "it is still read"
            one.sendall(b"G")
        assert is_closed(one)


def test_a_connection_that_is_used_stays(store, banners):
    """The clock of headers is not running while a request is answered, nor while none has begun."""
    app = create_app(store, Settings(head_seconds=0.3))
    with in_thread(app) as url, Stalled(get_port(url)) as stalled:
        (one,) = stalled.send(make_head("/healthz", method="GET"))
        for _ in range(3):
            check_healthy(one)
            time.sleep(0.4)
            one.sendall(make_head("/healthz", method="GET"))
        check_healthy(one)


def test_an_answer_that_is_not_taken_is_given_up(store, caplog):
    """Whoever reads nothing of a large answer holds no room after a while."""
    exp = store.experiment("banners", ga.Problem(3000, threshold=0.5, delta=0.05), seed=1)
    exp.observe(0, [1])
    app = create_app(store, Settings(send_seconds=0.3))
    with in_thread(app) as url, httpx.Client(base_url=url, timeout=DEADLINE) as client:
        small = socket.socket()
        small.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 2048)
        with small:
            small.connect(("127.0.0.1", get_port(url)))
            path = f"{API}/banners/arms?limit=3000"
            small.sendall(b"".join(make_head(path, method="GET") for _ in range(20)))
            wait_until(lambda: "did not read its answer" in caplog.text)
            wait_until(lambda: read_gauge(client, "goodarm_requests_waiting") == 1)


class Slow:
    """Replays that begin, and end when they are let: how many are under way at once."""

    def __init__(self, monkeypatch):
        self.go, self.inside = threading.Event(), threading.Semaphore(0)
        self.now = self.most = 0
        lock, really = threading.Lock(), ga.store.StoredExperiment.verify

        def verify(exp, progress=None, **given):
            with lock:
                self.now += 1
                self.most = max(self.most, self.now)
            self.inside.release()
            assert self.go.wait(DEADLINE)
            with lock:
                self.now -= 1
            return really(exp, progress, **given)

        monkeypatch.setattr(ga.store.StoredExperiment, "verify", verify)


def start_together(count, act):
    """What threads return that do the same at once; started, and still to be joined."""
    found = []
    threads = [threading.Thread(target=lambda: found.append(act())) for _ in range(count)]
    for thread in threads:
        thread.start()
    return threads, found


def test_verifies_come_one_after_the_other_and_asks_pass_them(store, banners, monkeypatch):
    """Of 60 at once, more than the service has threads, one replays, a few wait, others go away."""
    slow = Slow(monkeypatch)
    settings = Settings(max_long_reads=4, long_read_seconds=DEADLINE)
    with client_of(create_app(store, settings)) as client:
        threads, answers = start_together(60, lambda: client.post(f"{API}/banners:verify"))
        assert slow.inside.acquire(timeout=DEADLINE)
        wait_until(lambda: len(answers) == 55)
        for _ in range(20):
            assert client.post(ASK, json={}).status_code == 200
        assert client.get(f"{API}/banners/arms").status_code == 200
        slow.go.set()
        for thread in threads:
            thread.join(DEADLINE)
    assert slow.most == 1
    refused = [answer for answer in answers if answer.status_code == 429]
    assert len(refused) == 55
    assert {answer.headers["Retry-After"] for answer in refused} == {str(DEADLINE)}
    assert {answer.json()["type"] for answer in refused} == {"/problems/slow-down"}
    assert [answer.status_code for answer in answers if answer not in refused] == [200] * 5


def test_a_long_read_waits_for_its_turn_only_so_long(store, banners, monkeypatch):
    slow = Slow(monkeypatch)
    with client_of(create_app(store, Settings(long_read_seconds=0.2))) as client:
        threads, answers = start_together(1, lambda: client.post(f"{API}/banners:verify"))
        assert slow.inside.acquire(timeout=DEADLINE)
        late = client.post(f"{API}/banners:verify")
        assert (late.status_code, late.headers["Retry-After"]) == (429, "1")
        history = client.get(f"{API}/banners/history")
        assert history.status_code == 429
        assert client.get(f"{API}/banners/export.jsonl").status_code == 200  # no replay
        assert client.get(f"{API}/banners/journal").status_code == 200
        slow.go.set()
        threads[0].join(DEADLINE)
        assert answers[0].status_code == 200
        assert slow.most == 1
        assert client.post(f"{API}/banners:verify").status_code == 200


def test_a_long_read_pauses_while_others_are_under_way(store, banners):
    app = create_app(store, Settings())
    service = app.state.service
    began = time.monotonic()
    service.give_way()
    service.capacity.callers.requests = 2
    service.capacity.long_reads = 2
    service.give_way()  # others that read for long are no reason
    service.capacity.long_reads = 1
    pauses = []
    for _ in range(5):
        before = time.monotonic()
        service.give_way()
        pauses.append(time.monotonic() - before)
    assert min(pauses) >= 0.02  # and yet it ends
    assert time.monotonic() - began < DEADLINE


def test_400_logins_that_stall_do_not_stop_a_worker(tmp_path):
    """The service as it is started, with its own limits: the first ask after them is answered."""
    path = f"sqlite:///{tmp_path / 'stalled.db'}"
    with ga.open_store(path) as store:
        store.experiment("banners", COINS, seed=1)
        secret, _ = store.tokens.create("workers", "run")
    headers = {"Authorization": f"Bearer {secret}"}
    with in_process(path, "--quiet") as (_, url), Stalled(get_port(url)) as stalled:
        list(stalled.send(LOGIN, 400))
        for _ in range(10):
            answer = httpx.post(f"{url}{ASK}", json={}, headers=headers, timeout=DEADLINE)
            assert answer.status_code == 200, answer.text


def measure_cpu_seconds(process):
    """What a process has worked, whatever else this machine does."""
    with open(f"/proc/{process.pid}/stat", encoding="ascii") as file:
        fields = file.read().rpartition(")")[2].split()
    return sum(map(int, fields[11:13])) / os.sysconf("SC_CLK_TCK")


@pytest.mark.slow
@pytest.mark.skipif(not os.path.exists("/proc/self/stat"), reason="CPU time is read from /proc")
@pytest.mark.parametrize("verifies", [5, pytest.param(16, marks=pytest.mark.large)])
def test_an_ask_costs_little_while_verifies_of_a_long_journal_run(tmp_path, verifies):
    """In CPU time of the server from the ask to its answer: at most a slice of one replay."""
    path = f"sqlite:///{tmp_path / 'long.db'}"
    with ga.open_store(path) as store:
        exp = store.experiment("banners", COINS, seed=1)
        with exp.together():
            for number in range(1500):
                exp.tell_many(exp.ask_many(1), [number % 2])
    with (
        in_process(path, "--quiet") as (process, url),
        httpx.Client(base_url=url, timeout=DEADLINE) as client,
    ):
        client.post(ASK, json={}).raise_for_status()  # what is compiled is loaded
        before = measure_cpu_seconds(process)
        client.post(f"{API}/banners:verify").raise_for_status()
        whole = measure_cpu_seconds(process) - before
        threads, answers = start_together(
            verifies, lambda: httpx.post(f"{url}{API}/banners:verify", timeout=DEADLINE).status_code
        )
        costs = []
        while any(thread.is_alive() for thread in threads) and len(costs) < 200:
            before = measure_cpu_seconds(process)
            assert client.post(ASK, json={}).status_code == 200
            costs.append(measure_cpu_seconds(process) - before)
        for thread in threads:
            thread.join(DEADLINE)
    assert set(answers) <= {200, 429}
    assert len(costs) >= 10
    assert sorted(costs)[len(costs) * 9 // 10] < max(whole, 0.1) / 2, (whole, sorted(costs)[-10:])


@pytest.mark.parametrize("path", [f"{API}/banners/arms", f"{API}/banners/export.csv", "page"])
def test_a_look_at_many_arms_does_not_hold_the_experiment(store, monkeypatch, path):
    """Their numbers are computed from a copy, while asks and tells go on."""
    exp = store.experiment("banners", ga.Problem(2500, threshold=0.5, delta=0.05), seed=1)
    pulls = exp.ask_many(3000, worker="ann", lease=3600)
    exp.tell_many(pulls[:2900], [pull.number % 2 for pull in pulls[:2900]])
    expected, out = exp.table(), exp.out
    go, inside, really = threading.Event(), threading.Semaphore(0), identifier.make_table

    def table(core, positions):
        inside.release()
        assert go.wait(DEADLINE)
        return really(core, positions)

    app = create_app(store, Settings())

    def read():
        if path == "page":
            seen = app.state.pages.snapshots.get("banners")
            return [seen.table == expected, seen.out == out]
        params = {"limit": 2500} if path.endswith("arms") else {}
        answer = client.get(path, params=params)
        if path.endswith("csv"):
            return [answer.status_code == 200, answer.text.count("\n") == 2501]
        return [answer.json()["reports"] == [each.to_dict() for each in expected]]

    monkeypatch.setattr(identifier, "make_table", table)
    with client_of(app) as client:
        assert client.post(ASK, json={"worker": "bob"}).status_code == 200  # it is open
        out = exp.out
        threads, found = start_together(1, read)
        try:
            assert inside.acquire(timeout=DEADLINE)
            asking, statuses = start_together(1, lambda: client.post(ASK, json={}).status_code)
            asking[0].join(DEADLINE / 2)
            assert statuses == [200]  # while the numbers are still computed
        finally:
            go.set()
        threads[0].join(DEADLINE)
    assert all(found[0])
