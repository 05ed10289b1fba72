"""Answers that are lost or doubled, and processes that die: nothing is lost or counted twice."""

import json
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import goodarm as ga
from goodarm.errors import Gone
from goodarm.live import RewardTimeout

CROWD = Path(__file__).parent / "crowd.py"

pytestmark = pytest.mark.slow

PROBLEM = ga.Problem(["a", "b"], threshold=0.5, delta=1e-6, arms_planned=4)


class Lossy(httpx.BaseTransport):
    """Passes requests on; of each, the first answer is lost or it is sent twice."""

    def __init__(self, fault):
        self._inner, self._fault = httpx.HTTPTransport(), fault
        self._seen = set()

    def handle_request(self, request):
        what = request.method, request.url, request.content
        is_first = what not in self._seen
        self._seen.add(what)
        response = self._inner.handle_request(request)
        if is_first and self._fault == "doubled":
            response.read()
            response = self._inner.handle_request(request)
        elif is_first and self._fault == "dropped":
            response.read()
            raise httpx.ReadError("the answer was lost", request=request)
        return response

    def close(self):
        self._inner.close()


@pytest.fixture(params=["none", "dropped", "doubled"])
def client(request, sqlite_service):
    http = httpx.Client(transport=Lossy(request.param))
    with http, ga.Client(sqlite_service.url, http=http) as client:
        yield client
        client.delete("lossy")


def test_all_that_can_be_done_counts_once(client):
    """Without any key of its own, and whichever answers are lost or doubled."""
    exp = client.experiment("lossy", PROBLEM, seed=1)
    first, second = exp.ask(), exp.ask()
    assert (first.number, second.number) == (1, 2)
    held = exp.ask_many(3, worker="ann", lease=60)
    assert exp.ask_many(3, worker="ann", lease=60) == held
    exp.tell(first, 1)
    exp.tell_many(held, [1, 0, 1])
    exp.forget(second)
    exp.observe("a", [1] * 5)
    exp.add_arm("c")
    exp.take_out("c")
    exp.pause()
    exp.resume()
    assert exp.pulls == 1 + 3 + 1 + 5
    assert exp.waiting == []
    exp.close()
    kinds = [entry["kind"] for entry in exp.journal()]
    assert kinds == [
        *("asked", "asked", "asked", "told", "told", "forgotten", "observed", "added"),
        *("taken_out", "paused", "resumed", "closed"),
    ]
    assert exp.verify()[:3] == (12, 10, 0)


def test_errors_are_the_same_whichever_answers_are_lost(client):
    exp = client.experiment("lossy", PROBLEM, reward_timeout=RewardTimeout("lost", 3600))
    pull = exp.ask()
    exp.tell(pull, 1)
    for _ in range(2):
        with pytest.raises(ga.errors.ProtocolError, match="was told 1.0 before"):
            exp.tell(pull, 0)
        with pytest.raises(ga.errors.SpecError, match="There is no experiment 'nobody'"):
            client.experiment("nobody")
        with pytest.raises(ga.errors.SpecError, match="was created with other settings"):
            client.experiment("lossy", ga.Problem(["a", "b"], threshold=0.6, delta=1e-6))
    assert len(exp.journal()) == 2


def crowd(store, *words):
    done = subprocess.run(
        [sys.executable, str(CROWD), store, *map(str, words)],
        capture_output=True,
        text=True,
        timeout=300,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


@pytest.mark.large
def test_workers_and_a_service_that_are_killed_behind_a_bad_network(tmp_path):
    found = crowd(f"sqlite:///{tmp_path / 'journals.db'}", "--kills", 12, "--seed", 3)
    assert found["wrong"] == []
    assert found["rewards"] > 1000
    assert found["troubles"]["server"] == 3
    assert all(found["faults"][fault] for fault in ("lost", "dropped", "cut", "doubled", "late"))


@pytest.mark.large
def test_two_services_on_one_database_of_which_one_is_stopped_and_woken(postgres_url):
    words = ("--servers", 2, "--stops", 3, "--kills", 8, "--seed", 5)
    found = crowd(postgres_url, *words)
    assert found["wrong"] == []
    assert found["rewards"] > 1000
    assert found["troubles"]["stop"] == 3


@pytest.mark.large
def test_workers_without_keys_are_caught(tmp_path):
    """The same with a worker that is wrong: it shows that something is measured."""
    store = f"sqlite:///{tmp_path / 'journals.db'}"
    found = crowd(store, "--rewards", 400, "--kills", 0, "--rate", 0.3, "--keyless")
    assert any("is asked and nobody's" in each for each in found["wrong"])


def test_an_experiment_that_took_the_name_of_another_is_not_told_its_rewards(sqlite_service):
    """Pulls have the same numbers there: they would be counted where nobody asked for them."""
    with ga.Client(sqlite_service.url) as client, ga.Client(sqlite_service.url) as other:
        created = client.experiment("same", PROBLEM, seed=1)
        opened = other.experiment("same")
        pull = created.ask()
        assert client.delete("same")
        with pytest.raises(Gone, match="was deleted"):
            created.tell(pull, 1)
        new = client.experiment("same", PROBLEM, seed=2)
        assert new.ask().number == pull.number
        for old in (created, opened):
            for act in (old.ask, lambda: old.tell(pull, 1), old.table, lambda: old.pulls):  # noqa: B023
                with pytest.raises(Gone, match="was deleted"):
                    act()
        assert (new.pulls, len(new.journal())) == (0, 1)
        client.delete("same")
