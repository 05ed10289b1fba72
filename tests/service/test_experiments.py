"""Experiments over HTTP: create, list, show, delete, pause, resume, close."""

import pytest

import goodarm as ga
from service.in_process import API

BODY = {"name": "banners", "problem": {"arms": ["red", "green"], "threshold": 0.5, "delta": 0.05}}
FULL = {
    "name": "full",
    "problem": ga.Problem(3, 2.0, 0.1, rewards="bounded", low=0, high=5, arms_planned=9).to_dict(),
    "algorithm": ga.Algorithm(sampling="hdoc", identification="lil").to_dict(),
    "seed": 11,
    "silence": {"meaning": "reward", "seconds": 60, "otherwise": 0},
    "serving": {"when_done": "best_mean", "default": 1, "bulk": True},
}


def test_an_experiment_is_created_once(client, store):
    made = client.post(API, json=BODY)
    assert made.status_code == 201
    assert made.json() == {
        "name": "banners",
        "status": "running",
        "entries": 0,
        "pulls": 0,
        "changed_at": None,
        "good": 0,
        "bad": 0,
        "undecided": 2,
    }
    again = client.post(API, json=BODY)
    assert (again.status_code, again.json()) == (200, made.json())
    assert store.experiment("banners").problem == ga.Problem(["red", "green"], 0.5, 0.05)


def test_all_that_it_is_created_with_is_kept_and_shown(client, store):
    assert client.post(API, json=FULL).status_code == 201
    exp = store.experiment("full")
    assert exp.problem.to_dict() == FULL["problem"]
    assert exp.algorithm.to_dict() == FULL["algorithm"]
    assert exp.seed == 11
    assert exp.reward_timeout == ga.RewardTimeout("reward", 60, 0)
    assert exp.flag_policy == ga.FlagPolicy("best_mean", 1, True)
    shown = client.get(f"{API}/full").json()
    for part in ("problem", "algorithm", "seed"):
        assert shown[part] == FULL[part]
    assert shown["silence"] == exp.reward_timeout.to_dict()
    assert shown["serving"] == FULL["serving"]


def test_arms_that_joined_are_shown(client):
    client.post(API, json=FULL)
    client.post(f"{API}/full/arms:add", json={"arm": "late"})
    assert client.get(f"{API}/full").json()["problem"]["arms"] == [0, 1, 2, "late"]


@pytest.mark.parametrize(
    ("change", "differs"),
    [
        ({"problem": {**BODY["problem"], "threshold": 0.6}}, "threshold 0.5, not 0.6"),
        ({"seed": 8}, "seed"),
        ({"serving": {"bulk": True}}, "flag policy bulk False, not True"),
    ],
)
def test_another_experiment_of_the_name_is_refused_with_what_differs(client, change, differs):
    client.post(API, json=BODY)
    answer = client.post(API, json={**BODY, **change})
    assert answer.status_code == 409
    assert answer.json()["type"] == "/problems/different"
    assert differs in answer.json()["detail"]


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"problem": {**BODY["problem"], "threshold": 7}}, "/problem/threshold must"),
        ({"problem": {**BODY["problem"], "arms": ["a", "a"]}}, "have every label only once"),
        ({"problem": {**BODY["problem"], "gap": 5e-324}}, "/problem/gap must"),
        ({"algorithm": "nonsense"}, "must be one of"),
        ({"algorithm": {"kind": "algorithm"}}, "format"),
        ({"silence": {"meaning": "lost"}}, "/silence/seconds must"),
        ({"serving": {"default": "blue"}}, "must be one of 'red', 'green'"),
        (
            {"serving": {}},
            "Choose a meaning of 'reward' with /silence/seconds and /silence/otherwise",
        ),
        (
            {"serving": {"bulk": True}, "silence": {"meaning": "wait"}},
            "of 'lost' with /silence/seconds",
        ),
        ({"name": "../up"}, "/name must be 1 to 64 letters"),
        ({"name": "a" * 65}, "/name must be 1 to 64 letters"),
        ({"name": "banners\n"}, "/name must be 1 to 64 letters"),
    ],
)
def test_what_is_wrong_is_told_in_the_librarys_words(client, store, change, words):
    answer = client.post(API, json={**BODY, **change})
    assert answer.status_code == 422
    assert words in answer.json()["detail"]
    assert store.experiments() == []


def test_pages_of_experiments(client, store):
    names = sorted(f"x{number}" for number in range(7))
    for name in names:
        store.experiment(name, ga.Problem(2, 0.5, 0.05))
    found, after = [], ""
    while after is not None:
        page = client.get(API, params={"after": after, "limit": 3}).json()
        assert len(page["experiments"]) <= 3
        found += [each["name"] for each in page["experiments"]]
        after = page["next"]
    assert found == names
    assert client.get(API, params={"limit": 7}).json()["next"] is None
    assert client.get(API, params={"after": "x6"}).json() == {"experiments": [], "next": None}


