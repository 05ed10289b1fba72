"""schemathesis: requests made from the OpenAPI document, with all its checks; links too."""

import os
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

import goodarm as ga
from goodarm.service.app import declared
from service.served import in_process

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
SCRIPT = "from schemathesis.cli import schemathesis; schemathesis()"
PATTERN = re.compile(":(experiment|number)}")


def run_schemathesis(address, folder, config, *options):
    (folder / "schemathesis.toml").write_text(config, encoding="utf-8")
    result = subprocess.run(
        [
            *(sys.executable, "-c", SCRIPT, "--config-file", "schemathesis.toml"),
            *("run", f"{address}/api/v1/openapi.json", "--checks", "all", "--seed", "1"),
            *options,
        ],
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
    return result.stdout


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
    with in_process(url, "--quiet", "--max-rate", "100000") as (_, address):
        options += ["--max-examples", str(examples)]
        stay = ["--exclude-operation-id", "delete_experiment", "--phases", "examples,fuzzing"]
        run_schemathesis(address, tmp_path, CONFIG + ON_KEPT, *options, *stay)
        found = run_schemathesis(address, tmp_path, CONFIG, *options)
        metrics = httpx.get(f"{address}/metrics", headers=headers).text
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in found
    # Not that all was refused: every kind of request was taken at least once.
    taken = set(re.findall(r'_total{method="(.*?)",route="(.*?)",status="2', metrics))
    assert {(each.method, PATTERN.sub("}", each.path)) for each in declared()} <= taken
    with ga.open_store(url) as store:
        for kept in store.experiments():
            store.experiment(kept.name).verify()
