"""What a client takes, sends and shows, without a service."""

import inspect
import subprocess
import sys

import httpx
import numpy as np
import pytest

import goodarm as ga
from client.test_retries import SHOWN, Script, ok, problem
from goodarm.client import RemoteExperiment, problem_documents
from goodarm.client.connection import ServiceConnection
from goodarm.client.experiment_resource import ExperimentResource
from goodarm.errors import Gone
from goodarm.installation import install_command
from goodarm.service import problems as service_problems


def open_remote(*answers):
    script = Script(*answers)
    return script, RemoteExperiment(ExperimentResource("coins", script.client()._connection))


@pytest.mark.parametrize(
    "url",
    [
        *("", "far.example", "ftp://far.example", "http://", "http://far.example?a=1", 7, None),
        *("http://far.example#x", "http://far example", "http://far.example:port", "http://[::1"),
    ],
)
def test_an_address_is_one_of_a_service(url):
    with pytest.raises(
        ga.errors.SpecError, match="'url' of Client must be the address of a service"
    ):
        ga.Client(url)


def test_no_password_is_shown():
    for url in ("http://ann:pa55@far.example", "postgresql://ann:pa55@far.example"):
        with pytest.raises(ga.errors.SpecError) as caught:
            ga.Client(url)
        assert "pa55" not in str(caught.value)


@pytest.mark.parametrize("token", ["", "ga_se\ncret", "ga secret", "gä_secret", 7, "ga_\x7f"])
def test_a_token_can_be_sent_and_is_not_shown(token):
    with pytest.raises(ga.errors.SpecError) as caught:
        ga.Client("http://far.example", token)
    assert "cret" not in str(caught.value)


@pytest.mark.parametrize("argument", ["patience", "timeout"])
@pytest.mark.parametrize("value", [0, -1, float("inf"), float("nan"), True, "60", None])
def test_waiting_has_an_end(argument, value):
    with pytest.raises(ga.errors.SpecError, match=f"'{argument}' of Client"):
        ga.Client("http://far.example", **{argument: value})


def test_a_token_is_sent_and_nowhere_else():
    script = Script(ok({"experiments": [], "next": None}))
    client = script.client()
    assert client.experiments() == []
    (request,) = script.requests
    assert request.headers["Authorization"] == "Bearer ga_secret"
    assert "cret" not in str(request.url)
    assert repr(client) == "Client('http://far.example')"
    assert "secret" not in repr(vars(client))


def test_a_path_before_the_api_is_kept():
    script = Script(ok({"experiments": [], "next": None}))
    http = httpx.Client(transport=httpx.MockTransport(script))
    ga.Client("http://far.example/goodarm/", http=http).experiments()
    assert script.requests[0].url.path == "/goodarm/api/v1/experiments"


def test_lists_come_in_pages():
    pages = [{"experiments": [{**SHOWN, "name": name}], "next": name} for name in ("a", "b")]
    script = Script(*map(ok, pages), ok({"experiments": [], "next": None}))
    assert [kept.name for kept in script.client().experiments()] == ["a", "b"]
    assert [request.url.params.get("after") for request in script.requests] == [None, "a", "b"]


def test_what_has_not_changed_is_not_sent_again():
    first = httpx.Response(200, json=SHOWN, headers={"ETag": '"one"'})
    script, exp = open_remote(first, httpx.Response(304))
    assert [exp.pulls, exp.status, exp.entries] == [2, "running", 3]
    assert [r.headers.get("If-None-Match") for r in script.requests] == [None, '"one"', '"one"']


def test_an_experiment_that_was_there_is_gone():
    _, exp = open_remote(problem(404, "no-such-experiment"))
    for act in (exp.ask, exp.table, lambda: exp.pulls, lambda: exp.tell(ga.Pull(1, "a"), 1)):
        with pytest.raises(Gone, match="'coins' was deleted"):
            act()


@pytest.mark.parametrize("key", ["", " a", "a ", "é", "a\nb", "a" * 201, 7])
def test_a_key_can_stand_in_a_header(key):
    script, exp = open_remote(ok({}))
    with pytest.raises(ga.errors.SpecError, match="'key' of tell must"):
        exp.tell(ga.Pull(1, "a"), 1, key=key)
    assert script.requests == []