@pytest.mark.parametrize(
    "query", ["limit=0", "limit=1001", "limit=x", "limt=5", "after=" + 65 * "a"]
)
def test_a_bad_page_is_refused(client, query):
    answer = client.get(f"{API}?{query}")
    assert (answer.status_code, answer.json()["type"]) == (422, "/problems/invalid")
    assert query.partition("=")[0] in answer.json()["detail"]


def test_status_goes_its_way(client, banners):
    def status(verb):
        answer = client.post(f"{API}/banners:{verb}", json={})
        assert answer.status_code == 200
        assert answer.json()["status"] == banners.status
        return answer.json()["status"]

    assert [status(verb) for verb in ("pause", "pause", "resume", "close", "close")] == [
        "paused",
        "paused",
        "running",
        "closed",
        "closed",
    ]
    for verb in ("pause", "resume"):
        answer = client.post(f"{API}/banners:{verb}")
        assert (answer.status_code, answer.json()["type"]) == (409, "/problems/closed")


def test_a_summary_counts_labels(client, banners):
    banners.observe("red", [1] * 40)
    banners.observe("green", [0] * 40)
    shown = client.get(API).json()["experiments"][0]
    assert (shown["status"], shown["good"], shown["bad"], shown["undecided"]) == ("done", 1, 1, 0)
    assert (shown["entries"], shown["pulls"]) == (2, 80)
    assert shown["changed_at"] == banners.changed_at


def test_what_is_deleted_is_gone_and_its_name_is_free(client, banners):
    assert client.post(f"{API}/banners/pulls:ask").json()["pulls"]
    assert client.delete(f"{API}/banners").status_code == 204
    for answer in (client.delete(f"{API}/banners"), client.get(f"{API}/banners")):
        assert (answer.status_code, answer.json()["type"]) == (404, "/problems/no-such-experiment")
    assert client.post(API, json=BODY).status_code == 201
    assert client.get(f"{API}/banners").json()["entries"] == 0


def test_what_others_delete_and_create_anew_is_opened_anew(client, banners, store):
    """Another process may do so: the experiment that is held open is dropped."""
    assert client.post(f"{API}/banners/pulls:ask").json()["pulls"][0]["number"] == 1
    store.delete("banners")
    assert client.post(f"{API}/banners/pulls:ask").status_code == 404
    store.experiment("banners", ga.Problem(["blue"], 0.5, 0.05))
    assert client.post(f"{API}/banners/pulls:ask").json()["pulls"][0]["arm"] == "blue"
    store.delete("banners")
    store.experiment("banners", ga.Problem(["pink"], 0.5, 0.05))
    assert client.get(f"{API}/banners").json()["problem"]["arms"] == ["pink"]


READS = [
    "",
    "/banners",
    "/banners/pulls",
    "/banners/arms",
    "/banners/verdict",
    "/banners/journal",
    "/banners/history",
    "/banners/export.jsonl",
    "/banners/export.csv",
]


@pytest.mark.parametrize("path", READS)
def test_what_has_not_changed_is_not_sent_again(client, banners, path):
    banners.observe("red", [1, 0])
    first = client.get(API + path)
    tag = first.headers["ETag"]
    assert tag.startswith('"')
    for given in (tag, f'"other", {tag}', f"W/{tag}", "*"):
        again = client.get(API + path, headers={"If-None-Match": given})
        assert (again.status_code, again.content, again.headers["ETag"]) == (304, b"", tag)
    assert client.get(API + path, headers={"If-None-Match": '"other"'}).status_code == 200
    banners.ask()
    changed = client.get(API + path, headers={"If-None-Match": tag})
    assert changed.status_code == 200
    assert changed.headers["ETag"] != tag


def test_a_tag_is_of_one_query_and_of_one_experiment(client, store, banners):
    arms = f"{API}/banners/arms"
    tags = {client.get(arms + query).headers["ETag"] for query in ("", "?limit=1", "?arm=red")}
    assert len(tags) == 3
    before = client.get(arms).headers["ETag"]
    client.delete(f"{API}/banners")
    store.experiment("banners", ga.Problem(["red", "green"], 0.5, 0.05), seed=7)
    assert client.get(arms).headers["ETag"] != before


def test_only_so_many_experiments_are_held_open(store):
    from goodarm.service.open_experiments import OpenExperiments

    kept = OpenExperiments(store, 2)
    for name in "abc":
        store.experiment(name, ga.Problem(2, 0.5, 0.05))
    a = kept.experiment("a")
    assert kept.experiment("a") is a
    kept.experiment("b")
    kept.experiment("a")
    kept.experiment("c")
    assert list(kept._open) == ["a", "c"]
    assert kept.experiment("a") is a
