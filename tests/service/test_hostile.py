"""Tricks in names, paths, headers and exports: text is data, and never more."""

import csv
import io
import logging
import socket

import pytest

import goodarm as ga
from service.in_process import API
from service.servers import in_thread

NAMES = [
    "-rf",
    "a/b",
    "a%2Fb",
    "..%2f..%2fetc%2fpasswd",
    "a%00b",
    "a%0Ab",
    "a%0d%0aSet-Cookie:x",
    "a'--",
    "a;DROP TABLE goodarm_experiments",
    "%27%20OR%201=1",
    "a b",
    "a%20b",
    "é",
    "a" * 65,
    "a:pause:pause",
    "{name}",
    "%7Bname%7D",
    "<script>",
    "a\\b",
    "*",
]


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("rest", ["", "/arms", "/export.csv", "/journal"])
def test_what_is_no_name_is_not_found(client, banners, name, rest):
    answer = client.get(f"{API}/{name}{rest}")
    assert answer.status_code == 404
    assert answer.headers["Content-Type"] == "application/problem+json"


@pytest.mark.parametrize("number", ["0", "-1", "1e3", "01", "1.0", "9" * 19, "1;2", "%31x", "x"])
def test_what_is_no_number_is_not_found(client, banners, number):
    banners.ask()
    answer = client.post(f"{API}/banners/pulls/{number}:tell", json={"reward": 1})
    assert answer.status_code == 404
    assert banners.pulls == 0


def test_paths_are_taken_as_they_are(client, banners):
    for path in ("//api/v1/experiments", f"{API}//banners", f"{API}/banners/", f"{API}/banners/x"):
        assert client.get(path).status_code == 404


def send_raw(port, text):
    """What a server says to these very bytes."""
    with socket.create_connection(("127.0.0.1", port), timeout=30) as connection:
        connection.sendall(text)
        found = b""
        while part := connection.recv(65536):
            found += part
    return found


def test_requests_that_no_client_would_send(app, banners):
    head = b" HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n"
    path = f"{API}/banners".encode()
    with in_thread(app) as url:
        port = int(url.rpartition(":")[2])
        for start, status in (
            (b"GET " + path + b"/../../../etc/passwd" + head + b"\r\n", b"404"),
            (b"GET " + path + b"/%2e%2e" + head + b"\r\n", b"404"),
            (b"GET " + path + b"/.." + head + b"\r\n", b"404"),
            (b"GET /." + path + head + b"\r\n", b"404"),
            (b"GET http://evil.example" + path + head + b"\r\n", b"404"),
            (b"TRACE " + path + head + b"\r\n", b"405"),
            (b"POST " + path + b":close" + head + b"Content-Length: -1\r\n\r\n", b"400"),
            (b"POST " + path + b":close" + head + b"Content-Length: 2, 3\r\n\r\n{}", b"400"),
            (b"nonsense\r\n\r\n", b"400"),
            (b"GET " + path + head + b"If-None-Match: \xff\xfe\r\n\r\n", b"200"),
        ):
            assert send_raw(port, start).startswith(b"HTTP/1.1 " + status), start[:80]
    assert banners.status == "running"


def test_names_of_arms_cannot_run_in_a_spreadsheet(client, store):
    arms = ["=HYPERLINK(1)", "+1+1", "-2+3", "@SUM(A1)", "\t=1", "\r=1", "a,b", 'a"b', "a\nb", "-5"]
    store.experiment("banners", ga.Problem(arms, 0.5, 0.05))
    text = client.get(f"{API}/banners/export.csv").text
    cells = [row[0] for row in csv.reader(io.StringIO(text, newline=""))][1:]
    for arm, cell in zip(arms, cells, strict=True):
        assert cell == (arm if arm in ("a,b", 'a"b', "a\nb", "-5") else f"'{arm}")


def test_labels_and_workers_are_only_text(client, banners, store):
    hostile = '"; DROP TABLE x; -- {{7*7}} ${jndi:ldap://x} [red] \u202e <img src=x>'
    headers = {"Idempotency-Key": "'; DROP TABLE goodarm_journal; --"}
    pulls = client.post(f"{API}/banners/pulls:ask", json={"worker": hostile}, headers=headers)
    assert pulls.status_code == 200
    out = client.get(f"{API}/banners/pulls").json()["out"]
    assert out[0]["worker"] == hostile
    unknown = client.post(f"{API}/banners/arms:take_out", json={"arm": hostile})
    assert unknown.status_code == 422
    assert client.get(f"{API}/banners/arms", params={"arm": hostile}).status_code == 422


def test_logs_have_one_line_for_each_request(client, banners, caplog):
    with caplog.at_level(logging.INFO, "goodarm.service"):
        client.get(f"{API}/banners%0aFAKE%20LINE")
        client.get(f"{API}/banners?after=%0aFAKE", headers={"User-Agent": "FAKE"})
        client.request("FAKE", API)
    lines = [record.getMessage() for record in caplog.records]
    assert [line.rsplit(" ", 2)[0] for line in lines] == [
        "GET other - 404",
        "GET /api/v1/experiments/{name} banners 200",
        "FAKE /api/v1/experiments - 405",
    ]


def test_metrics_do_not_grow_with_what_is_asked(client, banners):
    for number in range(50):
        client.get(f"/nowhere/{number}")
        client.get(f"{API}/name{number}")
        client.request(f"M{number}", "/nowhere")
    text = client.get("/metrics").text
    assert text.count("goodarm_requests_total{") == 3
    assert 'method="other",route="other",status="404"} 50' in text
