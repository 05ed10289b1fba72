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
PATTERN = re.compile(":(experiment|number)}")


@pytest.mark.parametrize("tokens", [False, True], ids=["open", "tokens"])
@pytest.mark.parametrize(
    ("examples", "most_missing"),
    [pytest.param(3, 8, marks=pytest.mark.slow), pytest.param(100, 2, marks=pytest.mark.large)],
)
def test_nothing_is_found(tmp_path, tokens, examples, most_missing):
    url = f"sqlite:///{tmp_path / 'journals.db'}"
    options = []
    with ga.open_store(url) as store:
        if tokens:
            secret, _ = store.tokens.create("all", "admin")
            options += ["--header", f"Authorization: Bearer {secret}"]
    script = "from schemathesis.cli import schemathesis; schemathesis()"
    with in_process(url, "--quiet", "--max-rate", "100000") as (_, address):
        result = subprocess.run(
            [
                *(sys.executable, "-c", script),
                *("--config-file", HERE / "schemathesis.toml"),
                *("run", f"{address}/api/v1/openapi.json"),
                *("--checks", "all", "--max-examples", str(examples), "--seed", "1"),
                *options,
            ],
            capture_output=True,
            text=True,
            timeout=900,
            cwd=tmp_path,
            env={
                **os.environ,
                "PYTHONPATH": os.pathsep.join([str(HERE), os.environ.get("PYTHONPATH", "")]),
                "SCHEMATHESIS_HOOKS": "schemathesis_hooks",
            },
        )
        headers = {"Authorization": f"Bearer {secret}"} if tokens else {}
        metrics = httpx.get(f"{address}/metrics", headers=headers).text
    assert result.returncode == 0, result.stdout + result.stderr
    for phase in ("Examples", "Coverage", "Fuzzing", "Stateful"):
        assert f"✅ {phase}" in result.stdout
    # Not that all was refused: nearly every kind of request was taken at least once.
    taken = set(re.findall(r'_total{method="(.*?)",route="(.*?)",status="2', metrics))
    kinds = {(each.method, PATTERN.sub("}", each.path)) for each in declared()}
    assert len(kinds - taken) <= most_missing, kinds - taken
