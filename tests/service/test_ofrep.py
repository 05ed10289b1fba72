"""OFREP: experiments as feature flags; an unmodified OpenFeature provider drives one to its end."""

import httpx
import pytest
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.exception import ErrorCode
from openfeature.flag_evaluation import Reason

import goodarm as ga
from service.in_process import API
from service.servers import in_thread

DAY = ga.RewardTimeout("lost", 86400)
FLAGS = "/ofrep/v1/evaluate/flags"


def evaluate(client, key, flag="banners", **more):
    return client.post(f"{FLAGS}/{flag}", json={"context": {"targetingKey": key, **more}})


def test_a_key_keeps_its_pull_and_its_arm(client, banners):
    first = evaluate(client, "ann").json()
    assert first == {
        "key": "banners",
        "reason": "SPLIT",
        "variant": "red",
        "value": "red",
        "metadata": {"pull": 1},
    }
    assert evaluate(client, "ann", country="NZ").json() == first
    assert evaluate(client, "bob").json()["metadata"] == {"pull": 2}
    client.post(f"{API}/banners/pulls/1:tell", json={"reward": 1}).raise_for_status()
    assert evaluate(client, "ann").json() == first
    assert [entry.get("worker") for entry in banners.journal()] == ["ann", "bob", None]


def test_values_are_arms_and_variants_are_text(client, store):
    store.experiment("banners", ga.Problem(2, 0.5, 0.05, pool=9), seed=1)
    flag = evaluate(client, "ann").json()
    assert (flag["value"], flag["variant"]) == (0, "0")
    assert set(flag["metadata"]) == {"pull", "case"}


@pytest.mark.parametrize(
    ("flag_policy", "arm"),
    [
        (None, "blue"),
        (ga.FlagPolicy("best_mean"), "red"),
        (ga.FlagPolicy("default", "green"), "green"),
    ],
)
def test_once_it_is_done_all_get_the_arm_that_it_names(client, store, flag_policy, arm):
    problem = ga.Problem(["red", "green", "blue"], 0.5, 0.05)
    exp = store.experiment("banners", problem, seed=1, reward_timeout=DAY, flag_policy=flag_policy)
    first = evaluate(client, "ann").json()
    assert first["reason"] == "SPLIT"
    exp.tell(exp.pull(1), 1)
    exp.observe("blue", [1, 1, 1, 1, 0] * 10)
    exp.observe("red", [1] * 50)
    exp.observe("green", [0] * 50)
    for key in ("ann", "bob"):
        flag = evaluate(client, key).json()
        assert flag == {
            "key": "banners",
            "reason": "STATIC",
            "variant": arm,
            "value": arm,
            "metadata": {},
        }


@pytest.mark.parametrize("how", ["paused", "all out", "closed"])
def test_what_is_served_when_nothing_can_be_asked(client, store, how):
    problem = ga.Problem(["red", "green"], 0.5, 0.05, max_pulls=2)
    for name, flag_policy in (("with", ga.FlagPolicy(default="green")), ("without", None)):
        exp = store.experiment(name, problem, reward_timeout=DAY, flag_policy=flag_policy)
        if how == "all out":
            exp.ask_many(2, worker="somebody")
        elif how == "paused":
            exp.pause()
        else:
            exp.close()
    flag = evaluate(client, "ann", "with").json()
    reason = "STATIC" if how == "closed" else "DEFAULT"
    assert (flag["reason"], flag["value"], flag["metadata"]) == (reason, "green", {})
    error = evaluate(client, "ann", "without")
    assert (error.status_code, error.json()["errorCode"]) == (400, "GENERAL")
    assert "has no default" in error.json()["errorDetails"]


