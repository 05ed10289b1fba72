"""Pulls over HTTP: ask, tell, forget, and which are out; keys that make a call safe to repeat."""

import json
import threading

import pytest

import goodarm as ga
from goodarm.live import VERBS
from goodarm.service import create_app
from goodarm.service.json_wording import WORDING
from goodarm.store.committer import Committer
from service.in_process import API, client_of

ASK = f"{API}/banners/pulls:ask"
TELL = f"{API}/banners/pulls:tell"
LINES = {"Content-Type": "application/x-ndjson"}


def ask(client, count=1, **body):
    answer = client.post(ASK, json={"count": count, **body})
    assert answer.status_code == 200
    return answer.json()["pulls"]


def test_pulls_are_those_of_the_library(client, banners):
    twin = ga.Identifier(banners.problem, seed=7)
    assert ask(client, 5) == [pull._asdict() for pull in twin.ask_many(5)]
    assert [pull.number for pull in banners.waiting] == [1, 2, 3, 4, 5]


def test_a_worker_has_its_pulls_again(client, banners):
    first = ask(client, 2, worker="ann", lease=60)
    assert ask(client, 2, worker="ann") == first
    assert ask(client, worker="bob") != first
    out = client.get(f"{API}/banners/pulls").json()
    assert [each["worker"] for each in out["out"]] == ["ann", "ann", "bob"]
    assert out["out"][0]["pull"] == first[0]
    assert out["out"][0]["until"] == out["out"][0]["asked_at"] + 60
    assert out["out"][2]["until"] is None


def test_pages_of_pulls_that_are_out(client, banners):
    banners.tell(banners.ask_many(7)[2], 1)
    found, after = [], 0
    while after is not None:
        page = client.get(f"{API}/banners/pulls", params={"after": after, "limit": 2}).json()
        found += [each["pull"]["number"] for each in page["out"]]
        after = page["next"]
    assert found == [1, 2, 4, 5, 6, 7]


def test_an_experiment_comes_to_the_librarys_verdict(client, banners):
    twin = ga.Identifier(banners.problem, seed=7)
    while pulls := ask(client, 8):
        rewards = [int(pull["arm"] == "red") for pull in pulls]
        assert client.post(TELL, json={"pulls": pulls, "rewards": rewards}).json() == {
            "told": len(pulls)
        }
        asked = twin.ask_many(8)
        twin.tell_many(asked, [int(pull.arm == "red") for pull in asked])
    assert twin.is_done
    verdict = client.get(f"{API}/banners/verdict").json()
    assert verdict | {"kind": "verdict", "format": 1} == twin.verdict.to_dict()
    assert twin.verdict == banners.verdict
    done = client.post(ASK).json()
    assert (done["pulls"], done["status"]) == ([], "done")
    with pytest.raises(ga.errors.ProtocolError) as refused:
        banners.ask()
    assert done["why"] == WORDING.sentence(refused.value)
    assert "over" in done["why"]


@pytest.mark.parametrize("prepare", ["max_pulls", "leases"])
def test_why_there_is_nothing_to_ask(client, store, prepare):
    exp = store.experiment("banners", ga.Problem(2, 0.5, 0.05, max_pulls=2))
    exp.ask_many(2, worker="ann" if prepare == "leases" else None)
    with pytest.raises(ga.errors.ProtocolError) as refused:
        exp.ask()
    answer = client.post(ASK).json()
    assert answer == {"pulls": [], "status": "running", "why": str(refused.value)}


def test_a_reward_by_the_pulls_number(client, banners):
    (pull,) = ask(client)
    path = f"{API}/banners/pulls/{pull['number']}:tell"
    assert client.post(path, json={"reward": 1}).json() == {"told": 1}
    assert client.post(path, json={"reward": 1.0, "arm": pull["arm"]}).json() == {"told": 1}
    other = client.post(path, json={"reward": 0})
    assert other.status_code == 409
    assert "told 1.0 before" in other.json()["detail"]
    assert banners.pulls == 1


@pytest.mark.parametrize("believed", [{"arm": "green"}, {"arm": "pink"}, {"case": 3}])
@pytest.mark.parametrize("verb", ["tell", "forget"])
def test_what_the_client_believes_of_a_pull_is_compared(client, banners, believed, verb):
    ask(client)
    body = {**believed, **({"reward": 1} if verb == "tell" else {})}
    answer = client.post(f"{API}/banners/pulls/1:{verb}", json=body)
    assert (answer.status_code, answer.json()["type"]) == (409, "/problems/refused")
    assert banners.entries == 1


