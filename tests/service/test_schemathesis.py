"""schemathesis: requests made from the OpenAPI document, with all its checks; links too."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import goodarm as ga
from goodarm.service import Settings, create_app
from goodarm.service.app import list_routes
from service.servers import in_thread

HERE = Path(__file__).parent
CONFIG = (HERE / "schemathesis.toml").read_text(encoding="utf-8")
ON_KEPT = """
[[operations]]
include-operation-id = "forget_pull"
parameters = { "path.number" = 2 }

[[operations]]
include-operation-id = "close_experiment"
parameters = { "path.name" = "ended" }

[parameters]
"path.name" = "kept"
"path.number" = 1
"""
"""Requests to experiments that are there, and to pulls that were asked."""
SCRIPT = """
import json, sys
from schemathesis.cli import schemathesis
for words in json.loads(sys.argv[1]):
    try:
        schemathesis(words)
    except SystemExit as end:
        if end.code:
            raise
"""
"""One run after the other, until one finds something: to load schemathesis takes seconds."""
PATTERN = re.compile(":(experiment|number)}")


def run_schemathesis(address, folder, runs):
    """Return what each run prints; a run is its configuration and further options."""
    commands = []
    for number, (config, *options) in enumerate(runs):
        path = folder / f"schemathesis-{number}.toml"
        path.write_text(config, encoding="utf-8")
        commands.append(
            [
                *("--config-file", str(path)),
                *("run", f"{address}/api/v1/openapi.json", "--checks", "all", "--seed", "1"),
                *options,
            ]
        )
    result = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(commands)],
        capture_output=True,
        text=True,
        timeout=900,
        cwd=folder,
        env={
            **os.environ,
            "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
            "SCHEMATHESIS_HOOKS": "schemathesis_hooks",
        },
    )
    assert result.returncode == 0, result.stdout + result.stderr
    before, *printed = result.stdout.split("Schemathesis v")
    assert (before, len(printed)) == ("", len(runs))
    return printed


@pytest.mark.parametrize(
    ("tokens", "examples"),
    [
        pytest.param(True, 2, id="tokens", marks=pytest.mark.slow),
        pytest.param(True, 100, id="tokens, long", marks=pytest.mark.large),
        pytest.param(False, 2, id="open", marks=pytest.mark.large),
        pytest.param(False, 100, id="open, long", marks=pytest.mark.large),
    ],
)
def test_nothing_is_found(tmp_path, tokens, examples):
    """All else is tried on experiments that stay; then it creates and deletes as it likes."""
    url, options, headers = f"sqlite:///{tmp_path / 'journals.db'}", [], {}
    with ga.open_store(url) as store:
        problem = ga.Problem(["red", "green"], 0.5, 0.05, arms_planned=9)
        for name in ("kept", "ended"):
            store.experiment(name, problem).ask_many(9)
        if tokens:
            secret, _ = store.tokens.create("all", "admin")
            headers = {"Authorization": f"Bearer {secret}"}
            options = ["--header", f"Authorization: Bearer {secret}"]
    with (
        ga.open_store(url) as store,
        in_thread(create_app(store, Settings(max_rate=100_000))) as address,
    ):
        options += ["--max-examples", str(examples)]
        stay = ["--exclude-operation-id", "delete_experiment", "--phases", "examples,fuzzing"]
        runs = [(CONFIG + ON_KEPT, *options, *stay), (CONFIG, *options)]
        _, found = run_schemathesis(address, tmp_path, runs)
        metrics = httpx.get(f"{address}/metrics", headers=headers).text
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in found
    # Not that all was refused: every kind of request was taken at least once.
    taken = set(re.findall(r'_total{method="(.*?)",route="(.*?)",status="2', metrics))
    assert {(each.method, PATTERN.sub("}", each.path)) for each in list_routes()} <= taken
    with ga.open_store(url) as store:
        for kept in store.experiments():
            store.experiment(kept.name).verify()
