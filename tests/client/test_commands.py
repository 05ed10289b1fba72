"""Commands that reach a service in place of a store, with tokens."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from typer.testing import CliRunner

import goodarm as ga
from goodarm.cli import app
from goodarm.cli.stores import read_token
from goodarm.errors import NotAllowed
from goodarm.service import Settings, create_app
from service.servers import in_thread

pytestmark = pytest.mark.slow

EXAMPLES = Path(__file__).parents[2] / "docs" / "examples"
COINS = ga.Problem(["tin", "copper", "brass"], threshold=0.5, delta=0.05)
PROBLEM = ga.Problem(["yes", "no"], threshold=0.5, delta=0.2)
FILE = """
arms = ["yes", "no"]
threshold = 0.5
delta = 0.2
seed = 7
[reward]
command = ["test", "{arm}", "=", "yes"]
"""


@pytest.fixture(scope="module")
def kept(tmp_path_factory):
    """A service that wants tokens: its address, its store, and a token of each scope."""
    url = f"sqlite:///{tmp_path_factory.mktemp('kept') / 'kept.db'}"
    with ga.open_store(url) as store:
        secrets = {
            scope: store.tokens.create(scope, scope)[0] for scope in ("read", "run", "admin")
        }
        store.experiment("coins", COINS, seed=7)
    with (
        ga.open_store(url) as store,
        in_thread(create_app(store, Settings(max_rate=1e6))) as address,
    ):
        yield address, url, secrets


@pytest.fixture
def invoke(kept, monkeypatch):
    def call(scope, *words):
        if scope is None:
            monkeypatch.delenv("GOODARM_TOKEN", raising=False)
        else:
            monkeypatch.setenv("GOODARM_TOKEN", kept[2][scope])
        result = CliRunner().invoke(app, list(map(str, words)))
        for secret in kept[2].values():
            assert secret not in result.output
        return result

    return call


def test_a_run_at_a_service_is_that_of_a_store(invoke, kept, tmp_path):
    """The same file, seed and rewards: the same verdict, whoever keeps the journal."""
    url, store_url, _ = kept
    path = tmp_path / "same.toml"
    path.write_text(FILE)
    far = invoke("admin", "run", path, "--server", url, "--json", "--worker", "w")
    near = invoke("admin", "run", path, "--json", "--worker", "w")
    assert far.exit_code == near.exit_code == 1
    documents = [json.loads(each.stdout) for each in (far, near)]
    for document in documents:
        del document["changed_at"], document["head"]  # each journal has its own times
    documents[0]["entries"] -= 1  # a service has written down whose token created it
    assert documents[0] == documents[1]
    with ga.open_store(store_url) as store:
        assert store.experiment("same").verify().rewards == documents[0]["pulls"]
    again = invoke("read", "show", url, "same", "--json")
    assert json.loads(again.stdout)["arms"] == documents[0]["arms"]


def test_a_token_to_run_is_enough_where_the_experiment_is_there(invoke, kept, tmp_path):
    url, store_url, _ = kept
    path = tmp_path / "here.toml"
    path.write_text(FILE)
    refused = invoke("run", "run", path, "--server", url)
    assert refused.exit_code == 2
    assert "admin" in refused.stderr
    with ga.open_store(store_url) as store:
        store.experiment("here", PROBLEM, seed=7)
    assert invoke("run", "run", path, "--server", url, "--jobs", 2).exit_code == 1
    path.write_text(FILE.replace("0.5", "0.4"))
    other = invoke("run", "run", path, "--server", url)
    assert other.exit_code == 2
    assert "here.toml: The experiment 'here' was created with other settings." in other.stderr


def test_experiments_show_and_verify_take_a_service(invoke, kept):
    url, store_url, _ = kept
    for words in (
        ("experiments", "--json"),
        ("show", "coins", "--json"),
        ("verify", "coins", "--json"),
        ("verify", "--json"),
    ):
        command, *rest = words
        far = invoke("read", command, url, *rest)
        near = invoke("read", command, store_url, *rest)
        assert (far.exit_code, near.exit_code) == (0, 0), far.output
        assert _without_times(far.stdout) == _without_times(near.stdout)
    shown = invoke("read", "show", url, "coins")
    assert shown.exit_code == 0
    assert "coins: running, 0 pulls" in shown.stdout


def _without_times(text):
    return re.sub(r'"seconds": [^,]*', "", text)


def test_a_token_may_come_from_a_file(invoke, kept, tmp_path):
    url, _, secrets = kept
    path = tmp_path / "token"
    path.write_text(f"{secrets['read']}\n")
    assert invoke(None, "experiments", url, "--token-file", path).exit_code == 0
    assert invoke("run", "experiments", url, "--token-file", path).exit_code == 0
    for text, message in (
        ("", "must contain a token and nothing else"),
        ("two words", "must contain a token and nothing else"),
        (b"\xff\xfe", "cannot be read: it is not text"),
        (None, "cannot be read: No such file"),
    ):
        path.unlink(missing_ok=True)
        if text is not None:
            path.write_bytes(text if isinstance(text, bytes) else text.encode())
        result = invoke(None, "experiments", url, "--token-file", path)
        assert result.exit_code == 2
        assert message in " ".join(result.stderr.split())


def test_wrong_use_is_told(invoke, kept, tmp_path):
    url, store_url, _ = kept
    file = tmp_path / "file.toml"
    file.write_text(FILE)
    for scope, words, message in (
        (None, ("experiments", url), "token"),
        ("read", ("run", file, "--server", url), "admin"),
        ("read", ("run", file, "--server", store_url), "must be the address of a service"),
        ("read", ("show", url, "coin"), "Did you mean 'coins'?"),
        ("read", ("verify", url, "coin"), "Did you mean 'coins'?"),
        ("read", ("show", url, "a/../b"), "must be one of"),
        (
            "read",
            ("show", store_url, "coins", "--token-file", "x"),
            "needs the address of a service",
        ),
        ("read", ("token", "list", url), "URL"),
    ):
        result = invoke(scope, *words)
        assert result.exit_code == 2, words
        assert message in " ".join(result.stderr.split()), result.stderr


def test_no_command_takes_a_token_as_an_option(invoke):
    for command in ("run", "show", "experiments", "verify"):
        usage = invoke(None, command, "--help").stdout
        assert "--token-file" in usage
        assert "--token " not in usage


def test_no_token_is_an_empty_one(monkeypatch):
    monkeypatch.setenv("GOODARM_TOKEN", " ")
    assert read_token(None) is None


def test_scopes_are_errors_of_their_own(kept):
    url, _, secrets = kept
    with ga.Client(url) as client, pytest.raises(NotAllowed, match=re.escape(url)):
        client.experiments()
    with ga.Client(url, secrets["read"]) as client:
        exp = client.experiment("coins")
        with pytest.raises(NotAllowed) as caught:
            exp.ask()
        assert isinstance(caught.value, PermissionError)
        assert secrets["read"] not in str(caught.value)


def test_the_worker_of_the_docs_decides_an_experiment(kept):
    """Two of them at once, as they stand in the docs."""
    url, store_url, secrets = kept
    environment = {**os.environ, "GOODARM_SERVER": url, "GOODARM_TOKEN": secrets["run"]}
    command = [sys.executable, str(EXAMPLES / "worker.py")]
    workers = [subprocess.Popen(command, env=environment) for _ in range(2)]
    assert [worker.wait(timeout=120) for worker in workers] == [0, 0]
    with ga.open_store(store_url) as store:
        exp = store.experiment("coins")
        assert (sorted(exp.verdict.good), exp.verdict.bad) == (["brass", "copper"], ["tin"])
        exp.verify()


def test_rewards_may_be_true_or_false_as_in_memory(kept):
    url, _, secrets = kept
    with ga.Client(url, secrets["admin"]) as client:
        exp = client.experiment("flags", ga.Problem(["tin"], threshold=0.5))
        exp.tell(exp.ask(), True)
        exp.observe("tin", [np.False_, True])
        assert (exp.pulls, exp.explain("tin").mean) == (3, pytest.approx(2 / 3))