@pytest.mark.parametrize("number", [2, 10**18 - 1])
def test_a_pull_that_was_never_asked(client, banners, number):
    ask(client)
    path = f"{API}/banners/pulls/{number}"
    batch = {"pulls": [{"number": 1}, {"number": number}], "rewards": [1, 1]}
    for answer in (
        client.post(f"{path}:tell", json={"reward": 1}),
        client.post(f"{path}:tell", json={"reward": 1, "arm": "red"}),
        client.post(f"{path}:forget"),
        client.post(TELL, json=batch),
    ):
        assert answer.status_code == 409
        assert f"Pull {number} was never asked" in answer.json()["detail"]
    assert banners.entries == 1


def test_pools_have_cases(client, store):
    exp = store.experiment("banners", ga.Problem(2, 0.5, 0.05, pool=20), seed=3)
    first, second = ask(client, 2)
    assert (first["case"], second["case"]) == tuple(pull.case for pull in exp.waiting)
    without = {"number": 1, "arm": first["arm"], "case": None}
    refused = client.post(TELL, json={"pulls": [without], "rewards": [1]})
    assert refused.status_code == 409
    by_number = {"number": 2}
    told = client.post(TELL, json={"pulls": [first, by_number], "rewards": [1, 0]})
    assert told.json() == {"told": 2}


def test_a_batch_is_told_whole_or_not_at_all(client, banners):
    pulls = ask(client, 3)
    bad = client.post(TELL, json={"pulls": pulls, "rewards": [1, 0, 7]})
    assert bad.status_code == 422
    assert "reward" in bad.json()["detail"]
    short = client.post(TELL, json={"pulls": pulls, "rewards": [1]})
    assert (short.status_code, banners.pulls) == (422, 0)
    assert client.post(TELL, json={"pulls": [], "rewards": []}).json() == {"told": 0}


def test_a_batch_as_json_lines(client, banners):
    pulls = ask(client, 3)
    lines = "\n".join(json.dumps({"pull": pull, "reward": 1}) for pull in pulls)
    assert client.post(TELL, content=f"{lines}\n\n", headers=LINES).json() == {"told": 3}
    assert banners.pulls == 3


@pytest.mark.parametrize(
    ("text", "status", "words"),
    [
        ('{"pull":{"number":1},"reward":1}\nnonsense', 400, "Line 2 of the body is not JSON"),
        ('\n{"pull":{"number":1}}', 422, "Line 2 of the body: /reward must be given"),
        (
            '{"pull":{"number":1},"reward":true}',
            422,
            "Line 1 of the body: /reward must be a number; got true",
        ),
        ('{"pull":{"number":1},"reward":1,"x":1}', 422, "/x must be left out"),
        ("[]", 422, "Line 1"),
    ],
)
def test_a_bad_line_is_named(client, banners, text, status, words):
    ask(client)
    answer = client.post(TELL, content=text, headers=LINES)
    assert answer.status_code == status
    assert words in answer.json()["detail"]
    assert banners.pulls == 0


def test_pulls_are_given_up(client, banners):
    ask(client, 3)
    assert client.post(f"{API}/banners/pulls/1:forget").json() == {}
    independent = {"loss_is_independent": True}
    assert client.post(f"{API}/banners/pulls/2:forget", json=independent).json() == {}
    assert [entry.get("is_independent") for entry in banners.journal()[1:]] == [None, True]
    late = client.post(f"{API}/banners/pulls/1:tell", json={"reward": 1})
    assert late.status_code == 409
    assert "was forgotten" in late.json()["detail"]


CHANGES = {
    "pulls:ask": {"count": 2},
    "pulls:tell": {"pulls": [{"number": 1}], "rewards": [1]},
    "pulls/1:tell": {"reward": 1},
    "pulls/1:forget": {},
    "arms:observe": {"arm": "red", "rewards": [1, 0]},
    "arms:add": {"arm": "blue"},
    "arms:take_out": {"arm": "red"},
    ":pause": {},
    ":resume": {},
    ":close": {},
}


@pytest.fixture
def planned(store):
    problem = ga.Problem(["red", "green"], threshold=0.5, delta=0.05, arms_planned=5)
    exp = store.experiment("banners", problem, seed=7)
    exp.ask()
    return exp