@pytest.mark.parametrize(
    "reward", [float("nan"), float("inf"), object(), 1j, b"1", np.float64("nan")]
)
def test_what_is_no_number_is_not_sent(reward):
    script, exp = open_remote(ok({}))
    for act in (
        lambda: exp.tell(ga.Pull(1, "a"), reward),
        lambda: exp.tell_many([ga.Pull(1, "a")], [reward]),
        lambda: exp.observe("a", [1, reward]),
    ):
        with pytest.raises(ga.errors.SpecError):
            act()
    assert script.requests == []


@pytest.mark.parametrize("pull", [(1, "a"), 1, None, ga.Pull("1", "a"), ga.Pull(True, "a")])
def test_only_pulls_are_told(pull):
    script, exp = open_remote(ok({}))
    for act in (lambda: exp.tell(pull, 1), lambda: exp.forget(pull)):
        with pytest.raises(ga.errors.SpecError, match="'pull' of"):
            act()
    assert script.requests == []


def test_numbers_of_numpy_are_numbers():
    script, exp = open_remote(ok({}))
    exp.tell_many([ga.Pull(np.int64(1), np.str_("a"))], np.array([0.5]))
    exp.observe(np.int64(3), np.array([1, 0]))
    told, observed = (request.content for request in script.requests)
    assert told == b'{"pulls": [{"number": 1, "arm": "a"}], "rewards": [0.5]}'
    assert observed == b'{"arm": 3, "rewards": [1, 0]}'


def test_blocks_are_not_offered():
    _, exp = open_remote(ok({}))
    with pytest.raises(ga.errors.ProtocolError, match="tell_many"):
        exp.together()


@pytest.mark.parametrize(
    ("near", "far"), [(ga.store.StoredExperiment, RemoteExperiment), (ga.store.Store, ga.Client)]
)
def test_it_offers_what_a_store_does(near, far):
    """The same names with the same arguments; what a client lacks is listed here."""
    missing = {"import_", "schema", "signed", "tokens", "upgrade"}
    missing |= {"has_key", "hash_at", "heads", "id", "journal_lines", "reading", "rows", "settings"}
    missing |= {"one_reading"}
    missing |= {"head"} if near is ga.store.Store else set()
    for name, value in vars(near).items():
        if name.startswith("_") or name in missing:
            continue
        there = inspect.getattr_static(far, name)
        assert isinstance(there, property) == isinstance(value, property), name
        if not isinstance(value, property):
            shapes = [
                [(p.name, p.kind, p.default) for p in inspect.signature(each).parameters.values()]
                for each in (value, there)
            ]
            assert shapes[0] == shapes[1], name


def test_every_error_of_the_library_comes_back_as_itself():
    for error, kind in service_problems.KINDS_BY_ERROR.items():
        assert problem_documents.ERRORS_BY_SLUG[kind.slug] is error
    known = {kind.slug for kind in service_problems.KINDS}
    assert set(problem_documents.ERRORS_BY_SLUG) <= known
    by_status = known - set(
        problem_documents.ERRORS_BY_SLUG
    )  # which a client of this version does not bring about
    assert {"not-found", "method-not-allowed", "not-acceptable", "unexpected"} <= by_status
    for kind in service_problems.KINDS:
        error = problem_documents.make_error(
            problem_documents.ServiceProblem(kind.status, kind.slug, "Why."), "http://far"
        )
        assert isinstance(error, ga.errors.GoodArmError)
        assert str(error) in ("Why.", "http://far: Why.")


def test_httpx_is_loaded_with_the_first_client_and_its_lack_is_told():
    code = """
import sys
import goodarm as ga
ga.Client
assert "httpx" not in sys.modules and "sqlalchemy" not in sys.modules
sys.modules["httpx"] = None
try:
    ga.Client("http://127.0.0.1:1")
except ga.errors.MissingExtra as error:
    print(error)
"""
    done = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=60, check=True
    )
    assert done.stdout == f"A client needs the 'client' extra: {install_command('client')}.\n"


def test_on_this_machine_no_proxy_is_asked(monkeypatch):
    monkeypatch.setenv("HTTP_PROXY", "http://proxy.example:1")
    for url, is_through in (("http://127.0.0.1:1", False), ("http://far.example", True)):
        with ga.Client(url) as client:
            calls = client._connection
            assert isinstance(calls, ServiceConnection)
            assert bool(calls._http._mounts) == is_through
