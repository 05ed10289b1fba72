"""What no stranger may read: addresses in memory, library internals, paths of the server."""

import json
import logging
import random
import re

import pytest
from sqlalchemy.exc import OperationalError

import goodarm as ga
from goodarm.service import Settings, create_app
from service.in_process import API, client_of
from service.pages.site import site_of

INSIDE = re.compile(r"0x[0-9a-f]{4}|<function|functools|site-packages|pydantic|Traceback|\bat 0x")
WRONG = [
    *(None, True, False, 0, -1, 1.5, 1e308, 10**30, "", "x", "a" * 300, [], {}, [[]], [None]),
    *({"x": 1}, [1, "1"], {"kind": "problem"}, "\u0000", "<script>", ["a", "a"], [True], [1.5]),
]
CREATE = {
    "name": "banners",
    "problem": {
        "arms": ["a", "b"],
        "threshold": 0.5,
        "delta": 0.05,
        "margin": 0,
        "until": 1,
        "rewards": "bernoulli",
        "low": None,
        "high": None,
        "sigma": None,
        "max_pulls": 9,
        "pool": None,
        "case_order": "same",
        "gap": None,
        "arms_planned": 2,
    },
    "algorithm": "e-hdoc",
    "seed": 7,
    "silence": {"meaning": "lost", "seconds": 60, "otherwise": None, "is_independent": False},
    "serving": {"when_done": "first_good", "default": None, "bulk": False},
}
PATHS = {
    API: CREATE,
    f"{API}/kept/pulls:ask": {"count": 1, "worker": "ann", "lease": 60},
    f"{API}/kept/pulls:tell": {"pulls": [{"number": 1, "arm": "a", "case": None}], "rewards": [1]},
    f"{API}/kept/pulls/1:tell": {"reward": 1, "arm": "a", "case": None},
    f"{API}/kept/pulls/1:forget": {"loss_is_independent": True, "arm": "a"},
    f"{API}/kept/arms:observe": {"arm": "a", "rewards": [1], "cases": None},
    f"{API}/kept/arms:add": {"arm": "c", "pool": None},
    f"{API}/kept/arms:take_out": {"arm": "a"},
    f"{API}/kept:note": {"text": "x", "arm": "a"},
    f"{API}/kept:verify": {"head": "ab"},
    "/ofrep/v1/evaluate/flags/kept": {"context": {"targetingKey": "ann"}},
}


def spoiled(body, rng):
    """A body with one wrong thing in it, anywhere."""
    body = json.loads(json.dumps(body))
    here, places = body, []

    def walk(node):
        for key in list(node) if isinstance(node, dict) else range(len(node)):
            places.append((node, key))
            if isinstance(node[key], dict | list):
                walk(node[key])

    walk(here)
    node, key = rng.choice(places)
    how = rng.random()
    if how < 0.1 and isinstance(node, dict):
        del node[key]
    elif how < 0.2 and isinstance(node, dict):
        node[rng.choice(["x", "", "~/a", "__class__"])] = rng.choice(WRONG)
    else:
        node[key] = rng.choice(WRONG)
    return body


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "secret-folder"


@pytest.fixture
def store(folder):
    folder.mkdir()
    with ga.open_store(f"sqlite:///{folder / 'journals.db'}") as opened:
        problem = ga.Problem(["a", "b"], threshold=0.5, delta=0.05, arms_planned=9)
        opened.experiment("kept", problem, seed=7).ask()
        yield opened


@pytest.mark.parametrize("path", PATHS)
def test_no_answer_to_a_bad_body_shows_what_is_inside(path, store, folder):
    rng = random.Random(path)
    refused = 0
    with client_of(create_app(store, Settings())) as client:
        for _ in range(60):
            answer = client.post(path, json=spoiled(PATHS[path], rng))
            assert answer.status_code < 500, answer.text
            if answer.status_code >= 400:
                refused += 1
                assert not INSIDE.search(answer.text), answer.text
                assert folder.name not in answer.text
            if answer.status_code == 422 and "errors" in answer.json():
                for each in answer.json()["errors"]:
                    assert re.fullmatch("(/[^/]*)*", each.get("pointer", ""))
    assert refused > 10


def test_pointers_have_no_members_of_unions(store):
    """As the seen one: arms.function-before[_whole(), int]."""
    problem = {"arms": [True], "threshold": 0.5, "delta": 0.05, "pool": ["x"]}
    with client_of(create_app(store, Settings())) as client:
        answer = client.post(API, json={"name": "a", "problem": problem})
        pointers = {each["pointer"] for each in answer.json()["errors"]}
        assert pointers == {"/problem/arms", "/problem/pool"}
        observed = {"arm": None, "rewards": [1, "1"]}
        for body in ("[]", "3"):  # RFC 6901: the whole document
            whole = client.post(API, content=body, headers={"Content-Type": "application/json"})
            assert whole.json()["errors"][0]["pointer"] == ""
        answer = client.post(f"{API}/kept/arms:observe", json=observed)
    assert [each["pointer"] for each in answer.json()["errors"]] == ["/arm", "/rewards/1"]
    assert answer.json()["detail"] == (
        '/arm must be a text or a whole number; got null. /rewards/1 must be a number; got "1".'
    )


@pytest.mark.parametrize(
    "words",
    ["database or disk is full", "disk I/O error", "attempt to write a readonly database"],
)
def test_a_store_that_fails_keeps_its_place_to_itself(store, folder, monkeypatch, caplog, words):
    import sqlite3

    codes = {
        "database or disk is full": sqlite3.SQLITE_FULL,
        "disk I/O error": sqlite3.SQLITE_IOERR,
        "attempt to write a readonly database": sqlite3.SQLITE_READONLY,
    }
    error = sqlite3.OperationalError(f"{words} ({folder})")
    error.sqlite_errorcode = codes[words]
    translated = store._recorder.database.translate(OperationalError("", {}, error))
    assert str(folder) in str(translated)

    def fail(*_, **__):
        raise translated

    monkeypatch.setattr(type(store._recorder), "head", fail)
    with client_of(create_app(store, Settings())) as client:
        with caplog.at_level(logging.ERROR, "goodarm.service"):
            answer = client.get(f"{API}/kept")
        assert answer.status_code in (503, 507)
        assert folder.name not in answer.text
        assert words not in answer.text
        assert folder.name in caplog.text
    with site_of(store) as site:
        page = site.get("/experiments/kept")
        assert page.status_code in (503, 507)
        assert folder.name not in page.text


def test_a_journal_that_is_damaged_shows_no_internals(store, folder):
    recorder = store._recorder
    with recorder.writing() as connection:
        connection.exec_driver_sql("UPDATE goodarm_journal SET text = '{\"kind\": []}'")
        connection.exec_driver_sql("DELETE FROM goodarm_snapshots")
    with client_of(create_app(store, Settings())) as client:
        answer = client.get(f"{API}/kept")
    assert answer.status_code == 500
    assert "TypeError" not in answer.text
    assert not INSIDE.search(answer.text)
    assert folder.name not in answer.text


def test_a_remedy_points_to_where_a_problem_is_made(store):
    """All its settings stand below /problem, also in errors of other requests."""
    with client_of(create_app(store, Settings())) as client:
        answer = client.post(f"{API}/kept/arms:observe", json={"arm": "a", "rewards": [5]})
    assert answer.json()["detail"] == (
        "/rewards must be 0 or 1 for arm 'a'; got 5.0. For other rewards, set /problem/rewards "
        'to "bounded" with /problem/low and /problem/high.'
    )