@pytest.mark.parametrize("change", CHANGES)
def test_a_key_makes_a_change_safe_to_repeat(client, planned, change):
    path = f"{API}/banners{'' if change.startswith(':') else '/'}{change}"
    headers = {"Idempotency-Key": "job 17"}
    first = client.post(path, json=CHANGES[change], headers=headers)
    assert first.status_code == 200
    entries = planned.entries
    assert entries == 2
    again = client.post(path, json=CHANGES[change], headers=headers)
    assert (again.status_code, again.json()) == (200, first.json())
    assert planned.entries == entries
    other = client.post(
        f"{API}/banners/arms:observe", json={"arm": "green", "rewards": [1]}, headers=headers
    )
    assert (other.status_code, other.json()["type"]) == (409, "/problems/key-reused")
    assert planned.entries == entries


def test_the_key_is_the_journals_own(client, banners, store):
    client.post(ASK, headers={"Idempotency-Key": "job 17"})
    assert banners.ask_many(1, key="job 17") == banners.waiting
    assert banners.entries == 1


@pytest.mark.parametrize("believed", [{}, {"arm": "red"}, {"case": None}])
def test_a_pull_is_the_same_under_its_key_however_much_of_it_is_given(client, banners, believed):
    """The journal keeps the hash of a request: that of the whole pull."""
    ask(client)
    pull, headers = banners.waiting[0], {"Idempotency-Key": "job 17"}
    path, body = f"{API}/banners/pulls/1:tell", {"reward": 1, **believed}
    assert pull.arm == "red"
    assert client.post(path, json=body, headers=headers).json() == {"told": 1}
    digest = VERBS["tell"].digest({"pulls": [pull], "rewards": [1.0]})
    assert [row.digest for row in banners.rows(1)] == [digest]
    banners.tell(pull, 1.0, key="job 17")
    assert client.post(path, json={"reward": 1}, headers=headers).json() == {"told": 1}
    assert (banners.entries, banners.pulls) == (2, 1)
    with pytest.raises(ga.errors.ProtocolError, match="another request"):
        banners.tell(pull, 0.0, key="job 17")


@pytest.mark.parametrize("change", ["pulls/1:tell", "pulls:tell", "pulls/1:forget"])
def test_a_change_by_a_pulls_number_reads_no_state(client, planned, monkeypatch, change):
    monkeypatch.setattr(Committer, "reading", None)
    assert client.post(f"{API}/banners/{change}", json=CHANGES[change]).status_code == 200
    monkeypatch.undo()
    assert (planned.entries, planned.waiting) == (2, [])


def test_a_pull_that_another_process_asked_is_known_by_its_number(tmp_path):
    """The service writes without turns by then: what it has in memory is behind the journal."""
    url = f"sqlite:///{tmp_path / 'journals.db'}"
    with ga.open_store(url) as one, ga.open_store(url) as other:
        mine = one.experiment("banners", ga.Problem(["red", "green"], 0.5, 1e-9), seed=7)
        with client_of(create_app(one)) as client:
            for _ in range(20):
                (pull,) = ask(client)
                client.post(f"{API}/banners/pulls/{pull['number']}:tell", json={"reward": 1})
            theirs = other.experiment("banners").ask()
            path = f"{API}/banners/pulls/{theirs.number}:tell"
            assert client.post(path, json={"reward": 0}).json() == {"told": 1}
        assert (mine.pulls, mine.waiting) == (21, [])
        mine.verify()


@pytest.mark.parametrize("key", ["", "a" * 201, "é", "a\tb"])
def test_a_key_is_short_and_plain(client, banners, key):
    answer = client.post(ASK, headers=[(b"Idempotency-Key", key.encode("latin-1"))])
    assert (answer.status_code, banners.entries) == (422, 0)
    assert "Idempotency-Key" in answer.json()["detail"]


def test_many_threads_share_an_experiment(client, store):
    exp = store.experiment("banners", ga.Problem(4, 0.5, 1e-9))
    told = []

    def work(worker):
        for _ in range(20):
            for pull in ask(client, 2, worker=worker):
                path = f"{API}/banners/pulls/{pull['number']}:tell"
                client.post(path, json={"reward": pull["number"] // 4 % 2}).raise_for_status()
                told.append(pull["number"])

    threads = [threading.Thread(target=work, args=(f"w{number}",)) for number in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(told) == list(range(1, 8 * 20 * 2 + 1))
    assert client.post(f"{API}/banners:verify").json()["rewards"] == exp.pulls == len(told)