BAD = [
    (b"", "TARGETING_KEY_MISSING"),
    (b"{}", "TARGETING_KEY_MISSING"),
    (b'{"context": {}}', "TARGETING_KEY_MISSING"),
    (b'{"context": {"targetingKey": ""}}', "TARGETING_KEY_MISSING"),
    (b'{"context": {"targetingKey": null}}', "TARGETING_KEY_MISSING"),
    (b'{"context": {"targetingKey": 7}}', "INVALID_CONTEXT"),
    (b'{"context": {"targetingKey": "' + b"k" * 256 + b'"}}', "INVALID_CONTEXT"),
    (b'{"context": 7}', "INVALID_CONTEXT"),
    (b'{"context": null}', "INVALID_CONTEXT"),
    (b"[]", "PARSE_ERROR"),
    (b"nonsense", "PARSE_ERROR"),
    (b'{"context": {"targetingKey": "\\ud800"}}', "PARSE_ERROR"),
]


@pytest.mark.parametrize(("raw", "code"), BAD, ids=range(len(BAD)))
def test_errors_have_ofreps_shape(client, banners, raw, code):
    for path in (f"{FLAGS}/banners", FLAGS):
        answer = client.post(path, content=raw, headers={"Content-Type": "application/json"})
        assert answer.status_code == 400
        assert answer.headers["Content-Type"] == "application/json"
        found = answer.json()
        assert found.pop("key", None) == ("banners" if path != FLAGS else None)
        assert found.pop("errorDetails").endswith(".")
        assert found == {"errorCode": code}
    assert banners.entries == 0


@pytest.mark.parametrize("flag", ["nobody", "no%20name", "a/b"])
def test_flags_that_are_not_there(client, flag):
    answer = evaluate(client, "ann", flag)
    assert (answer.status_code, answer.json()["errorCode"]) == (404, "FLAG_NOT_FOUND")
    assert answer.json()["errorDetails"]


def test_bulk_is_for_those_who_opted_in(client, store, banners):
    problem = ga.Problem(["a", "b"], 0.5, 0.05)
    in_bulk = ga.FlagPolicy(bulk=True)
    runs = store.experiment("runs", problem, reward_timeout=DAY, flag_policy=in_bulk)
    store.experiment("stuck", problem, reward_timeout=DAY, flag_policy=in_bulk).close()
    body = {"context": {"targetingKey": "ann"}}
    answer = client.post(FLAGS, json=body)
    split, error = answer.json()["flags"]
    assert (split["key"], split["metadata"]) == ("runs", {"pull": 1})
    assert (error["key"], error["errorCode"]) == ("stuck", "GENERAL")
    assert split == evaluate(client, "ann", "runs").json()
    tag = answer.headers["ETag"]
    again = client.post(FLAGS, json=body, headers={"If-None-Match": tag})
    assert (again.status_code, again.content) == (304, b"")
    other = {"context": {"targetingKey": "bob"}}
    assert client.post(FLAGS, json=other, headers={"If-None-Match": tag}).status_code == 200
    assert (runs.entries, banners.entries) == (2, 0)


def visit(flags, visitor, default="none"):
    return flags.get_string_details("banners", default, EvaluationContext(targeting_key=visitor))


@pytest.fixture
def flags(app):
    """An OpenFeature client with its own provider for OFREP, and a client of the API."""
    with in_thread(app) as url, httpx.Client(base_url=url) as client:
        api.set_provider(OFREPProvider(url))
        try:
            yield api.get_client(), client
        finally:
            api.shutdown()


def test_an_openfeature_client_drives_an_experiment_to_its_verdict(flags, store):
    problem = ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05)
    exp = store.experiment("banners", problem, seed=5)
    flags, client = flags
    visitors = 0
    while True:
        visitor = f"visitor-{visitors}"
        seen = visit(flags, visitor)
        if seen.reason != Reason.SPLIT:
            break
        assert seen.variant == seen.value
        assert visit(flags, visitor) == seen
        reward = int(seen.value != "green")
        path = f"{API}/banners/pulls/{seen.flag_metadata['pull']}:tell"
        client.post(path, json={"reward": reward}).raise_for_status()
        visitors += 1
        assert visitors < 1000
    assert sorted(exp.verdict.good) == ["blue", "red"]
    assert exp.verdict.bad == ["green"]
    assert exp.pulls == visitors
    assert (seen.reason, seen.value) == (Reason.STATIC, exp.verdict.good[0])
    assert exp.verify().rewards == visitors


