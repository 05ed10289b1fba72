"""Arms, verdicts, histories and journals over HTTP: the library's own numbers."""

import csv
import io
import json

import pytest

import goodarm as ga
from service.in_process import API

ARMS = f"{API}/banners/arms"


@pytest.fixture
def many(store):
    """Ten arms with some rewards, one of them taken out."""
    problem = ga.Problem(10, threshold=0.5, delta=0.05, arms_planned=12)
    exp = store.experiment("banners", problem, seed=1)
    exp.observe(0, [1] * 40)
    exp.observe(1, [0] * 40)
    exp.observe(2, [1, 0, 1])
    exp.take_out(3)
    return exp


def test_reports_are_the_librarys(client, many):
    reports = [report.to_dict() for report in many.table()]
    answer = client.get(ARMS).json()
    assert answer == {"reports": json.loads(json.dumps(reports)), "next": None}
    assert "reason" in answer["reports"][3]


def test_pages_of_arms_and_arms_by_name(client, many):
    found, after = [], 0
    while after is not None:
        page = client.get(ARMS, params={"after": after, "limit": 4}).json()
        found += [report["arm"] for report in page["reports"]]
        after = page["next"]
    assert found == list(range(10))
    assert client.get(ARMS, params={"after": 10}).json() == {"reports": [], "next": None}
    named = client.get(ARMS, params={"arm": ["7", "2"]}).json()
    assert [report["arm"] for report in named["reports"]] == [7, 2]
    unknown = client.get(ARMS, params={"arm": "blue"})
    assert unknown.status_code == 422
    assert "must be one of" in unknown.json()["detail"]


def test_verdict_and_history(client, many):
    verdict = client.get(f"{API}/banners/verdict").json()
    assert verdict | {"kind": "verdict", "format": 1} == many.verdict.to_dict()
    history = client.get(f"{API}/banners/history", params={"arm": ["2", "0"], "points": 3}).json()
    expected = [each.to_dict() for each in many.history(["2", "0"], 3)]
    assert history == {"histories": json.loads(json.dumps(expected))}
    assert len(client.get(f"{API}/banners/history").json()["histories"]) == 10


def test_a_history_is_bounded(client, store):
    store.experiment("banners", ga.Problem(1001, 0.5, 0.05))
    answer = client.get(f"{API}/banners/history")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/too-many")
    assert client.get(f"{API}/banners/history?arm=3").status_code == 200


def test_arms_join_and_leave_and_are_observed(client, many):
    assert client.post(f"{ARMS}:add", json={"arm": "new"}).json() == {}
    assert client.post(f"{ARMS}:observe", json={"arm": "new", "rewards": [1, 0.0, 1]}).json() == {}
    assert client.post(f"{ARMS}:take_out", json={"arm": "new"}).json() == {}
    report = many.explain("new")
    assert (report.pulls, report.mean, report.reason) == (3, 2 / 3, "taken out")
    again = client.post(f"{ARMS}:add", json={"arm": "new"})
    assert again.status_code == 422
    assert client.post(f"{ARMS}:add", json={"arm": "newer"}).status_code == 200
    no_room = client.post(f"{ARMS}:add", json={"arm": "newest"})
    assert (no_room.status_code, no_room.json()["type"]) == (409, "/problems/refused")


def test_observed_cases_of_a_pool(client, store):
    exp = store.experiment("banners", ga.Problem(["red"], 0.5, 0.05, pool=9))
    body = {"arm": "red", "rewards": [1, 0], "cases": [4, 5]}
    assert client.post(f"{ARMS}:observe", json=body).status_code == 200
    assert exp.journal()[0]["cases"] == [4, 5]
    twice = client.post(f"{ARMS}:observe", json=body)
    assert twice.status_code in (409, 422)
    assert exp.entries == 1


def test_pages_of_the_journal(client, many):
    found, after, pages = [], 0, 0
    while after is not None:
        page = client.get(f"{API}/banners/journal", params={"after": after, "limit": 3}).json()
        found += page["entries"]
        after, pages = page["next"], pages + 1
    assert (found, pages) == (many.journal(), 2)
    for after in (4, 5, 10**18 - 1):
        page = client.get(f"{API}/banners/journal", params={"after": after}).json()
        assert page == {"entries": [], "next": None}


def test_an_export_is_what_the_store_imports(client, store, many, tmp_path):
    client.post(f"{API}/banners/pulls:ask", headers={"Idempotency-Key": "job"})
    answer = client.get(f"{API}/banners/export.jsonl")
    assert answer.headers["Content-Type"] == "application/x-ndjson"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="banners.jsonl"'
    store.export("banners", tmp_path / "own.jsonl")
    assert answer.content == (tmp_path / "own.jsonl").read_bytes()
    (tmp_path / "got.jsonl").write_bytes(answer.content)
    other = ga.open_store("memory:").import_(tmp_path / "got.jsonl")
    assert other.verdict == many.verdict


def test_a_long_export_comes_whole(client, store):
    exp = store.experiment("banners", ga.Problem(2, 0.5, 0.05))
    with exp.together():
        for _ in range(3000):
            exp.ask()
    lines = client.get(f"{API}/banners/export.jsonl").text.splitlines()
    assert len(lines) == 3001
    assert json.loads(lines[-1])["number"] == 3000


def test_the_table_of_arms_as_csv(client, many):
    answer = client.get(f"{API}/banners/export.csv")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    for row, report in zip(rows, many.table(), strict=True):
        nothing_waits = {"waits": 0, "waits_behind": None}
        told = {"successes": round((report.mean or 0.0) * (report.pulls - report.lost))}
        expected = {**report.to_dict(), **told, "reason": report.reason, **nothing_waits}
        shown = {name: "" if value is None else str(value) for name, value in expected.items()}
        assert row == shown


def test_verify(client, many):
    assert client.post(f"{API}/banners:verify").json() == many.verify()._asdict()


def test_verify_says_what_differs(client, many, store):
    many.ask()
    client.post(f"{API}/banners:verify").raise_for_status()
    rows = store._recorder._names["banners"].rows
    entry = json.loads(rows[0].text)
    entry["labels"] = []
    rows[0] = rows[0]._replace(text=json.dumps(entry))
    answer = client.post(f"{API}/banners:verify")
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/not-verified")
    assert "entry 1" in answer.json()["detail"].lower()