def test_an_openfeature_client_sees_our_errors(flags, banners, store):
    flags, _ = flags
    no_key = flags.get_string_details("banners", "none", EvaluationContext())
    assert (no_key.value, no_key.error_code) == ("none", ErrorCode.TARGETING_KEY_MISSING)
    unknown = flags.get_string_details("nobody", "none", EvaluationContext(targeting_key="ann"))
    assert unknown.error_code == ErrorCode.FLAG_NOT_FOUND
    store.tokens.create("first", "run")
    refused = visit(flags, "ann")
    assert (refused.value, refused.error_code) == ("none", ErrorCode.GENERAL)


def serve_visitors(client, exp, pass_time, silent, most=2000):
    """Visitors come one after the other, a minute apart, and all but the silent ones tell."""
    for number in range(most):
        pass_time(60)
        flag = evaluate(client, f"visitor-{number}").json()
        if flag.get("reason") == "STATIC":
            return number
        if number not in silent and "pull" in flag.get("metadata", {}):
            pull = exp.pull(flag["metadata"]["pull"])
            exp.tell(pull, int(pull.arm != "green"))
    return most


@pytest.fixture
def pass_time(store):
    """Let time pass for the store of all."""
    passed = [0.0]
    store._clock = lambda: 1e9 + passed[0]

    def later(seconds):
        passed[0] += seconds

    return later


PROBLEM = ga.Problem(["red", "green", "blue"], threshold=0.5, delta=0.05, max_pulls=2000)


def test_visitors_who_never_tell_do_not_ruin_a_flag(client, store, pass_time):
    rule = ga.RewardTimeout("lost", 600)
    exp = store.experiment(
        "banners", PROBLEM, seed=1, reward_timeout=rule, flag_policy=ga.FlagPolicy()
    )
    assert serve_visitors(client, exp, pass_time, silent={0, 4}) < 150
    assert exp.verdict.undecided == []
    exp.verify()


def test_a_flag_of_today_that_waits_labels_the_other_arms_and_says_why(
    client, store, pass_time, caplog
):
    """Its missing rewards hold up their own arms alone; once they come, all is known."""
    exp = store.experiment("banners", PROBLEM, seed=1)
    assert serve_visitors(client, exp, pass_time, silent={0, 3}, most=150) == 150
    assert exp.pulls < 120
    silent = {pull.arm for pull in exp.waiting}
    assert set(exp.verdict.undecided) == silent != set(PROBLEM.arms)
    error = evaluate(client, "one-more").json()
    assert error["errorCode"] == "GENERAL"
    assert sum("is a feature flag" in record.getMessage() for record in caplog.records) == 1
    for pull in exp.waiting:
        exp.tell(pull, int(pull.arm != "green"))
    assert exp.verdict.undecided == []


def test_a_client_that_asked_for_another_type_has_the_same_pull_again(flags, store):
    """The protocol does not say which type is wanted, so the pull is given all the same."""
    flags, client = flags
    exp = store.experiment(
        "banners", PROBLEM, seed=1, reward_timeout=DAY, flag_policy=ga.FlagPolicy()
    )
    who = EvaluationContext(targeting_key="ann")
    wrong = flags.get_boolean_details("banners", False, who)
    assert (wrong.value, wrong.error_code) == (False, ErrorCode.TYPE_MISMATCH)
    right = visit(flags, "ann")
    assert right.flag_metadata == {"pull": 1}
    client.post(f"{API}/banners/pulls/1:tell", json={"reward": 1}).raise_for_status()
    assert (exp.waiting, exp.pulls) == ([], 1)
